/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Two states get the same operations.  One of them is written and read at random places and continues as the state
 * read: from then on both must give the same numbers, routes, channels, backups and answers.  With the argument
 * `thorough`: 100,000 operations.
 */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

#include <string.h>

enum { CASES = 20, LINKS_MAX = 64 };

static uint32_t operations = 300;       /* of each case */

struct pair {
    rwa_network *net;
    rwa_state_options options;
    rwa_state *kept, *read;     /* read: written and read now and then */
    uint64_t mark;              /* of `kept` when `read` was read: operations before it cannot be undone there */
    uint64_t last;              /* the highest number so far */
    uint64_t random;
    int flexible;
    uint32_t seen[8];           /* operations of each kind that did something */
};

static uint32_t below(struct pair *p, uint32_t n)
{
    return (uint32_t)base_random_below(&p->random, n);
}

/* ---- comparing ---- */

static void expect_same_placed(const rwa_placed *a, const rwa_placed *b)
{
    CU_ASSERT_TRUE_FATAL(a->id == b->id && a->src == b->src && a->dst == b->dst && a->hops == b->hops &&
                         a->fiber == b->fiber && a->wavelength == b->wavelength && a->down == b->down);
    CU_ASSERT_TRUE(a->hops == 0 || memcmp(a->links, b->links, a->hops * sizeof *a->links) == 0);
}

static void expect_same_lightpath(const struct pair *p, uint64_t id)
{
    rwa_placed a, b;
    uint32_t width[2] = {0, 0};
    CU_ASSERT_EQUAL(rwa_state_get(&a, p->kept, id), rwa_state_get(&b, p->read, id));
    expect_same_placed(&a, &b);
    CU_ASSERT_EQUAL(rwa_state_backup(&a, &width[0], p->kept, id), rwa_state_backup(&b, &width[1], p->read, id));
    expect_same_placed(&a, &b);
    CU_ASSERT_EQUAL(width[0], width[1]);
    CU_ASSERT_EQUAL(rwa_state_carries(p->kept, id), rwa_state_carries(p->read, id));
    CU_ASSERT_EQUAL(rwa_state_width(p->kept, id), rwa_state_width(p->read, id));
    CU_ASSERT_EQUAL(rwa_state_guard(p->kept, id), rwa_state_guard(p->read, id));
    CU_ASSERT_EQUAL(rwa_state_protection(p->kept, id), rwa_state_protection(p->read, id));
    CU_ASSERT_DOUBLE_EQUAL(rwa_state_rate(p->kept, id), rwa_state_rate(p->read, id), 0);
}

static void expect_same(const struct pair *p)
{
    uint64_t a = RWA_NO_LIGHTPATH, b = RWA_NO_LIGHTPATH;
    CU_ASSERT_EQUAL(rwa_state_count(p->kept), rwa_state_count(p->read));
    do {
        uint64_t before = a;
        a = rwa_state_next(p->kept, a);
        b = rwa_state_next(p->read, b);
        CU_ASSERT_EQUAL_FATAL(a, b);
        CU_ASSERT_TRUE(a == RWA_NO_LIGHTPATH || (a > before && a <= p->last));
        if (a != RWA_NO_LIGHTPATH)
            expect_same_lightpath(p, a);
    } while (a != RWA_NO_LIGHTPATH);
    for (uint32_t l = 0; l < rwa_network_links(p->net); l++) {
        CU_ASSERT_EQUAL(rwa_state_is_failed(p->kept, l), rwa_state_is_failed(p->read, l));
        CU_ASSERT_EQUAL(rwa_state_free_channels(p->kept, l), rwa_state_free_channels(p->read, l));
    }
}

/* ---- operations ---- */

static uint64_t any_id(struct pair *p)
{
    uint64_t id = rwa_state_next(p->kept, RWA_NO_LIGHTPATH);
    for (uint32_t skip = below(p, 30); skip > 0 && id != RWA_NO_LIGHTPATH; skip--)
        id = rwa_state_next(p->kept, id);
    return id;
}

/** Any request but one whose channel is drawn. */
static rwa_request any_request(struct pair *p, uint32_t src, uint32_t dst)
{
    static const rwa_policy policies[] = {RWA_POLICY_FIRST_FIT,  RWA_POLICY_LAST_FIT,  RWA_POLICY_MOST_USED,
                                          RWA_POLICY_LEAST_USED, RWA_POLICY_EXACT_FIT, RWA_POLICY_LEAST_FRAGMENTATION};
    rwa_request q;
    rwa_request_init(&q, src, dst);
    q.policy = policies[below(p, 6)];
    q.routing = (rwa_routing)below(p, 3);
    q.width = p->flexible ? 1 + below(p, 4) : 1;
    q.guard = p->flexible ? below(p, 2) : 0;
    q.rate_bps = below(p, 2) ? 1e9 * (1 + below(p, 9)) : 0;
    return q;
}

static void add_to_both(struct pair *p)
{
    uint32_t nodes = rwa_network_nodes(p->net), src = below(p, nodes);
    rwa_request q = any_request(p, src, (src + 1 + below(p, nodes - 1)) % nodes);
    rwa_placed a, b;
    rwa_obstacle why[2];
    q.protection = (rwa_protection)below(p, 3);
    if (below(p, 8) == 0) {
        OK(rwa_state_explain(&why[0], p->kept, &q, NULL));
        OK(rwa_state_explain(&why[1], p->read, &q, NULL));
        CU_ASSERT_TRUE(why[0].kind == why[1].kind && why[0].remedy == why[1].remedy && why[0].id == why[1].id);
        CU_ASSERT_STRING_EQUAL(why[0].text, why[1].text);
    }
    OK(rwa_state_add(&a, p->kept, &q, NULL));
    OK(rwa_state_add(&b, p->read, &q, NULL));
    expect_same_placed(&a, &b);
    if (a.hops == 0)
        return;
    CU_ASSERT_EQUAL(a.id, p->last + 1);     /* numbers rise by one, also where lightpaths were undone */
    p->last = a.id;
    p->seen[0]++;
}

static void release_both(struct pair *p)
{
    uint64_t id = any_id(p);
    CU_ASSERT_EQUAL(rwa_state_release(p->kept, id, NULL), rwa_state_release(p->read, id, NULL));
    p->seen[1] += id != RWA_NO_LIGHTPATH;
}

static void move_both(struct pair *p)
{
    uint64_t id = any_id(p);
    rwa_placed at, a, b;
    if (!rwa_state_get(&at, p->kept, id))
        return;
    rwa_request q = any_request(p, at.src, at.dst);
    rwa_status st = rwa_state_move(&a, p->kept, id, &q, NULL);
    CU_ASSERT_EQUAL(st, rwa_state_protection(p->kept, id) == RWA_PROTECTION_NONE ? RWA_OK : RWA_BADARG);
    CU_ASSERT_EQUAL_FATAL(rwa_state_move(&b, p->read, id, &q, NULL), st);
    expect_same_placed(&a, &b);
    p->seen[2] += st == RWA_OK && a.hops > 0;
}

static void fail_or_repair_both(struct pair *p)
{
    uint32_t link = below(p, rwa_network_links(p->net)), failed = 0;
    for (uint32_t l = 0; l < rwa_network_links(p->net); l++)
        failed += (uint32_t)rwa_state_is_failed(p->kept, l);
    rwa_status (*change)(rwa_state *, uint32_t, rwa_error *) =
        failed < 5 && below(p, 2) ? rwa_state_fail_link : rwa_state_repair_link;
    for (uint32_t tries = 0; change == rwa_state_repair_link && tries < 40 && !rwa_state_is_failed(p->kept, link);
         tries++)
        link = below(p, rwa_network_links(p->net));
    OK(change(p->kept, link, NULL));
    OK(change(p->read, link, NULL));
    p->seen[3]++;
}

static void undo_both(struct pair *p)
{
    uint64_t since = rwa_state_mark(p->kept) - p->mark, most = since < 5 ? since : 5;
    uint32_t count = below(p, (uint32_t)most + 1);
    if (rwa_state_mark(p->kept) < p->mark)
        return;
    OK(rwa_state_undo(p->kept, count, NULL));
    OK(rwa_state_undo(p->read, count, NULL));
    p->seen[4] += count > 0;
}

static void defragment_both(struct pair *p)
{
    rwa_defragmentation a, b;
    OK(rwa_state_defragment(&a, p->kept, 3, NULL));
    OK(rwa_state_defragment(&b, p->read, 3, NULL));
    CU_ASSERT_EQUAL(a.moves, b.moves);
    p->seen[5] += a.moves > 0;
}

/** What is written again is the same file. */
static void expect_same_file(const rwa_state *state, const char *path)
{
    struct file again = file_make("again.jsonl", "", 0);
    OK(rwa_state_write(state, again.path, NULL));
    FILE *a = fopen(path, "rb"), *b = fopen(again.path, "rb");
    CU_ASSERT_FATAL(a && b);
    int one = 0, other = 0;
    do {
        one = getc(a);
        other = getc(b);
    } while (one == other && one != EOF);
    CU_ASSERT_EQUAL(one, other);
    fclose(a);
    fclose(b);
    file_drop(&again);
}

static void write_and_read(struct pair *p)
{
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check_report report;
    rwa_state *state = NULL;
    OK(rwa_state_write(p->read, file.path, NULL));
    OK(report_file(&report, file.path, NULL, NULL));
    CU_ASSERT_TRUE(report.ok);
    OK(rwa_state_create(&state, p->net, &p->options, NULL));
    OK(rwa_state_read(state, file.path, NULL));
    expect_same_file(state, file.path);
    rwa_state_free(p->read);
    p->read = state;
    p->mark = rwa_state_mark(p->kept);
    file_drop(&file);
    p->seen[6]++;
}

static void operate(struct pair *p)
{
    uint32_t dice = below(p, 100);
    if (dice < 50)
        add_to_both(p);
    else if (dice < 68)
        release_both(p);
    else if (dice < 76)
        move_both(p);
    else if (dice < 86)
        fail_or_repair_both(p);
    else if (dice < 94)
        undo_both(p);
    else if (dice < 96)
        defragment_both(p);
    else
        write_and_read(p);
}

static void run_case(uint32_t number, uint32_t seen[8])
{
    static const struct { const char *spec; uint32_t wavelengths, fibers; rwa_model model; int flexible;
    } cases[] = {{"nsfnet14-21", 6, 1, RWA_UNDIRECTED, 0}, {"nsfnet14-21", 40, 1, RWA_UNDIRECTED, 1},
                 {"mesh:3x3", 3, 2, RWA_DIRECTED, 0},      {"ring:7", 5, 1, RWA_DIRECTED, 0},
                 {"polska12-18", 5, 2, RWA_UNDIRECTED, 0}, {"hypercube:3", 20, 1, RWA_DIRECTED, 1},
                 {"ring:2", 5, 1, RWA_DIRECTED, 0},        {"fat-tree:4", 5, 1, RWA_UNDIRECTED, 0}};
    struct pair p = {.random = 1000 + number};
    number %= sizeof cases / sizeof *cases;
    p.flexible = cases[number].flexible;
    p.net = network_of(cases[number].spec, cases[number].wavelengths, cases[number].fibers, p.flexible);
    rwa_state_options_init(&p.options);
    p.options.model = cases[number].model;
    p.options.paths = 4;
    p.options.history = 1u << 16;
    OK(rwa_state_create(&p.kept, p.net, &p.options, NULL));
    OK(rwa_state_create(&p.read, p.net, &p.options, NULL));
    write_and_read(&p);     /* an empty one */
    for (uint32_t i = 0; i < operations; i++) {
        operate(&p);
        expect_same(&p);
    }
    write_and_read(&p);
    expect_same(&p);
    for (size_t k = 0; k < 7; k++)
        seen[k] += p.seen[k];
    rwa_state_free(p.kept);
    rwa_state_free(p.read);
    rwa_network_free(p.net);
}

static void a_state_read_continues_as_the_one_written(void)
{
    uint32_t seen[8] = {0};
    for (uint32_t i = 0; i < CASES; i++)
        run_case(i, seen);
    for (size_t k = 0; k < 7; k++)
        CU_ASSERT_TRUE(seen[k] >= 20);  /* or little was shown */
}

/* ---- files ---- */

#define HEAD(next) "{\"format\":\"rwa-assignment\",\"version\":1,\"model\":\"undirected\",\"network\":{\"nodes\":4," \
                   "\"links\":[[0,1],[1,2],[2,3],[3,0]],\"fibers\":1},\"demands\":2,\"wavelengths\":3" next "}\n"
#define LINE(demand, number, channel)                                                                                  \
    "{\"demand\":" demand number ",\"src\":0,\"dst\":1,\"path\":[0,1],\"fiber\":0,\"wavelength\":" channel "}\n"

static rwa_state *state_of_square(void)
{
    const rwa_link links[] = {{0, 1, 0, 0}, {1, 2, 0, 0}, {2, 3, 0, 0}, {3, 0, 0, 0}};
    rwa_network *net = graph_of(links, 4, 4, 3, 0);
    rwa_state *state = state_on(net, RWA_UNDIRECTED, 3);
    rwa_network_free(net);
    return state;
}

/* Numbers that are no numbers of lightpaths: check and state say so in one line. */
static void wrong_numbers_are_refused(void)
{
    static const struct { const char *text, *part;
    } cases[] =
        {{HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":4", "0") LINE("1", ",\"lightpath\":7", "1"), NULL},
         {HEAD("") LINE("0", "", "0") LINE("1", "", "1"), NULL}, /* an old file */
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":4", "0") LINE("1", ",\"lightpath\":4", "1"),
          ":3: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":7", "0") LINE("1", ",\"lightpath\":4", "1"),
          ":3: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":4", "0") LINE("1", ",\"lightpath\":9", "1"),
          ":3: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":0", "0") LINE("1", ",\"lightpath\":4", "1"),
          ":2: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":-3", "0") LINE("1", ",\"lightpath\":4", "1"),
          ":2: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":\"4\"", "0") LINE("1", ",\"lightpath\":5", "1"),
          ":2: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":4", "0") LINE("1", "", "1"), ":3: \"lightpath\""},
         {HEAD("") LINE("0", ",\"lightpath\":4", "0") LINE("1", "", "1"), ":2: \"lightpath\""},
         {HEAD(",\"next_lightpath\":9") LINE("1", ",\"lightpath\":4", "0") LINE("0", ",\"lightpath\":5", "1"),
          ":3: \"demand\""},
         {HEAD(",\"next_lightpath\":0") LINE("0", "", "0") LINE("1", "", "1"), ":1: \"next_lightpath\""},
         {HEAD(",\"next_lightpath\":9007199254740993") LINE("0", "", "0") LINE("1", "", "1"), ":1: \"next_lightpath\""},
         {HEAD(",\"next_lightpath\":1.5") LINE("0", "", "0") LINE("1", "", "1"), ":1: \"next_lightpath\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file file = file_make("a.jsonl", cases[i].text, strlen(cases[i].text));
        rwa_state *state = state_of_square();
        rwa_check_report report;
        rwa_error err[2] = {{0}, {0}};
        rwa_status expected = cases[i].part ? RWA_FORMAT : RWA_OK;
        CU_ASSERT_EQUAL(report_file(&report, file.path, NULL, &err[0]), expected);
        CU_ASSERT_EQUAL(rwa_state_read(state, file.path, &err[1]), expected);
        CU_ASSERT_EQUAL(rwa_state_count(state), cases[i].part ? 0 : 2);
        for (int k = 0; k < 2 && cases[i].part; k++) {
            expect_part(err[k].text, cases[i].part);
            CU_ASSERT_PTR_NULL(strchr(err[k].text, '\n'));
        }
        rwa_state_free(state);
        file_drop(&file);
    }
}

/* Numbers 4 and 7 of 9 come back; a state where another lightpath has one of them refuses the file and stays as it
   was. */
static void numbers_come_in_once(void)
{
    static const char text[] =
        HEAD(",\"next_lightpath\":9") LINE("0", ",\"lightpath\":4", "0") LINE("1", ",\"lightpath\":7", "1");
    static const char high[] = HEAD(",\"next_lightpath\":9007199254740992") LINE("0", ",\"lightpath\":4", "0")
                               LINE("1", ",\"lightpath\":9007199254740991", "1");
    struct file file = file_make("a.jsonl", text, sizeof text - 1), last = file_make("b.jsonl", high, sizeof high - 1);
    rwa_state *state = state_of_square();
    rwa_request q;
    rwa_placed placed;
    rwa_error err = {0};
    rwa_request_init(&q, 2, 3);
    OK(rwa_state_read(state, file.path, NULL));
    CU_ASSERT_TRUE(rwa_state_next(state, 0) == 4 && rwa_state_next(state, 4) == 7 &&
                   rwa_state_next(state, 7) == RWA_NO_LIGHTPATH);
    CU_ASSERT_TRUE(rwa_state_add(&placed, state, &q, NULL) == RWA_OK && placed.id == 9);
    OK(rwa_state_release(state, 4, NULL));
    CU_ASSERT_EQUAL(rwa_state_read(state, file.path, &err), RWA_BADARG);
    expect_part(err.text, "lightpath 7, from node 0 to node 1: a lightpath of the state has this id");
    OK(rwa_state_undo(state, 1, NULL));    /* what failed is no operation and forgets none */
    CU_ASSERT_TRUE(rwa_state_get(&placed, state, 4) && rwa_state_next(state, 4) == 7 && rwa_state_next(state, 7) == 9);
    for (uint64_t id = 0; (id = rwa_state_next(state, 0)) != RWA_NO_LIGHTPATH;)
        OK(rwa_state_release(state, id, NULL));
    OK(rwa_state_read(state, file.path, NULL));    /* a file may come back */
    CU_ASSERT_TRUE(rwa_state_add(&placed, state, &q, NULL) == RWA_OK && placed.id == 10);
    rwa_state_free(state);
    state = state_of_square();
    OK(rwa_state_read(state, last.path, NULL));
    CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &q, &err), RWA_NOMEM);        /* no number is left */
    OK(rwa_state_write(state, last.path, NULL));
    rwa_state_free(state);
    file_drop(&file);
    file_drop(&last);
}

int main(int count, char **arguments)
{
    operations = count > 1 && strcmp(arguments[1], "thorough") == 0 ? 100000 / CASES : operations;
    return RUN_TESTS("states written and read", a_state_read_continues_as_the_one_written, wrong_numbers_are_refused,
                     numbers_come_in_once);
}

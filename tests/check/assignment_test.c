/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments judged: a right one passes, each way to be wrong is named, and clashes are those that pairs of paths
 * have. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/judged.h"
#include "tests/support/random.h"

#define HEADER(model, links, more)                                                                     \
    "{'format':'rwa-assignment','version':1,'model':'" model "','network':{'nodes':4,'links':" links \
    ",'fibers':1" more "},'demands':3,'wavelengths':2"
#define SQUARE "[[0,1],[1,2],[2,3],[3,0]]"
#define SLOTS(more)                                                                                        \
    "{'format':'rwa-assignment','version':2,'model':'directed','network':{'nodes':3,'links':[[0,1],[1,2]]," \
    "'fibers':1,'slot_ghz':12.5},'demands':2,'wavelengths':8" more "}"

/* A square: 0-1-2 and 0-3 on the first wavelength, 0-1 on the second. */
static const struct judged square = {
    HEADER("undirected", SQUARE, "") "}", {"d0 0>2 path=0,1,2 0/0", "d1 0>3 path=0,3 0/0", "d2 1>0 path=1,0 0/1"}};

static void each_violation_is_named(void)
{
    judged_expect_ok(&square);
    judged_expect(&square,
                  "2: d2 1>0 path=1,0 0/0: channel: link 0 (0 - 1) is taken",
                  "1: d1 0>3 path=0,2,3 0/0: continuity: no link leads",
                  "1: d1 0>3 path=1,0,3 0/1: continuity: begins at node 1",
                  "1: d1 0>3 path=0,1 0/1: continuity: ends at node 1",
                  "1: d1 0>3 path=0,1,0,3 0/1: continuity: node 0 twice",
                  "1: d1 0>3 path=0 0/1: continuity: ends at node 0",
                  "1: d1 0>3 path=0,9,3 0/1: continuity: node 9",
                  "1: d1 0>3 path=0,3 0/2: range: wavelength 2",
                  "1: d1 0>3 path=0,3 1/0: range: fibre 1",
                  "1: d1 0>4 path=0,3 0/0: range: node 4",
                  "1: d1 3>3 path=3 0/0: range: two nodes",
                  "1: d3 0>3 path=0,3 0/0: range: below 3",
                  "1: d0 0>3 path=0,3 0/0: completeness: two working",
                  "1: d0 0>3 path=0,3 0/0: completeness: demand 1 has no line",
                  "1: d1 0>3 path=0,3 links=0 0/0: continuity: the link named",
                  "1: d1 0>3 path=0,3 links=7 0/0: continuity: the link named",
                  "0: d0 0>2 path=0,1,2 0/0 wavelengths=0,1: continuity: node 1, which has no converter",
                  "3: d0 0>2 role=backup path=0,3,2 0/1: order: does not follow",
                  "3: d2 1>0 role=backup path=1,0 0/0: protection: shares link 0");
}

/** The two directions of a link are one carrier when undirected and two when directed. */
static void directions_clash_in_the_undirected_model_only(void)
{
    struct judged both = {
        HEADER("undirected", SQUARE, "") "}",
        {"d0 0>1 path=0,1 0/0", "d1 1>0 path=1,0 0/0",
         "{\"demand\":2,\"src\":1,\"dst\":2,\"path\":null,\"why\":\"\"}"}};
    rwa_check_report c;
    OK(judged_check(&c, &both));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 1);
    both.header = HEADER("directed", "[[0,1],[1,0],[1,2]]", "") "}";
    judged_expect_ok(&both);
    both.header = HEADER("directed", "[[0,1],[1,2],[2,0]]", "") "}";
    OK(judged_check(&c, &both));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CONTINUITY], 1);
}

static void reserved_channels_parallel_links_and_fibres_are_respected(void)
{
    struct judged file = square;
    rwa_check_report c;
    file.header = HEADER("undirected", SQUARE, ",'reserved':[[3,0,0],[0,0,1]]") "}";
    OK(judged_check(&c, &file));
    CU_ASSERT_EQUAL(c.by_kind[RWA_VIOLATION_CHANNEL], 2);
    /* 0 and 1 joined twice: without a name the first link is meant */
    file.header = HEADER("undirected", "[[0,1],[1,2],[2,3],[3,0],[1,0]]", "") "}";
    file.lines[2] = "d2 1>0 path=1,0 links=4 0/0";
    judged_expect_ok(&file);
    judged_expect(&file, "2: d2 1>0 path=1,0 links=0 0/0: channel: taken");
    file.header = HEADER("undirected", SQUARE, ",'link_fibers':[2,1,1,1]") "}";
    file.lines[2] = "d2 1>0 path=1,0 1/0";
    judged_expect_ok(&file);
    judged_expect(&file, "1: d1 0>3 path=0,3 1/0: range: has 1");
}

/** A file whose header claims this bound. */
static void expect_claimed(const struct judged *like, const char *header, const char *bound, rwa_verdict verdict)
{
    struct judged file = *like;
    char text[1024];
    rwa_check_report c;
    snprintf(text, sizeof text, header, bound);
    file.header = text;
    OK(judged_check(&c, &file));
    CU_ASSERT_EQUAL(c.bound_verdict, verdict);
    CU_ASSERT_EQUAL(c.violations, verdict == RWA_FAIL);
}

/** A lightpath is down if, and only if, a link of its own route has failed.  While one is, all four links count in a
 *  bound; else routes take 2 + 1 + 1 of the three that work. */
static void what_is_down_crosses_what_failed(void)
{
    struct judged file = square;
    const char *claim = HEADER("undirected", SQUARE, ",'failed':[1]") ",'bound':{'lengths':[1,1,1,1],'value':%s}}";
    file.lines[0] = "d0 0>2 path=0,3,2 0/1";
    expect_claimed(&file, claim, "2", RWA_PASS);
    expect_claimed(&file, claim, "3", RWA_FAIL);
    file.header = HEADER("undirected", SQUARE, ",'failed':[1]") "}";
    file.lines[0] = "d0 0>2 path=0,1,2 0/0 down=true";
    judged_expect_ok(&file);
    expect_claimed(&file, claim, "2", RWA_FAIL);
    judged_expect(&file,
                  "0: d0 0>2 path=0,1,2 0/0: channel: link 1 (1 - 2), which has failed",
                  "1: d1 0>3 path=0,3 0/0 down=true: header: marked down",
                  "1: {\"demand\":1,\"src\":0,\"dst\":3,\"path\":null,\"down\":true}: header: marked down");
    file.header = square.header;
    judged_expect(&file, "0: d0 0>2 path=0,1,2 0/0 down=true: header: marked down");
}

static void converters_may_change_the_channel(void)
{
    struct judged file = square;
    file.header = HEADER("undirected", SQUARE, "") ",'converters':[1]}";
    file.lines[0] = "d0 0>2 path=0,1,2 0/0 wavelengths=0,1";
    judged_expect_ok(&file);
    file.header = HEADER("undirected", SQUARE, "") ",'converters':[2]}";
    judged_expect(&file, "0: d0 0>2 path=0,1,2 0/0 wavelengths=0,1: continuity: no converter");
}

/** Demand 0 both ways round the square; with links 0 and 3 in one duct that is no protection. */
static void backups_keep_apart_from_what_they_protect(void)
{
    struct judged file = {HEADER("undirected", SQUARE, "") ",'protection':true}",
        {"d0 0>2 path=0,1,2 0/0",
         "d0 0>2 role=backup path=0,3,2 0/1",
         "{\"demand\":1,\"src\":1,\"dst\":2,\"path\":null,\"why\":\"no second way\"}",
         "{\"demand\":2,\"src\":1,\"dst\":2,\"path\":null}"}};
    judged_expect_ok(&file);
    file.header = HEADER("undirected", SQUARE, ",'risk_groups':[[1],[0,3]]") ",'protection':true}";
    judged_expect(&file, "1: d0 0>2 role=backup path=0,3,2 0/1: protection: risk group 1");
    file.header = HEADER("undirected", SQUARE, "") ",'protection':true}";
    judged_expect(&file, "3: d2 1>2 path=1,2 0/1: protection: has no backup");
}

static void expect_unreadable(const char *header, const char *line, const char *says)
{
    rwa_check_report c;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(judged_check_with(&c, &(struct judged){header, {line}}, NULL, &err), RWA_FORMAT);
    expect_part(err.text, says);
}

static void unreadable_files_are_told_with_their_line(void)
{
    static const char *const headers[][2] = {
        {"{'format':'rwa-assignment'", ":1:"},
        {"{'format':'rwa-assignment',\"version\":3}", ":1: \"version\""},
        {"{'format':'rwa-assignment',\"version\":1,\"model\":\"both\"}", ":1: \"model\""},
        {HEADER("directed", "[[0,4]]", "") "}", ":1: link 0"},
        {HEADER("directed", "[[0,0]]", "") "}", ":1: link 0"},
        {HEADER("directed", "[[0]]", "") "}", ":1: \"links\""},
        {HEADER("directed", "5", "") "}", ":1: \"links\""},
        {HEADER("directed", SQUARE, ",'link_fibers':[1]") "}", "link_fibers"},
        {HEADER("directed", SQUARE, ",'reserved':[[9,0,0]]") "}", ":1: reserved"},
        {HEADER("directed", SQUARE, ",'failed':[4]") "}", "failed"},
        {HEADER("directed", SQUARE, ",'risk_groups':[[9]]") "}", ":1: risk group"},
        {HEADER("directed", SQUARE, "") ",'converters':[4]}", "converters"},
        {"{'format':'rwa-assignment','version':2,'model':'directed','network':{'nodes':2,'links':[[0,1]],"
         "'slot_ghz':'x'},'demands':0,'wavelengths':1}", ":1: \"slot_ghz\""}};
    static const char *const lines[][2] = {
        {"{\"demand\":0", ":2:"},
        {"[]", ":2: expected an object"},
        {"{\"src\":0}", ":2: \"demand\""},
        {"{\"demand\":0,\"src\":-1,\"dst\":1}", ":2: \"src\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1}", ":2: \"path\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[]}", ":2: \"path\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1,\"path\":[0,1]}", ":2: \"fiber\""},
        {"d0 0>1 path=0,1 links=0,1 0/0", ":2: \"links\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1,\"role\":\"spare\",\"path\":null}", ":2: \"role\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1,\"rate_bps\":0,\"path\":null}", ":2: \"rate_bps\""},
        {"{\"demand\":0,\"src\":0,\"dst\":1,\"rate_bps\":\"100G\",\"path\":null}", ":2: \"rate_bps\""},
        {"d1 1>2 path=1,2 0/4 down=1", ":2: \"down\""},
        {"d1 1>2 path=1,2 0/4 width=0", ":2: \"width\""},
        {"d1 1>2 path=1,2 0/4 width=\"2\"", ":2: \"width\""},
        {"d1 1>2 path=1,2 0/4 guard=-1", ":2: \"guard\""},
        {"d1 1>2 path=1,2 0/4 guard=4000000", ":2: \"guard\""}};
    for (size_t i = 0; i < COUNT(headers); i++)
        expect_unreadable(headers[i][0], "", headers[i][1]);
    for (size_t i = 0; i < COUNT(lines); i++)
        expect_unreadable(SLOTS(""), lines[i][0], lines[i][1]);
}

/* ---- against plain pairwise comparison ---- */

struct path {
    uint32_t links[160], hops, fiber, wavelength, width, guard;
    rwa_direction direction;
};

/** Round a ring either way, or along a line. */
static void walk_arc(struct path *p, const rwa_network *net, uint32_t src, uint32_t dst)
{
    uint32_t nodes = rwa_network_nodes(net);
    bool up = rwa_network_topology(net) == RWA_RING ? any(2) : src < dst;
    p->direction = up ? RWA_CW : RWA_CCW;
    p->hops = rwa_network_hops(net, src, dst, p->direction);
    for (uint32_t k = 0; k < p->hops; k++)
        p->links[k] = up ? (src + k) % nodes : rwa_network_pairs(net) + (src + nodes - 1 - k) % nodes;
}

/** A random walk that never meets a node twice, from src until it is stuck or at dst; 0 hops when it is stuck. */
static void walk(struct path *p, const rwa_network *net, uint32_t src, uint32_t dst)
{
    uint32_t seen = 1u << src;
    for (p->hops = 0; src != dst;) {
        uint32_t choice = RWA_NONE, count = 0;
        for (uint32_t i = 0; i < rwa_network_links(net); i++) {
            rwa_link link = rwa_network_link(net, i);
            if (link.from == src && !(seen >> link.to & 1) && any(++count) == 0)
                choice = i;
        }
        p->hops = choice == RWA_NONE ? 0 : p->hops + 1;
        if (choice == RWA_NONE)
            return;
        p->links[p->hops - 1] = choice;
        src = rwa_network_link(net, choice).to;
        seen |= 1u << src;
    }
}

/** Whether some route before i takes the channel of a hop of route i: the checker counts such hops one by one. */
static unsigned clashes(const struct path *paths, size_t i, const rwa_network *net, rwa_model model)
{
    unsigned count = 0;
    for (uint32_t k = 0; k < paths[i].hops; k++) {
        bool taken = false;
        for (size_t o = 0; o < i; o++)
            for (uint32_t m = 0; m < paths[o].hops; m++) {
                uint32_t a = paths[i].links[k], b = paths[o].links[m];
                bool meet = a == b || (model == RWA_UNDIRECTED && rwa_network_pair(net, a) == rwa_network_pair(net, b));
                taken |= meet && paths[i].fiber == paths[o].fiber &&
                         paths[i].wavelength < paths[o].wavelength + paths[o].width + paths[o].guard &&
                         paths[o].wavelength < paths[i].wavelength + paths[i].width + paths[i].guard;
            }
        count += taken;
    }
    return count;
}

/** Some of several slots, with a guard. */
static rwa_assignment *random_routes(unsigned *expected, const char *spec, rwa_model model, uint32_t most, bool wide)
{
    struct path paths[9];
    uint32_t widths[9], fibers = 1 + any(2), count = 1 + any(8);
    rwa_demands *narrow = NULL, *demands = NULL;
    rwa_assignment *result = NULL;
    struct request r = request_of("%s f=%u", spec, fibers);
    r.network.slot_hz = wide ? RWA_SLOT_HZ : 0;
    const rwa_network *net = request_network(r);
    bool arcs = rwa_network_topology(net) == RWA_RING || rwa_network_topology(net) == RWA_LINE;
    *expected = 0;
    for (uint32_t d = 0; d < count; d++) {
        paths[d] = (struct path){.fiber = any(fibers), .wavelength = any(most), .width = wide ? 1 + any(3) : 1,
                                 .guard = wide ? any(2) : 0};
        widths[d] = paths[d].width;
    }
    OK(rwa_demands_random(&narrow, rwa_network_nodes(net), model, count, any(1000), NULL));
    OK(rwa_demands_with_widths(&demands, keep_demands(narrow), widths, NULL));
    keep_demands(demands);
    OK(rwa_assignment_create(&result, net, wide ? demands : narrow, model, NULL));
    for (uint32_t d = 0; d < count; d++) {
        const rwa_demand *demand = &rwa_demands_list(narrow)[d];
        (arcs ? walk_arc : walk)(&paths[d], net, demand->src, demand->dst);
        *expected += clashes(paths, d, net, model);
        rwa_route route = {.demand = d,
                           .hops = paths[d].hops,
                           .links = arcs ? NULL : paths[d].links,
                           .direction = paths[d].direction,
                           .fiber = paths[d].fiber,
                           .wavelength = paths[d].wavelength,
                           .why = "a \"reason\""};
        OK(rwa_assignment_add_wide(result, &route, paths[d].width, paths[d].guard, NULL));
        CU_ASSERT(rwa_assignment_width(result, d) == paths[d].width &&
                  rwa_assignment_guard(result, d) == paths[d].guard);
    }
    return keep_assignment(result);
}

/** Route i, over links that have other numbers where a file lists those of a ring. */
static bool is_same(const rwa_assignment *result, const rwa_assignment *read, uint64_t i)
{
    rwa_route a, b;
    rwa_assignment_get(&a, result, i);
    rwa_assignment_get(&b, read, i);
    bool same = a.hops == b.hops && rwa_assignment_width(read, i) == rwa_assignment_width(result, i) &&
                rwa_assignment_guard(read, i) == rwa_assignment_guard(result, i);
    if (same && a.hops == 0)
        return strcmp(a.why, b.why) == 0;
    for (uint32_t k = 0; same && k < a.hops; k++)
        same = rwa_network_link(rwa_assignment_network(result), rwa_assignment_link(result, i, k)).to ==
               rwa_network_link(rwa_assignment_network(read), rwa_assignment_link(read, i, k)).to;
    return same && a.demand == b.demand && a.fiber == b.fiber && a.wavelength == b.wavelength;
}

/** In memory, from the file it is written to, and read back: always the clashes that the paths have, and the same
 * routes and widths; without widths the file is as ever.  Arcs are judged a word of links at a time. */
static void clashes_are_those_of_pairs_of_paths(void)
{
    static const char *const specs[] = {
        "mesh:3x3", "torus:3x3", "hypercube:3", "circulant:9:1,3", "ring:9", "ring:150", "line:70", "line:5"};
    unsigned wrong = 0, right = 0;
    struct file file = file_make("a.jsonl", "", 0);
    for (unsigned round = 0; round < 1200; round++) {
        rwa_assignment *again = NULL;
        rwa_check_report c[3];
        unsigned expected;
        bool wide = round / COUNT(specs) % 2;
        rwa_model model = round % 3 ? RWA_DIRECTED : RWA_UNDIRECTED;
        rwa_assignment *result = random_routes(&expected, specs[round % COUNT(specs)], model, 2 + any(30), wide);
        OK(report_assignment(&c[0], result, NULL, NULL));
        OK(rwa_assignment_write(result, file.path, NULL));
        OK(report_file(&c[1], file.path, NULL, NULL));
        OK(rwa_assignment_read(&again, file.path, NULL));
        OK(report_assignment(&c[2], keep_assignment(again), NULL, NULL));
        for (size_t i = 0; i < COUNT(c); i++)
            CU_ASSERT((wide ? (c[i].violations > 0) == (expected > 0) : c[i].violations == expected) &&
                      c[i].by_kind[RWA_VIOLATION_CHANNEL] == c[0].violations &&
                      c[i].lightpaths == c[0].lightpaths && c[i].longest_hops == c[0].longest_hops &&
                      c[i].wavelengths_used == c[0].wavelengths_used && c[i].unserved == c[0].unserved);
        for (uint64_t i = 0; i < rwa_assignment_count(result); i++)
            CU_ASSERT(is_same(result, again, i));
        CU_ASSERT_EQUAL(rwa_network_slot_hz(rwa_assignment_network(again)), wide ? RWA_SLOT_HZ : 0);
        CU_ASSERT_EQUAL(rwa_assignment_summary(again)->wavelengths, rwa_assignment_summary(result)->wavelengths);
        char *text = text_of(file.path);
        CU_ASSERT(wide || (strstr(text, "\"version\":1") && !strstr(text, "width")));
        free(text);
        *(expected > 0 ? &wrong : &right) += 1;
    }
    file_drop(&file);
    CU_ASSERT(wrong > 100 && right > 100);
}

/** A route narrower than its demand is a violation, a wider one is not. */
static void widths_are_those_of_the_demands(void)
{
    struct request r = request_of("line:2");
    const rwa_network *net = request_network(r);
    rwa_demands *demands = NULL;
    OK(rwa_demands_with_widths(&demands, request_demands(&r, net), (const uint32_t[]){3, 3}, NULL));
    for (uint32_t width = 1; width <= 5; width++) {
        rwa_assignment *result = NULL;
        rwa_check_report c;
        OK(rwa_assignment_create(&result, net, width == 1 ? keep_demands(demands) : demands, RWA_DIRECTED, NULL));
        for (size_t d = 0; d < 2; d++) {
            rwa_route route = {.demand = d, .hops = 1, .direction = d ? RWA_CCW : RWA_CW};
            OK(rwa_assignment_add_wide(result, &route, width, 0, NULL));
        }
        OK(report_assignment(&c, keep_assignment(result), NULL, NULL));
        CU_ASSERT_EQUAL(c.ok, width >= 3);
    }
}

/** 3 + 1 slots over both links and 4 over one: link 1 carries 8, link 0 carries 4; the cut of both links together
 * proves ceil(12 / 2). */
static void several_slots_are_read_and_weighed(void)
{
    static const struct {
        const char *bound;
        rwa_verdict verdict;
    } claims[] = {{"'name':'load','value':8,'link':1", RWA_PASS}, {"'name':'load','value':9,'link':1", RWA_FAIL},
                  {"'name':'load','value':5,'link':0", RWA_FAIL},
                  {"'name':'clique','value':8,'clique':[0,1]", RWA_PASS},
                  {"'name':'clique','value':9,'clique':[0,1]", RWA_FAIL},
                  {"'name':'metric','value':6,'lengths':[1,1]", RWA_PASS},
                  {"'name':'metric','value':7,'lengths':[1,1]", RWA_FAIL},
                  {"'name':'cut','value':8,'lengths':[0,1]", RWA_PASS}};
    struct judged file = {SLOTS(""),
                          {"d0 0>2 path=0,1,2 0/0 width=3 guard=1", "d1 1>2 path=1,2 0/4 width=4"}};
    judged_expect_ok(&file);
    judged_expect(&file,
                  "1: d1 1>2 path=1,2 0/3 width=4: channel: taken", /* in the guard of the first */
                  "1: d1 1>2 path=1,2 0/4 width=4 guard=1: range: fibre 0, slot 8",
                  "1: d1 1>2 path=1,2 0/4 width=5: range: fibre 0, slot 8",
                  "1: d1 1>2 path=1,2 0/4294967295 width=2: range: slot");
    for (size_t i = 0; i < COUNT(claims); i++)
        expect_claimed(&file, SLOTS(",'bound':{%s}"), claims[i].bound, claims[i].verdict);
}

/** The square, three demands of length 2, 1 and 1 over four links: one wavelength at least, and no more proven by that.
 *  With all length on link 0, which two of them need not cross, nothing is. */
static void bounds_follow_from_their_witness(void)
{
    static const struct {
        const char *bound;
        rwa_verdict verdict;
    } claims[] = {
        {"'value':1,'lengths':[1,1,1,1]", RWA_PASS},
        {"'value':2,'lengths':[1,1,1,1]", RWA_FAIL},
        {"'value':0,'lengths':[1,1,1,1]", RWA_PASS},
        {"'value':1,'lengths':[1,0,0,0]", RWA_FAIL},
        {"'value':1,'lengths':[0,0,0,0]", RWA_FAIL},
        {"'value':2,'lengths':[3,1,1,1]", RWA_FAIL},    /* 2 + 1 + 3 over 6 */
        {"'value':2,'link':0", RWA_PASS},
        {"'value':3,'link':0", RWA_FAIL},
        {"'value':2,'link':3", RWA_FAIL},
        {"'value':2,'odd_lengths':[1,1,1,1],'odd_sets':[[1,0]]", RWA_PASS},
        {"'value':3,'odd_lengths':[1,1,1,1],'odd_sets':[[1,0]]", RWA_FAIL},
        {"'value':2,'odd_lengths':[1,1,1,1],'odd_sets':[[2,0]]", RWA_FAIL},     /* heavier */
        {"'value':2,'odd_lengths':[1,1,1,1],'odd_sets':[[1,0,1]]", RWA_FAIL},   /* an even cut */
        {"'value':2,'odd_lengths':[1,1,1,1],'odd_sets':[[1,0,0]]", RWA_FAIL},
        {"'value':2,'odd_lengths':[1,1,1,1],'odd_sets':[]", RWA_FAIL},
        {"'value':2,'odd_lengths':[0,0,1,1],'odd_sets':[[1,0]]", RWA_FAIL},
        {"'value':2", RWA_UNCHECKED},
        {"'value':3", RWA_FAIL},                        /* the three lightpaths use two wavelengths */
        {"'value':9,'most_served':true,'lengths':[1,1,1,1]", RWA_UNCHECKED},
    };
    for (size_t i = 0; i < COUNT(claims); i++)
        expect_claimed(&square, HEADER("undirected", SQUARE, "") ",'bound':{%s}}", claims[i].bound, claims[i].verdict);
    static const char *const unreadable[] = {"[1,1,1,1],'odd_sets':[[1,9]]", "[1,1,1,1],'odd_sets':[[0,0]]",
                                             "[1,1,1,1],'odd_sets':[[1]]", "[1,1,1,1],'odd_sets':[7]",
                                             "[1,1,1],'odd_sets':[[1,0]]"};
    for (size_t i = 0; i < COUNT(unreadable); i++) {
        char header[1024];
        snprintf(header, sizeof header, HEADER("undirected", SQUARE, "") ",'bound':{'value':2,'odd_lengths':%s}}",
                 unreadable[i]);
        expect_unreadable(header, "", ":1: \"odd_");
    }
}

/** A result whose demands all go without a route. */
static rwa_assignment *unserved(const rwa_network *net, const rwa_demands *demands, rwa_model model)
{
    rwa_assignment *result = NULL;
    OK(rwa_assignment_create(&result, net, demands, model, NULL));
    for (size_t d = 0; d < rwa_demands_count(demands); d++)
        for (uint32_t k = 0; k < rwa_demands_list(demands)[d].count; k++)
            OK(rwa_assignment_add(result, &(rwa_route){.demand = d, .copy = k}, NULL));
    return keep_assignment(result);
}

/** Its file, with a claim of that value in the header. */
static void expect_claim(const rwa_assignment *result, uint64_t value, const char *lengths, rwa_verdict verdict)
{
    struct file file = file_make("a.jsonl", "", 0);
    char claim[512];
    rwa_check_report c;
    OK(rwa_assignment_write(result, file.path, NULL));
    snprintf(claim, sizeof claim, ",\"bound\":{\"value\":%u,\"lengths\":[%s]}}\n", (unsigned)value, lengths);
    file_replace(file.path, "}\n", claim);
    OK(report_file(&c, file.path, NULL, NULL));
    CU_ASSERT_EQUAL(c.bound_verdict, verdict);
    file_drop(&file);
}

/** Random lengths prove what Floyd and Warshall say and not one more, in both models, on listed links and on arcs. */
static void distances_are_shortest(void)
{
    static const char *const specs[] = {"mesh:3x3", "ring:7", "hypercube:3", "line:5"};
    for (unsigned round = 0; round < 200; round++) {
        struct request r = request_of("%s random=%u,%u", specs[round / 2 % 4], 1 + any(30), round);
        const rwa_network *net = request_network(r);
        rwa_model model = r.assign.model = round % 2 ? RWA_DIRECTED : RWA_UNDIRECTED;
        const rwa_demands *demands = request_demands(&r, net);
        uint32_t lengths[64], links = model == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_links(net);
        uint64_t offered = 0, taken = 0;
        char text[256] = "", *end = text;
        for (uint32_t i = 0; i < links; i++) {
            lengths[i] = any(5);
            offered += lengths[i];
            end += sprintf(end, "%s%u", i ? "," : "", lengths[i]);
        }
        uint64_t *apart = proof_distances(net, model, lengths);
        for (size_t d = 0; d < rwa_demands_count(demands); d++)
            taken +=
                apart[rwa_demands_list(demands)[d].src * rwa_network_nodes(net) + rwa_demands_list(demands)[d].dst];
        uint64_t value = offered ? (taken + offered - 1) / offered : 0;
        expect_claim(unserved(net, demands, model), value, text, RWA_PASS);
        expect_claim(unserved(net, demands, model), value + 1, text, RWA_FAIL);
        free(apart);
    }
}

/** Three lightpaths between one pair and one between another, none served: all in order, all counted, and who they are.
 */
static void what_is_not_served_is_named(void)
{
    struct request r = request_of("ring:5 pairs=0>2x3,1>3");
    const rwa_network *net = request_network(r);
    rwa_check_report c;
    OK(report_assignment(&c, unserved(net, request_demands(&r, net), RWA_DIRECTED), NULL, NULL));
    CU_ASSERT(c.ok && c.lightpaths == 0 && c.unserved == 4);
    CU_ASSERT(c.first_unserved[2].demand == 2 && c.first_unserved[2].dst == 2);
    CU_ASSERT(c.first_unserved[3].src == 1 && c.first_unserved[3].dst == 3);
}

TESTS("assignment", each_violation_is_named, directions_clash_in_the_undirected_model_only,
      reserved_channels_parallel_links_and_fibres_are_respected, converters_may_change_the_channel,
      what_is_down_crosses_what_failed, backups_keep_apart_from_what_they_protect,
      unreadable_files_are_told_with_their_line, clashes_are_those_of_pairs_of_paths,
      widths_are_those_of_the_demands, several_slots_are_read_and_weighed, bounds_follow_from_their_witness,
      distances_are_shortest, what_is_not_served_is_named)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * States that survive crashes.  A process that does random operations is killed at random points: what it answered is
 * there when the journal is opened again, and so is all else, beside a state in memory that did the same.  Journals
 * that are cut or changed anywhere give an earlier state or an error; a full disk fails the operation and no more.
 * `journal_test OPERATIONS KILLS [FOLDER]`: so many, in this folder.
 */

#include "tests/support/files.h"
#include "tests/support/state_walk.h"
#include "tests/support/states.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static uint32_t operations = 3000, kills = 20;
static const char *folder = "/tmp";

struct home {
    rwa_network *net;
    rwa_state_options options;
    char path[300];
};

/** NSFNET, with three risk groups. */
static rwa_network *grouped(uint32_t wavelengths)
{
    static const uint32_t members[] = {0, 5, 9, 12, 15, 20};
    static const rwa_risk_group groups[] = {{members, 2}, {members + 1, 2}, {members + 3, 3}};
    struct request r = request_of("nsfnet14-21 w=%u" FLEXIBLE, wavelengths);
    const rwa_network *plain = request_network(r);
    rwa_network *net = NULL;
    rwa_link links[21];
    for (uint32_t i = 0; i < 21; i++)
        links[i] = rwa_network_link(plain, 2 * i);
    r.network.both_ways = 1;
    r.network.risk_groups = groups;
    r.network.risk_group_count = 3;
    OK(rwa_network_create_graph(&net, 14, links, 21, &r.network, NULL));
    return keep_network(net);
}

static struct home home_make(uint32_t history, uint32_t wavelengths)
{
    struct home h = {.net = grouped(wavelengths)};
    rwa_state_options_init(&h.options);
    h.options.model = RWA_UNDIRECTED;
    h.options.history = history;
    h.options.seed = 5;
    snprintf(h.path, sizeof h.path, "%s/rwa-journal-XXXXXX", folder);
    int fd = mkstemp(h.path);   /* empty: as if it were not there */
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    return h;
}

static void home_drop(struct home *h)
{
    unlink(h->path);
}

static rwa_state *opened(const struct home *h)
{
    rwa_state *state = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_state_open(&state, h->net, &h->options, h->path, &err);
    if (st != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
    return state;
}

static rwa_state *in_memory(const struct home *h)
{
    rwa_state *state = NULL;
    OK(rwa_state_create(&state, h->net, &h->options, NULL));
    return keep_state(state);
}

static void copy_file(const char *from, const char *to, size_t most)
{
    char *text = text_of(from);
    file_write(to, text, strnlen(text, most));
    free(text);
}

/* ---- killed ---- */

/** Goes on with random operations, and says so after each, until it is killed. */
static void work(const struct home *h, struct walk walk, int out)
{
    if (rwa_state_open(&walk.state, h->net, &h->options, h->path, NULL) != RWA_OK)
        _exit(3);
    for (;;) {
        walk_on(&walk);
        if (walk.st == RWA_IO || walk.st == RWA_NOMEM || write(out, "", 1) != 1)
            _exit(4);
    }
}

/** Lets a process do at least `least` operations, kills it, and returns how many it has answered. */
static uint32_t answered_until_killed(const struct home *h, const struct walk *walk, uint32_t least)
{
    char bytes[4096];
    int ends[2], status = 0;
    uint32_t answered = 0;
    ssize_t n;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(h, *walk, ends[1]);
    }
    close(ends[1]);
    while ((n = read(ends[0], bytes, sizeof bytes)) > 0) {
        answered += (uint32_t)n;
        if (answered >= least)
            kill(pid, SIGKILL);
    }
    close(ends[0]);
    waitpid(pid, &status, 0);
    CU_ASSERT_TRUE(WIFSIGNALED(status));
    return answered;
}

/** Operations, numbers and the history of a copy are those of the state in memory too; in another process, as this
 *  changes both. */
static bool goes_on_alike(struct home *h, const struct walk *walk)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct home copy = *h;
        struct walk other = *walk;
        strcat(copy.path, ".copy");
        copy_file(h->path, copy.path, SIZE_MAX);
        other.state = opened(&copy);
        bool same = same_walk(*walk, other, 30);
        unlink(copy.path);
        _exit(same ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void what_was_answered_survives(void)
{
    struct home h = home_make(40, 40);
    struct walk walk = {.state = in_memory(&h), .random = 3};
    uint64_t random = 9;
    uint32_t unanswered = 0, done = 0, most = 2 * (operations / kills);
    for (uint32_t k = 0; k < kills; k++) {
        uint32_t answered = answered_until_killed(&h, &walk, (uint32_t)base_random_below(&random, most));
        for (uint32_t i = 0; i < answered; i++)
            walk_on(&walk);
        done += answered;
        rwa_state *again = opened(&h);
        bool same = same_state(walk.state, again);
        if (!same) {    /* the one that was not answered is done, or it is not */
            walk_on(&walk);
            unanswered++;
            same = same_state(walk.state, again);
        }
        rwa_state_free(again);
        CU_ASSERT_TRUE_FATAL(same);
        CU_ASSERT_TRUE_FATAL(goes_on_alike(&h, &walk));
    }
    printf("%u operations answered, %u kills, %u operations done and not answered, %zu lightpaths up ", done, kills,
           unanswered, rwa_state_count(walk.state));
    home_drop(&h);
}

/* ---- cut and changed ---- */

enum { FEW = 14 };

/** A journal of a few operations: its bytes after i of them are sizes[i], and as[i] did them in memory. */
struct small {
    struct home h;
    size_t sizes[FEW + 1];
    rwa_state *as[FEW + 1];
};

static size_t size_of(const char *path)
{
    struct stat info;
    CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
    return (size_t)info.st_size;
}

static struct small small_make(void)
{
    struct small s = {.h = home_make(8, 6)};
    struct walk walk = {.random = 21, .state = opened(&s.h)};
    for (uint32_t i = 0; i <= FEW; i++) {
        struct walk twin = {.random = 21, .state = in_memory(&s.h)};
        if (i > 0)
            walk_on(&walk);
        for (uint32_t k = 0; k < i; k++)
            walk_on(&twin);
        s.as[i] = twin.state;
        s.sizes[i] = size_of(s.h.path);
    }
    rwa_state_free(walk.state);
    return s;
}

/* A crash leaves the beginning of a line: all operations before it are there, and the file goes on behind them. */
static void a_journal_cut_anywhere_is_an_earlier_one(void)
{
    struct small s = small_make();
    struct home cut = s.h;
    uint32_t i = 0;
    strcat(cut.path, ".cut");
    for (size_t length = 1; length <= s.sizes[FEW]; length++) {
        rwa_state *state = NULL;
        while (i < FEW && s.sizes[i + 1] <= length)
            i++;
        copy_file(s.h.path, cut.path, length);
        rwa_status st = rwa_state_open(&state, cut.net, &cut.options, cut.path, NULL);
        CU_ASSERT_EQUAL(st, length < s.sizes[0] ? RWA_FORMAT : RWA_OK);
        CU_ASSERT_TRUE(!state || same_state(state, s.as[i]));
        CU_ASSERT_EQUAL(size_of(cut.path), state ? s.sizes[i] : length);
        rwa_state_free(state);
    }
    unlink(cut.path);
    home_drop(&s.h);
}

/* A changed byte is no crash: never another state, and the error says what is left.  All bytes but the first two, which
 * could make it gzip. */
static void a_changed_byte_is_an_error(void)
{
    struct small s = small_make();
    struct home other = s.h;
    rwa_error err = {0};
    strcat(other.path, ".other");
    char *bytes = text_of(s.h.path);
    for (size_t at = 0; at < s.sizes[FEW]; at++)
        for (int how = 0; how < 3; how++) {
            rwa_state *state = NULL;
            char was = bytes[at];
            bytes[at] = how == 0 ? '\n' : (char)(was ^ (how == 1 ? 1 : 0x80));
            if (bytes[at] == was)
                continue;
            file_write(other.path, bytes, s.sizes[FEW]);
            bytes[at] = was;
            CU_ASSERT_EQUAL(rwa_state_open(&state, other.net, &other.options, other.path, &err), RWA_FORMAT);
            CU_ASSERT_PTR_NULL(state);
            CU_ASSERT_EQUAL(size_of(other.path), s.sizes[FEW]);
        }
    char remedy[40];
    snprintf(remedy, sizeof remedy, "damaged; its first %zu bytes are", s.sizes[FEW - 1]);
    expect_part(err.text, remedy);
    free(bytes);
    unlink(other.path);
    home_drop(&s.h);
}

/* ---- a full disk ---- */

static void limit_files(size_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* No operation fits any more: each fails, and neither the state nor the file changes. */
static void a_full_disk_fails_the_operation(void)
{
    struct small s = small_make();
    struct walk walk = {.random = 77, .state = opened(&s.h)}, twin = {.random = 77, .state = s.as[FEW]};
    rwa_state *full = in_memory(&s.h);
    rwa_assignment *lightpaths = NULL;
    rwa_error err = {0}, why = {0};
    uint32_t failed = 0;
    OK(rwa_state_export(&lightpaths, s.as[FEW], NULL));
    OK(rwa_state_import(full, lightpaths, NULL));
    rwa_assignment_free(lightpaths);
    rwa_placed placed = add_lightpath(full, 0, 2, RWA_PROTECTION_SHARED);
    CU_ASSERT_TRUE_FATAL(placed.hops > 0);
    OK(rwa_state_fail(full, RWA_FAILURE_LINK, placed.links[0], NULL));
    for (uint64_t id; (id = rwa_state_next(full, RWA_NO_LIGHTPATH)) != placed.id;)
        OK(rwa_state_release(full, id, NULL));
    CU_ASSERT_EQUAL(rwa_state_condition(full, placed.id), RWA_CONDITION_ON_BACKUP);
    OK(rwa_state_export(&lightpaths, full, NULL));
    signal(SIGXFSZ, SIG_IGN);
    limit_files(s.sizes[FEW] + 5);
    for (uint32_t i = 0; i < 300; i++) {
        uint64_t ids[WALK_PLACES];
        memcpy(ids, walk.ids, sizeof ids);
        walk_on(&walk);
        failed += walk.st == RWA_IO;
        memcpy(walk.ids, ids, sizeof ids);
        CU_ASSERT_TRUE(same_state(walk.state, s.as[FEW]));
    }
    CU_ASSERT_EQUAL(size_of(s.h.path), s.sizes[FEW]);
    CU_ASSERT_EQUAL(rwa_state_undo(walk.state, 1, &err), RWA_IO);
    limit_files(10);
    rwa_status st = rwa_state_import(walk.state, lightpaths, &why);
    limit_files(0);
    CU_ASSERT_EQUAL(st, RWA_IO);
    expect_part(why.text, "cannot write: File too large");
    CU_ASSERT_TRUE(failed > 100 && same_state(walk.state, s.as[FEW]));
    expect_part(err.text, "cannot write: File too large; the operation was not done");
    CU_ASSERT_TRUE(goes_on_alike(&s.h, &twin));
    walk.random = twin.random;
    CU_ASSERT_TRUE(same_walk(walk, twin, 50));
    rwa_assignment_free(lightpaths);
    rwa_state_free(walk.state);
    home_drop(&s.h);
}

/* ---- opening ---- */

static void expect_refused(const struct home *h, rwa_status expected, const char *says)
{
    rwa_state *state = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_state_open(&state, h->net, &h->options, h->path, &err), expected);
    CU_ASSERT_PTR_NULL(state);
    expect_part(err.text, says);
}

static void one_state_of_this_network_at_a_time(void)
{
    struct home h = home_make(8, 6), other = h;
    rwa_state *state = opened(&h);
    rwa_error err = {0};
    expect_refused(&h, RWA_IO, "another state has this journal open");
    CU_ASSERT_EQUAL(rwa_state_write(state, h.path, &err), RWA_BADARG);
    expect_part(err.text, "this is the state's journal");
    rwa_request request;
    rwa_placed placed;
    rwa_request_init(&request, 0, 1);
    request.rate_bps = INFINITY;    /* no number of JSON: the journal could not be read again */
    CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &request, &err), RWA_BADARG);
    char link[sizeof h.path + 2];
    snprintf(link, sizeof link, "%s.l", h.path);
    CU_ASSERT_EQUAL(symlink(h.path, link), 0);
    CU_ASSERT_EQUAL(rwa_state_write(state, link, &err), RWA_BADARG);
    unlink(link);
    rwa_state_free(state);
    other.options.model = RWA_DIRECTED;
    expect_refused(&other, RWA_FORMAT, ":1: \"model\":\"undirected\" in the journal, \"model\":\"directed\" here");
    other = h;
    other.net = network_on("ring:14 w=6" FLEXIBLE);
    expect_refused(&other, RWA_FORMAT, ":1: \"links\":42 in the journal, \"links\":28 here");
    other = h;
    other.net = grouped(7);     /* a wavelength more: its channels would not be those that are reserved or in use */
    expect_refused(&other, RWA_FORMAT, ":1: \"wavelengths\":6 in the journal, \"wavelengths\":7 here");
    other.net = network_on("nsfnet14-21 w=6 reserved=1" FLEXIBLE);    /* as many of all, but not the same channels */
    expect_refused(&other, RWA_FORMAT, " here (net: links and reserved channels); expected");
    other = h;
    struct file text = file_with("text", "no journal\n");
    strcpy(other.path, text.path);
    expect_refused(&other, RWA_FORMAT, ":1: no journal, or a damaged one; expected");
    file_drop(&text);
    other = h;
    strcpy(other.path, "/");
    expect_refused(&other, RWA_IO, "/: cannot open: Is a directory");
    other = h;
    strcat(other.path, ".gz");
    expect_refused(&other, RWA_IO, "not ending in .gz");
    CU_ASSERT_NOT_EQUAL(access(other.path, F_OK), 0);   /* a failed opening leaves no empty file */
    home_drop(&h);
}

/* Ends the state of a walk, as a process does, and begins it again where its journal ends. */
static void begin_again(struct walk *walk, const struct home *h)
{
    rwa_state_free(walk->state);
    walk->state = opened(h);
}

/* The history is as long as this opening asks, whatever longer or shorter ones were there before. */
static void the_history_is_as_long_as_asked(void)
{
    static const uint32_t lengths[] = {30, 5, 0, 60, 7};
    struct home h = home_make(10, 40);
    struct walk walk = {.random = 4, .state = opened(&h)};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        uint64_t mark = rwa_state_mark(walk.state);
        h.options.history = lengths[i];
        begin_again(&walk, &h);
        CU_ASSERT_EQUAL(rwa_state_mark(walk.state), mark);
        for (uint32_t k = 0; k < 100; k++)
            walk_on(&walk);
        CU_ASSERT_EQUAL(rwa_state_undo(walk.state, lengths[i] + 1, NULL), RWA_BADARG);
        if (lengths[i] > 20)    /* more than the next one keeps */
            OK(rwa_state_undo(walk.state, lengths[i] - 10, NULL));
    }
    rwa_state_free(walk.state);
    home_drop(&h);
}

static void what_if(rwa_state *state)
{
    if (add_lightpath(state, 0, 13, RWA_PROTECTION_SHARED).hops > 0)
        OK(rwa_state_undo(state, 1, NULL));
}

/* 20,000 operations take 3 MB, and the lightpaths with those that can be undone 40 kB: whether they stay, are undone at
 * once or are those of processes that end after fewer than the history keeps. */
static void a_journal_stays_short(void)
{
    struct home h = home_make(100, 40);
    struct walk walk = {.random = 8, .state = opened(&h)}, twin = {.random = 8, .state = in_memory(&h)};
    size_t most = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        if (i < 4000 && i % 60 == 0)
            begin_again(&walk, &h);
        walk_on(&walk);
        walk_on(&twin);
        what_if(walk.state);
        what_if(twin.state);
        RAISE(most, size_of(h.path));
    }
    CU_ASSERT_TRUE(most < 300000);
    rwa_state_free(walk.state);
    CU_ASSERT_TRUE(goes_on_alike(&h, &twin));
    home_drop(&h);
}

/* What a crash would leave of a batch is the state of its last commit; a commit that fails is made up for. */
static void a_batch_survives_from_its_commit(void)
{
    struct home h = home_make(40, 40), left = h;
    struct walk walk = {.random = 6}, twin = {.random = 6, .state = in_memory(&h)};
    h.options.batch = 1;
    walk.state = opened(&h);
    strcat(left.path, ".left");
    for (int i = 0; i < 50; i++) {
        walk_on(&walk);
        walk_on(&twin);
    }
    signal(SIGXFSZ, SIG_IGN);
    limit_files(size_of(h.path) + 5);
    CU_ASSERT_EQUAL(rwa_state_commit(walk.state, NULL), RWA_IO);
    limit_files(0);
    OK(rwa_state_commit(walk.state, NULL));
    for (int i = 0; i < 9; i++)
        walk_on(&walk);
    copy_file(h.path, left.path, SIZE_MAX);
    rwa_state *again = opened(&left);
    CU_ASSERT_TRUE(same_state(twin.state, again));
    rwa_state_free(again);
    unlink(left.path);
    rwa_state_free(walk.state);     /* writes what waits */
    for (int i = 0; i < 9; i++)
        walk_on(&twin);
    CU_ASSERT_TRUE(goes_on_alike(&h, &twin));
    home_drop(&h);
}

/* An import is in the journal too; so is a link that had failed in the network, and its repair. */
static void imports_and_failed_links_come_back(void)
{
    struct home h = home_make(8, 40);
    struct walk other = {.random = 2, .state = in_memory(&h)}, twin = {.random = 5};
    rwa_network *whole = h.net;
    rwa_assignment *lightpaths = NULL;
    rwa_faults faults = {.links = (const uint32_t[]){6}, .link_count = 1};
    OK(rwa_network_with_faults(&h.net, whole, &faults, NULL));
    keep_network(h.net);
    h.options.sync = 1;
    for (uint32_t i = 0; i < 200; i++)
        walk_on(&other);
    OK(rwa_state_fail(other.state, RWA_FAILURE_LINK, 6, NULL));
    OK(rwa_state_export(&lightpaths, other.state, NULL));
    rwa_state *state = opened(&h);
    twin.state = in_memory(&h);
    add_lightpath(state, 0, 1, RWA_PROTECTION_NONE);
    add_lightpath(twin.state, 0, 1, RWA_PROTECTION_NONE);
    OK(rwa_state_undo(state, 1, NULL));
    OK(rwa_state_undo(twin.state, 1, NULL));
    OK(rwa_state_import(state, lightpaths, NULL));
    OK(rwa_state_import(twin.state, lightpaths, NULL));
    CU_ASSERT_TRUE(rwa_state_is_failed(state, RWA_FAILURE_LINK, 6));
    OK(rwa_state_repair(state, RWA_FAILURE_LINK, 6, NULL));
    OK(rwa_state_repair(twin.state, RWA_FAILURE_LINK, 6, NULL));
    rwa_state_free(state);
    CU_ASSERT_TRUE(goes_on_alike(&h, &twin));
    rwa_assignment_free(lightpaths);
    home_drop(&h);
}

int main(int argc, char **argv)
{
    operations = argc > 1 ? (uint32_t)atoi(argv[1]) : operations;
    kills = argc > 2 ? (uint32_t)atoi(argv[2]) : kills;
    folder = argc > 3 ? argv[3] : folder;
    return RUN_TESTS("journal", what_was_answered_survives, a_journal_cut_anywhere_is_an_earlier_one,
                     a_changed_byte_is_an_error, a_full_disk_fails_the_operation, one_state_of_this_network_at_a_time,
                     the_history_is_as_long_as_asked, a_journal_stays_short, a_batch_survives_from_its_commit,
                     imports_and_failed_links_come_back);
}

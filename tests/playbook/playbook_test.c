/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/request.h"

KEEPER(playbook)

static char place[32], folder[64];
static const double rounded = 1.001;    /* bytes of blocks are rounded up */

static void remove_folder(void)
{
    char line[64];
    snprintf(line, sizeof line, "rm -rf '%s'", place);
    CU_ASSERT_EQUAL(system(line), 0);
}

/** Have the playbook's folder, which is not made yet, alone in a new one. */
static void begin_folder(void)
{
    remove_folder();
    strcpy(place, "/tmp/rwa-playbook-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(place));
    snprintf(folder, sizeof folder, "%s/plays", place);
}

static rwa_playbook *make(const rwa_schedule *plan, rwa_play_kind kind)
{
    rwa_playbook *book = NULL;
    begin_folder();
    OK(rwa_playbook_make(folder, plan, kind, NULL, NULL));
    OK(rwa_playbook_read(&book, folder, NULL, NULL));
    return keep_playbook(book);
}

/** Whether the failure takes this link away. */
static bool fails(const rwa_network *net, rwa_play_kind kind, uint32_t failure, uint32_t from, uint32_t to)
{
    if (kind == RWA_PLAY_NODE)
        return from == failure || to == failure;
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link link = rwa_network_link(net, l);
        if (rwa_network_pair(net, l) == failure && link.from == from && link.to == to)
            return true;
    }
    return false;
}

/** Walk every lightpath from a step on: none crosses a link that fails. */
static bool avoids(const rwa_schedule *sched, rwa_play_kind kind, uint32_t failure, uint32_t step)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net);
    bool arcs = rwa_network_topology(net) == RWA_RING;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp = lightpath_of(sched, i);
        rwa_lists lists = lists_of(sched, i);
        uint32_t hops = arcs ? rwa_network_hops(net, lp.src, lp.dst, lp.direction) : lists.path_nodes - 1;
        for (uint32_t k = 0; k < hops; k++) {
            uint32_t on = lp.direction == RWA_CW ? 1 : nodes - 1, from = (lp.src + k * on) % nodes;
            if (!arcs && fails(net, kind, failure, lists.path[k], lists.path[k + 1]))
                return false;
            if (arcs && fails(net, kind, failure, from, (from + on) % nodes))
                return false;
        }
    }
    return true;
}

static uint64_t lightpaths_of(const rwa_schedule *sched, uint32_t step)
{
    uint64_t count = 0;
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++)
        count += lightpath_of(sched, i).orbit;
    return count;
}

/** The time of a new plan of the whole collective around the failure, among the nodes that are left. */
static double afresh(const rwa_schedule *plan, rwa_play_kind kind, uint32_t failure)
{
    uint32_t links[64], count = 0;
    char members[256] = "";
    rwa_network *left = NULL;
    rwa_collective coll = *rwa_schedule_collective(plan);
    const rwa_network *net = rwa_schedule_network(plan);
    uint64_t bytes = coll.message_bytes > 0 ? coll.message_bytes : coll.blocks / coll.nodes * coll.block_bytes;
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link ends = rwa_network_link(net, l);
        if (kind == RWA_PLAY_LINK ? rwa_network_pair(net, l) == failure : ends.from == failure || ends.to == failure)
            links[count++] = l;
    }
    for (uint32_t v = 0; kind == RWA_PLAY_NODE && v < rwa_network_nodes(net); v++)
        if (v != failure)
            sprintf(members + strlen(members), "%s%u", *members ? "," : "members=", v);
    OK(rwa_network_with_faults(&left, net, &(rwa_faults){.links = links, .link_count = count}, NULL));
    return rwa_plan_summary(plan_in(keep_network(left), "bytes=%llu root=%u %s %s", (unsigned long long)bytes,
                                    coll.root, members, rwa_collective_name(coll.kind)))->time_s;
}

/** The time of a repair of this failure alone, which also plans anew from what nodes hold. */
static double repaired(const rwa_schedule *plan, uint32_t failure, uint32_t step)
{
    uint32_t links[2], count = 0;
    rwa_plan *own = NULL;
    for (uint32_t l = 0; l < rwa_network_links(rwa_schedule_network(plan)); l++)
        if (rwa_network_pair(rwa_schedule_network(plan), l) == failure)
            links[count++] = l;
    OK(rwa_plan_repair(&own, plan, links, count, step, NULL, NULL));
    double seconds = rwa_plan_summary(own)->time_s;
    rwa_plan_free(own);
    return seconds;
}

static void expect_play(const rwa_playbook *book, const rwa_schedule *plan, const rwa_play *p, rwa_play_kind kind)
{
    rwa_schedule *sched = NULL;
    rwa_check_report verdict;
    OK(rwa_playbook_schedule(&sched, book, p->failure, p->step, NULL));
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    OK(report_schedule(&verdict, sched, NULL, NULL));
    double seconds = 0;
    OK(rwa_cost_schedule(&seconds, sched, NULL, NULL));
    CU_ASSERT(verdict.ok && verdict.steps == p->steps && fabs(seconds - p->time_s) < 1e-12);
    CU_ASSERT(avoids(sched, kind, p->failure, p->begins_again ? 1 : p->step));
    for (uint32_t s = 1; s < p->step && !p->begins_again; s++)
        CU_ASSERT_EQUAL(lightpaths_of(sched, s), lightpaths_of(plan, s));
    rwa_schedule_free(sched);
}

/** No play of a failed link is slower than a repair of this failure alone, nor, where the collective can begin again,
 *  than a new plan around it; whether it is a translation of another or not. */
static void expect_none_slower(const rwa_playbook *book, const rwa_schedule *plan, uint32_t failure)
{
    bool sums = rwa_collective_is_reduction(rwa_schedule_collective(plan)->kind);
    double again_s = afresh(plan, RWA_PLAY_LINK, failure), before_s = 0;
    OK(rwa_cost_schedule(&before_s, plan, NULL, NULL));
    for (uint32_t step = 1; step <= rwa_schedule_steps(plan); step++) {
        const rwa_play *p = rwa_playbook_play(book, failure, step);
        double own_s = repaired(plan, failure, step);
        CU_ASSERT(p->time_s <= own_s * rounded);
        if (sums && step > 1)
            continue;   /* sums that began are not added twice */
        CU_ASSERT(p->after_s <= again_s * rounded);
        CU_ASSERT(own_s <= (again_s + before_s * (step - 1) / rwa_schedule_steps(plan)) * 1.01);
    }
}

/* Two links or more join each node to the rest, so that no failure of one cuts it off. */
static void every_play_finishes_around_its_failure(void)
{
    static const char *const requests[] = {"ring:8 w=4", "ring:8 w=4 all-reduce", "ring:6 w=2 root=1 scatter",
                                           "ring:16 w=2 by wavefront",
                                           "mesh:3x3 w=2 f=2", "torus:3x3 w=4 all-to-all",
                                           "torus:4x4 w=2 bytes=1000000", "nsfnet14-21 w=4"};
    for (size_t i = 0; i < COUNT(requests); i++)
        for (rwa_play_kind kind = RWA_PLAY_LINK; kind <= RWA_PLAY_NODE; kind++) {
            const rwa_schedule *plan = schedule_on("%s", requests[i]);
            rwa_playbook *book = make(plan, kind);
            uint32_t steps = rwa_schedule_steps(plan), made = 0;
            for (uint32_t f = 0; f < rwa_playbook_failures(book); f++) {
                for (uint32_t step = 1; step <= steps; step++) {
                    const rwa_play *p = rwa_playbook_play(book, f, step);
                    made += p->steps > 0;
                    CU_ASSERT(p->failure == f && p->step == step && (p->steps > 0 || p->why[0]));
                    if (p->steps > 0)
                        expect_play(book, plan, p, kind);
                }
                const rwa_play *first = rwa_playbook_play(book, f, 1);
                if (kind == RWA_PLAY_LINK)
                    expect_none_slower(book, plan, f);
                else if (first->steps > 0)
                    CU_ASSERT(first->time_s <= afresh(plan, kind, f) * rounded);
            }
            bool rooted = rwa_collective_has_root(rwa_schedule_collective(plan)->kind) && kind == RWA_PLAY_NODE;
            CU_ASSERT_EQUAL(made, (rwa_playbook_failures(book) - rooted) * steps);
            CU_ASSERT_PTR_NULL(rwa_playbook_play(book, 0, steps + 1));
            CU_ASSERT_PTR_NULL(rwa_playbook_play(book, rwa_playbook_failures(book), 1));
        }
}

/* A line without a link, or without an inner node, falls apart; without the root there is nothing to send. */
static void what_cannot_be_repaired_is_named(void)
{
    rwa_schedule *none = NULL;
    rwa_playbook *line = make(schedule_on("line:4 w=2"), RWA_PLAY_LINK);
    expect_part(rwa_playbook_play(line, 1, 1)->why, "no way from node");
    CU_ASSERT_EQUAL(rwa_playbook_schedule(&none, line, 1, 1, NULL), RWA_BADARG);
    rwa_playbook *root = make(schedule_on("ring:6 w=2 root=2 broadcast"), RWA_PLAY_NODE);
    expect_part(rwa_playbook_play(root, 2, 1)->why, "the root is lost");
    CU_ASSERT(rwa_playbook_play(root, 3, 1)->steps > 0 && rwa_playbook_play(root, 3, 1)->lost == 0);
    /* of an all-gather, what the node alone has; of an all-to-all, one block for each other node */
    rwa_playbook *all = make(schedule_on("ring:6 w=2 by wavefront"), RWA_PLAY_NODE);
    CU_ASSERT_EQUAL(rwa_playbook_play(all, 3, 1)->lost,
                    rwa_schedule_collective(rwa_playbook_plan(all))->blocks / 6);
    rwa_playbook *pairs = make(schedule_on("ring:6 w=2 all-to-all by one-stage"), RWA_PLAY_NODE);
    CU_ASSERT_EQUAL(rwa_playbook_play(pairs, 3, 1)->lost, 5);
}

static void nothing_is_left_of_a_playbook_that_is_not_made(void)
{
    char file[96];
    rwa_schedule *read = NULL;
    rwa_plan_options opts;
    const rwa_schedule *plan = schedule_on("ring:8 w=2");
    make(plan, RWA_PLAY_LINK);
    CU_ASSERT_EQUAL(rwa_playbook_make(folder, plan, RWA_PLAY_LINK, NULL, NULL), RWA_BADARG);    /* it exists */
    snprintf(file, sizeof file, "%s/plan.jsonl", folder);
    OK(rwa_schedule_read(&read, file, NULL, NULL));
    keep_schedule(read);
    begin_folder();
    rwa_plan_options_init(&opts);
    opts.poll = stop_once;
    opts.poll_data = &(struct stop){.at = 41};
    CU_ASSERT_EQUAL(rwa_playbook_make(folder, plan, RWA_PLAY_LINK, &opts, NULL), RWA_CANCELLED);
    opts.poll = NULL;
    opts.time_limit_s = 1e-6;
    CU_ASSERT_EQUAL(rwa_playbook_make(folder, plan, RWA_PLAY_LINK, &opts, NULL), RWA_CANCELLED);
    CU_ASSERT_EQUAL(rwa_playbook_make(folder, schedule_on("star:6 w=2"), RWA_PLAY_NODE, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rmdir(place), 0);   /* nothing is in it */
}

/** Read the playbook, then a play from step 1 on. */
static rwa_status read_play(const rwa_plan_options *opts, uint32_t failure, rwa_error *err)
{
    rwa_playbook *book = NULL;
    rwa_schedule *sched = NULL;
    rwa_status st = rwa_playbook_read(&book, folder, opts, err);
    if (st == RWA_OK)
        st = rwa_playbook_schedule(&sched, book, failure, 1, err);
    rwa_schedule_free(sched);
    rwa_playbook_free(book);
    return st;
}

/** Read the index with the first place of `from` replaced by `to`. */
static rwa_status read_damaged(const char *from, const char *to, rwa_error *err)
{
    char path[96];
    snprintf(path, sizeof path, "%s/playbook.json", folder);
    char *whole = text_of(path);
    file_replace(path, from, to);
    rwa_status st = read_play(NULL, 0, err);
    file_write(path, whole, strlen(whole));
    free(whole);
    return st;
}

static void damaged_playbooks_are_refused_in_a_line(void)
{
    static const char *const damage[][2] = {
        {"rwa-playbook", "rwa-schedule"}, {"\"version\":1", "\"version\":2"}, {"\"links\"", "\"fans\""},
        {"\"links\"", "\"nodes\""}, {"\"failure\":0", "\"failure\":1"}, {"\"step\":1", "\"step\":2"},
        {"\"file\":\"", "\"file\":\"../"}, {"\"move\":0", "\"move\":4"}, {"\"move\":0", "\"move\":1"},
        {"{\"failure\":0,", "1,{\"failure\":0,"}, {"]}", ""}, {"\"file\"", "\"why\":\"\",\"file\""},
        {"link-0-step-1", "link-0-step-2"}};
    rwa_error err = {0};
    make(schedule_on("ring:4 w=1 by wavefront"), RWA_PLAY_LINK);
    OK(read_damaged("links", "links", NULL));
    for (size_t i = 0; i < COUNT(damage); i++) {
        rwa_status st = read_damaged(damage[i][0], damage[i][1], &err);
        if (st != RWA_FORMAT)
            printf("damage %zu: %d %s\n", i, st, err.text);
        CU_ASSERT_EQUAL(st, RWA_FORMAT);
        CU_ASSERT(err.text[0] && !strchr(err.text, '\n'));
    }
    remove_folder();
    CU_ASSERT_EQUAL(rwa_playbook_read(&(rwa_playbook *){NULL}, folder, NULL, NULL), RWA_IO);
}

/** Run a command in the folder, then ask for a play. */
static rwa_status played_after(const char *command, const rwa_plan_options *opts, uint32_t failure)
{
    char line[256];
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    CU_ASSERT_EQUAL(system(line), 0);
    return read_play(opts, failure, NULL);
}

/* A broadcast among 5 of 6 nodes is right by itself, but not one from another root; the limits of the reader hold for
 * all files of the folder, not only for the plan. */
static void plays_are_those_of_the_plan_within_the_limits(void)
{
    rwa_limits limits;
    rwa_plan_options opts;
    rwa_plan_options_init(&opts);
    rwa_limits_init(&limits);
    opts.limits = &limits;
    make(schedule_on("ring:6 w=2 root=3 broadcast"), RWA_PLAY_NODE);
    OK(played_after("true", &opts, 5));
    CU_ASSERT_EQUAL(played_after("zcat node-5-step-1.jsonl.gz | sed '1s/\"root\":3/\"root\":2/' | gzip > x && "
                                 "mv x node-5-step-1.jsonl.gz", NULL, 5), RWA_FORMAT);
    limits.file_bytes = 1000;
    CU_ASSERT_EQUAL(played_after("true", &opts, 4), RWA_FORMAT);
    remove_folder();
}

TESTS("playbook", every_play_finishes_around_its_failure, what_cannot_be_repaired_is_named,
      nothing_is_left_of_a_playbook_that_is_not_made, damaged_playbooks_are_refused_in_a_line,
      plays_are_those_of_the_plan_within_the_limits)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reduce is a broadcast run backwards: over links reversed it takes as long, and no less than the bounds of
   either. */
#include "tests/support/random.h"
#include "tests/support/suite.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * b;
}

/* Backwards every lightpath of a step takes the same link the other way, with the same blocks.  failed, back: the links
   that failed. */
static void expect_alike(const char *line, const char *failed, const char *back)
{
    rwa_plan *reduce = plan_if_any(request_of("%s%s reduce", line, failed)),
             *broadcast = plan_if_any(request_of("%s%s broadcast", line, back));
    CU_ASSERT_FATAL(reduce && broadcast);
    const rwa_plan_report *r = rwa_plan_summary(reduce), *b = rwa_plan_summary(broadcast);
    bool alike = r->steps == b->steps && is_near(r->time_s, b->time_s) && r->bound.value == b->bound.value &&
                 is_near(r->time_bound_s, b->time_bound_s);
    if (!alike)
        fprintf(stderr, "%s: reduce %u steps, %g s; broadcast %u steps, %g s\n", line, r->steps, r->time_s, b->steps,
                b->time_s);
    CU_ASSERT(alike);
}

static void a_reduce_takes_as_long_as_a_broadcast(void)
{
    static const char *const specs[] = {"ring:2",      "ring:5",           "ring:16",   "ring:33",  "line:4",
                                        "line:17",     "torus:4x4",        "torus:3x5", "mesh:3x4", "hypercube:4",
                                        "nsfnet14-21", "circulant:20:1,6", "tree:2x3"};
    char line[128];
    for (size_t i = 0; i < COUNT(specs); i++)
        for (uint32_t w = 1; w <= 16; w *= 4)
            for (uint32_t bytes = 100; bytes < 1000000; bytes *= 1000)
                if (thorough || (w == 4) == (bytes > 100)) { /* few and many wavelengths for short messages, some for
                                                                long ones */
                    snprintf(line, sizeof line, "%s w=%u root=%u bytes=%u", specs[i], w, w % 2, bytes);
                    expect_alike(line, "", "");
                }
}

/* Circuits are matchings, which run backwards are matchings. */
static void also_through_switches(void)
{
    static const char *const specs[] = {"ocs:8x1", "ocs:12x3", "ocs:16x4", "ron:9", "ron:16"};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (uint32_t ports = 0; ports <= 3; ports++)
            for (uint32_t bytes = 100; bytes < 1000000; bytes *= 1000) {
                struct request r = request_of("%s w=4 ports=%u root=3 bytes=%u reduce by matchings", specs[i], ports,
                                              bytes),
                               back = r;
                back.kind = RWA_BROADCAST;
                CU_ASSERT(is_near(rwa_plan_summary(plan_for(r))->time_s, rwa_plan_summary(plan_for(back))->time_s));
            }
}

static void every_scheme_runs_backwards(void)
{
    static const char *const requests[] = {"ring:20 w=%u root=6 bytes=100000 %s by tree",
                                           "ring:20 w=%u root=6 bytes=100000 %s by direct",
                                           "line:13 w=%u root=6 bytes=100000 %s by tree",
                                           "line:13 w=%u root=6 bytes=100000 %s by direct",
                                           "mesh:4x5 w=%u root=6 bytes=100000 %s by nearest",
                                           "nsfnet14-21 w=%u root=6 bytes=100000 %s by nearest",
                                           "ring:20 w=%u root=6 bytes=100000 %s by compose:tree(3)",
                                           "torus:4x5 w=%u root=6 bytes=100000 %s by compose:tree(4)",
                                           "nsfnet14-21 w=%u root=6 bytes=100000 %s by compose:tree(2,4)"};
    for (size_t i = 0; i < COUNT(requests); i++)
        for (uint32_t w = 1; w <= 8; w *= 2)
            CU_ASSERT(time_on(requests[i], w, "reduce") <= time_on(requests[i], w, "broadcast") * (1 + 1e-9));
}

static void what_is_left_of_a_network_is_enough(void)
{
    static const char *const requests[][3] = {{"ring:12 w=3 root=2 bytes=1000", " failed=3>4", " failed=4>3"},
                                              {"ring:12 w=3 root=7 bytes=1000000", " failed=4>3", " failed=3>4"},
                                              {"ring:12 w=4 root=7 bytes=1000000 reserved=0,1", "", ""},
                                              {"ring:12 w=2 root=3 bytes=1000 members=1,2,5,6,9", "", ""},
                                              {"ring:12 w=2 root=1 bytes=1000000 members=1,2,5,6,9", " failed=2>3",
                                               " failed=3>2"},
                                              {"line:12 w=2 root=4 bytes=1000 members=1,2,5,6,9", "", ""},
                                              {"ring:12 w=4 root=4 bytes=1000 hops=3", "", ""},
                                              {"ring:12 w=4 root=4 bytes=1000 ports=1", "", ""},
                                              {"ring:12 w=4 root=4 bytes=1000 ports=3", " failed=7>8", " failed=8>7"},
                                              {"ring:12 w=4 root=4 bytes=1000 stripes=2", "", ""},
                                              {"mesh:3x4 w=2 root=4 bytes=1000 members=1,2,5,6,9", "", ""},
                                              {"mesh:3x4 w=2 root=5 bytes=1000000 reserved=0", "", ""},
                                              {"mesh:3x4 w=2 root=5 bytes=1000 hops=1", "", ""},
                                              {"mesh:3x4 w=2 root=5 bytes=1000 ports=1", "", ""},
                                              {"mesh:3x4 w=2 root=5 bytes=100000", " failed=6>5", " failed=5>6"}};
    for (size_t i = 0; i < COUNT(requests); i++)
        expect_alike(requests[i][0], requests[i][1], requests[i][2]);
}

/* A cycle through all nodes and some links across, all of them one way. */
static rwa_network *one_way(uint64_t of, uint32_t nodes, bool reversed)
{
    struct request r = request_of("links: w=2");
    char *end = r.spec + strlen(r.spec);
    seed = of;
    for (uint32_t count = 0; count < 2 * nodes; count++) {
        uint32_t from = count < nodes ? count : any(nodes);
        uint32_t to = count < nodes ? (from + 1) % nodes : (from + 2 + any(nodes - 2)) % nodes;
        end += sprintf(end, "%u>%u,", reversed ? to : from, reversed ? from : to);
    }
    return request_network(r);
}

/* Where no link leads back a reduction is planned on the links reversed; "nearest" does so for all of them. */
static void links_may_lead_one_way_only(void)
{
    static const char *const others[] = {"root=1 gather", "reduce-scatter", "all-reduce"};
    for (uint32_t nodes = 3; nodes < 14; nodes++) {
        rwa_network *net = one_way(nodes, nodes, false), *reversed = one_way(nodes, nodes, true);
        for (int named = 0; named < 2; named++) {
            const char *by = named ? " by nearest" : "";
            CU_ASSERT(is_near(
                rwa_plan_summary(plan_in(net, "bytes=100000 root=%u reduce%s", nodes / 2, by))->time_s,
                rwa_plan_summary(plan_in(reversed, "bytes=100000 root=%u broadcast%s", nodes / 2, by))->time_s));
        }
        for (size_t i = 0; i < COUNT(others); i++)
            plan_in(net, "bytes=100000 %s by nearest", others[i]);
    }
}

/* Every contribution to a block leaves its node once: N - 1 blocks move for each. */
static void nothing_is_added_twice(void)
{
    const rwa_schedule *sched = schedule_on("ring:16 w=2 bytes=1000000 reduce by compose:tree(2)");
    uint64_t moved = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        moved += lists_of(sched, i).block_count ? lists_of(sched, i).block_count : 1;
    CU_ASSERT_EQUAL(moved, 15 * rwa_schedule_collective(sched)->blocks);
}

/* A star has no listeners to spare: each other node sends its whole vector, a channel's worth in a step. */
static void a_star_takes_turns(void)
{
    for (uint32_t n = 3; n < 30; n += 4)
        for (uint32_t w = 1; w <= 8; w *= 2) {
            const rwa_plan_report *s = report_on("star:%u w=%u root=%u bytes=100 reduce", n, w, n / 2);
            CU_ASSERT(s->steps == (n - 1 + w - 1) / w && s->outcome == RWA_OPTIMAL);
        }
}

/* A schedule of two plans names both, with their terms: by that name the same is planned again. */
static rwa_plan *plan_twice(struct request r)
{
    rwa_plan *plan = plan_for(r), *again;
    strcpy(r.scheme, rwa_schedule_scheme(rwa_plan_schedule(plan)));
    expect_part(r.scheme, " after ");
    CU_ASSERT_PTR_NOT_NULL(rwa_plan_summary(plan)->scatter_scheme);
    again = plan_for(r);
    CU_ASSERT_STRING_EQUAL(rwa_schedule_scheme(rwa_plan_schedule(again)), r.scheme);
    CU_ASSERT(is_near(rwa_plan_summary(again)->time_s, rwa_plan_summary(plan)->time_s));
    return plan;
}

/* The whole moves all that the part does, in the same steps. */
static void parts_are_planned_by_name(void)
{
    static const char *const wholes[] = {"ring", "compose:steps(3)"};
    for (size_t i = 0; i < COUNT(wholes); i++) {
        rwa_plan *part = plan_on("ring:12 w=3 bytes=1000000 broadcast by part of all-reduce by %s", wholes[i]);
        CU_ASSERT_EQUAL(rwa_plan_summary(part)->part_of, RWA_ALL_REDUCE);
        CU_ASSERT(rwa_plan_summary(part)->time_s <=
                  time_on("ring:12 w=3 bytes=1000000 all-reduce by %s", wholes[i]) * (1 + 1e-9));
        expect_part(rwa_schedule_scheme(rwa_plan_schedule(part)), "part of all-reduce by ");
    }
}

static void names_that_plan_nothing_are_refused(void)
{
    static const char *const names[] = {"part of all-reduce by nothing",
                                        "part of nothing by ring",
                                        "part of gather by ring",
                                        "all-gather by ring after gather by tree",
                                        "broadcast by tree after reduce by tree",
                                        "all-gather by nothing after scatter by tree",
                                        "part of part of all-reduce by ring",
                                        " by "};
    for (size_t i = 0; i < COUNT(names); i++)
        expect_part(refusal_on("ring:12 w=3 bytes=4000 broadcast by %s", names[i]), "BADARG");
}

/* A tree sends the whole message on each lightpath.  A scatter sends each node its share, and in the all-gather too
 * every lightpath carries shares: on these networks that is quicker than any scheme for the whole broadcast.  A reduce,
 * backwards, takes as long. */
static void a_scatter_and_an_all_gather_broadcast(void)
{
    static const char *const rings[] = {"ring:12 w=3 root=3 bytes=1000000", "ring:64 w=4 bytes=16000000"};
    for (size_t i = 0; i < COUNT(rings); i++)
        CU_ASSERT(is_near(rwa_plan_summary(plan_twice(request_of("%s reduce", rings[i])))->time_s,
                          rwa_plan_summary(plan_twice(request_of("%s broadcast", rings[i])))->time_s));
}

static uint64_t records_of(const rwa_schedule *sched, uint32_t step)
{
    return rwa_schedule_first(sched, step + 1) - rwa_schedule_first(sched, step);
}

/* On one wavelength all nodes' lightpaths take turns: a broadcast backwards, which brings the sums to its root, and
 * then forwards takes less than any scheme for the all-reduce.  Each of its lightpaths adds up going in and copies
 * going out. */
static void a_reduce_and_a_broadcast_reduce_all(void)
{
    static const char *const nets[] = {"ring:48", "line:64"};
    for (size_t i = 0; i < COUNT(nets); i++) {
        rwa_plan *plan = plan_twice(request_of("%s w=1 bytes=4000 model=overlap alpha=1e-6 all-reduce", nets[i]));
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        uint32_t steps = rwa_schedule_steps(sched);
        bool right = rwa_plan_alternative(plan, 0)->time_s > rwa_plan_summary(plan)->time_s;
        for (uint64_t k = 0; k < rwa_schedule_records(sched); k++)
            right = right &&
                    lightpath_of(sched, k).op == (lightpath_of(sched, k).step <= steps / 2 ? RWA_REDUCE : RWA_COPY);
        for (uint32_t t = 1; t <= steps; t++)
            right = right && records_of(sched, t) == records_of(sched, steps + 1 - t);
        CU_ASSERT(right);
    }
}

/* On a short line sums go up a tree while earlier chunks come down, which the two after each other cannot: that is
   quicker. */
static void sums_go_up_while_chunks_come_down(void)
{
    for (uint32_t n = 8; n <= 24; n += 8) {
        rwa_plan *plan = plan_on("line:%u w=1 bytes=4000 model=overlap alpha=1e-6 all-reduce", n);
        const rwa_schedule *sched = rwa_plan_schedule(plan);
        uint32_t last_sum = 0, first_copy = UINT32_MAX;
        for (uint64_t k = 0; k < rwa_schedule_records(sched); k++) {
            rwa_lightpath lp = lightpath_of(sched, k);
            if (lp.op == RWA_REDUCE)
                last_sum = lp.step > last_sum ? lp.step : last_sum;
            else
                first_copy = lp.step < first_copy ? lp.step : first_copy;
        }
        CU_ASSERT(first_copy < last_sum);
        CU_ASSERT(rwa_plan_summary(plan)->time_s <
                  time_on("line:%u w=1 bytes=4000 model=overlap alpha=1e-6 all-reduce by broadcast by "
                          "pipelined-trees after reduce by pipelined-trees",
                          n));
    }
}

static void less_takes_no_longer(void)
{
    static const char *const requests[][3] = {
        /* In the model paper a scatter backwards takes as long: its routes spread over the links of the root, and so
         * must those of a gather, which end there. */
        {"torus:32x32 w=64 bytes=64000", "gather", "scatter"}, {"mesh:32x32 w=8 bytes=64000", "gather", "scatter"},
        /* What every node keeps of the sums is a part of them all, which come together in the middle of a long line. */
        {"line:128 w=16 bytes=1024000 model=overlap alpha=1e-6", "reduce-scatter", "all-reduce"},
        {"usnet24-43 w=1 bytes=4000 model=overlap alpha=1e-6", "reduce-scatter", "all-reduce"}};
    for (size_t i = 0; i < COUNT(requests); i++) {
        rwa_plan *less = plan_on("%s %s", requests[i][0], requests[i][1]);
        CU_ASSERT(rwa_plan_summary(less)->time_s <= time_on("%s %s", requests[i][0], requests[i][2]) * (1 + 1e-9));
        CU_ASSERT(i < 2 || rwa_plan_alternative(less, 0)->time_s > rwa_plan_summary(less)->time_s);
    }
}

/* A gather and then a broadcast take as long as a reduce and a scatter of the same shares, which are the two
   backwards. */
static void two_ways_through_one_node(void)
{
    static const struct {
        const char *spec;
        uint32_t nodes;
    } nets[] = {{"hypercube:4", 16}, {"mesh:3x4", 12}, {"torus:4x4", 16}, {"nsfnet14-21", 14}, {"tree:2x3", 15}};
    for (size_t i = 0; i < COUNT(nets); i++)
        CU_ASSERT(is_near(time_on("%s w=2 bytes=96000 by broadcast by nearest after gather by nearest", nets[i].spec),
                          time_on("%s w=2 bytes=%u reduce-scatter by scatter by nearest after reduce by nearest",
                                  nets[i].spec, 96000 * nets[i].nodes)));
}

/* All pairs of a torus of even dimensions 2m fill N 2m / 8 channels of each link (docs/reference/bounds.md): with so
 * many, every node sends its vector straight to all others, and one step longer by the vector beats two steps with
 * shares. */
static void short_vectors_take_one_step(void)
{
    static const struct known rows[] = {{"torus:4x4 w=8 bytes=64000 all-reduce", 1},
                                        {"torus:8x8 w=64 bytes=4000 all-reduce", 1},
                                        {"torus:8x8 w=64 bytes=64000 all-reduce", 1}};
    take_steps(rows, COUNT(rows), EXACT);
}

TESTS("reduce", a_reduce_takes_as_long_as_a_broadcast, also_through_switches, every_scheme_runs_backwards,
      what_is_left_of_a_network_is_enough, links_may_lead_one_way_only, nothing_is_added_twice, a_star_takes_turns,
      a_scatter_and_an_all_gather_broadcast, a_reduce_and_a_broadcast_reduce_all, sums_go_up_while_chunks_come_down,
      less_takes_no_longer, two_ways_through_one_node, parts_are_planned_by_name, names_that_plan_nothing_are_refused,
      short_vectors_take_one_step)

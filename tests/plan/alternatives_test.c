/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/request.h"

#include "plan/plan.h"

/* An alternative need not have been built: its closed form must equal the result of building it.  None is quicker than
 * the plan, or than the one before it. */
static void alternatives_are_as_if_they_were_built(const char *line)
{
    rwa_plan *chosen = plan_on("%s", line);
    double last_s = rwa_plan_summary(chosen)->time_s;
    for (size_t i = 0; i < rwa_plan_summary(chosen)->alternatives; i++) {
        const rwa_alternative *r = rwa_plan_alternative(chosen, i);
        CU_ASSERT(r->time_s >= last_s * (1 - 1e-9));
        last_s = r->time_s;
        if (strcmp(r->scheme, "compose") == 0)
            continue; /* listed only when it was built */
        int chooses = r->lightpath_blocks == 1 || strcmp(r->scheme, "standing") == 0;   /* the load itself */
        rwa_plan *built = plan_on("%s stripes=%u load=%u group=%u by %s", line, r->stripes,
                                  chooses ? 0 : r->lightpath_blocks, r->group, r->scheme);
        CU_ASSERT(r->steps == rwa_plan_summary(built)->steps &&
                  r->lightpath_blocks == rwa_plan_summary(built)->lightpath_blocks &&
                  r->blocks == rwa_schedule_collective(rwa_plan_schedule(built))->blocks);
        CU_ASSERT_DOUBLE_EQUAL(r->time_s, rwa_plan_summary(built)->time_s, 1e-9 * r->time_s);
    }
}

static void closed_forms_are_what_is_built(void)
{
    static const char *const kinds[] = {"all-gather", "all-reduce", "reduce-scatter", "all-to-all"};
    static const uint32_t nodes[] = {2, 3, 4, 9, 14};
    char line[128];
    for (size_t n = 0; n < COUNT(nodes); n++)
        for (uint32_t w = 1; w <= 3; w++)
            for (size_t k = 0; k < 4; k++)
                for (int i = 0; i < 4; i++) {
                    snprintf(line, sizeof line, "%s:%u w=%u bytes=%u model=%s alpha=3e-6 %s", i % 2 ? "line" : "ring",
                             nodes[n], w, 1000 + 7 * nodes[n], i / 2 ? "circuit" : "paper", kinds[k]);
                    alternatives_are_as_if_they_were_built(line);
                }
    CU_ASSERT(report_on("ring:16 w=2 bytes=1000")->alternatives >= 3);
}

/* Stripes side by side are the plan on a share of the channels, each step shorter: same steps, same lightpaths times
 * stripes; that no two meet is the checker's verdict. */
static void stripes_are_plans_side_by_side(void)
{
    static const char *const whats[] = {"all-gather load=1 bytes=1048576 by wavefront",
                                        "all-reduce load=1 bytes=1048576 by wavefront",
                                        "reduce-scatter load=1 bytes=1048576 by optree",
                                        "all-reduce load=1 bytes=1048576 by wrht",
                                        "all-gather load=1 bytes=1048576 by ring-both",
                                        "all-reduce load=1 bytes=1048576 by h-ring",
                                        "broadcast load=1 bytes=1048576 by tree",
                                        "gather load=1 bytes=1048576 by tree"};
    for (size_t i = 0; i < COUNT(whats); i++)
        for (uint32_t nodes = 7; nodes < 26; nodes += 6)
            for (uint32_t stripes = 2; stripes <= 4; stripes++) {
                const rwa_plan_report *s =
                    report_on("ring:%u w=4 f=3 stripes=%u alpha=3e-6 %s", nodes, stripes, whats[i]);
                const rwa_plan_report *whole =
                    report_on("ring:%u w=%u stripes=1 alpha=3e-6 %s", nodes, 12 / stripes, whats[i]);
                CU_ASSERT(s->stripes == stripes && s->steps == whole->steps &&
                          s->lightpaths == stripes * whole->lightpaths);
                CU_ASSERT(s->time_bound_s > 0);
            }
    /* A second fibre of one link, whose channels are reserved, takes no stripe from the others. */
    CU_ASSERT_EQUAL(stripes_most(request_network(request_of("links:0-1x2,1-2,2-0 w=2 reserved=2,3"))), 2);
}

/* The quickest load factor is found: none that is asked for is quicker; and neither a tree nor a wavefront alone is as
 * quick as striped trees between the messages at which they win. */
static void no_load_factor_is_quicker(void)
{
    for (uint32_t message = 4000; message < 1u << 30; message *= 8)
        for (uint32_t stripes = 1; stripes <= 16; stripes *= 2)
            CU_ASSERT(time_on("ring:64 w=16 bytes=%u alpha=3e-6 all-reduce", message) <=
                      time_on("ring:64 w=16 bytes=%u alpha=3e-6 stripes=%u load=1 all-reduce", message, stripes) *
                          (1 + 1e-12));
}

/* A load factor above 1 is a limit: no lightpath carries more, and plans with one block on a lightpath stay allowed, so
 * that a higher one never means a slower plan; auto ends its search within 1 % of the bound. */
static void more_blocks_a_lightpath_are_no_slower(void)
{
    static const char *const whats[] = {"ring:16 w=2 bytes=1000", "ring:64 w=8 bytes=65536 all-reduce model=circuit",
                                        "line:12 w=8 bytes=1000", "torus:4x4 w=2 bytes=65536 reduce-scatter",
                                        "star:8 w=2 bytes=1000", "ring:16 w=2 members=0,3,7,8 bytes=65536"};
    unsigned more = 0;
    for (size_t i = 0; i < COUNT(whats); i++) {
        double before = INFINITY;
        for (uint32_t blocks = 1; blocks <= 8; blocks *= 2) {
            const rwa_plan_report *s = report_on("%s stripes=1 load=%u", whats[i], blocks);
            CU_ASSERT(s->lightpath_blocks <= blocks && s->time_s <= 1.01 * before);
            before = s->time_s;
            more += s->lightpath_blocks > 1;
        }
    }
    CU_ASSERT(more >= 3);
}

/* 100 bytes are sent in no time beside a reconfiguration, so that fewer steps win; a megabyte is not. */
static void auto_merges_small_messages_only(void)
{
    rwa_plan *small = plan_on("ring:256 w=64 bytes=100");
    const rwa_plan_report *s = rwa_plan_summary(small);
    CU_ASSERT(s->lightpath_blocks == 1 || s->time_s < rwa_plan_alternative(small, 0)->time_s);
    CU_ASSERT_EQUAL(report_on("ring:256 w=64 bytes=1048576")->lightpath_blocks, 1);
}

TESTS("alternatives", closed_forms_are_what_is_built, stripes_are_plans_side_by_side, no_load_factor_is_quicker,
      more_blocks_a_lightpath_are_no_slower, auto_merges_small_messages_only)

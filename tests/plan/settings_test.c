/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Options that only some schemes read: what a plan would ignore is refused, and what is not refused is read. */
#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <stdbool.h>

static const char *const specs[] = {"ring:12", "line:9", "torus:3x4", "mesh:3x3", "hypercube:3", "star:9", "ron:9", "ocs:9x2"};
enum { SPECS = sizeof specs / sizeof *specs };

static const uint32_t radix[] = {4, 4};

static void no_setting(rwa_plan_options *o)
{
    rwa_plan_options_init(o);
}

/** One setting each, and who reads it: include/rwa/plan.h, member by member. */
static void set_radix(rwa_plan_options *o) { o->radix = radix; o->radix_count = 2; }
static void set_stages(rwa_plan_options *o) { o->stages = 2; }
static void set_group(rwa_plan_options *o) { o->group = 3; }
static void set_last_exchange(rwa_plan_options *o) { o->last_exchange = RWA_LAST_TREE; }
static void set_split_steps(rwa_plan_options *o) { o->split_steps = 0; }
static void set_drops(rwa_plan_options *o) { o->max_drops = 3; }

static const struct setting {
    const char *name;
    void (*set)(rwa_plan_options *o);
    bool shapes;                /* "auto" keeps to those who read it */
    const char *readers[6];
} settings[] = {
    {"radix", set_radix, true, {"optree"}},
    {"stages", set_stages, true, {"optree"}},
    {"group", set_group, true, {"wrht", "h-ring", "tree"}},
    {"last_exchange", set_last_exchange, true, {"wrht"}},
    {"split_steps", set_split_steps, true, {"tcp"}},
    {"max_drops", set_drops, false, {"wavefront", "line-wavefront"}},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool is_reader(const struct setting *s, const char *scheme)
{
    for (const char *const *r = s->readers; *r; r++)
        if (strcmp(*r, scheme) == 0)
            return true;
    return false;
}

struct asked {
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_error err;
    rwa_plan *plan;
    rwa_status status;
};

static void collect(struct asked *a, rwa_collective_kind kind)
{
    CU_ASSERT_EQUAL(rwa_collective_init(&a->coll, kind, rwa_network_nodes(a->net), 0, 4096, 0, NULL), RWA_OK);
}

static void ask(struct asked *a, const char *scheme)
{
    a->err = (rwa_error){0};
    a->opts.scheme = scheme;
    a->status = rwa_plan_make(&a->plan, a->net, &a->coll, &a->opts, &a->err);
}

static void forget(struct asked *a)
{
    rwa_plan_free(a->plan);
    a->plan = NULL;
}

static bool names_only(const struct asked *a, const char *option)
{
    return strncmp(a->err.text, option, strlen(option)) == 0 && strchr(a->err.text, '\n') == NULL;
}

/** Of these nothing is tapped: all that moves is added up. */
static bool is_sums_alone(rwa_collective_kind kind)
{
    return kind == RWA_REDUCE_SCATTER || kind == RWA_ROOTED_REDUCE;
}

/** A scheme that does not read a setting refuses it by name; one that does plans, or says what of the value does not fit. */
static void ask_by_name(struct asked *a, const struct setting *s, const char *scheme)
{
    bool reads = is_reader(s, scheme) && !(s->set == set_drops && is_sums_alone(a->coll.kind));
    ask(a, scheme);
    bool refused = a->status == RWA_BADARG && strstr(a->err.text, "read by");
    if (refused != !reads || (refused && !names_only(a, s->name)))
        fprintf(stderr, "%s by %s, %s: %s\n", rwa_collective_name(a->coll.kind), scheme, s->name, a->err.text);
    CU_ASSERT_EQUAL(refused, !reads);
    CU_ASSERT(!refused || names_only(a, s->name));
    forget(a);
}

/** The scheme that "auto" takes reads every option that shapes a plan; an option that no candidate reads is refused. */
static void ask_auto(struct asked *a, const struct setting *s, bool any)
{
    ask(a, "auto");
    if (!any)
        CU_ASSERT(a->status == RWA_BADARG && names_only(a, s->name));
    if (any && s->shapes && a->plan)
        CU_ASSERT(is_reader(s, rwa_plan_summary(a->plan)->scheme));
    forget(a);
}

static void no_setting_is_ignored(void)
{
    for (size_t n = 0; n < SPECS; n++)
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (const struct setting *s = settings; s < settings + SETTINGS; s++) {
                struct asked a = {.net = network_of(specs[n], 2)};
                bool any = false, some = false;
                collect(&a, (rwa_collective_kind)kind);
                no_setting(&a.opts);
                s->set(&a.opts);
                for (size_t i = 0; rwa_scheme_name(i); i++)
                    if (rwa_scheme_fits(i, a.net, a.coll.kind)) {
                        ask_by_name(&a, s, rwa_scheme_name(i));
                        some = true;
                        any = any || is_reader(s, rwa_scheme_name(i));
                    }
                if (some)
                    ask_auto(&a, s, any && !(s->set == set_drops && is_sums_alone((rwa_collective_kind)kind)));
                rwa_network_free(a.net);
            }
}

/** The plan names the solver of the table that gave its wavelengths. */
static bool is_solved(const rwa_plan *plan, const char *solver)
{
    const char *found = rwa_plan_summary(plan)->solver;
    return found && strcmp(found, solver) == 0;
}

/** A solver that was asked for is the one that was at work, or it is refused. */
static void a_solver_is_at_work_or_refused(void)
{
    for (size_t n = 0; n < SPECS; n++)
        for (int kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (size_t i = 0; rwa_scheme_name(i); i++) {
                struct asked a = {.net = network_of(specs[n], 2)};
                collect(&a, (rwa_collective_kind)kind);
                no_setting(&a.opts);
                a.opts.solver = "best-fit";
                if (rwa_scheme_fits(i, a.net, a.coll.kind)) {
                    ask(&a, rwa_scheme_name(i));
                    bool right = a.status != RWA_OK ? names_only(&a, "solver")
                                                    : !rwa_plan_schedule(a.plan) || is_solved(a.plan, "best-fit");
                    if (!right)
                        fprintf(stderr, "%s, %s by %s: %s, solver %s\n", specs[n], rwa_collective_name(a.coll.kind), rwa_scheme_name(i),
                                a.err.text, a.plan && rwa_plan_summary(a.plan)->solver ? rwa_plan_summary(a.plan)->solver : "-");
                    CU_ASSERT(right);
                }
                forget(&a);
                rwa_network_free(a.net);
            }
}

/** Each is read by some scheme, but none reads both: also where one of them only helps, and one reader would be enough. */
static void options_without_a_common_reader_are_refused(void)
{
    struct asked a = {.net = network_of("ring:12", 2)};
    CU_ASSERT_EQUAL(rwa_collective_init(&a.coll, RWA_ALL_GATHER, 12, 0, 4096, 0, NULL), RWA_OK);
    no_setting(&a.opts);
    set_radix(&a.opts);
    set_group(&a.opts);
    ask(&a, NULL);
    CU_ASSERT(a.status == RWA_BADARG && names_only(&a, "radix and group: "));
    a.opts.group = 0;
    set_drops(&a.opts);
    ask(&a, NULL);
    CU_ASSERT(a.status == RWA_BADARG && names_only(&a, "radix and max_drops: "));
    a.opts.max_drops = 0;
    a.opts.solver = "best-fit";
    ask(&a, NULL);
    CU_ASSERT_EQUAL_FATAL(a.status, RWA_OK);
    CU_ASSERT_STRING_EQUAL(rwa_plan_summary(a.plan)->scheme, "optree");
    CU_ASSERT(is_solved(a.plan, "best-fit"));
    forget(&a);
    rwa_network_free(a.net);
}

/** Of schemes side by side each reads its own; what none of them reads is refused. */
static void a_comparison_needs_one_reader(void)
{
    static const char *const both[] = {"ring", "optree"};
    struct asked a = {.net = network_of("ring:12", 2)};
    rwa_comparison ring, tree;
    CU_ASSERT_EQUAL(rwa_collective_init(&a.coll, RWA_ALL_GATHER, 12, 0, 4096, 0, NULL), RWA_OK);
    no_setting(&a.opts);
    set_radix(&a.opts);
    CU_ASSERT_EQUAL(rwa_compare_validate(both, 2, a.net, &a.coll, &a.opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_compare_validate(both, 1, a.net, &a.coll, &a.opts, &a.err), RWA_BADARG);
    CU_ASSERT(names_only(&a, "radix"));
    CU_ASSERT_EQUAL(rwa_compare_scheme(&ring, "ring", a.net, &a.coll, &a.opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_compare_scheme(&tree, "optree", a.net, &a.coll, &a.opts, NULL), RWA_OK);
    CU_ASSERT_EQUAL(ring.steps, 11); /* N - 1, whatever the radices */
    CU_ASSERT_EQUAL(tree.formula.stages, 2);
    rwa_network_free(a.net);
}

/** A number of blocks that no scheme cuts: "auto" speaks of no scheme that the caller did not name, and the numbers it offers are right. */
static void blocks_are_refused_in_the_words_of_who_asked(void)
{
    struct asked a = {.net = network_of("ring:12", 2)};
    for (uint64_t blocks = 1; blocks <= 48; blocks++) {
        CU_ASSERT_EQUAL(rwa_collective_init(&a.coll, RWA_ALL_GATHER, 12, 0, 4096, blocks, NULL), RWA_OK);
        no_setting(&a.opts);
        ask(&a, "auto");
        bool cut = blocks == 12 || blocks == 24; /* whole, a stripe for each wavelength */
        CU_ASSERT_EQUAL(a.status, cut ? RWA_OK : RWA_BADARG);
        for (size_t i = 0; rwa_scheme_name(i) && a.status != RWA_OK; i++)
            CU_ASSERT_PTR_NULL(strstr(a.err.text, rwa_scheme_name(i)) && strlen(rwa_scheme_name(i)) > 4 ? a.err.text : NULL);
        CU_ASSERT(a.status == RWA_OK || strstr(a.err.text, "such as 12") || strstr(a.err.text, "such as 24"));
        forget(&a);
    }
    rwa_network_free(a.net);
}

int main(void)
{
    return run_tests("settings", (struct test[]){
        TEST(no_setting_is_ignored),
        TEST(a_solver_is_at_work_or_refused),
        TEST(options_without_a_common_reader_are_refused),
        TEST(a_comparison_needs_one_reader),
        TEST(blocks_are_refused_in_the_words_of_who_asked),
        {NULL, NULL},
    });
}

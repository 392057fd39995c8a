/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Options that only some schemes read: what a plan would ignore is refused, and what is not refused is read. */
#include "tests/support/request.h"

static const char *const specs[] = {
    "ring:12", "line:9", "torus:3x4", "mesh:3x3", "hypercube:3", "star:9", "ron:9", "ocs:9x2"};

/** One option each, and who reads it: include/rwa/plan.h, member by member. */
static const struct option {
    const char *name, *words, *readers;
} options[] = {{"radix", "radix=4,4", ",optree,"},
               {"stages", "stages=2", ",optree,"},
               {"group", "group=3", ",wrht,h-ring,tree,"},
               {"last_exchange", "last=2", ",wrht,"},
               {"split_steps", "splits=0", ",tcp,"},
               {"max_drops", "drops=3", ",wavefront,line-wavefront,"}};

/** Where only sums move nothing is tapped. */
static bool is_reader(const struct option *o, const char *scheme, rwa_collective_kind kind)
{
    char word[64];
    snprintf(word, sizeof word, ",%s,", scheme);
    bool taps = strcmp(o->name, "max_drops") == 0, sums = kind == RWA_REDUCE_SCATTER || kind == RWA_ROOTED_REDUCE;
    return strstr(o->readers, word) && !(taps && sums);
}

/** One line that begins with the option. */
static bool names_only(const char *refusal, const char *option)
{
    size_t begin = strlen("BADARG: ");
    return refusal && strncmp(refusal, "BADARG: ", begin) == 0 &&
           strncmp(refusal + begin, option, strlen(option)) == 0 && !strchr(refusal, '\n');
}

/** A scheme that does not read an option refuses it by name; one that does plans, or says what of the value does not
 * fit.  The scheme that "auto" takes reads every option that shapes a plan; an option that no candidate reads is
 * refused. */
static void ask_all(const struct option *o, struct request r)
{
    bool any = false, some = false;
    for (size_t i = 0; rwa_scheme_name(i); i++) {
        const char *scheme = strcpy(r.scheme, rwa_scheme_name(i));
        if (!rwa_scheme_fits(i, request_network(r), r.kind))
            continue;
        bool reads = is_reader(o, scheme, r.kind);
        const char *refusal = refusal_for(r);
        bool refused = refusal && strstr(refusal, "read by");
        if (refused != !reads || (refused && !names_only(refusal, o->name)))
            fprintf(stderr, "%s by %s: %s\n", r.line, scheme, refusal ? refusal : "a plan");
        CU_ASSERT(refused == !reads && (!refused || names_only(refusal, o->name)));
        some = true;
        any = any || reads;
    }
    strcpy(r.scheme, "auto");
    if (some && !any)
        CU_ASSERT(names_only(refusal_for(r), o->name));
    if (any && strcmp(o->name, "max_drops") != 0 && !refusal_for(r))
        CU_ASSERT(is_reader(o, rwa_plan_summary(plan_for(r))->scheme, r.kind));
}

static void no_option_is_ignored(void)
{
    for (size_t n = 0; n < COUNT(specs); n++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (size_t i = 0; i < COUNT(options); i++)
                ask_all(&options[i], request_of("%s w=2 %s %s", specs[n], options[i].words, rwa_collective_name(kind)));
}

/** A solver that was asked for is the one that was at work, or it is refused. */
static void a_solver_is_at_work_or_refused(void)
{
    for (size_t n = 0; n < COUNT(specs); n++)
        for (rwa_collective_kind kind = RWA_ALL_GATHER; kind <= RWA_ROOTED_REDUCE; kind++)
            for (size_t i = 0; rwa_scheme_name(i); i++) {
                struct request r = request_of("%s w=2 solver=best-fit %s by %s", specs[n], rwa_collective_name(kind),
                                              rwa_scheme_name(i));
                if (!rwa_scheme_fits(i, request_network(r), kind))
                    continue;
                const char *refusal = refusal_for(r), *solver = refusal ? NULL : rwa_plan_summary(plan_for(r))->solver;
                bool right = refusal ? strncmp(refusal, "BADARG", 6) != 0 || names_only(refusal, "solver")
                                     : solver && strcmp(solver, "best-fit") == 0;
                if (!right)
                    fprintf(stderr, "%s: %s, solver %s\n", r.line, refusal ? refusal : "a plan", solver ? solver : "-");
                CU_ASSERT(right);
            }
}

/** Each is read by some scheme, but none reads both: also where one of them only helps, and one reader would be enough.
 */
static void options_without_a_common_reader_are_refused(void)
{
    const rwa_plan_report *both = report_on("ring:12 w=2 radix=4,4 solver=best-fit");
    CU_ASSERT(names_only(refusal_on("ring:12 w=2 radix=4,4 group=3"), "radix and group: "));
    CU_ASSERT(names_only(refusal_on("ring:12 w=2 radix=4,4 drops=3"), "radix and max_drops: "));
    CU_ASSERT(strcmp(both->scheme, "optree") == 0 && strcmp(both->solver, "best-fit") == 0);
}

/** Of schemes side by side each reads its own; what none of them reads is refused. */
static void a_comparison_needs_one_reader(void)
{
    static const char *const both[] = {"ring", "optree"};
    struct request r = request_of("ring:12 w=2 radix=4,4");
    const rwa_network *net = request_network(r);
    rwa_collective coll = request_collective(&r, net);
    rwa_comparison ring, tree;
    rwa_error err = {0};
    r.options.radix = r.radices.at;
    r.options.radix_count = r.radices.count;
    OK(rwa_compare_validate(both, 2, net, &coll, &r.options, NULL));
    CU_ASSERT_EQUAL(rwa_compare_validate(both, 1, net, &coll, &r.options, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(strncmp(err.text, "radix", 5), 0);
    OK(rwa_compare_scheme(&ring, "ring", net, &coll, &r.options, NULL));
    OK(rwa_compare_scheme(&tree, "optree", net, &coll, &r.options, NULL));
    CU_ASSERT(ring.steps == 11 && tree.formula.stages == 2); /* N - 1, whatever the radices */
}

/** An all-to-all has blocks for each pair of nodes; "auto" speaks of no scheme that the caller did not name. */
static void blocks_are_refused_in_the_words_of_who_asked(void)
{
    for (uint32_t blocks = 1; blocks <= 48; blocks++) {
        const char *refusal = refusal_on("ring:4 w=2 all-to-all blocks=%u by auto", blocks);
        CU_ASSERT_EQUAL(!refusal, blocks % 16 == 0);
        for (size_t i = 0; rwa_scheme_name(i) && refusal; i++)
            CU_ASSERT(strlen(rwa_scheme_name(i)) <= 4 || !strstr(refusal, rwa_scheme_name(i)));
        CU_ASSERT(!refusal || strstr(refusal, "multiple of the 16 pairs"));
    }
}

TESTS("settings", no_option_is_ignored, a_solver_is_at_work_or_refused, options_without_a_common_reader_are_refused,
      a_comparison_needs_one_reader, blocks_are_refused_in_the_words_of_who_asked)

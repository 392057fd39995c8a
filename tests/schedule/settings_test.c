/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Settings of nodes: those of all nodes come from the lightpaths one by one, and those of one node are its part of
 *  them. */
#include "tests/support/request.h"

static const char *const samples[] = {
    "ring:12 w=3 by wavefront", "ring:9 w=4 all-reduce by ring", "line:9 w=2", "mesh:3x3 w=3", "ring:8 w=2 all-to-all",
    "star:6 w=3 root=1 broadcast"};

KEEPER(settings)

static rwa_settings *made_settings(const rwa_schedule *sched, uint32_t step, uint32_t node)
{
    rwa_settings *settings = NULL;
    OK(rwa_settings_make(&settings, sched, step, node, NULL, NULL));
    return keep_settings(settings);
}

static size_t count_change(const rwa_settings *settings, rwa_change change)
{
    const rwa_setting *list;
    size_t count = rwa_settings_list(&list, settings), found = 0;
    for (size_t i = 0; i < count; i++)
        found += list[i].change == change;
    return found;
}

/** A lightpath of h hops has h + 1 settings: brute force over the schedule with its orbits written out. */
static size_t settings_in_step(const rwa_schedule *sched, uint32_t step)
{
    const rwa_schedule *all = expanded(sched);
    size_t count = 0;
    for (uint64_t i = rwa_schedule_first(all, step); i < rwa_schedule_first(all, step + 1); i++) {
        rwa_lightpath lp = lightpath_of(all, i);
        uint32_t nodes = 0;
        rwa_schedule_path(&nodes, all, i);
        uint32_t hops = rwa_network_hops(rwa_schedule_network(all), lp.src, lp.dst, lp.direction);
        count += nodes > 0 ? nodes : hops > 0 ? hops + 1 : 2;
    }
    return count;
}

/** In a step are those kept and those set; of the step before, those kept and those cleared. */
static void every_lightpath_has_its_settings(void)
{
    for (size_t k = 0; k < COUNT(samples); k++) {
        const rwa_schedule *sched = schedule_on("%s", samples[k]);
        size_t before = 0;
        for (uint32_t step = 1; step <= rwa_schedule_steps(sched) + 1; step++) {
            rwa_settings *settings = made_settings(sched, step, RWA_NONE);
            size_t now = step <= rwa_schedule_steps(sched) ? settings_in_step(sched, step) : 0;
            size_t kept = count_change(settings, RWA_CHANGE_KEEP), set = count_change(settings, RWA_CHANGE_SET);
            CU_ASSERT_EQUAL(kept + set, now);
            CU_ASSERT_EQUAL(kept + count_change(settings, RWA_CHANGE_CLEAR), before);
            CU_ASSERT_EQUAL(rwa_settings_changes(settings), now + before - 2 * kept);
            before = now;
        }
    }
}

static void settings_of_a_node_are_its_part_of_all(void)
{
    for (size_t k = 0; k < COUNT(samples); k++) {
        const rwa_schedule *sched = schedule_on("%s", samples[k]);
        for (uint32_t step = 1; step <= rwa_schedule_steps(sched) + 1; step++) {
            const rwa_setting *all, *own;
            rwa_settings *settings = made_settings(sched, step, RWA_NONE);
            size_t count = rwa_settings_list(&all, settings), at = 0;
            for (uint32_t v = 0; v < rwa_network_nodes(rwa_schedule_network(sched)); v++) {
                rwa_settings *one = made_settings(sched, step, v);
                size_t some = rwa_settings_list(&own, one);
                CU_ASSERT_FATAL(at + some <= count);
                for (size_t i = 0; i < some; i++, at++) {
                    CU_ASSERT_EQUAL(own[i].node, v);
                    CU_ASSERT_EQUAL(own[i].use, all[at].use);
                    CU_ASSERT_EQUAL(own[i].change, all[at].change);
                    CU_ASSERT_EQUAL(own[i].in_link, all[at].in_link);
                    CU_ASSERT_EQUAL(own[i].out_link, all[at].out_link);
                    CU_ASSERT_EQUAL(own[i].wavelength, all[at].wavelength);
                    CU_ASSERT_EQUAL(own[i].block, all[at].block);
                }
            }
            CU_ASSERT_EQUAL(at, count);
        }
    }
}

/** The ring scheme sends from every node to the next in every step, on one wavelength: after step 1 nothing is
 *  retuned. */
static void ring_scheme_keeps_its_lightpaths(void)
{
    const rwa_schedule *sched = schedule_on("ring:8 w=1 by ring");
    for (uint32_t step = 2; step <= 7; step++) {
        rwa_settings *settings = made_settings(sched, step, RWA_NONE);
        CU_ASSERT_EQUAL(rwa_settings_changes(settings), 0);
        CU_ASSERT_EQUAL(count_change(settings, RWA_CHANGE_KEEP), 16);
    }
}

static size_t changes_of(const rwa_settings *settings, uint32_t node)
{
    const rwa_setting *list;
    size_t count = rwa_settings_of_node(&list, settings, node), changes = 0;
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(list[i].node, node);
        changes += list[i].change != RWA_CHANGE_KEEP;
    }
    return changes;
}

/** The sum of the times at which the nodes are served, one change after the other. */
static size_t total_wait(const size_t *changes, const uint32_t *order, size_t count)
{
    size_t now = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += now += changes[order[i]];
    return sum;
}

static size_t least_wait(const size_t *changes, uint32_t *order, size_t fixed, size_t count)
{
    size_t least = fixed == count ? total_wait(changes, order, count) : SIZE_MAX;
    for (size_t k = fixed; k < count; k++) {
        uint32_t first = order[fixed], other = order[k];
        order[fixed] = other, order[k] = first;
        size_t wait = least_wait(changes, order, fixed + 1, count);
        least = wait < least ? wait : least;
        order[fixed] = first, order[k] = other;
    }
    return least;
}

/** In the order of the nodes they wait least in all: no other order of so few does better. */
static void nodes_wait_least(void)
{
    static const char *const specs[] = {"line:7", "mesh:2x3", "ring:6", "star:6"};
    for (size_t k = 0; k < COUNT(specs); k++) {
        const rwa_schedule *sched = schedule_on("%s w=2 root=1 broadcast", specs[k]);
        for (uint32_t step = 1; step <= rwa_schedule_steps(sched) + 1; step++) {
            rwa_settings *settings = made_settings(sched, step, RWA_NONE), *one = made_settings(sched, step, 3);
            const uint32_t *nodes = NULL;
            size_t changes[8], count = rwa_settings_nodes(&nodes, settings), sum = 0;
            uint32_t order[8];
            CU_ASSERT_EQUAL_FATAL(count, rwa_network_nodes(rwa_schedule_network(sched)));
            for (uint32_t v = 0; v < count; v++) {
                order[v] = v;
                sum += changes[v] = changes_of(settings, v);
            }
            CU_ASSERT_EQUAL(sum, rwa_settings_changes(settings));
            CU_ASSERT_EQUAL(total_wait(changes, nodes, count), least_wait(changes, order, 0, count));
            CU_ASSERT(rwa_settings_nodes(&nodes, one) == 1 && nodes[0] == 3);
        }
    }
}

static void wrong_steps_and_nodes_are_refused(void)
{
    const rwa_schedule *sched = schedule_on("ring:8 w=1 by ring");
    rwa_settings *settings = (rwa_settings *)&sched;
    rwa_error err = {0};
    CU_ASSERT_EQUAL(rwa_settings_make(&settings, sched, 0, 0, NULL, &err), RWA_BADARG);
    CU_ASSERT_PTR_NULL(settings);
    CU_ASSERT_EQUAL(rwa_settings_make(&settings, sched, 9, 0, NULL, &err), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_settings_make(&settings, sched, 1, 8, NULL, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "node 8: expected 0 to 7");
    rwa_settings_free(NULL);
}

TESTS("settings", every_lightpath_has_its_settings, settings_of_a_node_are_its_part_of_all,
      ring_scheme_keeps_its_lightpaths, nodes_wait_least, wrong_steps_and_nodes_are_refused)

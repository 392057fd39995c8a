/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a play is about, and its schedule, from the plan and the schedule that was kept for it. */
#include "playbook/playbook.h"

#include "network/network.h"
#include "plan/residual/map.h"
#include "plan/steps.h"
#include "schedule/schedule.h"

/** Return a directed link of a failure: the first one of its pair. */
static uint32_t link_of(const rwa_network *net, uint32_t failure)
{
    return network_has_arcs(net) || !rwa_network_is_paired(net) ? failure : 2 * failure;
}

/** Return the first step before which translations do not map the plan to itself.  Then nodes that are translations of
 * each other hold blocks that are so, too. */
static uint32_t symmetric_until(struct translations *group, const rwa_schedule *plan)
{
    const rwa_network *net = rwa_schedule_network(plan);
    const rwa_collective *coll = rwa_schedule_collective(plan);
    uint32_t step = 1;
    if (!translations_of(group, net) || !network_is_uniform(net) || network_has_parallel_links(net) ||
        network_has_reserved(net) || rwa_schedule_members(plan) || rwa_collective_has_root(coll->kind) ||
        coll->blocks % coll->nodes != 0)
        return 0;
    for (uint64_t i = 0; step <= rwa_schedule_steps(plan); step++)
        for (; i < rwa_schedule_first(plan, step + 1); i++)
            if (schedule_lightpath(plan, i).orbit != coll->nodes)
                return step;
    return step;
}

/** Name a failure in the playbook's arena: "Seattle", "0-1" or "0>1". */
static const char *name_failure(struct rwa_playbook *b, uint32_t failure)
{
    const rwa_network *net = rwa_schedule_network(b->plan);
    char name[2 * NODE_TEXT] = "";
    bool node = b->kind == RWA_FAILED_NODE;
    rwa_link link = node ? (rwa_link){.from = failure} : rwa_network_link(net, link_of(net, failure));
    network_name_node(name, NODE_TEXT, net, link.from);
    size_t length = strlen(name);
    if (!node) {
        name[length++] = rwa_network_is_paired(net) ? '-' : '>';
        network_name_node(name + length, NODE_TEXT, net, link.to);
    }
    return arena_copy_array(&b->arena, name, 1, sizeof name);
}

/** Tell whether the node that fails takes part in the collective. */
static bool loses_member(const struct rwa_playbook *b, uint32_t failure)
{
    const uint32_t *members = rwa_schedule_members(b->plan);
    return b->kind == RWA_FAILED_NODE &&
           (!members || bsearch(&failure, members, rwa_schedule_collective(b->plan)->nodes, sizeof failure,
                                order_uint32));
}

rwa_status playbook_open(struct rwa_playbook *b, const rwa_schedule *plan, rwa_failure_kind kind, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(plan);
    b->plan = plan;
    b->kind = kind;
    b->steps = rwa_schedule_steps(plan);
    if (network_is_one_hop(net) || b->steps == 0)
        return base_refuse(err, "a playbook of %s: expected a schedule on a network of links between nodes",
                           b->steps == 0 ? "a schedule without steps" : rwa_topology_name(rwa_network_topology(net)));
    b->symmetric = symmetric_until(&b->group, plan);
    b->failures = kind == RWA_FAILED_NODE ? rwa_network_nodes(net)
                  : rwa_network_is_paired(net) ? rwa_network_pairs(net) : rwa_network_links(net);
    MUST(arena_arrays(&b->arena, (size_t)b->failures * b->steps, b->plays));
    for (uint32_t f = 0; f < b->failures; f++) {
        rwa_play play = {.failure = f, .name = name_failure(b, f), .begins_again = loses_member(b, f), .time_s = NAN,
                         .after_s = NAN, .why = ""};
        while (play.step++ < b->steps)
            play_at(b, f, play.step)->seen = play;
    }
    return arena_status(&b->arena);
}

void playbook_close(struct rwa_playbook *b)
{
    rwa_schedule_free(b->own);
    arena_free(&b->arena);
}

uint32_t playbook_origin(uint32_t *move, const struct rwa_playbook *b, uint32_t failure, uint32_t step)
{
    const rwa_network *net = rwa_schedule_network(b->plan);
    uint32_t lowest = failure;
    *move = 0;
    if (step > b->symmetric)
        return failure;
    if (b->kind == RWA_FAILED_NODE) {
        *move = failure;
        return 0;
    }
    uint32_t link = link_of(net, failure);
    rwa_link ends = rwa_network_link(net, link);
    for (int back = 0; back <= rwa_network_is_paired(net); back++) {
        uint32_t end = back ? ends.to : ends.from, by = translations_move(&b->group, 0, end, 0);
        uint32_t moved = translations_link(&b->group, link, by);
        uint32_t other = rwa_network_is_paired(net) ? rwa_network_pair(net, moved) : moved;
        if (other < lowest) {
            lowest = other;
            *move = end;
        }
    }
    return lowest;
}

rwa_status playbook_links(uint32_t **links, size_t *count, const struct rwa_playbook *b, uint32_t failure,
                          rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(b->plan);
    uint32_t all = rwa_network_links(net);
    *count = 0;
    MUST(base_new(*links, all, err));
    for (uint32_t l = 0; l < all; l++) {
        rwa_link ends = rwa_network_link(net, l);
        uint32_t number = rwa_network_is_paired(net) ? rwa_network_pair(net, l) : l;
        if (b->kind == RWA_FAILED_NODE ? ends.from == failure || ends.to == failure : number == failure)
            (*links)[(*count)++] = l;
    }
    return RWA_OK;
}

rwa_status playbook_network(rwa_network **out, const struct rwa_playbook *b, const struct play *play, rwa_error *err)
{
    uint32_t *links = NULL;
    size_t count = 0;
    rwa_status st = playbook_links(&links, &count, b, play->seen.failure, err);
    if (st == RWA_OK)
        st = network_with_more_failures(out, rwa_schedule_network(b->plan), links, count,
                                        play->seen.begins_again ? 0 : play->seen.step, err);
    free(links);
    return st;
}

rwa_status playbook_members(uint32_t **out, uint32_t *count, const struct rwa_playbook *b, const struct play *play,
                            rwa_error *err)
{
    const uint32_t *members = rwa_schedule_members(b->plan);
    uint32_t nodes = rwa_schedule_collective(b->plan)->nodes;
    *out = NULL;
    *count = nodes;
    if (!members && !play->seen.begins_again)
        return RWA_OK;
    MUST(base_new(*out, nodes, err));
    *count = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = members ? members[i] : i;
        if (!play->seen.begins_again || node != play->seen.failure)
            (*out)[(*count)++] = node;
    }
    return RWA_OK;
}

uint32_t playbook_root(const struct rwa_playbook *b, const struct play *play)
{
    const rwa_collective *coll = rwa_schedule_collective(b->plan);
    const uint32_t *members = rwa_schedule_members(b->plan);
    uint32_t root = coll->root, node = members ? members[root] : root;
    if (!play->seen.begins_again || !rwa_collective_has_root(coll->kind) || node < play->seen.failure)
        return root;
    return node == play->seen.failure ? RWA_NONE : root - 1;
}

/* ---- the schedule of a play ---- */

struct assembly {
    rwa_network *net;
    rwa_collective coll;
    uint32_t *members, *node, *participant;
};

/** Tell whether a schedule may be one for the play, whose participants are so many. */
static bool belongs(const struct assembly *a, const struct rwa_playbook *b, const struct play *play,
                    const rwa_schedule *made, uint32_t count)
{
    const rwa_network *net = rwa_schedule_network(made);
    const rwa_collective *plan = rwa_schedule_collective(b->plan);
    return rwa_network_topology(net) == rwa_network_topology(a->net) &&
           rwa_network_nodes(net) == rwa_network_nodes(a->net) &&
           rwa_network_wavelengths(net) == rwa_network_wavelengths(a->net) && a->coll.kind == plan->kind &&
           a->coll.nodes == count && a->coll.root == playbook_root(b, play) &&
           (play->seen.begins_again || play->seen.step == 1 || a->coll.blocks % plan->blocks == 0);
}

/** Where the translation moves each node, and each participant. */
static rwa_status translate(struct assembly *a, const struct rwa_playbook *b, const struct play *play, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(a->net), rank = 0;
    if (play->move == 0)
        return RWA_OK;
    MUST(base_new(a->node, nodes, err));
    MUST(base_new(a->participant, nodes, err));
    for (uint32_t v = 0; v < nodes; v++) {
        a->node[v] = translations_move(&b->group, v, 0, play->move);
        if (v > 0 || !play->seen.begins_again)  /* the schedule is one without node 0 */
            a->participant[rank++] = a->node[v] - (a->members && a->node[v] > play->seen.failure);
    }
    return RWA_OK;
}

rwa_status playbook_assemble(rwa_schedule **out, const struct rwa_playbook *b, const struct play *play,
                             const rwa_schedule *made, rwa_error *err)
{
    struct assembly a = {.coll = *rwa_schedule_collective(made)};
    uint32_t count = 0, kept = play->seen.begins_again ? 0 : play->seen.step - 1;
    rwa_schedule *all = NULL;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(playbook_network(&a.net, b, play, err));
    TRY(playbook_members(&a.members, &count, b, play, err));
    if (!belongs(&a, b, play, made, count))
        TRY(base_refuse(err, "not a schedule of this collective on this network"));
    TRY(translate(&a, b, play, err));
    TRY(rwa_schedule_create_among(&all, a.net, &a.coll, a.members, rwa_schedule_scheme(made), err));
    struct schedule_map map = {.net = a.net, .coll = &a.coll, .members = a.members, .node = a.node,
                               .participant = a.participant, .all_move = !play->seen.begins_again};
    TRY(schedule_append_steps(all, b->plan, kept, true, err));
    TRY(map_steps(all, made, kept + 1, &map, err));
    *out = all;
    all = NULL;
done:
    rwa_schedule_free(all);
    rwa_network_free(a.net);
    free_all(a.members, a.node, a.participant);
    return st;
}

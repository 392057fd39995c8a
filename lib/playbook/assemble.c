/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets up the plays (what fails in which step), and makes the schedule of a play from the plan and the schedule
 *  kept for it. */
#include "playbook/playbook.h"

#include "collective/needs.h"
#include "network/network.h"
#include "plan/residual/map.h"
#include "plan/steps.h"
#include "schedule/schedule.h"

/** Return the directed link whose failure has this number; of a fibre pair the first of its two links. */
static uint32_t link_of(const rwa_network *net, uint32_t failure)
{
    return network_has_arcs(net) || !rwa_network_is_paired(net) ? failure : 2 * failure;
}

/** Return the number of the failure that breaks a directed link: the number of its fibre pair, or of the link itself
 *  where links do not come in pairs. */
static uint32_t number_of(const rwa_network *net, uint32_t link)
{
    return rwa_network_is_paired(net) ? rwa_network_pair(net, link) : link;
}

/** Return the name of a failure, such as "Seattle", "0-1" or "0>1", kept in the playbook's arena; NULL: out of
 *  memory. */
static const char *name_failure(struct rwa_playbook *b, uint32_t failure)
{
    const rwa_network *net = rwa_schedule_network(b->plan);
    char name[2 * NODE_TEXT] = "";
    rwa_link link = {.from = failure};
    if (b->kind == RWA_PLAY_LINK)
        link = rwa_network_link(net, link_of(net, failure));
    network_name_node(name, NODE_TEXT, net, link.from);
    if (b->kind == RWA_PLAY_LINK) {
        size_t length = strlen(name);
        name[length] = rwa_network_is_paired(net) ? '-' : '>';
        network_name_node(name + length + 1, NODE_TEXT, net, link.to);
    }
    return arena_copy_array(&b->arena, name, 1, sizeof name);
}

static uint32_t node_of(const struct rwa_playbook *b, uint32_t participant)
{
    return base_mapped(rwa_schedule_members(b->plan), participant);
}

/** Tell whether a failure is that of a node which takes part in the collective. */
static bool loses_member(const struct rwa_playbook *b, uint32_t failure)
{
    for (uint32_t i = 0; i < rwa_schedule_collective(b->plan)->nodes; i++)
        if (b->kind == RWA_PLAY_NODE && node_of(b, i) == failure)
            return true;
    return false;
}

rwa_status playbook_take_options(struct rwa_playbook *b, const rwa_plan_options *given, rwa_error *err)
{
    MUST(base_options(rwa_plan_options, &b->opts, given, err));
    rwa_check_options_init(&b->checking);
    b->checking.device = b->opts.device;
    b->checking.power_model = b->opts.power_model;
    b->checking.poll = b->opts.poll;
    b->checking.poll_data = b->opts.poll_data;
    return limits_take(&b->limits, b->opts.limits, err);
}

rwa_status playbook_open(struct rwa_playbook *b, const rwa_schedule *plan, rwa_play_kind kind, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(plan);
    b->plan = plan;
    b->kind = kind;
    b->steps = rwa_schedule_steps(plan);
    if (network_is_one_hop(net) || b->steps == 0)
        return base_refuse(err, "a playbook of %s: expected a schedule on a network of links between nodes",
                           b->steps == 0 ? "a schedule without steps" : rwa_topology_name(rwa_network_topology(net)));
    b->symmetric = schedule_symmetric_until(&b->group, plan);
    b->failures = kind == RWA_PLAY_NODE ? rwa_network_nodes(net)
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
    bool node = b->kind == RWA_PLAY_NODE;
    *move = 0;
    if (step > b->symmetric)
        return failure;
    if (node) {
        *move = failure;
        return 0;
    }
    uint32_t links[] = {link_of(net, failure), 0};
    rwa_link ends = rwa_network_link(net, *links);
    links[1] = rwa_network_find_link(net, ends.to, ends.from);
    *move = translations_lowest(links, &b->group, links, 1u + (rwa_network_is_paired(net) != 0));
    return number_of(net, *links);
}

/** List in r->links the directed links that a failure breaks. */
static rwa_status list_links(struct rest *r, const struct rwa_playbook *b, uint32_t failure, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(b->plan);
    uint32_t all = rwa_network_links(net);
    MUST(base_new(r->links, all, err));
    for (uint32_t l = 0; l < all; l++) {
        rwa_link ends = rwa_network_link(net, l);
        if (b->kind == RWA_PLAY_NODE ? ends.from == failure || ends.to == failure : number_of(net, l) == failure)
            r->links[r->link_count++] = l;
    }
    return RWA_OK;
}

rwa_status rest_open(struct rest *r, const struct rwa_playbook *b, const struct play *play, rwa_error *err)
{
    const rwa_collective *coll = rwa_schedule_collective(b->plan);
    const rwa_play *seen = &play->seen;
    *r = (struct rest){.root = rwa_collective_has_root(coll->kind) ? RWA_NONE : 0};
    MUST(list_links(r, b, seen->failure, err));
    MUST(network_with_more_failures(&r->net, rwa_schedule_network(b->plan), r->links, r->link_count,
                                    seen->begins_again ? 0 : seen->step, err));
    MUST(base_new(r->members, coll->nodes, err));
    for (uint32_t i = 0; i < coll->nodes; i++) {
        if (seen->begins_again && node_of(b, i) == seen->failure)
            continue;
        if (i == coll->root)
            r->root = r->count;
        r->members[r->count++] = node_of(b, i);
    }
    return RWA_OK;
}

void rest_close(struct rest *r)
{
    rwa_network_free(r->net);
    free_all(r->links, r->members, r->node, r->participant);
}

/* ---- the schedule of a play ---- */

/** Tell whether the schedule `made`, kept for a failure in a step, has the network, collective and root that the
 *  failure leaves. */
static bool belongs(const struct rest *r, const struct rwa_playbook *b, const struct play *play,
                    const rwa_schedule *made)
{
    const rwa_network *net = rwa_schedule_network(made);
    const rwa_collective *plan = rwa_schedule_collective(b->plan), *coll = rwa_schedule_collective(made);
    return rwa_network_topology(net) == rwa_network_topology(r->net) &&
           rwa_network_nodes(net) == rwa_network_nodes(r->net) &&
           rwa_network_wavelengths(net) == rwa_network_wavelengths(r->net) && coll->kind == plan->kind &&
           coll->nodes == r->count && coll->root == r->root &&
           (play->seen.begins_again || play->seen.step == 1 || coll->blocks % plan->blocks == 0);
}

/** Set r->node and r->participant to what the translation of a play (a failure in a step) does to the schedule kept
 *  for it: node v becomes r->node[v], participant p becomes r->participant[p].  Both arrays stay NULL if the play has
 *  no translation. */
static rwa_status translate(struct rest *r, const struct rwa_playbook *b, const struct play *play, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(r->net), rank = 0;
    bool again = play->seen.begins_again;
    if (play->move == 0)
        return RWA_OK;
    MUST(base_new(r->node, nodes, err));
    MUST(base_new(r->participant, nodes, err));
    for (uint32_t v = 0; v < nodes; v++) {
        r->node[v] = translations_move(&b->group, v, 0, play->move);
        if (!again || r->node[v] != play->seen.failure)     /* else the schedule is one without this node */
            r->participant[rank++] = r->node[v] - (again && r->node[v] > play->seen.failure);
    }
    return RWA_OK;
}

rwa_status playbook_assemble(rwa_schedule **out, const struct rwa_playbook *b, const struct play *play,
                             const rwa_schedule *made, rwa_error *err)
{
    struct rest r;
    uint32_t kept = play->seen.begins_again ? 0 : play->seen.step - 1;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(rest_open(&r, b, play, err));
    if (!belongs(&r, b, play, made))
        TRY(base_refuse(err, "not a schedule of this collective on this network"));
    TRY(translate(&r, b, play, err));
    struct schedule_map map = {.net = r.net, .coll = rwa_schedule_collective(made), .members = r.members,
                               .node = r.node, .participant = r.participant, .all_move = kept > 0};
    st = schedule_map_after(out, b->plan, kept, made, &map, err);
done:
    rest_close(&r);
    return st;
}

rwa_status playbook_accept(const rwa_schedule *sched, const char *path, const rwa_check_options *checking,
                           rwa_error *err)
{
    rwa_check_report report;
    MUST(check_schedule(&report, sched, checking, err));
    return report.ok ? RWA_OK
                     : base_fail(err, RWA_FORMAT, "%s: the checker rejects it: %s", path, report.first[0].text);
}

rwa_status playbook_load(rwa_schedule **out, const struct rwa_playbook *b, const struct play *play, rwa_error *err)
{
    rwa_schedule *kept = NULL;
    rwa_status st = RWA_OK;
    TRY(rwa_schedule_read(&kept, play->path, &b->limits, err));
    TRY(base_blame(playbook_assemble(out, b, play, kept, err), play->path, 0, err));
    st = playbook_accept(*out, play->path, &b->checking, err);
done:
    rwa_schedule_free(kept);
    return schedule_keep(out, st);
}

/* ---- its figures ---- */

/** Set *out to an array of hashes, sorted, one for each lightpath of a step, and *count to their number.  The caller
 *  frees it. */
static rwa_status list_step(uint64_t **out, size_t *count, const rwa_schedule *sched, uint32_t step, rwa_error *err)
{
    for (struct walk w = walk_step(sched, step); walk_next(&w);)
        MUST(base_append(*out, *count, err, walk_hash(&w)));
    base_sort(*out, *count, order_uint64);
    return RWA_OK;
}

/** Set *changed to the number of lightpaths that step `at` of the schedule `to` has, but step `step` of the plan has
 *  not. */
static rwa_status count_changed(uint64_t *changed, const rwa_schedule *plan, uint32_t step, const rwa_schedule *to,
                                uint32_t at, rwa_error *err)
{
    uint64_t *now = NULL, *next = NULL;
    size_t count = 0, next_count = 0;
    rwa_status st = RWA_OK;
    TRY(list_step(&now, &count, plan, step, err));
    TRY(list_step(&next, &next_count, to, at, err));
    *changed = 0;
    for (size_t i = 0; i < next_count; i++)
        *changed += count == 0 || !bsearch(&next[i], now, count, sizeof *now, order_uint64);
done:
    free_all(now, next);
    return st;
}

/** Return the number of blocks that are lost if the collective begins again without the node `failure`: other nodes
 *  need them, and only that node holds them at the start.  0 for reductions. */
static uint64_t count_lost(const struct rwa_playbook *b, uint32_t failure)
{
    const rwa_collective *coll = rwa_schedule_collective(b->plan);
    bool one_each = coll->kind == RWA_SCATTER || coll->kind == RWA_GATHER || coll->kind == RWA_ALL_TO_ALL;
    uint64_t lost = 0;
    if (rwa_collective_is_reduction(coll->kind))
        return 0;
    for (uint64_t block = 0; block < coll->blocks; block++) {
        uint32_t source = collective_source(coll, block);
        bool own = one_each && collective_needs(coll, source, block);
        lost += !own && node_of(b, source) == failure;
    }
    return lost;
}

rwa_status playbook_measure(struct rwa_playbook *b, struct play *play, const rwa_schedule *sched, const double *end_s,
                            rwa_error *err)
{
    rwa_play *seen = &play->seen;
    uint32_t kept = seen->begins_again ? 0 : seen->step - 1;
    seen->steps = rwa_schedule_steps(sched);
    MUST(rwa_cost_schedule(&seen->time_s, sched, &b->opts.cost, err));
    seen->after_s = seen->time_s - (kept > 0 ? end_s[kept - 1] : 0);
    seen->lost = seen->begins_again ? count_lost(b, seen->failure) : 0;
    return count_changed(&seen->changed, b->plan, seen->step, sched, kept + 1, err);
}

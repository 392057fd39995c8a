/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/residual/map.h"

#include "collective/needs.h"
#include "network/network.h"
#include "schedule/schedule.h"

struct mapping {
    const struct schedule_map *map;
    const rwa_schedule *from;
    rwa_schedule *to;
    uint64_t blocks;
    bool arcs_from, arcs_to;    /* a direction determines the route */
    bool expands;               /* orbits are written out */
    uint32_t *orbit;            /* for the lists of one of their lightpaths */
    uint32_t *list;             /* for the lists of one record */
};

/** Return the number of a block after the mapping.  Blocks with an owner move with it; the blocks of a broadcast or an
 * all-reduce have no owner, and keep their numbers. */
static uint64_t map_block(const struct mapping *m, uint64_t block)
{
    const uint32_t *participant = m->map->participant;
    uint32_t nodes = m->map->coll->nodes;
    uint64_t each = m->blocks / nodes;
    rwa_collective_kind kind = m->map->coll->kind;
    if (!participant || !(m->map->all_move || collective_has_owners(kind)))
        return block;
    if (kind == RWA_ALL_TO_ALL) {
        uint64_t parts = m->blocks / ((uint64_t)nodes * nodes), pair = block / parts;
        return ((uint64_t)participant[pair / nodes] * nodes + participant[pair % nodes]) * parts + block % parts;
    }
    return participant[block / each] * each + block % each;
}

/** Check that map_block() can map every block: if blocks move with their owners, every participant must own equally
 * many blocks. */
static rwa_status check_blocks(const struct mapping *m, rwa_error *err)
{
    const rwa_collective *coll = m->map->coll;
    bool move = m->map->participant && (m->map->all_move || collective_has_owners(coll->kind));
    if (!move || m->blocks % coll->nodes == 0)
        return RWA_OK;
    return base_refuse(err,
                       "%llu blocks among nodes that are renumbered: expected a multiple of the %u nodes that take "
                       "part",
                       (unsigned long long)m->blocks, coll->nodes);
}

/* ---- orbits that stay ---- */

/** Return how many lightpaths of an orbit, from lightpath i on, get consecutive channels when they are mapped.
 * @param begin  the channel of lightpath i
 * @param top    one more than the highest channel of the orbit */
static uint32_t run_of(const struct mapping *m, const rwa_lightpath *record, uint32_t begin, uint32_t top, uint32_t i)
{
    uint32_t length = 1;
    while (i + length < record->orbit && begin + length < top &&
           base_mapped(m->map->channel, begin + length) == base_mapped(m->map->channel, begin) + length)
        length++;
    return length;
}

/** Map a record with an orbit, and add it to the new schedule.  If the mapped channels of its period have gaps, divide
 * the record into orbits on consecutive channels; it must have no lists then (must_expand()). */
static rwa_status map_orbit(const struct mapping *m, const rwa_lightpath *record, uint64_t index, rwa_error *err)
{
    const rwa_network *from = rwa_schedule_network(m->from);
    uint32_t top = record_top(from, record), first = base_mapped(m->map->channel, top - record->period);
    bool whole = base_mapped(m->map->channel, top - 1) == first + record->period - 1 && first % record->period == 0;
    rwa_lightpath lp = *record;
    lightpath_set_channel(&lp, m->map->net, base_mapped(m->map->channel, lightpath_channel(from, record)));
    rwa_lists lists = schedule_lists(m->from, index);
    if (whole)
        return rwa_schedule_add_lists(m->to, &lp, &lists, err);
    for (uint32_t i = 0, run; i < record->orbit; i += run) {
        rwa_lightpath_of_orbit(&lp, record, i, from, rwa_schedule_collective(m->from));
        uint32_t channel = lightpath_channel(from, &lp);
        run = run_of(m, record, channel, top, i);
        lightpath_set_channel(&lp, m->map->net, base_mapped(m->map->channel, channel));
        lp.orbit = run;
        lp.period = rwa_network_channels(m->map->net);
        MUST(rwa_schedule_add(m->to, &lp, err));
    }
    return RWA_OK;
}

/* ---- single lightpaths ---- */

static uint32_t hops_of(const struct mapping *m, const rwa_lightpath *lp)
{
    return rwa_network_hops(rwa_schedule_network(m->from), lp->src, lp->dst, lp->direction);
}

/** Map the blocks, taps and path of a record into m->list, to which *lists then points.
 * @param lp  its lightpath, with the nodes of the old schedule */
static rwa_status map_lists(struct mapping *m, const rwa_lightpath *lp, rwa_lists *lists, rwa_error *err)
{
    const uint32_t *node = m->map->node;
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(m->from));
    uint32_t path_nodes = m->arcs_to ? 0 : m->arcs_from ? hops_of(m, lp) + 1 : lists->path_nodes;
    MUST(base_reserve(m->list, (size_t)lists->block_count + lists->tap_count + path_nodes, err));
    uint32_t *to = m->list;
    for (uint32_t k = 0; lists->blocks && k < lists->block_count; k++)
        *to++ = (uint32_t)map_block(m, lists->blocks[k]);
    for (uint32_t r = 0; !lists->blocks && r < lists->run_count; r++)
        for (uint32_t k = 0; k < lists->runs[r].count; k++)
            *to++ = (uint32_t)map_block(m, lists->runs[r].first + k * lists->runs[r].stride);
    assert(to == m->list + lists->block_count);
    for (uint32_t k = 0; k < lists->tap_count; k++)
        *to++ = base_mapped(node, lists->taps[k]);
    for (uint32_t k = 0; k < path_nodes; k++) {
        uint32_t ahead = lp->direction == RWA_CW ? k : nodes - k;
        *to++ = base_mapped(node, m->arcs_from ? (lp->src + ahead) % nodes : lists->path[k]);
    }
    *lists = (rwa_lists){.blocks = m->list, .block_count = lists->block_count, .taps = m->list + lists->block_count,
                         .tap_count = lists->tap_count, .path = m->list + lists->block_count + lists->tap_count,
                         .path_nodes = path_nodes};
    return RWA_OK;
}

/** Set the direction of a lightpath whose path leads along a ring or line.  RWA_BADARG: the path turns back */
static rwa_status find_direction(rwa_lightpath *lp, const struct mapping *m, const rwa_lists *lists, rwa_error *err)
{
    assert(lists->path_nodes > 1);
    const rwa_network *net = m->map->net;
    uint32_t from = base_mapped(m->map->node, lists->path[0]), next = base_mapped(m->map->node, lists->path[1]);
    lp->direction = rwa_network_hops(net, from, next, RWA_CW) == 1 ? RWA_CW : RWA_CCW;
    if (rwa_network_hops(net, from, base_mapped(m->map->node, lp->dst), lp->direction) == lists->path_nodes - 1)
        return RWA_OK;
    return base_refuse(err, "lightpath %u to %u: its path turns back", lp->src, lp->dst);
}

/** Tell whether both networks are lines whose nodes are numbered from opposite ends. */
static bool is_mirrored(const struct mapping *m)
{
    const uint32_t *node = m->map->node;
    return m->arcs_from && node && (network_capabilities(m->map->net) & NETWORK_PATH) && node[0] > node[1];
}

/** Map the current lightpath of a walk through the old schedule, and add it to the new one. */
static rwa_status map_one(struct mapping *m, const struct walk *w, rwa_error *err)
{
    rwa_lightpath one = w->lp, *lp = &one;
    rwa_lists lists;
    MUST(walk_lists(&lists, &m->orbit, w, err));
    if (!m->arcs_from && m->arcs_to)
        MUST(find_direction(lp, m, &lists, err));
    MUST(map_lists(m, lp, &lists, err));
    lightpath_set_channel(lp, m->map->net,
                          base_mapped(m->map->channel, lightpath_channel(rwa_schedule_network(m->from), lp)));
    lp->src = base_mapped(m->map->node, lp->src);
    lp->dst = base_mapped(m->map->node, lp->dst);
    lp->block = map_block(m, lp->block);
    if (!m->arcs_to)
        lp->direction = RWA_CW;
    else if (is_mirrored(m))
        lp->direction = lp->direction == RWA_CW ? RWA_CCW : RWA_CW;
    return rwa_schedule_add_lists(m->to, lp, &lists, err);
}

/* ---- the schedule ---- */

/** Tell whether orbits must be written out.  They must if the new network has no orbits, if it describes routes
 * otherwise, or if node numbers change.  They also must if channels change and records have lists. */
static bool must_expand(const struct mapping *m)
{
    bool stay = m->arcs_from == m->arcs_to && network_has_orbits(m->map->net) && !m->map->node &&
                !(m->map->channel && m->from->merged);
    return !stay && rwa_schedule_records(m->from) < rwa_schedule_lightpaths(m->from);
}

static double path_bytes(const struct mapping *m)
{
    enum { HEAD = 4 };          /* most words before the lists of a record */
    double nodes = 0;
    for (uint64_t i = 0; m->arcs_from && !m->arcs_to && i < rwa_schedule_records(m->from); i++) {
        rwa_lightpath lp = schedule_lightpath(m->from, i);
        nodes += lp.orbit * (hops_of(m, &lp) + HEAD);
    }
    return nodes * sizeof(uint32_t);
}

/** Reserve memory for all records of the new schedule, except those that arise when map_orbit() divides a record.
 * RWA_NOMEM also if there are too many */
static rwa_status reserve_records(const struct mapping *m, rwa_error *err)
{
    uint64_t records = m->expands ? rwa_schedule_lightpaths(m->from) : rwa_schedule_records(m->from);
    if (m->expands)
        MUST(base_fits_memory((double)records * SCHEDULE_RECORD_BYTES + path_bytes(m),
                              "this plan, without orbits,", err));
    return schedule_reserve(m->to, (size_t)records, err);
}

static rwa_status map_step(struct mapping *m, uint32_t step, rwa_error *err)
{
    for (struct walk w = walk_step(m->from, step); walk_next(&w);)
        if (w.whole.orbit == 1 || m->expands) {
            MUST(map_one(m, &w, err));
        } else {
            MUST(map_orbit(m, &w.whole, w.record, err));
            w.turn = w.whole.orbit - 1;
        }
    return RWA_OK;
}

rwa_status map_steps(rwa_schedule *to, const rwa_schedule *sched, uint32_t first, const struct schedule_map *map,
                     rwa_error *err)
{
    struct mapping m = {.map = map,
                        .from = sched,
                        .to = to,
                        .blocks = rwa_schedule_collective(sched)->blocks,
                        .arcs_from = network_has_arcs(rwa_schedule_network(sched)),
                        .arcs_to = network_has_arcs(map->net)};
    rwa_status st = RWA_OK;
    assert(rwa_schedule_collective(to)->blocks == m.blocks && rwa_schedule_steps(to) + 1 == first);
    m.expands = must_expand(&m);
    TRY(check_blocks(&m, err));
    TRY(reserve_records(&m, err));
    for (uint32_t step = first; step <= rwa_schedule_steps(sched); step++)
        TRY(map_step(&m, step, err));
    st = schedule_keep_cuts(to, sched, rwa_schedule_steps(to) + 1, err);
done:
    free_all(m.list, m.orbit);
    return st;
}

rwa_status map_schedule(rwa_schedule **out, const rwa_schedule *sched, const struct schedule_map *map, rwa_error *err)
{
    rwa_collective cut = *rwa_schedule_collective(sched);
    rwa_status st = RWA_OK;
    *out = NULL;
    assert(cut.kind == map->coll->kind && cut.nodes == map->coll->nodes);
    cut.root = map->coll->root;
    TRY(rwa_schedule_create_among(out, map->net, &cut, map->members, rwa_schedule_scheme(sched), err));
    TRY(map_steps(*out, sched, 1, map, err));
done:
    return schedule_keep(out, st);
}

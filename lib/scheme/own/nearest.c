/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Any network that lists its links: in every step those who lack a block are served by the nearest nodes that hold it,
 * near ones first, as long as channels and ports last.  In the first steps it may be better to send blocks far, so that later every
 * node has a holder nearby: how many steps do so is tried out, and the order is left to chance.
 */
#include "scheme/scheme.h"

#include "collective/needs.h"
#include "delivery/nearest_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 16, FAR_STEPS = 4, TRY_PAIRS = 1 << 17 };

/** A node that waits for a block. */
static const uint32_t cut_off = UINT32_MAX;

struct waiting {
    uint32_t node;
    uint32_t key;       /* by which a step sorts; from then on cut_off: nobody can serve it any more in this step */
    uint64_t block;
};

struct nearest {
    const struct scheme_request *request;
    struct budget budget;
    struct nearest_field field;
    struct deliveries best;
    struct waiting *wait, *sorted;
    size_t waits, room, sorted_room;
    uint32_t *holders;          /* of each block */
    uint32_t *hops;             /* [to][from] where each block is for one node, so that nobody else needs it; else NULL */
    size_t *fill;               /* counting sort */
    uint64_t random;
    size_t at;                  /* lightpaths handed out */
    bool given_up;              /* a try, for lack of time or by the caller */
};

static void nearest_close(void *state)
{
    struct nearest *n = state;
    if (!n)
        return;
    nearest_free(&n->field);
    deliveries_free(&n->best);
    free(n->wait);
    free(n->sorted);
    free(n->holders);
    free(n->hops);
    free(n->fill);
    free(n);
}

/* Row `to` of the hops; where no way begins it keeps 0. */
static void measure_to(struct nearest *n, uint32_t to, uint32_t *queue)
{
    const struct nearest_field *f = &n->field;
    uint32_t *hops = n->hops + (size_t)to * f->nodes, filled = 1;
    queue[0] = to;
    for (uint32_t i = 0; i < filled; i++)
        for (uint32_t k = f->in_first[queue[i]]; k < f->in_first[queue[i] + 1]; k++) {
            uint32_t from = f->from[f->in[k]];
            if (from == to || hops[from] > 0)
                continue;
            hops[from] = hops[queue[i]] + 1;
            queue[filled++] = from;
        }
}

static rwa_status measure(struct nearest *n, rwa_error *err)
{
    uint32_t nodes = n->field.nodes, *queue = NULL;
    rwa_collective_kind kind = n->request->coll->kind;
    if (kind != RWA_SCATTER && kind != RWA_ALL_TO_ALL)
        return RWA_OK;
    n->hops = base_array((size_t)nodes * nodes, sizeof *n->hops, err);
    queue = base_array(nodes, sizeof *queue, err);
    for (uint32_t v = 0; v < nodes && n->hops && queue; v++)
        measure_to(n, v, queue);
    free(queue);
    return n->hops && queue ? RWA_OK : RWA_NOMEM;
}

/* Participants are counted by the collective, the others only let light pass. */
static uint32_t node_of(const struct nearest *n, uint32_t rank)
{
    return n->request->opts->members ? n->request->opts->members[rank] : rank;
}

static uint32_t source_of(const struct nearest *n, uint64_t block)
{
    return node_of(n, collective_source(n->request->coll, block));
}

/* ---- who waits ---- */

static rwa_status begin(struct nearest *n, rwa_error *err)
{
    const rwa_collective *coll = n->request->coll;
    rwa_status st = RWA_OK;
    nearest_reset(&n->field);
    n->waits = 0;
    for (uint64_t b = 0; b < coll->blocks; b++) {
        *nearest_at(&n->field, source_of(n, b), b) = NODE_HOLDS;
        n->holders[b] = 1;
        for (uint32_t v = 0; v < coll->nodes; v++) {
            if (v == collective_source(coll, b) || !collective_needs(coll, v, b))
                continue;
            TRY(base_grow((void **)&n->wait, &n->room, n->waits + 1, sizeof *n->wait, err));
            n->wait[n->waits++] = (struct waiting){.node = node_of(n, v), .block = b};
        }
    }
    TRY(base_grow((void **)&n->sorted, &n->sorted_room, n->waits, sizeof *n->sorted, err));
done:
    return st;
}

static uint32_t key_of(const struct nearest *n, const struct waiting *w)
{
    if (!n->hops)
        return n->holders[w->block];
    return n->field.nodes - n->hops[(size_t)w->node * n->field.nodes + source_of(n, w->block)];
}

/* By chance, but rare blocks first; blocks for one node only by distance, far ones first. */
static void sort_waiting(struct nearest *n)
{
    uint32_t nodes = n->field.nodes;
    memset(n->fill, 0, ((size_t)nodes + 2) * sizeof *n->fill);
    for (size_t i = n->waits; i > 1; i--) {
        size_t k = (size_t)base_random_below(&n->random, i);
        struct waiting kept = n->wait[i - 1];
        n->wait[i - 1] = n->wait[k];
        n->wait[k] = kept;
    }
    for (size_t i = 0; i < n->waits; i++) {
        n->wait[i].key = key_of(n, &n->wait[i]);
        n->fill[n->wait[i].key + 1]++;
    }
    for (uint32_t h = 0; h <= nodes; h++)
        n->fill[h + 1] += n->fill[h];
    for (size_t i = 0; i < n->waits; i++)
        n->sorted[n->fill[n->wait[i].key]++] = n->wait[i];
    memcpy(n->wait, n->sorted, n->waits * sizeof *n->wait);
}

/* ---- one try ---- */

/** Without any answer yet only the caller ends a try. */
static bool must_give_up(struct nearest *n)
{
    n->given_up = base_must_stop(&n->budget, "serving from the nearest", -1) && (n->budget.cancelled || n->best.steps > 0);
    return n->given_up;
}

static rwa_status serve_within(struct nearest *n, uint32_t reach)
{
    rwa_status st = RWA_OK;
    size_t left = 0;
    for (size_t i = 0; i < n->waits; i++) {
        struct waiting w = n->wait[i];
        enum nearest_answer answer = NEAREST_CUT_OFF;
        if (i % 256 == 255 && must_give_up(n))
            return RWA_OK;
        if (w.key != cut_off)
            TRY(nearest_serve(&n->field, w.node, w.block, reach, &answer));
        if (answer == NEAREST_CUT_OFF)
            w.key = cut_off;
        if (answer == NEAREST_SENT)
            n->holders[w.block]++;
        else
            n->wait[left++] = w;
    }
    n->waits = left;
done:
    return st;
}

static rwa_status one_step(struct nearest *n, bool far)
{
    uint32_t limit = n->request->opts->max_hops, most = n->field.nodes - 1;
    rwa_status st = RWA_OK;
    if (limit > 0 && limit < most)
        most = limit;
    nearest_begin_step(&n->field);
    sort_waiting(n);
    for (uint32_t reach = far ? most : 1; st == RWA_OK && !n->given_up; reach += (reach + 1) / 2) {
        st = serve_within(n, reach < most ? reach : most);
        if (reach >= most)
            break;
    }
    nearest_end_step(&n->field);
    return st;
}

/* All blocks, in fewer steps than the best so far; *stuck: some node cannot be served at all. */
static rwa_status one_try(struct nearest *n, uint32_t far_steps, bool *stuck, rwa_error *err)
{
    rwa_status st = RWA_OK;
    TRY(begin(n, err));
    while (n->waits > 0 && !*stuck && !n->given_up && (n->best.steps == 0 || n->field.sent.steps + 1 < n->best.steps)) {
        size_t before = n->waits;
        TRY(one_step(n, n->hops || n->field.sent.steps < far_steps));
        *stuck = n->waits == before && !n->given_up;
    }
    if (n->waits == 0) {
        struct deliveries kept = n->best;
        n->best = n->field.sent;
        n->field.sent = kept;
    }
done:
    return st;
}

/* No schedule has fewer steps: every node takes in as many blocks as channels lead to it, or as it has ports. */
static uint32_t fewest_steps(struct nearest *n)
{
    const rwa_collective *coll = n->request->coll;
    uint64_t most = 1;
    nearest_begin_step(&n->field);
    for (uint32_t v = 0; v < coll->nodes; v++) {
        uint64_t needed = 0;
        for (uint64_t b = 0; b < coll->blocks; b++)
            needed += v != collective_source(coll, b) && collective_needs(coll, v, b);
        uint32_t in = n->field.in_left[node_of(n, v)], ports = n->field.may_receive[node_of(n, v)], width = in < ports ? in : ports;
        if (width > 0 && ceil_div(needed, width) > most)
            most = ceil_div(needed, width);
    }
    return (uint32_t)most;
}

/* In a step without a lightpath nobody who waits has any way from a holder, and no other step is different. */
static rwa_status refuse(const struct nearest *n)
{
    uint32_t to = n->wait[0].node, from = source_of(n, n->wait[0].block), hops = n->request->opts->max_hops;
    char limit[64] = "";
    if (hops > 0)
        snprintf(limit, sizeof limit, " by lightpaths of at most %u hops", hops);
    return scheme_refuse(n->request, "node %u cannot be reached from node %u%s%s over the links and channels that are left; more working "
                         "links%s would help", to, from, limit, n->hops ? ", without others passing on what is not for them," : "",
                         hops > 0 ? ", or a larger --max-hops," : "");
}

static rwa_status try_all(struct nearest *n, rwa_error *err)
{
    const rwa_collective *coll = n->request->coll;
    uint64_t pairs = coll->nodes * coll->blocks, tries = pairs < TRY_PAIRS ? TRY_PAIRS / pairs : 1;
    uint32_t fewest = fewest_steps(n);
    bool stuck = false;
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < MOST_TRIES && i < tries && !stuck; i++) {
        TRY(one_try(n, i % FAR_STEPS, &stuck, err));
        if (n->best.steps == fewest || base_must_stop(&n->budget, "serving from the nearest", -1))
            break;
    }
    if (stuck)
        st = refuse(n);
    else if (n->budget.cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped while nodes were served from the nearest");
done:
    return st;
}

static rwa_status nearest_start(void **out, const struct scheme_request *request, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct nearest *n = base_array(1, sizeof *n, err);
    *out = n;
    if (!n)
        return RWA_NOMEM;
    n->request = request;
    n->budget = base_budget(request->opts->time_limit_s, request->opts->poll, request->opts->poll_data);
    n->random = request->opts->seed;
    n->holders = base_array((size_t)request->coll->blocks, sizeof *n->holders, err);
    n->fill = base_array((size_t)rwa_network_nodes(request->net) + 2, sizeof *n->fill, err);
    if (!n->holders || !n->fill)
        return RWA_NOMEM;
    TRY(nearest_open(&n->field, request->net, request->coll->blocks, err));
    TRY(measure(n, err));
    TRY(try_all(n, err));
done:
    return st;
}

/* ---- stages ---- */

/* One step. */
static rwa_status nearest_next(void *state, struct stage *stage, rwa_error *err)
{
    struct nearest *n = state;
    const struct deliveries *d = &n->best;
    size_t first = n->at, end = first;
    while (end < d->count && d->list[end].step == d->list[first].step)
        end++;
    if (end == first)
        return RWA_OK;
    stage->record_count = end - first;
    stage->records = base_array(end - first, sizeof *stage->records, err);
    stage->path_first = base_array(end - first + 1, sizeof *stage->path_first, err);
    stage->path = base_array(d->path_first[end] - d->path_first[first], sizeof *stage->path, err);
    if (!stage->records || !stage->path_first || !stage->path)
        return RWA_NOMEM;
    memcpy(stage->path, d->path + d->path_first[first], (d->path_first[end] - d->path_first[first]) * sizeof *stage->path);
    for (size_t i = first; i < end; i++) {
        stage->records[i - first] = d->list[i];
        stage->records[i - first].step = 1;
        stage->path_first[i + 1 - first] = d->path_first[i + 1] - d->path_first[first];
    }
    n->at = end;
    return RWA_OK;
}

const struct scheme scheme_nearest = {
    .name = "nearest",
    .summary = "on any network: whoever lacks a block gets it from the nearest holder with a free channel",
    .source = "own",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .networks = 1u << RWA_TORUS | 1u << RWA_MESH | 1u << RWA_HYPERCUBE | 1u << RWA_TREE | 1u << RWA_FAT_TREE |
                1u << RWA_CIRCULANT | 1u << RWA_GRAPH,
    .reversible = true,
    .shortens = true,
    .mends = true,
    .open = nearest_start,
    .next = nearest_next,
    .close = nearest_close,
};

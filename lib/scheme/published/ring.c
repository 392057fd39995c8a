/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Neighbours pass blocks on.
 *
 * Rings, in one direction or in both: N - 1 steps one way (OpTree, Table 1; an all-reduce goes round twice: WRHT,
 * Table I), ceil((N - 1) / 2) both ways on a ring.  All nodes do the same in a step, so a step is one orbit for each
 * direction.  On a line the one-way ring is closed by a lightpath from the last node back to the first; both ways
 * none is needed.  Striped over all W channels, a block is cut into W parts and a step fills every link: with d bytes
 * for each node and B bytes/s on a channel, sending takes ((N - 1) / 2W) d / B in all, which no schedule beats.
 * Every step uses the same lightpaths, so that none is ever reconfigured.
 *
 * On a torus or mesh with an even side the ring is a Hamiltonian cycle: a comb whose spine is the first column and
 * whose teeth, in pairs, are the rows; a row follows the reflected Gray code of all other sides.  On a torus of odd
 * sides each row of C nodes goes once round its side and ends beside its beginning, so that the next row begins
 * there.  Of R >= C rows (R + C) / 2 go forwards and the others backwards: the beginning moves by C places in all,
 * and the last row ends where the first one began.  The cycle through two sides is the longer side for the third one,
 * and so on.  A mesh of odd sides has no such cycle: its links join nodes with an even sum of coordinates to nodes
 * with an odd sum, and there is one more of the former.
 *
 * Neighbour exchange: each node swaps blocks with its two neighbours in turn; first their own blocks, then always the
 * two blocks that the last swap completed (Chen, Sun, Zhang, Zhao: Performance Evaluation of Allgather Algorithms on
 * Terascale Linux Cluster with Fast Ethernet, 2005).  N / 2 steps (OpTree, Table 1) if a link carries two blocks at
 * once, N - 1 on a single wavelength.  N must be even.
 */
#include "scheme/scheme.h"

/** Variants of the ring, as bits. */
enum { BOTH_WAYS = 1, STRIPED = 2 };

/** Return the number of stripes of a block: one for each channel, or for two ports, one for each direction. */
static uint32_t stripes_of(const struct plan_request *request)
{
    uint32_t channels = rwa_network_channels(request->net), ports = rwa_network_ports(request->net);
    uint32_t most = ports > 0 ? lesser(channels, ports / 2) : channels;
    return request->scheme->variant & STRIPED && most > 0 ? most : 1;
}

/** Tell whether a step uses the counterclockwise direction too.  In the step every node sends on the block of the node
 * `behind` places behind it. */
static bool goes_back(const struct plan_request *request, uint32_t behind)
{
    return request->scheme->variant & BOTH_WAYS && behind < (rwa_network_nodes(request->net) - 1) / 2;
}

/** Push one step of a ring.  Every node sends on, clockwise, the block of the node `behind` places behind it; if both
 * directions are used, it also sends, counterclockwise, the block of the node `behind` places ahead.  The stripes of a
 * block are on different channels. */
static rwa_status push_turn(struct schedule_sink *sink, const struct plan_request *request, uint32_t behind)
{
    uint32_t n = rwa_network_nodes(request->net), stripes = stripes_of(request);
    bool back = goes_back(request, behind);
    for (uint32_t c = 0; c < stripes; c++) {
        rwa_lightpath lp = {.step = 1,
                            .dst = 1,
                            .orbit = n,
                            .period = 1,
                            .wavelength = c,
                            .direction = RWA_CW,
                            .block = (uint64_t)((n - behind) % n) * stripes + c};
        MUST(sink_lightpath(sink, &lp, NULL));
        lp.dst = n - 1;
        lp.direction = RWA_CCW;
        lp.block = (uint64_t)behind * stripes + c;
        if (back)
            MUST(sink_lightpath(sink, &lp, NULL));
    }
    return sink_end_stage(sink);
}

/** A Hamiltonian cycle of a grid, by the dimension of its spine: one of even size, or if all are odd the longest. */
struct cycle {
    struct network_grid grid;
    size_t spine;
    bool odd;
};

static bool find_cycle(struct cycle *c, const struct plan_request *request)
{
    c->spine = 0;
    if (!network_grid(&c->grid, request->net))
        return false;
    while (c->spine < c->grid.dimensions && c->grid.size[c->spine] % 2 != 0)
        c->spine++;
    c->odd = c->spine == c->grid.dimensions;
    for (size_t d = c->spine = c->odd ? 0 : c->spine; c->odd && d < c->grid.dimensions; d++)
        c->spine = c->grid.size[d] > c->grid.size[c->spine] ? d : c->spine;
    return !c->odd || c->grid.cyclic;
}

/** Return the node at a place, from 0, of the cycle through all n nodes of a torus of odd sides. */
static uint32_t odd_node_at(const struct cycle *c, uint32_t n, uint32_t place)
{
    uint32_t node = 0, stride = 1, along_spine = 1;
    for (size_t d = c->grid.dimensions; d-- > 0; stride *= c->grid.size[d]) {
        uint32_t size = c->grid.size[d], row = place / size, at = place % size;
        if (d == c->spine) {
            along_spine = stride;
            continue;
        }
        n /= size;
        uint32_t forwards = (n + size) / 2, moved = row < forwards ? forwards - row : row - forwards;
        node += (moved + size - forwards % size + (row < forwards ? at : size - at)) % size * stride;
        place = row;
    }
    return node + place * along_spine;
}

/** Return the node at a place, from 0, of the cycle through all n nodes of a grid; places beyond n - 1 go round
 * again. */
static uint32_t node_at(const struct cycle *c, uint32_t n, uint32_t place)
{
    if (c->odd)
        return odd_node_at(c, n, place % n);
    uint32_t rows = c->grid.size[c->spine], tooth = n / rows - 1, at = place % n, row = n - 1 - at, column = 0,
             node = 0, stride = 1;
    if (at < n - rows) {
        row = at / tooth;
        column = row % 2 == 0 ? 1 + at % tooth : tooth - at % tooth;
    }
    for (size_t d = c->grid.dimensions; d-- > 0; stride *= c->grid.size[d])
        if (d == c->spine)
            node += row * stride;
        else {
            uint32_t size = c->grid.size[d];
            at = column % size;
            column /= size;
            node += (column % 2 == 0 ? at : size - 1 - at) * stride;
        }
    return node;
}

/** Push one step of a ring along a cycle through all nodes of a grid.  Every node sends the next node of the cycle the
 * block of the node `behind` places behind it; if both directions are used, it also sends the node before it the block
 * of the node `behind` places ahead. */
static rwa_status push_round(struct schedule_sink *sink, const struct plan_request *request, const struct cycle *c,
                             uint32_t behind)
{
    uint32_t n = rwa_network_nodes(request->net);
    for (uint32_t i = 0; i < (goes_back(request, behind) ? 2 : 1) * n; i++) {
        uint32_t ahead = i < n ? 1 : n - 1, from = i < n ? n - behind : behind;
        uint32_t path[] = {node_at(c, n, i), node_at(c, n, i + ahead)};
        rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .orbit = 1, .block = node_at(c, n, i + from)};
        MUST(sink_lightpath(sink, &lp, &(rwa_lists){.path = path, .path_nodes = 2}));
    }
    return sink_end_stage(sink);
}

static rwa_status push_along_line(struct schedule_sink *sink, const struct plan_request *request, uint32_t behind)
{
    uint32_t n = rwa_network_nodes(request->net);
    bool both = request->scheme->variant & BOTH_WAYS;
    struct transfers t;
    MUST(transfers_create(&t, (size_t)n * 2, 0, sink->err));
    for (uint32_t v = 0; v < n; v++) {
        if (!both || (v + 1 < n && v >= behind))
            transfer_add(&t, v, (v + 1) % n, (v + n - behind) % n);
        if (both && v > 0 && v + behind < n)
            transfer_add(&t, v, v - 1, v + behind);
    }
    return sink_transfers(sink, &t);
}

static uint32_t steps_of(const struct plan_request *request, bool closes)
{
    uint32_t n = rwa_network_nodes(request->net);
    return closes && request->scheme->variant & BOTH_WAYS ? n / 2 : n - 1;
}

static rwa_status plan_ring(struct schedule_sink *sink, const struct plan_request *request)
{
    double n = rwa_network_nodes(request->net);
    struct cycle c;
    bool ring = network_is_cycle(request->net), closes = ring || find_cycle(&c, request);
    if (!closes && !network_has_arcs(request->net))
        return scheme_refuse(request, "a mesh has a cycle through all nodes only if a side is even");
    rwa_status st = ring ? RWA_OK : base_fits_memory(RECORD_BYTES * n * (n - 1), "this plan", sink->err);
    for (uint32_t step = 0; step < steps_of(request, closes) && st == RWA_OK; step++)
        st = ring ? push_turn(sink, request, step)
                  : closes ? push_round(sink, request, &c, step) : push_along_line(sink, request, step);
    return st;
}

/** Set in `e` the number of blocks, the number of records and, if there is a cycle through all nodes, the number of
 * steps. */
static rwa_status estimate_ring(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net), stripes = stripes_of(request);
    struct cycle c;
    (void)err;
    e->blocks = stripes > 1 ? (uint64_t)n * stripes : 0;
    e->periodic = network_is_cycle(request->net);
    e->records = e->periodic ? (double)n * stripes : n * (n - 1.0);
    if (e->periodic || find_cycle(&c, request))
        e->steps = steps_of(request, true);
    return RWA_OK;
}

static void ring_formula(rwa_formula *f, const struct plan_request *request)
{
    f->steps = scheme_passes(request) * (rwa_network_nodes(request->net) - 1);
    f->source = request->coll->kind == RWA_ALL_REDUCE ? "WRHT, Table I" : "OpTree, Table 1";
}

/** Push swap number `swap`, from 0: node v exchanges blocks with the next node if v + swap is even, otherwise with the
 * node before it.  In the first swap the nodes send their own blocks.  Later each sends two blocks, those of nodes 2p
 * and 2p + 1 for some p, which its last swap completed. */
static rwa_status push_swap(struct schedule_sink *sink, const struct plan_request *request, uint32_t swap)
{
    uint32_t n = rwa_network_nodes(request->net), pairs = n / 2, away = swap / 2;
    bool cycle = network_is_cycle(request->net);
    struct transfers t;
    MUST(transfers_create(&t, (size_t)n * 2, cycle ? WITH_DIRECTION : 0, sink->err));
    for (uint32_t v = 0; v < n; v++) {
        bool ahead = (v + swap) % 2 == 0;
        /* the pair lies before the sender's own if it sends to the next node, otherwise after it */
        uint32_t newest = swap == 0 ? v : (v / 2 + (ahead ? pairs - away : away)) % pairs * 2;
        for (uint32_t block = newest; block < newest + (swap == 0 ? 1 : 2); block++) {
            if (cycle)
                t.direction[t.count] = ahead ? RWA_CW : RWA_CCW;
            transfer_add(&t, v, (ahead ? v + 1 : v + n - 1) % n, block);
        }
    }
    return sink_transfers(sink, &t);
}

static rwa_status plan_swaps(struct schedule_sink *sink, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net);
    if (n % 2 != 0)
        return scheme_refuse(request,
                             "neighbor-exchange pairs the nodes off, and %u is odd; an even number of nodes, or "
                             "the scheme ring-both, would do",
                             n);
    for (uint32_t swap = 0; swap < n / 2; swap++)
        MUST(push_swap(sink, request, swap));
    return RWA_OK;
}

/** Set the number of steps: one for each swap, or with one channel on a link two for each swap of two blocks. */
static rwa_status estimate_swaps(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    (void)err;
    if (n % 2 == 0 && network_is_cycle(request->net))
        e->steps = rwa_network_channels(request->net) > 1 ? n / 2 : n - 1;
    return RWA_OK;
}

static void swaps_formula(rwa_formula *f, const struct plan_request *request)
{
    f->steps = scheme_passes(request) * ceil_div(rwa_network_nodes(request->net), 2);
    f->source = "OpTree, Table 1";
}

#define RING .collectives = 1u << RWA_ALL_GATHER, .traits = REVERSIBLE, .estimate = estimate_ring, .plan = plan_ring

const struct scheme scheme_ring = {
    .name = "ring",
    .summary = "every node hands on what it got last to the next one of a cycle through all nodes",
    .source = "OpTree, Table 1; WRHT, Table I",
    .needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .solver_needs = NETWORK_PATH,
    .formula = ring_formula,
    RING,
};

const struct scheme scheme_ring_both = {
    .name = "ring-both",
    .summary = "the ring in both directions at once, half as far each way",
    .source = "closed form: ceil((N - 1) / 2) steps",
    .needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .solver_needs = NETWORK_PATH,
    .variant = BOTH_WAYS,
    RING,
};

const struct scheme scheme_ring_striped = {
    .name = "ring-striped",
    .summary = "the ring in both directions with every block cut into stripes, one for each channel: no lightpath is "
               "ever reconfigured",
    .source = "closed form: ceil((N - 1) / 2) steps of d / W; Patarasuk, Yuan 2009 on the ring's bandwidth",
    .needs = NETWORK_CYCLE,
    .variant = BOTH_WAYS | STRIPED,
    RING,
};

const struct scheme scheme_neighbor_exchange = {
    .name = "neighbor-exchange",
    .summary = "pairs of neighbours swap what the last swap completed, in turn on either side; N even",
    .source = "OpTree, Table 1",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = REVERSIBLE,
    .estimate = estimate_swaps,
    .plan = plan_swaps,
    .formula = swaps_formula,
};

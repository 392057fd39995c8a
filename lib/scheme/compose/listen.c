/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "listen": a passive star, where a node hears every transmission for which it has a port.  A node sends at
 * once all its blocks that others need, and nodes take turns.  Sums pass along chains of nodes, one chain on each
 * channel; the last nodes of the chains then exchange their sums.  If a root needs the sums, as many nodes at once as
 * channels and ports allow send theirs to others. */
#include "scheme/compose/matchings.h"

#include "collective/needs.h"

/** Uses of the star with more lightpaths are not chosen; each listener of a transmission counts as a lightpath. */
#define LIGHTPATHS_MOST 16777216.0

/** A way to carry out a collective on the star. */
struct star_use {
    const struct plan_request *request;
    rwa_collective_kind kind;
    uint32_t nodes, root;
    uint32_t channels;
    uint32_t ears;   /* channels that a node hears, and sends on, in a step */
    uint32_t parts;  /* parts of the blocks that a node sends */
    uint32_t chains; /* reductions; the last node of chain c, which holds nodes c, c + chains, …, is its end */
    uint64_t blocks; /* of the collective */
    uint64_t most;   /* of one transmission of the step under way */
    uint32_t step;
    double time_s;              /* of all steps so far */
    struct schedule_sink *sink; /* NULL: only timed */
    rwa_status status;
};

/** A transmission: blocks that a node sends on a channel, numbered cyclically. */
struct star_sending {
    uint32_t src, channel;
    uint64_t first, count;
    rwa_op op;
};

/** Tell whether sums pass along chains of nodes: in an all-reduce and a reduce-scatter. */
static bool has_chains(rwa_collective_kind kind)
{
    return kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER;
}

/** Return the number of blocks that each node owns; 1 if the blocks of the collective have no owners. */
static uint64_t owned(const struct star_use *u)
{
    return collective_has_owners(u->kind) ? u->blocks / u->nodes : 1;
}

/* ---- steps ---- */

/** End the step, unless nothing was sent in it, and add its time to u->time_s: INFINITY if a transmission has more
 * blocks than the caller allows on a lightpath. */
static void end_step(struct star_use *u)
{
    uint32_t most = u->request->opts->lightpath_blocks;
    uint64_t bytes = matching_block_bytes(u->request->coll, u->blocks) * u->most;
    if (u->most == 0)
        return;
    u->time_s += most > 0 && u->most > most ? INFINITY : scheme_step_time(u->request, &u->request->price, bytes);
    u->step++;
    u->most = 0;
}

static void hear(struct star_use *u, const struct star_sending *t, uint32_t dst)
{
    uint64_t first = t->first % u->blocks, head = u->blocks - first < t->count ? u->blocks - first : t->count;
    rwa_run run[2] = {{(uint32_t)first, (uint32_t)head, 1}, {0, (uint32_t)(t->count - head), 1}};
    rwa_lists lists = {.runs = run, .run_count = 1 + (head < t->count), .block_count = (uint32_t)t->count};
    rwa_lightpath lp = {.step = u->step,
                        .src = t->src,
                        .dst = dst,
                        .wavelength = t->channel,
                        .orbit = 1,
                        .op = t->op};
    if (dst != t->src && u->status == RWA_OK)
        u->status = sink_lightpath(u->sink, &lp, &lists);
}

/** Send the transmission `t` to the nodes first … first + listeners - 1, modulo the number of nodes, except t.src.  If
 * the plan is only timed, just note in u->most how many blocks the largest transmission of the step has. */
static void transmit(struct star_use *u, struct star_sending t, uint64_t first, uint64_t listeners)
{
    assert(t.channel < u->channels && t.count <= u->blocks);
    RAISE(u->most, t.count);
    for (uint64_t i = 0; i < listeners && u->sink && t.count > 0; i++)
        hear(u, &t, (uint32_t)((first + i) % u->nodes));
}

/* ---- copies ---- */

/** Send all blocks of the root to every node; in a scatter each block to its owner, beginning with the node after the
 * root.  A step has u->ears transmissions, one for each channel that a node can hear.  There are several steps if the
 * blocks on a lightpath are limited. */
static void send_from_root(struct star_use *u)
{
    bool scatters = u->kind == RWA_SCATTER;
    uint64_t each = owned(u), own = scatters ? u->root * each + each : 0, all = u->blocks - (scatters ? each : 0);
    uint64_t limit = u->request->opts->lightpath_blocks, most = limit > 0 ? limit * u->ears : all, count;
    for (uint64_t at = 0; at < all; at += count) {
        count = all - at < most ? all - at : most;
        for (uint32_t c = 0; c < u->ears; c++) {
            uint64_t from = at + count * c / u->ears, to = at + count * (c + 1) / u->ears,
                     first = scatters ? from / each : 0;
            transmit(u, (struct star_sending){u->root, c, own + from, to - from, RWA_COPY},
                     scatters ? u->root + 1 + first : 0, scatters ? ceil_div(to, each) - first : u->nodes);
        }
        end_step(u);
    }
}

/** Let the nodes send their blocks one after the other; in a gather the root sends nothing.  A node sends its blocks in
 * u->parts parts, in an all-to-all to different nodes.  A step has u->ears transmissions, one for each channel that a
 * node can hear. */
static void take_turns(struct star_use *u)
{
    bool gathers = u->kind == RWA_GATHER, pairs = u->kind == RWA_ALL_TO_ALL;
    uint64_t pieces = (uint64_t)(u->nodes - gathers) * u->parts, each = owned(u);
    for (uint64_t p = 0; p < pieces; p++) {
        uint64_t part = p % u->parts, from = each * part / u->parts, count = each * (part + 1) / u->parts - from;
        uint32_t src = (uint32_t)((p / u->parts + (gathers ? u->root + 1 : 0)) % u->nodes);
        if (!pairs || from != src || count > 1) /* not to itself alone */
            transmit(u, (struct star_sending){src, (uint32_t)(p % u->ears), src * each + from, count, RWA_COPY},
                     gathers ? u->root
                     : pairs ? from
                             : 0,
                     gathers ? 1
                     : pairs ? count
                             : u->nodes);
        if (p % u->ears == u->ears - 1 || p + 1 == pieces)
            end_step(u);
    }
}

/* ---- sums ---- */

static uint32_t chain_end(const struct star_use *u, uint32_t chain)
{
    return chain + (u->nodes - chain - 1) / u->chains * u->chains;
}

static void pass_along_chains(struct star_use *u, uint64_t from, uint64_t count)
{
    for (uint32_t v = u->chains; v < u->nodes; v++) {
        transmit(u, (struct star_sending){v - u->chains, v % u->chains, from, count, RWA_REDUCE}, v, 1);
        if (v % u->chains == u->chains - 1 || v + 1 == u->nodes)
            end_step(u);
    }
}

/** Append a step in which the last node of each chain adds the sums of `radix` - 1 other chain ends, for the blocks
 * first … first + count - 1.  The end of chain c adds those of chains c + unit, c + 2 unit, …, modulo the number of
 * chains.  If channels are left, each sum is sent in parts side by side. */
static void exchange_ends(struct star_use *u, uint64_t first, uint64_t count, uint32_t unit, uint32_t radix)
{
    uint32_t parts = lesser(lesser(u->channels / u->chains, u->ears / (radix - 1)), count);
    for (uint32_t c = 0; c < u->chains; c++)
        for (uint32_t p = 0; p < parts; p++) {
            uint64_t from = count * p / parts, to = count * (p + 1) / parts;
            for (uint32_t j = 1; j < radix; j++)
                transmit(u, (struct star_sending){chain_end(u, c), c * parts + p, first + from, to - from, RWA_REDUCE},
                         chain_end(u, (c + u->chains - j * unit) % u->chains), 1);
        }
    end_step(u);
}

/** Append a step in which the last nodes of the chains send the finished sums of the blocks first … first + count - 1,
 * divided among them.  Each sum goes to all other nodes, or in a reduce-scatter to its owner. */
static void send_sums(struct star_use *u, uint64_t first, uint64_t count)
{
    bool scatters = u->kind == RWA_REDUCE_SCATTER;
    uint32_t others = u->nodes - u->chains;
    uint64_t each = owned(u), lacking = others * each, units = count / each;
    if (scatters)
        units = first < lacking ? lesser(units, (lacking - first) / each) : 0;
    uint32_t parts = lesser(scatters ? lesser(u->channels, (uint64_t)u->chains * u->ears) : u->ears, units);
    for (uint32_t p = 0; p < parts && others > 0; p++) {
        uint64_t from = units * p / parts, to = units * (p + 1) / parts;
        transmit(
            u, (struct star_sending){chain_end(u, p % u->chains), p, first + from * each, (to - from) * each, RWA_COPY},
            scatters ? first / each + from : 0, scatters ? to - from : others);
    }
    end_step(u);
}

/** Add up the blocks along the chains and between the last nodes of the chains, and distribute the sums.  All blocks
 * move at once; if the blocks on a lightpath are limited, as many as are allowed at a time. */
static void add_up(struct star_use *u)
{
    uint64_t limit = u->request->opts->lightpath_blocks, each = owned(u),
             most = limit == 0     ? u->blocks
                    : limit < each ? each
                                   : limit / each * each;
    struct term r;
    bool factors = matching_factors(&r, u->chains, u->ears + 1);
    assert(factors);
    (void)factors;
    for (uint64_t from = 0, count; from < u->blocks; from += count) {
        count = u->blocks - from < most ? u->blocks - from : most;
        pass_along_chains(u, from, count);
        for (uint32_t e = 0, unit = 1; e < r.numbers; unit *= r.number[e++])
            exchange_ends(u, from, count, unit, r.number[e]);
        send_sums(u, from, count);
    }
}

/** Add up all blocks at the root.  Nodes are counted from the root.  In each step, of the nodes that still hold sums,
 * the last ones send theirs to the first ones, and take no further part. */
static void add_up_at_root(struct star_use *u)
{
    for (uint32_t left = u->nodes, senders; left > 1; left -= senders) {
        senders = lesser(u->channels, left - ceil_div(left, (uint64_t)u->ears + 1));
        uint32_t listeners = (uint32_t)ceil_div(senders, u->ears), heard = (uint32_t)ceil_div(senders, listeners);
        uint32_t parts = lesser(lesser(u->channels / senders, u->ears / heard), u->blocks);
        assert(senders > 0 && parts > 0 && listeners + senders <= left);
        for (uint32_t i = 0; i < senders * parts; i++) {
            uint64_t sender = i / parts, from = u->blocks * (i % parts) / parts,
                     to = u->blocks * (i % parts + 1) / parts;
            uint32_t src = (uint32_t)((u->root + left - senders + sender) % u->nodes);
            transmit(u, (struct star_sending){src, i, from, to - from, RWA_REDUCE}, u->root + sender % listeners, 1);
        }
        end_step(u);
    }
}

/* ---- choice ---- */

static void run_use(struct star_use *u)
{
    u->step = 1;
    if (has_chains(u->kind))
        add_up(u);
    else if (u->kind == RWA_ROOTED_REDUCE)
        add_up_at_root(u);
    else if (u->kind == RWA_BROADCAST || u->kind == RWA_SCATTER)
        send_from_root(u);
    else
        take_turns(u);
}

static struct star_use use_of(const struct plan_request *request)
{
    uint32_t channels = rwa_network_channels(request->net), ports = rwa_network_ports(request->net);
    return (struct star_use){.request = request,
                             .kind = request->coll->kind,
                             .nodes = request->coll->nodes,
                             .root = request->coll->root,
                             .channels = channels,
                             .ears = ports > 0 ? lesser(ports, channels) : channels,
                             .chains = 1,
                             .blocks = request->coll->blocks};
}

static void try_use(struct star_use *best, struct star_use u)
{
    double pieces = (double)u.nodes * (u.kind == RWA_ALL_TO_ALL ? 1 : u.parts);
    u.blocks =
        collective_has_owners(u.kind) ? (uint64_t)u.nodes * (u.kind == RWA_ALL_TO_ALL ? u.nodes : u.parts) : u.parts;
    if (pieces * u.nodes > LIGHTPATHS_MOST || (double)u.nodes * u.parts > LIGHTPATHS_MOST)
        return;
    run_use(&u);
    if (u.time_s < best->time_s * 0.999)
        *best = u;
}

/** Return the quickest use of the star among those tried; its time_s is INFINITY if there is none.  The number of
 * chains is the largest that matching_factors() can factor for the exchange of sums between chains.  Several numbers
 * of parts of the blocks are tried. */
static struct star_use choose_use(const struct plan_request *request)
{
    enum { PARTS_MOST = 64 };
    struct star_use best = {.time_s = INFINITY}, u = use_of(request);
    struct term r;
    bool pairs = u.kind == RWA_ALL_TO_ALL;
    u.chains = has_chains(u.kind) ? lesser(u.channels, u.nodes) : 1;
    while (!matching_factors(&r, u.chains, u.ears + 1))
        u.chains--;
    for (u.parts = 1; u.parts <= (pairs ? u.nodes : PARTS_MOST); u.parts = larger_number(u.parts))
        try_use(&best, u);
    u.parts = pairs ? u.nodes : u.ears;
    try_use(&best, u);
    u.parts = pairs ? 1 : u.channels;
    try_use(&best, u);
    return best;
}

static rwa_status estimate_listen(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    struct star_use u = choose_use(request);
    if (!isfinite(u.time_s))
        return RWA_OK;
    out->blocks = u.blocks;
    out->time_s = u.time_s;
    out->set[0] = (struct parameters){.radix = {u.parts, u.chains}};
    out->sets = 1;
    return RWA_OK;
}

static rwa_status plan_listen(struct schedule_sink *sink, const struct plan_request *request)
{
    struct star_use u = use_of(request);
    u.parts = request->parameters->radix[0];
    u.chains = request->parameters->radix[1];
    u.sink = sink;
    if (u.parts == 0)
        return scheme_refuse(
            request,
            "scheme listen has no such plan of at most %.0f lightpaths, one for each node that hears another%s",
            LIGHTPATHS_MOST, request->opts->lightpath_blocks > 0 ? "; another load_factor would do" : "");
    run_use(&u);
    return u.status == RWA_OK ? sink_end_stage(sink) : u.status;
}

const struct scheme scheme_listen = {
    .name = "listen",
    .summary = "all that a node has for others at once, heard by many; nodes take turns, sums pass along chains",
    .source = "rwa's own, unpublished",
    .collectives = ALL_COLLECTIVES,
    .needs = NETWORK_STAR,
    .estimate = estimate_listen,
    .plan = plan_listen,
};

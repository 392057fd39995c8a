/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "listen": a passive star where every node hears each transmission that it has a port for.  A node sends all that others lack
 * of it at once, and nodes take turns.  Sums pass along chains of nodes, one chain a channel, whose ends then exchange them; on
 * their way to a root they pass from as many nodes at once as channels and ears allow.
 */
#include "scheme/scheme.h"

#include "base/arithmetic.h"
#include "network/network.h"

/** Many listeners make many lightpaths: of plans with more, none is chosen. */
#define LIGHTPATHS_MOST 16777216.0

/** How a collective uses the star. */
struct star_use {
    const struct plan_request *request;
    rwa_collective_kind kind;
    uint32_t nodes, root;
    uint32_t channels;
    uint32_t ears;              /* channels that a node hears, and sends on, in a step */
    uint32_t parts;             /* pieces of what a node sends; of each pair of a broadcast */
    uint32_t chains;            /* reductions */
    uint64_t blocks;            /* of the collective */
    uint64_t from, count;       /* sums: the blocks that are added up now, as many as a lightpath may carry */
    uint32_t step;              /* under way */
    uint64_t most;              /* blocks of its longest transmission */
    double *lengths;            /* timed: the sum over all steps so far, in seconds; else NULL */
    struct schedule_sink *sink;
    rwa_status status;
    rwa_error *err;
};

/** A transmission of a range of blocks, round the circle of all. */
struct transmission {
    uint32_t src, channel;
    uint64_t first, count;
    rwa_op op;
};

static bool has_chains(rwa_collective_kind kind)
{
    return kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER;
}

/* ---- steps ---- */

/** Infinite where a transmission has more blocks than the caller allows. */
static double step_s(const struct star_use *u, uint64_t blocks)
{
    const rwa_cost_options *cost = &u->request->opts->cost;
    uint32_t most = u->request->opts->lightpath_blocks;
    rwa_collective cut = *u->request->coll;
    if ((most > 0 && blocks > most) ||
        rwa_collective_init(&cut, u->kind, u->nodes, u->root, cut.message_bytes, u->blocks, NULL) != RWA_OK)
        return INFINITY;
    double rate = rwa_network_rate_bps(u->request->net);
    return rwa_cost_steps(1, cut.block_bytes * blocks, rate, cost) - cost->reconfig_s + u->request->price.step_s;
}

static void end_step(struct star_use *u)
{
    if (u->most > 0 && u->lengths)
        *u->lengths += step_s(u, u->most);
    u->step += u->most > 0;
    u->most = 0;
}

static void transmit(struct star_use *u, const struct transmission *t)
{
    assert(t->channel < u->channels && t->count > 0 && t->count <= u->blocks);
    u->most = t->count > u->most ? t->count : u->most;
}

static void hear(struct star_use *u, const struct transmission *t, uint32_t dst)
{
    uint32_t w = rwa_network_wavelengths(u->request->net);
    uint64_t head = u->blocks - t->first < t->count ? u->blocks - t->first : t->count;
    rwa_run run[2] = {{(uint32_t)t->first, (uint32_t)head, 1}, {0, (uint32_t)(t->count - head), 1}};
    rwa_lists lists = {.runs = run, .run_count = 1 + (head < t->count), .block_count = (uint32_t)t->count};
    rwa_lightpath lp = {.step = u->step, .src = t->src, .dst = dst, .fiber = t->channel / w, .wavelength = t->channel % w, .orbit = 1,
                        .op = t->op};
    if (u->lengths || dst == t->src || u->status != RWA_OK)
        return;
    u->status = sink_lightpath(u->sink, &lp, &lists, u->err);
}

static void all_hear(struct star_use *u, const struct transmission *t)
{
    transmit(u, t);
    for (uint32_t v = 0; v < u->nodes && !u->lengths; v++)
        hear(u, t, v);
}

/* ---- copies ---- */

/** The root sends some of its blocks, counted from those after its own, in as many transmissions as nodes have ears. */
static void send_some(struct star_use *u, uint64_t first, uint64_t count)
{
    bool scatters = u->kind == RWA_SCATTER;
    uint64_t each = u->blocks / u->nodes, own = scatters ? u->root * each + each : 0;
    for (uint32_t c = 0; c < u->ears; c++) {
        uint64_t from = first + count * c / u->ears, to = first + count * (c + 1) / u->ears;
        struct transmission t = {u->root, c, (own + from) % u->blocks, to - from, RWA_COPY};
        if (from == to)
            continue;
        transmit(u, &t);
        for (uint64_t i = scatters ? from / each : 0; !u->lengths && i < (scatters ? ceil_div(to, each) : u->nodes); i++)
            hear(u, &t, (uint32_t)(scatters ? (u->root + 1 + i) % u->nodes : i));
    }
    end_step(u);
}

/** All that it has at once, or as much as lightpaths may carry. */
static void send_from_root(struct star_use *u)
{
    uint64_t all = u->blocks - (u->kind == RWA_SCATTER ? u->blocks / u->nodes : 0), most = u->request->opts->lightpath_blocks;
    most = most == 0 ? all : most * u->ears;
    for (uint64_t first = 0; first < all; first += most)
        send_some(u, first, all - first < most ? all - first : most);
}

/** Piece `part` of what a node sends, and to whom: an all-to-all sends each piece to other nodes. */
static void send_piece(struct star_use *u, uint32_t src, uint32_t part, uint32_t channel)
{
    uint64_t each = u->blocks / u->nodes, from = each * part / u->parts, to = each * (part + 1) / u->parts;
    struct transmission t = {src, channel, src * each + from, to - from, RWA_COPY};
    if (u->kind == RWA_ALL_TO_ALL && from == src && to == src + 1)
        return; /* its own */
    if (u->kind == RWA_GATHER || u->kind == RWA_ALL_TO_ALL)
        transmit(u, &t);
    else
        all_hear(u, &t);
    if (u->kind == RWA_GATHER)
        hear(u, &t, u->root);
    for (uint64_t dst = from; u->kind == RWA_ALL_TO_ALL && dst < to; dst++)
        hear(u, &t, (uint32_t)dst);
}

/** All nodes, the root of a gather aside, as many pieces at a time as nodes have ears. */
static void take_turns(struct star_use *u)
{
    uint32_t skipped = u->kind == RWA_GATHER ? 1 : 0;
    uint64_t pieces = (uint64_t)(u->nodes - skipped) * u->parts;
    for (uint64_t p = 0; p < pieces; p++) {
        uint32_t node = (uint32_t)((p / u->parts + (skipped ? u->root + 1 : 0)) % u->nodes);
        send_piece(u, node, (uint32_t)(p % u->parts), (uint32_t)(p % u->ears));
        if (p % u->ears == u->ears - 1)
            end_step(u);
    }
    end_step(u);
}

/* ---- sums ---- */

/** Chain c: the nodes c, c + chains, …; its last one is its end. */
static uint32_t chain_length(const struct star_use *u, uint32_t chain)
{
    return (u->nodes - chain - 1) / u->chains + 1;
}

static uint32_t chain_end(const struct star_use *u, uint32_t chain)
{
    return chain + (chain_length(u, chain) - 1) * u->chains;
}

static void pass_along_chains(struct star_use *u)
{
    for (uint32_t i = 1; i < chain_length(u, 0); i++) {
        for (uint32_t c = 0; c < u->chains && i < chain_length(u, c); c++) {
            struct transmission t = {c + (i - 1) * u->chains, c, u->from, u->count, RWA_REDUCE};
            transmit(u, &t);
            hear(u, &t, c + i * u->chains);
        }
        end_step(u);
    }
}

/** The largest factor of `of` that is at most `most`; 1: none. */
static uint32_t factor_of(uint32_t of, uint32_t most)
{
    for (uint32_t f = lesser(of, most); f > 1; f--)
        if (of % f == 0)
            return f;
    return 1;
}

/** End c hears the ends unit, 2 unit, … after it: what these have added up so far.  Spare channels and ears carry parts. */
static void exchange_ends(struct star_use *u, uint32_t unit, uint32_t radix)
{
    uint32_t parts = lesser(u->channels / u->chains, u->ears / (radix - 1));
    parts = lesser(parts, u->count);
    for (uint32_t c = 0; c < u->chains; c++)
        for (uint32_t p = 0; p < parts; p++) {
            uint64_t from = u->count * p / parts, to = u->count * (p + 1) / parts;
            struct transmission t = {chain_end(u, c), c * parts + p, u->from + from, to - from, RWA_REDUCE};
            transmit(u, &t);
            for (uint32_t j = 1; j < radix; j++)
                hear(u, &t, chain_end(u, (c + u->chains - j * unit) % u->chains));
        }
    end_step(u);
}

static bool is_end(const struct star_use *u, uint32_t node)
{
    return node + u->chains >= u->nodes;
}

/** The ends send the sums, in parts, to all others, or each part to its owners. */
static void send_sums(struct star_use *u)
{
    bool scatters = u->kind == RWA_REDUCE_SCATTER;
    uint64_t each = scatters ? u->blocks / u->nodes : 1, units = u->count / each, lacking = (uint64_t)(u->nodes - u->chains) * each;
    if (scatters) /* the ends come last, and have theirs */
        units = u->from < lacking ? lesser(units, (lacking - u->from) / each) : 0;
    uint32_t most = scatters ? lesser(u->channels, (uint64_t)u->chains * u->ears) : u->ears, parts = lesser(most, units);
    for (uint32_t p = 0; p < parts && u->chains < u->nodes; p++) {
        uint64_t from = u->from + units * p / parts * each, to = u->from + units * (p + 1) / parts * each;
        struct transmission t = {chain_end(u, p % u->chains), p, from, to - from, RWA_COPY};
        transmit(u, &t);
        for (uint64_t v = scatters ? from / each : 0; !u->lengths && v < (scatters ? to / each : u->nodes); v++)
            if (!is_end(u, (uint32_t)v))
                hear(u, &t, (uint32_t)v);
    }
    end_step(u);
}

static void add_up_some(struct star_use *u)
{
    pass_along_chains(u);
    for (uint32_t unit = 1, radix; unit < u->chains; unit *= radix) {
        radix = factor_of(u->chains / unit, u->ears + 1);
        assert(radix > 1);
        exchange_ends(u, unit, radix);
    }
    send_sums(u);
}

/** All blocks at a time, or as many of whole owners as a lightpath may carry. */
static void add_up(struct star_use *u)
{
    uint64_t most = u->request->opts->lightpath_blocks, each = u->kind == RWA_REDUCE_SCATTER ? u->blocks / u->nodes : 1;
    most = most == 0 ? u->blocks : most < each ? each : most / each * each;
    for (u->from = 0; u->from < u->blocks; u->from += u->count) {
        u->count = u->blocks - u->from < most ? u->blocks - u->from : most;
        add_up_some(u);
    }
}

/** In each step the last of the nodes that are left send their sums to the first, and are done. */
static void add_up_at_root(struct star_use *u)
{
    for (uint32_t left = u->nodes, senders; left > 1; left -= senders) {
        senders = lesser(u->channels, left - ceil_div(left, (uint64_t)u->ears + 1));
        uint32_t listeners = (uint32_t)ceil_div(senders, u->ears), heard = (uint32_t)ceil_div(senders, listeners);
        uint32_t parts = lesser(lesser(u->channels / senders, u->ears / heard), u->blocks);
        assert(senders > 0 && parts > 0 && listeners + senders <= left);
        for (uint32_t i = 0; i < senders * parts; i++) {
            uint64_t sender = i / parts, from = u->blocks * (i % parts) / parts, to = u->blocks * (i % parts + 1) / parts;
            struct transmission t = {(uint32_t)((u->root + left - senders + sender) % u->nodes), i, from, to - from, RWA_REDUCE};
            transmit(u, &t);
            hear(u, &t, (uint32_t)((u->root + sender % listeners) % u->nodes));
        }
        end_step(u);
    }
}

/* ---- choice ---- */

static void run_use(struct star_use *u)
{
    u->step = 1;
    u->most = 0;
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
    return (struct star_use){.request = request, .kind = request->coll->kind, .nodes = request->coll->nodes, .root = request->coll->root,
                             .channels = channels, .ears = ports > 0 ? lesser(ports, channels) : channels, .parts = 1, .chains = 1,
                             .blocks = request->coll->blocks};
}

/** Blocks of a message whose owners have so many each. */
static uint64_t blocks_of(const struct star_use *u, uint32_t each)
{
    switch (u->kind) {
    case RWA_ALL_TO_ALL: return (uint64_t)u->nodes * u->nodes;
    case RWA_BROADCAST:
    case RWA_ALL_REDUCE:
    case RWA_ROOTED_REDUCE: return each;
    default: return (uint64_t)u->nodes * each;
    }
}

static double time_of(struct star_use u)
{
    double sum = 0;
    u.lengths = &sum;
    run_use(&u);
    return sum;
}

/** Whether ends that hear so many others at a time can exchange what they hold. */
static bool chains_factor(uint32_t chains, uint32_t most)
{
    while (chains > 1) {
        uint32_t f = factor_of(chains, most);
        if (f == 1)
            return false;
        chains /= f;
    }
    return true;
}

struct choice {
    uint32_t parts, chains;
    uint64_t blocks;
    double time_s;
};

static void try_use(struct choice *best, struct star_use *u)
{
    double heard = u->kind == RWA_ALL_TO_ALL ? 1 : u->parts, pieces = (double)u->nodes * u->nodes * heard;
    u->blocks = blocks_of(u, u->parts);
    if (u->blocks > UINT32_MAX || pieces > LIGHTPATHS_MOST || (double)u->nodes * u->parts > LIGHTPATHS_MOST)
        return;
    double time_s = time_of(*u);
    if (time_s < best->time_s * 0.999)
        *best = (struct choice){u->parts, u->chains, u->blocks, time_s};
}

static struct choice choose_use(const struct plan_request *request)
{
    struct choice best = {.time_s = INFINITY};
    struct star_use u = use_of(request);
    bool sums = has_chains(u.kind);
    uint32_t parts = u.kind == RWA_ALL_TO_ALL ? u.nodes : 64;
    for (u.chains = sums ? lesser(u.channels, u.nodes) : 1; u.chains > 0; u.chains--) {
        if (sums && !chains_factor(u.chains, u.ears + 1))
            continue;
        for (u.parts = 1; u.parts <= parts; u.parts += 1 + u.parts / 8)
            try_use(&best, &u);
        for (uint32_t part = 1; part <= 2; part++) { /* one for each ear, or for each channel */
            u.parts = part == 1 ? u.ears : u.channels;
            if (u.kind != RWA_ALL_TO_ALL && u.parts > 64)
                try_use(&best, &u);
        }
        if (sums && u.chains > 64)
            u.chains -= u.chains / 16;
    }
    return best;
}

static rwa_status estimate_listen(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    (void)err;
    struct choice c = choose_use(request);
    if (!isfinite(c.time_s))
        return RWA_OK;
    out->blocks = c.blocks;
    out->time_s = c.time_s;
    out->set[0] = (struct parameters){.radix = {c.parts, c.chains}};
    out->sets = 1;
    return RWA_OK;
}

static rwa_status plan_listen(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct star_use u = use_of(request);
    u.parts = request->parameters->radix[0];
    u.chains = request->parameters->radix[1];
    u.sink = sink;
    u.err = err;
    if (u.parts == 0)
        return scheme_refuse(request, "scheme listen has no such plan of at most %.0f lightpaths, one for each node that hears another%s",
                             LIGHTPATHS_MOST, request->opts->lightpath_blocks > 0 ? "; another load_factor would do" : "");
    run_use(&u);
    return u.status == RWA_OK ? sink_end_stage(sink, err) : u.status;
}

const struct scheme scheme_listen = {
    .name = "listen", .summary = "all that a node has for others at once, heard by many; nodes take turns, sums pass along chains",
    .source = "this work", .collectives = ALL_COLLECTIVES, .needs = NETWORK_STAR, .traits = LIMITS_LOAD,
    .estimate = estimate_listen, .plan = plan_listen,
};

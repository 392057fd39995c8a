/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Communication patterns on a passive star with tuning (Desprez, Ferreira, Tourancheau: Efficient communication
 * operations on passive optical star networks, Section 3): scatter, gather, broadcast of several messages, all-gather
 * ("multiple all-to-all") and all-to-all ("personalised").  On circuit switches (this work) the same patterns are
 * matchings, one for each switch, and a circuit carries as many blocks in a step as it has wavelengths.
 *
 * In a tree (TCP1) every node listens on a wavelength of its own; in an exchange (TCP2) every node sends on a
 * wavelength of its own.  So a star of P channels carries both; only personalised exchanges need P k.  If there are
 * fewer channels, transmissions take turns.
 *
 * If the number of nodes is no power of k + 1, the missing nodes are not simulated.  Trees cut ranges of nodes into
 * parts that differ by at most one.  In stage e of an exchange, node v receives what nodes v + j (k+1)^e hold, j = 1 …
 * k (Bruck et al., IEEE TPDS 8(11), 1997); in the last stage only what is missing, in equal shares: ceil((P-1)/k)
 * steps, the lower bound. */
#include "scheme/scheme.h"

/** The parameters of an operation.  Places are nodes counted from the root, with k ports each. */
struct star {
    uint32_t nodes, root, ports;
    uint32_t width; /* blocks a step that a listener hears: 1, or the wavelengths of a circuit */
    bool circuits;
    uint32_t stages; /* h = ceil(log_{k+1} P) */
    uint64_t blocks; /* of the collective */
    rwa_collective_kind kind;
    uint32_t classes; /* into how many parts the message of a broadcast is split, at most P; else P */
    uint32_t splits;  /* h', of a broadcast */
};

/** The blocks that one listener receives from a transmission, one block in a step, numbered cyclically from the
 * first. */
struct hearing {
    uint32_t src, dst, port, channel;
    uint32_t after; /* steps of the stage before it */
    uint64_t first, count;
};

/** The transmissions of a stage.  They take turns, as many at a time as there are channels. */
struct stage {
    const struct star *s;
    uint32_t unit;            /* (k + 1)^e */
    uint32_t channels;        /* 0: each transmission has the channel that it names */
    uint32_t before, longest; /* steps of the turns before, and of this one */
    uint32_t turn, named;     /* transmissions in this turn, and the channel that the last one names */
    struct hearing *list;
    size_t count;
    rwa_status status; /* the first failure */
    rwa_error *err;
};

/** Return (k + 1)^e for k ports; if that is larger than any number of nodes, return any such number. */
static uint64_t star_power(const struct star *s, uint32_t e)
{
    uint64_t power = 1;
    while (e-- > 0 && power <= UINT32_MAX)
        power *= (uint64_t)s->ports + 1;
    return power;
}

/* ---- stages ---- */

/** Return the first block of a class, where class 0 begins with the blocks of the root.  The blocks are divided evenly
 * into s->classes classes. */
static uint64_t class_start(const struct star *s, uint32_t class)
{
    return part_start((uint32_t)s->blocks, s->classes, class);
}

/** Let node `dst` receive blocks from node `src` on its port `port`, both nodes counted from the root.  In an
 * all-to-all these are the blocks that block_of() gives for the port, otherwise those of `classes` classes from class
 * `first` on.  Successive calls with the same `named` are one transmission; `named` is its channel if there are enough
 * channels. */
static void hear(struct stage *t, uint32_t src, uint32_t dst, uint32_t port, uint32_t named, uint32_t first,
                 uint32_t classes)
{
    const struct star *s = t->s;
    uint32_t end = first + classes;
    uint64_t from = class_start(s, first);
    uint64_t count = s->kind == RWA_ALL_TO_ALL ? count_with_digit(s->nodes, t->unit, s->ports + 1, port + 1)
                     : end <= s->classes       ? class_start(s, end) - from
                                               : s->blocks - from + class_start(s, end - s->classes);
    assert(src != dst && port < s->ports);
    if (count == 0 || t->status != RWA_OK)
        return;
    if (t->turn == 0 || named != t->named)
        t->turn++;
    if (t->channels > 0 && t->turn > t->channels) {
        t->before += t->longest;
        t->longest = 0;
        t->turn = 1;
    }
    t->named = named;
    RAISE(t->longest, (uint32_t)ceil_div(count, s->width));
    t->status =
        base_append(t->list, t->count, t->err,
                    (struct hearing){src, dst, port, t->channels > 0 ? t->turn - 1 : named, t->before, from, count});
}

/** Return the `at`-th block, from 0, of those that a listener receives from a transmission (`h`).  In an all-to-all,
 * these are blocks whose distance has the digit h->port + 1, in base k + 1, at the place of value t->unit. */
static uint64_t block_of(const struct stage *t, const struct hearing *h, uint64_t at)
{
    const struct star *s = t->s;
    uint64_t n = s->nodes, low = at % t->unit;
    if (s->kind == RWA_BROADCAST)
        return (h->first + at) % s->blocks;
    if (s->kind != RWA_ALL_TO_ALL)
        return (h->first + at + s->root * (s->blocks / n)) % s->blocks;
    /* the digits below have brought them from their source to h->src */
    uint64_t away = (h->port + 1 + at / t->unit * (s->ports + 1)) * t->unit + low, source = (h->src + n - low) % n;
    return source * n + (source + away) % n;
}

static rwa_status push_hearing(struct schedule_sink *sink, const struct stage *t, const struct hearing *h,
                               uint32_t step)
{
    const struct star *s = t->s;
    uint64_t from = (uint64_t)(step - h->after) * s->width;
    for (uint64_t at = from; at < from + s->width && at < h->count; at++) {
        rwa_lightpath lp = {.step = step + 1,
                            .src = (h->src + s->root) % s->nodes,
                            .dst = (h->dst + s->root) % s->nodes,
                            .wavelength = s->circuits ? h->port * s->width + (uint32_t)(at - from) : h->channel,
                            .orbit = 1,
                            .block = block_of(t, h, at)};
        MUST(sink_lightpath(sink, &lp, NULL));
    }
    return RWA_OK;
}

static rwa_status push_stage(struct schedule_sink *sink, const struct stage *t)
{
    MUST(t->status);
    for (uint32_t step = 0; step < t->before + t->longest; step++)
        for (size_t i = 0; i < t->count; i++)
            if (step >= t->list[i].after)
                MUST(push_hearing(sink, t, &t->list[i], step));
    return sink_end_stage(sink);
}

/* ---- patterns ---- */

/** Add the transmissions of level `level`, from 0, of the tree (TCP1) over `size` classes from class `first` on.  Each
 * level cuts a range of classes into k + 1 parts.  The node that holds the range keeps the first part, and sends each
 * other part to the first node of that part; if `upwards`, these nodes send their parts to it. */
static void cut(struct stage *t, uint32_t first, uint32_t size, uint32_t level, bool upwards)
{
    uint32_t parts = t->s->ports + 1;
    for (uint32_t c = 0; c < parts && size > 1; c++) {
        uint32_t from = first + part_start(size, parts, c),
                 count = part_start(size, parts, c + 1) - part_start(size, parts, c);
        if (level > 0 && count > 0)
            cut(t, from, count, level - 1, upwards);
        else if (c > 0 && count > 0)
            hear(t, upwards ? from : first, upwards ? first : from, c - 1, from, from, count);
    }
}

/** Add the transmissions of an exchange stage (TCP2), in groups of t->s->classes nodes.  Node c of a group holds
 * t->unit classes, from class c on, and sends them to nodes of its group that lack them.  If the last group is short,
 * the first group sends it the classes of its missing nodes. */
static void exchange(struct stage *t)
{
    const struct star *s = t->s;
    uint32_t missing = s->classes - t->unit, last = (s->nodes - 1) / s->classes * s->classes;
    uint32_t share = missing >= (uint64_t)t->unit * s->ports ? t->unit : (uint32_t)ceil_div(missing, s->ports);
    for (uint32_t place = 0; place < s->nodes; place++)
        for (uint32_t j = 0; j < s->ports && j * share < missing; j++) {
            uint32_t class = place % s->classes, to = (class + s->classes - t->unit - j * share) % s->classes;
            uint32_t group = place - class, heard = lesser(share, missing - j * share);
            if (group + to < s->nodes)
                hear(t, place, group + to, j, place, class, heard);
            if (group == 0 && last > 0 && class + last >= s->nodes && to + last < s->nodes)
                hear(t, place, to + last, j, place, class, heard);
        }
}

/** Add the transmissions of a tree stage (TCP1) without splitting: each node that holds a part of the message sends it
 * on each of its k ports to a node that lacks it. */
static void copy(struct stage *t)
{
    const struct star *s = t->s;
    uint64_t informed = (uint64_t)t->unit * s->classes;
    for (uint64_t place = 0; place < informed && place < s->nodes; place++)
        for (uint32_t j = 0; j < s->ports; j++) {
            uint32_t class = (uint32_t)(place % s->classes);
            uint64_t to = informed + (place / s->classes * s->ports + j) * s->classes + class;
            if (to < s->nodes)
                hear(t, (uint32_t)place, (uint32_t)to, j, (uint32_t)to, class, 1);
        }
}

/** Add the transmissions of a stage of an all-to-all (TCP2): for j = 1 … k, every node sends to the node j * t->unit
 * places ahead those blocks that block_of() gives. */
static void personalised(struct stage *t)
{
    const struct star *s = t->s;
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t j = 1; j <= s->ports && (uint64_t)j * t->unit < s->nodes; j++)
            hear(t, v, (uint32_t)((v + (uint64_t)j * t->unit) % s->nodes), j - 1, v * s->ports + j - 1, 0, 0);
}

/** Add the transmissions of a stage.  A broadcast first splits the message, then copies the parts, and then reassembles
 * it. */
static void fill_stage(struct stage *t, uint32_t stage)
{
    const struct star *s = t->s;
    bool whole = s->kind == RWA_BROADCAST;
    uint32_t level = !whole || stage < s->splits ? stage : stage < s->stages ? stage - s->splits : stage - s->stages;
    t->unit = (uint32_t)star_power(s, level);
    if (s->kind == RWA_GATHER)
        cut(t, 0, s->classes, s->stages - 1 - stage, true);
    else if (s->kind == RWA_SCATTER || (whole && stage < s->splits))
        cut(t, 0, s->classes, stage, false);
    else if (s->kind == RWA_ALL_TO_ALL)
        personalised(t);
    else if (whole && stage < s->stages)
        copy(t);
    else
        exchange(t);
}

/* ---- settings ---- */

/** Return the cost, in steps, of a broadcast with this number of split stages: its steps and, as the paper counts
 * them, all tunings one after the other, each of `tuning` steps. */
static double broadcast_cost(const struct star *s, uint32_t splits, double tuning)
{
    double cost = tuning * ((double)s->nodes - 1 + (double)splits * s->nodes * s->ports),
           part = (double)s->blocks / s->width;
    for (uint32_t i = 1; i <= splits; i++) {
        part /= s->ports + 1.0;
        cost += 2 * ceil(part);
    }
    return cost + (s->stages - splits) * ceil(part);
}

/** Tell whether a broadcast may have this number of split stages, which cut the message into (k + 1)^splits parts.  On
 * circuit switches the number of parts must divide the number of nodes, or be no smaller. */
static bool can_split(const struct star *s, uint32_t splits)
{
    uint64_t classes = star_power(s, splits);
    /* no circuit is left for a last group of fewer nodes, which lacks parts */
    return !s->circuits || classes >= s->nodes || s->nodes % classes == 0;
}

/** Set s->splits, the number of split stages of a broadcast: the caller's, or the one of least total cost.  Also set
 * s->classes, the number of parts of the message, at most one for each node. */
static void set_splits(struct star *s, const struct plan_request *request)
{
    uint32_t given = request->opts->split_steps;
    double tuning = rwa_network_tuning(request->net);
    s->splits = given <= s->stages ? given : 0;
    for (uint32_t splits = 1; given > s->stages && splits <= s->stages; splits++)
        if (can_split(s, splits) && broadcast_cost(s, splits, tuning) < broadcast_cost(s, s->splits, tuning))
            s->splits = splits;
    s->classes = lesser(star_power(s, s->splits), s->nodes);
    assert(s->splits <= s->stages && s->classes >= 1);
}

static struct star star_of(const struct plan_request *request)
{
    const rwa_collective *coll = request->coll;
    bool circuits = network_capabilities(request->net) == NETWORK_SWITCHES;
    uint32_t most = lesser(circuits ? rwa_network_fibers(request->net) : UINT32_MAX, coll->nodes - 1),
             ports = rwa_network_ports(request->net);
    struct star s = {.nodes = coll->nodes,
                     .root = coll->kind == RWA_ALL_TO_ALL ? 0 : coll->root,
                     .blocks = coll->blocks,
                     .kind = coll->kind,
                     .classes = coll->nodes,
                     .circuits = circuits,
                     .ports = ports > 0 ? lesser(ports, most) : most,
                     .width = circuits ? rwa_network_wavelengths(request->net) : 1};
    assert(s.ports >= 1);
    while (star_power(&s, s.stages) < s.nodes)
        s.stages++;
    if (s.kind == RWA_BROADCAST)
        set_splits(&s, request);
    return s;
}

static rwa_status tcp_plan(struct schedule_sink *sink, const struct plan_request *request)
{
    struct star s = star_of(request);
    uint64_t named = (uint64_t)s.nodes * (s.kind == RWA_ALL_TO_ALL ? s.ports : 1);
    uint32_t channels = rwa_network_channels(request->net);
    rwa_status st = RWA_OK;
    for (uint32_t stage = 0; st == RWA_OK && stage < s.stages + s.splits; stage++) {
        struct stage t = {.s = &s, .channels = s.circuits || named <= channels ? 0 : channels, .err = sink->err};
        fill_stage(&t, stage);
        st = push_stage(sink, &t);
        free(t.list);
    }
    return st;
}

/** Set the number of blocks to the caller's if the scheme can take it: in a broadcast always; otherwise if it is a
 * multiple of the number of nodes, but never in an all-to-all. */
static rwa_status tcp_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    const rwa_collective *coll = request->coll;
    (void)err;
    if (coll->kind == RWA_BROADCAST || (coll->kind != RWA_ALL_TO_ALL && coll->blocks % coll->nodes == 0))
        e->blocks = coll->blocks;
    return RWA_OK;
}

static rwa_status tcp_validate(const struct plan_request *request, rwa_error *err)
{
    uint32_t given = request->opts->split_steps;
    struct star s = star_of(request);
    if (given != RWA_SPLIT_BEST && (s.kind != RWA_BROADCAST || given > s.stages))
        return base_refuse(err, "%u split steps, expected 0 to %u, for a broadcast", given, s.stages);
    if (given != RWA_SPLIT_BEST && !can_split(&s, given))
        return base_refuse(err, "%u split steps make %llu parts, which do not divide %u nodes; expected others through "
                           "circuit switches", given, (unsigned long long)star_power(&s, given), s.nodes);
    return RWA_OK;
}

/** Compute the paper's formulas (Section 3) for P nodes with k ports.  They hold if P is a power of k + 1; another P is
 * rounded up to the next power. */
static void tcp_formula(rwa_formula *f, const struct plan_request *request)
{
    struct star s = star_of(request);
    uint64_t power = star_power(&s, s.stages), parts = star_power(&s, s.splits), tree = s.nodes - 1,
             exchange = (uint64_t)s.nodes * s.ports;
    if (s.circuits)
        return; /* the paper is on stars */
    f->source = "Desprez, Ferreira, Tourancheau, Section 3";
    f->steps = (power - 1) / s.ports * (s.blocks / s.nodes);
    f->tunings = s.kind == RWA_SCATTER || s.kind == RWA_GATHER ? tree : s.stages * exchange;
    if (s.kind == RWA_BROADCAST) { /* (2/k ((k+1)^h' - 1) + h - h') m / (k+1)^h' */
        f->steps = ceil_div((2 * ((parts - 1) / s.ports) + s.stages - s.splits) * s.blocks, parts);
        f->tunings = tree + s.splits * exchange;
    } else if (s.kind == RWA_ALL_TO_ALL) {
        f->steps = s.stages * (power / (s.ports + 1));
    }
}

const struct scheme scheme_tcp = {
    .name = "tcp",
    .summary = "tuning communication patterns: k-way trees (TCP1) and exchanges in cliques (TCP2)",
    .source = "Desprez, Ferreira, Tourancheau, Section 3",
    .collectives =
        1u << RWA_SCATTER | 1u << RWA_GATHER | 1u << RWA_BROADCAST | 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_STAR | NETWORK_SWITCHES,
    .reads = READS_SPLIT_STEPS,
    .validate = tcp_validate,
    .estimate = tcp_estimate,
    .plan = tcp_plan,
    .formula = tcp_formula,
};

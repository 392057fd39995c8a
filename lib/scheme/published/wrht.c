/* SPDX-License-Identifier: GPL-3.0-or-later */
/** WRHT (Dai, Chen, Huang, Zhang, Zhang: Wavelength Reused Hierarchical Tree).  Groups of m neighbours send to their
 * middle node, the representative; the representatives form groups again, until those left can exchange all-to-all in
 * one step.  Then the blocks go back by the same routes. m = 2w + 1 is the largest size whose two sides fit w
 * wavelengths.  In an all-reduce the representatives add up, and every transfer moves the whole message.  In an
 * all-gather (OpTree, Section IV-B) every node sends all blocks that it holds, one by one.
 *
 * The formulas are the papers', as printed.  The all-gather's steps cannot be carried out as lightpaths: a
 * representative must deliver about N - 1 blocks to each of m - 1 members over 2w channels, which alone takes (N - 1)(m
 * - 1) / 2w steps.
 *
 * The binary tree of the same paper (Section III-B, Table I) has groups of two on all levels: 2 ceil(log2 N) steps, one
 * wavelength, since groups do not overlap. */
#include "scheme/scheme.h"

enum { LEVELS_MAX = 32 };

/** The representatives of each level, in ring order: count[level] of them.  Level 0 has all nodes. */
struct wrht {
    uint32_t count[LEVELS_MAX];
    bool cycle, reducing;
    bool exchange; /* those of the top level exchange all-to-all */
    size_t top;
};

/* ---- levels ---- */

/** Return the index of the first member of a group, among the representatives of the level below.  For a group number
 * one beyond the last it is the end of the last group. */
static uint32_t member(const struct wrht *t, size_t level, uint32_t group)
{
    return part_start(t->count[level - 1], t->count[level], group);
}

/** Return the node of representative i of a level (the middle of the group that it stands for).  If there is no middle,
 * it has one node more on its left than on its right. */
static uint32_t node_of(const struct wrht *t, size_t level, uint32_t i)
{
    for (; level > 0; level--)
        i = member(t, level, i) + (member(t, level, i + 1) - member(t, level, i)) / 2;
    return i;
}

/** Return the first of the consecutive nodes that representative i of a level represents; the nodes of the next
 * representative follow. */
static uint32_t first_of(const struct wrht *t, size_t level, uint32_t i)
{
    for (; level > 0; level--)
        i = member(t, level, i);
    return i;
}

/** Tell whether `count` representatives can exchange all their blocks at once.  Sums take a single step, in which
 * each representative needs a port for every other one. */
static bool can_exchange(const struct wrht *t, const rwa_network *net, uint32_t count)
{
    uint32_t ports = rwa_network_ports(net);
    bool joined = !t->reducing || ports == 0 || count <= ports + 1;
    return joined && exchange_wavelengths(count, t->cycle) <= rwa_network_channels(net);
}

/** Return the tree whose groups have `group` members.  Levels are added until one representative is left or, if
 * may_exchange, until the representatives left can exchange their blocks all-to-all (see can_exchange()). */
static struct wrht build_levels(const struct plan_request *request, uint32_t group, bool may_exchange)
{
    struct wrht t = {.count = {rwa_network_nodes(request->net)},
                     .cycle = network_is_cycle(request->net),
                     .reducing = request->coll->kind == RWA_ALL_REDUCE};
    while (t.count[t.top] > 1 && !t.exchange) {
        t.exchange = may_exchange && can_exchange(&t, request->net, t.count[t.top]);
        if (t.exchange)
            break;
        assert(t.top + 1 < LEVELS_MAX && group >= 2);
        t.count[t.top + 1] = (uint32_t)ceil_div(t.count[t.top], group);
        t.top++;
    }
    return t;
}

/* ---- stages ---- */

/** Return the number of blocks that representative i of a level sends: one for each node that it represents, or 1
 * sum. */
static uint32_t held(const struct wrht *t, size_t level, uint32_t i)
{
    return t->reducing ? 1 : first_of(t, level, i + 1) - first_of(t, level, i);
}

static void send_held(const struct wrht *t, struct transfers *s, size_t level, uint32_t i, uint32_t dst)
{
    uint32_t node = node_of(t, level, i), first = t->reducing ? 0 : first_of(t, level, i), blocks = held(t, level, i);
    for (uint32_t b = 0; b < blocks; b++) {
        if (s->copy)
            s->copy[s->count] = b;
        transfer_add(s, node, dst, first + b);
    }
}

/** Add the transfers from node `src`, the middle of a group, to its member i, which is representative i of level
 * `level`: the blocks of all nodes that member i does not represent, or in a reduction the sum. */
static void send_lacking(const struct wrht *t, struct transfers *s, size_t level, uint32_t i, uint32_t src)
{
    uint32_t from = first_of(t, level, i), to = first_of(t, level, i + 1), node = node_of(t, level, i);
    for (uint32_t b = 0; b < (t->reducing ? 1 : t->count[0]); b++)
        if (t->reducing || b < from || b >= to)
            transfer_add(s, src, node, b);
}

/** Push a stage of level j: every member of a group sends its blocks to the middle node (`gathers`), or receives
 * from it the blocks that it lacks. */
static rwa_status push_level(struct schedule_sink *sink, const struct wrht *t, size_t j, bool gathers)
{
    size_t each = t->reducing ? 1 : t->count[0];
    struct transfers s;
    MUST(transfers_create(&s, gathers ? t->count[0] : each * (t->count[j] - t->count[j + 1]), 0, sink->err));
    s.op = gathers && t->reducing ? RWA_REDUCE : RWA_COPY;
    for (uint32_t g = 0; g < t->count[j + 1]; g++)
        for (uint32_t i = member(t, j + 1, g), middle = node_of(t, j + 1, g); i < member(t, j + 1, g + 1); i++)
            if (node_of(t, j, i) != middle)
                (gathers ? send_held : send_lacking)(t, &s, j, i, middle);
    return sink_transfers(sink, &s);
}

/** Push the all-to-all exchange between the representatives that are left.  On a cycle, ranks of nodes and copies of
 * transfers are set, so that the planner can use the closed form for an exchange. */
static rwa_status exchange(struct schedule_sink *sink, const struct wrht *t)
{
    uint32_t left = t->count[t->top];
    struct transfers s;
    rwa_status st = RWA_OK;
    TRY(transfers_create(&s, (size_t)(left - 1) * (t->reducing ? left : t->count[0]), t->cycle ? WITH_COPY : 0,
                         sink->err));
    s.op = t->reducing ? RWA_REDUCE : RWA_COPY;
    if (t->cycle) {
        TRY(arena_arrays(&s.memory, t->count[0], s.rank_of));
        s.ranks = left;
    }
    for (uint32_t i = 0; i < left; i++) {
        if (t->cycle)
            s.rank_of[node_of(t, t->top, i)] = i;
        if (t->cycle && held(t, t->top, i) > s.copies)
            s.copies = held(t, t->top, i);
        for (uint32_t k = 0; k < left; k++)
            if (i != k)
                send_held(t, &s, t->top, i, node_of(t, t->top, k));
    }
    TRY(sink_transfers(sink, &s));
done:
    transfers_free(&s);
    return st;
}

static rwa_status push_levels(struct schedule_sink *sink, const struct wrht *t)
{
    for (size_t j = 0; j < t->top; j++)
        MUST(push_level(sink, t, j, true));
    if (t->exchange)
        MUST(exchange(sink, t));
    for (size_t j = t->top; j-- > 0;)
        MUST(push_level(sink, t, j, false));
    return RWA_OK;
}

static rwa_status plan_wrht(struct schedule_sink *sink, const struct plan_request *request)
{
    struct wrht t = build_levels(request, request->parameters->group, request->opts->last_exchange != RWA_LAST_TREE);
    if (request->opts->last_exchange != RWA_LAST_ALL_TO_ALL || t.exchange)
        return push_levels(sink, &t);
    uint32_t left = t.count[t.top - 1];
    return scheme_refuse(request,
                         "the last %u representatives need %llu channels, and %u ports, to exchange all-to-all, and "
                         "there are %u channels; more of these, another 'group' or last_exchange tree would do",
                         left, (unsigned long long)exchange_wavelengths(left, t.cycle), left - 1,
                         rwa_network_channels(request->net));
}

static rwa_status plan_binary_tree(struct schedule_sink *sink, const struct plan_request *request)
{
    struct wrht t = build_levels(request, 2, false);
    return push_levels(sink, &t);
}

/* ---- numbers ---- */

/** Set the number of blocks and the group size: the caller's, or the paper's 2w + 1.  For an all-gather also set a
 * lower bound on the steps, unless all nodes exchange at once. */
static rwa_status wrht_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint64_t nodes = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net);
    uint64_t group = request->opts->group > 0 ? lesser(request->opts->group, nodes) : 2 * channels + 1;
    uint64_t largest = ceil_div(nodes, ceil_div(nodes, group));
    bool at_once = request->opts->last_exchange != RWA_LAST_TREE &&
                   exchange_wavelengths(nodes, network_is_cycle(request->net)) <= channels;
    e->set[0].group = (uint32_t)group;
    e->sets = 1;
    /* a representative sends each other node of its group the blocks that the node lacks, over 2w channels */
    e->least_steps =
        at_once || request->coll->kind != RWA_ALL_GATHER ? 0 : ceil_div((largest - 1) * (nodes - 1), 2 * channels);
    return estimate_whole_message(e, request, err);
}

/** Set in `f` the steps of WRHT, Section III-D, for an all-reduce: 2 ceil(log_m N), or one less if the representatives
 * that are left (`left`, m* in the paper) exchange all-to-all.  `levels` is ceil(log_m N). */
static void reduce_formula(rwa_formula *f, size_t levels, uint64_t m, uint64_t left, const struct plan_request *request)
{
    bool exchange =
        request->opts->last_exchange != RWA_LAST_TREE && ceil_div(left * left, 8) <= rwa_network_channels(request->net);
    f->steps = 2 * levels - exchange;
    for (size_t j = 0; j < f->steps && j < RWA_STAGES_MAX; j++)
        f->stage_wavelengths[f->stages++] = exchange && j == levels - 1 ? ceil_div(left * left, 8) : ceil_div(m, 2);
    f->source = "WRHT, Section III-D";
    f->flaw = NULL;
}

/** Set the steps of the paper.  For an all-gather they are those of OpTree (Section IV-B), in the form that yields the
 * 259 steps of its Table 1; for an all-reduce those of WRHT. */
static void wrht_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t n = rwa_network_nodes(request->net), m = request->parameters->group, top = 1;
    size_t levels = 1; /* ceil(log_m N) */
    for (; top * m < n; top *= m)
        levels++;
    f->steps = 1 + ceil_div(m * top - m, m - 1) + (levels - 1) * top;
    f->source = "OpTree, Table 1 (not realisable as lightpaths)";
    if (f->steps < n - 1)
        f->flaw = "in the end a node sends about N - 1 blocks to each of 2w others over its 2w channels, which takes "
                  "about N - 1 steps";
    if (request->coll->kind == RWA_ALL_REDUCE)
        reduce_formula(f, levels, m, ceil_div(n, top), request);
}

static void binary_formula(rwa_formula *f, const struct plan_request *request)
{
    f->steps = 2 * build_levels(request, 2, false).top;
    f->source = "WRHT, Table I";
}

const struct scheme scheme_wrht = {
    .name = "wrht",
    .summary = "groups of 2w + 1 neighbours gather in their middle, level by level; the last ones exchange all-to-all",
    .source = "WRHT, Section III; as all-gather OpTree, Section IV-B",
    .collectives = 1u << RWA_ALL_REDUCE | 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS,
    .reads = READS_GROUP | READS_LAST_EXCHANGE,
    .solver_needs = NETWORK_ARCS,
    .traits = STRIPES,
    .validate = validate_group,
    .estimate = wrht_estimate,
    .plan = plan_wrht,
    .formula = wrht_formula,
};

const struct scheme scheme_binary_tree = {
    .name = "binary-tree",
    .summary = "pairs of groups add up in a node of theirs, then the sum goes back the same way",
    .source = "WRHT, Table I",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = STRIPES,
    .estimate = estimate_whole_message,
    .plan = plan_binary_tree,
    .formula = binary_formula,
};

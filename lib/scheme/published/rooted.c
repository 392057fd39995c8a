/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcast and scatter from a root (and, run backwards, gather): straight to everyone, or down a tree.
 * In the tree every holder informs up to K nodes on each side in a step, and keeps the nearest ones for later.  With
 * t steps a holder reaches f(t) nodes on a side: f(0) = 0 and f(t) = f(t - 1) + K (2 f(t - 1) + 1), so 2 f(t) + 1 =
 * (2K + 1)^t.  With K = w, the number of channels, a broadcast takes ceil(log_{2w + 1} N) steps.  No scheme takes
 * fewer, since a step at most multiplies the informed nodes by 2w + 1.  (WRHT's broadcast stage is this tree.)
 * With k <= w ports a holder informs k nodes, on whichever side they are.  The nodes that it serves are cut into
 * runs, one for itself and one for each of the k nodes, and ceil(log_{k + 1} N) steps are again the fewest.
 */
#include "scheme/scheme.h"

/** Variants of the scheme: down a tree, or directly from the root. */
enum { TREE, DIRECT };

/** A node that holds the blocks for `left` nodes before it and `right` nodes after it. */
struct holder {
    uint32_t node, left, right;
};

struct rooted {
    uint32_t nodes;
    bool scatter;
    uint32_t fan;          /* K; 0: runs are cut by ports */
    uint32_t ports;        /* k */
    uint32_t left;         /* steps to go; 0: finished */
    struct holder *holder; /* capacity: all nodes */
    uint32_t holders;
};

/** Return the number of nodes, at most all, that a holder can reach in `steps` steps on one side: f(steps), see the
 * first comment.  If ports are the limit, it is the number on both sides together. */
static uint32_t reach(const struct rooted *t, uint32_t steps)
{
    uint64_t f = 0;
    while (steps-- > 0 && f < t->nodes)
        f += t->fan > 0 ? t->fan * (2 * f + 1) : t->ports * (f + 1);
    return f < t->nodes ? (uint32_t)f : t->nodes;
}

static bool is_reached(const struct rooted *t, uint32_t steps, const struct holder *h)
{
    uint32_t most = reach(t, steps);
    return t->fan > 0 ? most >= h->left && most >= h->right : most >= h->left + h->right;
}

static uint32_t node_at(const struct rooted *t, uint32_t from, uint32_t away, rwa_direction dir)
{
    return (from + (dir == RWA_CW ? away : t->nodes - away)) % t->nodes;
}

/** Add the transfers from holder `from` to its child, the node `child` places away in direction `dir`: the message; or
 * in a scatter the blocks of the nodes `first` to `last` places away. */
static void inform(const struct rooted *t, struct transfers *s, uint32_t from, uint32_t first, uint32_t last,
                   uint32_t child, rwa_direction dir)
{
    for (uint32_t x = first; x <= last; x++) {
        if (!t->scatter && x != child)
            continue;
        s->direction[s->count] = (uint8_t)dir;
        transfer_add(s, from, node_at(t, from, child, dir), t->scatter ? node_at(t, from, x, dir) : 0);
    }
}

/** Return how many of the nearest nodes on each side a holder serves itself in later steps.  Its children of this step
 * serve the others. */
static struct holder keep_near(const struct rooted *t, const struct holder *h)
{
    uint32_t later = reach(t, t->left - 1), left = lesser(h->left, later), right = later;
    if (t->fan == 0) { /* ports are the limit: the others on the left fill the runs of whole children */
        left = h->left % (later + 1);
        right = later - left;
    }
    return (struct holder){h->node, left, lesser(h->right, right)};
}

/** Add the children of holder `from` in direction `dir`, where it has `side` nodes.  It keeps the nearest `near` of
 * them for later.  The others are divided evenly among the fewest children that can serve them, each in the middle of
 * its nodes. */
static void split_side(struct rooted *t, struct transfers *s, uint32_t from, uint32_t side, uint32_t near,
                       rwa_direction dir)
{
    uint32_t later = reach(t, t->left - 1), far = side - near;
    assert(near <= side && t->left > 0);
    uint32_t children = (uint32_t)ceil_div(far, (t->fan > 0 ? 2 : 1) * (uint64_t)later + 1);
    for (uint32_t c = 0; c < children; c++) {
        uint32_t first = near + 1 + part_start(far, children, c), last = near + part_start(far, children, c + 1);
        uint32_t child = first + (last - first) / 2;
        bool cw = dir == RWA_CW;
        assert(first <= child && child <= last && t->holders < t->nodes);
        inform(t, s, from, first, last, child, dir);
        t->holder[t->holders++] = (struct holder){node_at(t, from, child, dir), cw ? child - first : last - child,
                                                  cw ? last - child : child - first};
    }
}

/** Push one step, in which every holder informs its children on both sides. */
static rwa_status push_step(struct schedule_sink *sink, struct rooted *t)
{
    uint32_t holders = t->holders;
    struct transfers s;
    MUST(transfers_create(&s, t->nodes, WITH_DIRECTION, sink->err));
    for (uint32_t i = 0; i < holders; i++) {
        struct holder *h = &t->holder[i], near = keep_near(t, h);
        split_side(t, &s, h->node, h->left, near.left, RWA_CCW);
        split_side(t, &s, h->node, h->right, near.right, RWA_CW);
        *h = near;
    }
    assert(t->holders <= t->nodes);
    return sink_transfers(sink, &s);
}

/** Return K, the number of children of a holder on each side.  In a direct scheme that is the number of nodes.  In a
 * tree it is half of the other nodes of a group, rounded down; without a group size, the number of channels. */
static uint32_t fan_of(const struct plan_request *request)
{
    uint32_t group = request->opts->group;
    if (request->scheme->variant == DIRECT)
        return rwa_network_nodes(request->net);
    return group > 0 ? (group - 1) / 2 : rwa_network_channels(request->net);
}

/** Push all steps.  In a direct scheme the root informs all nodes at once.  In a tree a holder has K children on each
 * side (fan_of()), or ports / 2 if that is less.  With at most K ports it has as many children as ports, on whichever
 * side they are. */
static rwa_status plan_rooted(struct schedule_sink *sink, const struct plan_request *request)
{
    uint32_t n = rwa_network_nodes(request->net), root = request->coll->root, ports = rwa_network_ports(request->net),
             fan = fan_of(request);
    bool cycle = network_is_cycle(request->net), few = request->scheme->variant == TREE && ports > 0 && ports / 2 < fan;
    struct rooted t = {.nodes = n,
                       .scatter = request->coll->kind == RWA_SCATTER,
                       .ports = ports,
                       .holders = 1,
                       .fan = !few          ? fan
                              : ports > fan ? ports / 2
                                            : 0};
    rwa_status st = RWA_OK;
    TRY(base_new(t.holder, n, sink->err));
    t.holder[0] = (struct holder){root, cycle ? (n - 1) / 2 : root, cycle ? n / 2 : n - 1 - root};
    while (!is_reached(&t, t.left, &t.holder[0]))
        t.left++;
    for (; t.left > 0; t.left--)
        TRY(push_step(sink, &t));
    assert(t.holders == n);
done:
    free(t.holder);
    return st;
}

/** Set the group size to that of the plan (a holder and K nodes on each side), if the caller gives a group size and
 * ports are no limit. */
static rwa_status tree_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t ports = rwa_network_ports(request->net), fan = fan_of(request), nodes = rwa_network_nodes(request->net);
    (void)err;
    if (request->opts->group == 0 || (ports > 0 && ports / 2 < fan))
        return RWA_OK;
    e->sets = 1;
    e->set[0].group = fan < nodes / 2 ? 2 * fan + 1 : nodes;
    return RWA_OK;
}

static rwa_status tree_validate(const struct plan_request *request, rwa_error *err)
{
    uint32_t group = request->opts->group;
    if (group == 1 || group == 2)
        return base_refuse(err, "group %u: expected at least 3, a holder and one node on each side", group);
    return RWA_OK;
}

/** Set the steps of WRHT, Section III-D: the broadcast stage takes ceil(log_m N) steps with groups of m nodes. */
static void tree_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t m = 2 * (uint64_t)fan_of(request) + 1, n = rwa_network_nodes(request->net);
    if (request->coll->kind != RWA_BROADCAST || rwa_network_ports(request->net) > 0) /* it knows of no ports */
        return;
    for (uint64_t power = 1; power < n; power *= m)
        f->steps++;
    f->source = "WRHT, Section III-D, broadcast stage";
}

const struct scheme scheme_tree = {
    .name = "tree",
    .summary = "every holder informs w nodes on each side, evenly spread, until all hold what they need",
    .source = "WRHT, Section III-C, broadcast stage",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_SCATTER,
    .needs = NETWORK_ARCS,
    .reads = READS_GROUP,
    .solver_needs = NETWORK_ARCS,
    .traits = REVERSIBLE | STRIPES,
    .validate = tree_validate,
    .estimate = tree_estimate,
    .plan = plan_rooted,
    .formula = tree_formula,
};

const struct scheme scheme_direct = {
    .name = "direct",
    .summary = "the root sends straight to every node, both ways round",
    .source = "closed form: ceil((N - 1) / 2w) steps on a ring, the root's channels being the limit",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_SCATTER,
    .needs = NETWORK_ARCS,
    .solver_needs = NETWORK_ARCS,
    .traits = REVERSIBLE,
    .plan = plan_rooted,
    .variant = DIRECT,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Broadcast and scatter from a root (and, run backwards, gather): straight to everyone, or down a tree.
 * In the tree every holder informs up to K nodes on each side in a step, and keeps the nearest ones for later.  With t
 * steps a holder reaches f(t) nodes on a side: f(0) = 0 and f(t) = f(t - 1) + K (2 f(t - 1) + 1), so
 * 2 f(t) + 1 = (2K + 1)^t, and K = channels broadcasts in ceil(log_{2w + 1} N) steps: no scheme does in fewer, since a
 * step at most multiplies the informed nodes by 2w + 1.  (WRHT's broadcast stage is this tree.)
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

/** A node that holds what `left` nodes before it and `right` nodes after it need. */
struct holder {
    uint32_t node, left, right;
};

struct rooted {
    uint32_t nodes;
    bool scatter;
    uint32_t fan;               /* K */
    uint32_t left;              /* steps to go; 0: finished */
    struct holder *holder;      /* room for all nodes */
    uint32_t holders;
};

static void rooted_close(void *state)
{
    struct rooted *t = state;
    if (!t)
        return;
    free(t->holder);
    free(t);
}

/** f(t), or all nodes when that is less. */
static uint32_t reach(const struct rooted *t, uint32_t steps)
{
    uint64_t f = 0;
    while (steps-- > 0 && f < t->nodes)
        f += t->fan * (2 * f + 1);
    return f < t->nodes ? (uint32_t)f : t->nodes;
}

static rwa_status rooted_create(void **out, const struct scheme_request *request, uint32_t fan, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net), root = request->coll->root;
    bool ring = rwa_network_get_kind(request->net) == RWA_RING;
    struct rooted *t = base_array(1, sizeof *t, err);
    *out = NULL;
    if (!t)
        return RWA_NOMEM;
    *t = (struct rooted){.nodes = n, .scatter = request->coll->kind == RWA_SCATTER, .fan = fan, .holders = 1};
    t->holder = base_array(n, sizeof *t->holder, err);
    if (!t->holder) {
        rooted_close(t);
        return RWA_NOMEM;
    }
    t->holder[0] = (struct holder){root, ring ? (n - 1) / 2 : root, ring ? n / 2 : n - 1 - root};
    while (reach(t, t->left) < t->holder[0].left || reach(t, t->left) < t->holder[0].right)
        t->left++;
    *out = t;
    return RWA_OK;
}

static rwa_status tree_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    uint32_t group = request->opts->group;
    return rooted_create(out, request, group > 0 ? (group - 1) / 2 : rwa_network_channels(request->net), err);
}

static rwa_status direct_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    return rooted_create(out, request, rwa_network_nodes(request->net), err);
}

static uint32_t node_at(const struct rooted *t, uint32_t from, uint32_t away, rwa_direction dir)
{
    return (from + (dir == RWA_CW ? away : t->nodes - away)) % t->nodes;
}

/** What the nodes `first` to `last` places away from a holder need goes to the child among them. */
static void inform(const struct rooted *t, struct stage *s, uint32_t from, uint32_t first, uint32_t last, uint32_t child,
                   rwa_direction dir)
{
    for (uint32_t x = first; x <= last; x++) {
        if (!t->scatter && x != child)
            continue;
        s->direction[s->count] = (uint8_t)dir;
        stage_add(s, from, node_at(t, from, child, dir), t->scatter ? node_at(t, from, x, dir) : 0);
    }
}

/** One side of a holder: the far part is cut evenly among as few children as reach it all, each in its middle. */
static uint32_t split_side(struct rooted *t, struct stage *s, uint32_t from, uint32_t side, rwa_direction dir)
{
    uint32_t later = reach(t, t->left - 1), near = side < later ? side : later, far = side - near;
    uint32_t children = (uint32_t)ceil_div(far, 2 * (uint64_t)later + 1);
    for (uint32_t c = 0; c < children; c++) {
        uint32_t first = near + 1 + part_start(far, children, c), last = near + part_start(far, children, c + 1);
        uint32_t child = first + (last - first) / 2;
        bool cw = dir == RWA_CW;
        inform(t, s, from, first, last, child, dir);
        t->holder[t->holders++] = (struct holder){node_at(t, from, child, dir), cw ? child - first : last - child,
                                                  cw ? last - child : child - first};
    }
    return near;
}

static rwa_status rooted_next(void *state, struct stage *s, rwa_error *err)
{
    struct rooted *t = state;
    uint32_t holders = t->holders;
    rwa_status st = RWA_OK;
    if (t->left == 0)
        return RWA_OK;
    TRY(stage_create(s, t->nodes, err));
    s->direction = base_array(t->nodes, sizeof *s->direction, err);
    if (!s->direction)
        return RWA_NOMEM;
    for (uint32_t i = 0; i < holders; i++) {
        struct holder *h = &t->holder[i];
        h->left = split_side(t, s, h->node, h->left, RWA_CCW);
        h->right = split_side(t, s, h->node, h->right, RWA_CW);
    }
    t->left--;
done:
    return st;
}

static rwa_status tree_validate(const struct scheme_request *request, rwa_error *err)
{
    uint32_t group = request->opts->group;
    if (group > 0 && group < 3)
        return base_fail(err, RWA_BADARG, "group %u: expected at least 3, a holder and one node on each side", group);
    return RWA_OK;
}

/** WRHT, Section III-D: the broadcast stage takes ceil(log_m N) steps. */
static void tree_formula(rwa_formula *f, const struct scheme_request *request)
{
    uint64_t m = request->opts->group, n = rwa_network_nodes(request->net);
    if (request->coll->kind != RWA_BROADCAST)
        return;
    if (m == 0)
        m = 2 * (uint64_t)rwa_network_channels(request->net) + 1;
    for (uint64_t power = 1; power < n; power *= m)
        f->steps++;
    f->known = 1;
    f->source = "WRHT, Section III-D, broadcast stage";
}

const struct scheme scheme_tree = {
    .name = "tree",
    .summary = "every holder informs w nodes on each side, evenly spread, until all hold what they need",
    .source = "WRHT, Section III-C, broadcast stage",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_SCATTER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .stripes = true,
    .validate = tree_validate,
    .open = tree_open,
    .next = rooted_next,
    .close = rooted_close,
    .formula = tree_formula,
};

const struct scheme scheme_direct = {
    .name = "direct",
    .summary = "the root sends straight to every node, both ways round",
    .source = "closed form: ceil((N - 1) / 2w) steps on a ring, the root's channels being the limit",
    .collectives = 1u << RWA_BROADCAST | 1u << RWA_SCATTER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .open = direct_open,
    .next = rooted_next,
    .close = rooted_close,
};

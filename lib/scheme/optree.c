/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal position in sibling groups exchange all they hold.
 * Sizes may differ by one, and then positions do not match: what counts is that after every level each group holds each
 * block exactly once, in equal shares for the parts it will be cut into next.
 */
#include "scheme/optree.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct tree {
    uint32_t nodes;
    bool ring;
    const uint32_t *radix;
    size_t levels, level;
    uint32_t *border;       /* group g is border[g] … border[g + 1] - 1 */
    size_t groups;
    uint64_t *first;        /* node v holds block[first[v]] … block[first[v + 1] - 1] */
    uint32_t *block;
    uint64_t *before;       /* of what node v holds, the first before[v] blocks it held before the last stage */
};

static void tree_close(void *state)
{
    struct tree *t = state;
    if (!t)
        return;
    free(t->border);
    free(t->first);
    free(t->block);
    free(t->before);
    free(t);
}

static rwa_status tree_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    uint32_t n = rwa_network_nodes(request->net);
    struct tree *t = base_array(1, sizeof *t, err);
    *out = NULL;
    if (!t)
        return RWA_NOMEM;
    *t = (struct tree){.nodes = n, .ring = rwa_network_get_kind(request->net) == RWA_RING,
                       .radix = request->tuning->radix, .levels = optree_levels(request->tuning)};
    t->border = base_array(2, sizeof *t->border, err);
    t->first = base_array((size_t)n + 1, sizeof *t->first, err);
    t->block = base_array(n, sizeof *t->block, err);
    t->before = base_array(n, sizeof *t->before, err);
    if (!t->border || !t->first || !t->block || !t->before) {
        tree_close(t);
        return RWA_NOMEM;
    }
    t->border[1] = n;
    t->groups = 1;
    for (uint32_t v = 0; v < n; v++) {
        t->first[v + 1] = v + 1u;
        t->block[v] = v;
    }
    *out = t;
    return RWA_OK;
}

static uint32_t parts_of(uint32_t size, uint32_t radix)
{
    return size < radix ? size : radix;
}

static void send(const struct tree *t, struct stage *s, uint32_t v, uint64_t i, uint32_t dst)
{
    s->early[s->count] = i - t->first[v] < t->before[v];
    stage_add(s, v, dst, t->block[i]);
}

/** The first stage of a ring, where every node has one block; a missing position is played by the node before it. */
static void exchange_places(const struct tree *t, struct stage *s, uint32_t parts)
{
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < parts; b++) {
            uint32_t to = part_start(t->nodes, parts, a), last = part_start(t->nodes, parts, a + 1) - 1;
            uint32_t from = part_start(t->nodes, parts, b), end = part_start(t->nodes, parts, b + 1);
            for (uint32_t v = from; v < end && a != b; v++)
                send(t, s, v, v, to + (v - from) <= last ? to + (v - from) : last);
        }
}

/**
 * How many of `blocks` blocks each node of [from, to) should hold: shared out as the levels to come will cut the nodes.
 * Then the children of every later group hold equally much, be they large or small, and no link carries more than the
 * formula says.
 */
static void share_out(const struct tree *t, size_t level, uint32_t from, uint32_t to, uint32_t blocks, uint32_t *share)
{
    uint32_t size = to - from, parts = size > 1 ? parts_of(size, t->radix[level]) : 0;
    if (parts == 0)
        share[from] = blocks;
    for (uint32_t c = 0; c < parts; c++)
        share_out(t, level + 1, from + part_start(size, parts, c), from + part_start(size, parts, c + 1),
                  middle_start(blocks, parts, c + 1) - middle_start(blocks, parts, c), share);
}

/** A child that sends: what it holds is block[next] … block[end - 1], the first of them at node. */
struct sender {
    uint32_t node;
    uint64_t next, end;
};

static struct sender sender_of(const struct tree *t, uint32_t from, uint32_t to)
{
    return (struct sender){from, t->first[from], t->first[to]};
}

/** The sender's next block to dst; false when it has sent all. */
static bool send_next(const struct tree *t, struct stage *s, struct sender *b, uint32_t dst)
{
    if (b->next == b->end)
        return false;
    while (b->next == t->first[b->node + 1])
        b->node++;
    send(t, s, b->node, b->next++, dst);
    return true;
}

/**
 * Child a of the group gets everything its siblings hold.  The siblings take turns, node after node, so that each sends
 * its first blocks to a's first nodes and its last to the last: to equal positions, where the children are equal.
 */
static void fill_child(const struct tree *t, struct stage *s, struct sender *siblings, uint32_t parts, uint32_t from,
                       uint32_t to, const uint32_t *share)
{
    uint32_t turn = 0, idle = 0;
    for (uint32_t v = from; v < to; v++) {
        uint64_t held = t->first[v + 1] - t->first[v];
        while (held < share[v] && idle < parts) {
            bool sent = send_next(t, s, &siblings[turn], v);
            held += sent;
            idle = sent ? 0 : idle + 1;
            turn = (turn + 1) % parts;
        }
    }
}

/** The group's children fill up: child c is border[c] … border[c + 1] - 1; `siblings` has room for them. */
static void fill_group(const struct tree *t, struct stage *s, const uint32_t *border, uint32_t parts,
                       struct sender *siblings, uint32_t *share)
{
    for (uint32_t a = 0; a < parts && parts > 1; a++) {
        for (uint32_t b = 0; b < parts; b++)
            siblings[b] = sender_of(t, border[b], border[b + 1]);
        siblings[a].next = siblings[a].end;
        share_out(t, t->level + 1, border[a], border[a + 1], t->nodes, share);
        fill_child(t, s, siblings, parts, border[a], border[a + 1], share);
    }
}

/** On a ring the first stage goes all the way round: name each node's place and copy for the closed construction. */
static rwa_status name_places(const struct tree *t, struct stage *s, rwa_error *err)
{
    uint32_t parts = parts_of(t->nodes, s->radix);
    s->rank_of = base_array(t->nodes, sizeof *s->rank_of, err);
    s->copy_of = base_array(t->nodes, sizeof *s->copy_of, err);
    if (!s->rank_of || !s->copy_of)
        return RWA_NOMEM;
    s->ranks = parts;
    s->copies = part_start(t->nodes, parts, 1);
    for (uint32_t c = 0; c < parts; c++)
        for (uint32_t v = part_start(t->nodes, parts, c); v < part_start(t->nodes, parts, c + 1); v++) {
            s->rank_of[v] = c;
            s->copy_of[v] = v - part_start(t->nodes, parts, c);
        }
    return RWA_OK;
}

/** Who holds what after the stage. */
static rwa_status receive(struct tree *t, const struct stage *s, rwa_error *err)
{
    rwa_status st = RWA_NOMEM;
    uint64_t *first = base_array((size_t)t->nodes + 1, sizeof *first, err);
    uint64_t *fill = base_array(t->nodes, sizeof *fill, err);
    uint32_t *block = base_array(t->first[t->nodes] + s->count, sizeof *block, err);
    if (!first || !fill || !block)
        goto done;
    for (size_t i = 0; i < s->count; i++)
        first[s->dst[i] + 1]++;
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t own = t->first[v + 1] - t->first[v];
        first[v + 1] += first[v] + own;
        memcpy(block + first[v], t->block + t->first[v], own * sizeof *block);
        fill[v] = first[v] + own;
        t->before[v] = own;
    }
    for (size_t i = 0; i < s->count; i++)
        block[fill[s->dst[i]]++] = s->block[i];
    free(t->first);
    free(t->block);
    t->first = first;
    t->block = block;
    first = NULL;
    block = NULL;
    st = RWA_OK;
done:
    free(first);
    free(fill);
    free(block);
    return st;
}

/** The most nodes that the levels after this one can still separate. */
static uint32_t separable(const struct tree *t)
{
    uint64_t most = 1;
    for (size_t level = t->level + 1; level < t->levels && most < t->nodes; level++)
        most *= t->radix[level];
    return most < t->nodes ? (uint32_t)most : t->nodes;
}

/**
 * The lightpaths over the border between child c - 1 and child c of `parts`, in the heavier direction, when the children
 * on its left hold so many blocks: each of these goes to every child on the right, and the other way round.
 */
static uint64_t border_load(const struct tree *t, uint64_t left, uint32_t parts, uint32_t c)
{
    uint64_t there = left * (parts - c), back = (t->nodes - left) * c;
    return there > back ? there : back;
}

/**
 * Cut a group where its borders carry least: after the first stage of a ring nodes hold what their position got, not
 * equal shares of what comes.  Every child keeps a node, and not more than the later levels can separate.
 */
static void cut_by_load(const struct tree *t, uint32_t from, uint32_t to, uint32_t parts, uint32_t *border)
{
    uint32_t most = separable(t);
    border[0] = from;
    for (uint32_t c = 1; c <= parts; c++) {
        uint32_t last = border[c - 1] + most < to - (parts - c) ? border[c - 1] + most : to - (parts - c);
        uint64_t need = (uint64_t)(parts - c) * most; /* the children to the right take no more than this */
        border[c] = border[c - 1] + 1;
        if (to - from > need && border[c] + need < to)
            border[c] = (uint32_t)(to - need);
        for (uint32_t at = border[c] + 1; at <= last; at++)
            if (border_load(t, t->first[at] - t->first[from], parts, c) <
                border_load(t, t->first[border[c]] - t->first[from], parts, c))
                border[c] = at;
    }
}

/** The borders of the groups that every group is cut into at this level. */
static rwa_status cut_groups(const struct tree *t, uint32_t **out, size_t children, rwa_error *err)
{
    uint32_t *border = base_array(children + 1, sizeof *border, err);
    size_t k = 0;
    *out = border;
    if (!border)
        return RWA_NOMEM;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t from = t->border[g], size = t->border[g + 1] - from, parts = parts_of(size, t->radix[t->level]);
        for (uint32_t c = 0; c <= parts; c++)
            border[k + c] = from + part_start(size, parts, c);
        if (t->level == 1 && t->ring && parts > 1)
            cut_by_load(t, from, from + size, parts, border + k);
        k += parts;
    }
    return RWA_OK;
}

/** Room for the transfers of the stage; how many groups there will be. */
static rwa_status stage_open(const struct tree *t, struct stage *s, size_t *children, rwa_error *err)
{
    uint64_t transfers = 0;
    rwa_status st = RWA_OK;
    *children = 0;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t parts = parts_of(t->border[g + 1] - t->border[g], t->radix[t->level]);
        *children += parts;
        transfers += (uint64_t)(parts - 1) * t->nodes;
    }
    TRY(stage_create(s, transfers, err));
    s->radix = t->radix[t->level];
    s->early = base_array(transfers, sizeof *s->early, err);
    if (!s->early)
        st = RWA_NOMEM;
done:
    return st;
}

/** All groups fill their children, whose borders are given. */
static rwa_status fill_groups(const struct tree *t, struct stage *s, const uint32_t *border, rwa_error *err)
{
    struct sender *siblings = base_array(s->radix, sizeof *siblings, err);
    uint32_t *share = base_array(t->nodes, sizeof *share, err);
    rwa_status st = siblings && share ? RWA_OK : RWA_NOMEM;
    for (size_t g = 0; g < t->groups && st == RWA_OK; g++) {
        uint32_t parts = parts_of(t->border[g + 1] - t->border[g], s->radix);
        fill_group(t, s, border, parts, siblings, share);
        border += parts;
    }
    free(siblings);
    free(share);
    return st;
}

static rwa_status tree_next(void *state, struct stage *s, rwa_error *err)
{
    struct tree *t = state;
    size_t children = 0;
    uint32_t *border = NULL;
    rwa_status st = RWA_OK;
    if (t->level == t->levels || t->groups == t->nodes)
        return RWA_OK;
    TRY(stage_open(t, s, &children, err));
    TRY(cut_groups(t, &border, children, err));
    if (t->level == 0 && t->ring) {
        TRY(name_places(t, s, err));
        exchange_places(t, s, s->ranks);
    } else {
        TRY(fill_groups(t, s, border, err));
    }
    free(t->border);
    t->border = border;
    t->groups = children;
    border = NULL;
    if (t->groups < t->nodes)
        TRY(receive(t, s, err));
    t->level++;
done:
    free(border);
    return st;
}

const struct scheme scheme_optree = {
    .name = "optree",
    .summary = "m-ary tree: nodes at equal position in sibling groups exchange all they hold",
    .source = "OpTree, Section IV",
    .collectives = 1u << RWA_ALL_GATHER,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .validate = optree_validate,
    .tunings = optree_tunings,
    .open = tree_open,
    .next = tree_next,
    .close = tree_close,
    .formula = optree_formula,
};

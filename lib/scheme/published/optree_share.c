/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The transfers that fill up a group's children: shares of all blocks, dealt out in order. */
#include "scheme/published/optree_tree.h"

/**
 * How many of `blocks` blocks each node of [from, to) should hold: shared out as the levels to come will cut the nodes.
 * Then the children of every later group hold equally much, be they large or small, and no link carries more than the
 * formula says.
 */
static void share_out(const struct tree *t, size_t level, uint32_t from, uint32_t to, uint32_t blocks, uint32_t *share)
{
    uint32_t size = to - from, parts = size > 1 ? tree_parts(size, t->radix[level]) : 0;
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
static bool send_next(const struct tree *t, struct transfers *s, struct sender *b, uint32_t dst)
{
    if (b->next == b->end)
        return false;
    while (b->next == t->first[b->node + 1])
        b->node++;
    tree_send(t, s, b->node, b->next++, dst);
    return true;
}

/**
 * Child a of the group gets everything its siblings hold.  The siblings take turns, node after node, so that each sends
 * its first blocks to a's first nodes and its last to the last: to equal positions, where the children are equal.
 */
static void fill_child(const struct tree *t, struct transfers *s, struct sender *siblings, uint32_t parts, uint32_t from,
                       uint32_t to, const uint32_t *share)
{
    uint32_t turn = 0, idle = 0;
    for (uint32_t v = from; v < to; v++) {
        uint64_t held = t->first[v + 1] - t->first[v];
        while (held < share[v] && idle < parts) {
            bool sent = send_next(t, s, &siblings[turn], v);
            held += sent;
            idle = sent ? 0 : idle + 1;
            turn = turn + 1 < parts ? turn + 1 : 0;
        }
    }
}

/** The group's children fill up: child c is border[c] … border[c + 1] - 1; `siblings` has room for them. */
static void fill_group(const struct tree *t, struct transfers *s, const uint32_t *border, uint32_t parts,
                       struct sender *siblings, uint32_t *share)
{
    for (uint32_t a = 0; a < parts && parts > 1; a++) {
        for (uint32_t b = 0; b < parts; b++)
            siblings[b] = sender_of(t, border[b], border[b + 1]);
        siblings[a].next = siblings[a].end;
        share_out(t, t->level + 1, border[a], border[a + 1], tree_blocks(t), share);
        fill_child(t, s, siblings, parts, border[a], border[a + 1], share);
    }
}

rwa_status tree_fill_groups(const struct tree *t, struct transfers *s, const uint32_t *border, rwa_error *err)
{
    struct sender *siblings = base_array(s->radix, sizeof *siblings, err);
    uint32_t *share = base_array(t->nodes, sizeof *share, err);
    rwa_status st = siblings && share ? RWA_OK : RWA_NOMEM;
    for (size_t g = 0; g < t->groups && st == RWA_OK; g++) {
        uint32_t parts = tree_parts(t->border[g + 1] - t->border[g], s->radix);
        fill_group(t, s, border, parts, siblings, share);
        border += parts;
    }
    free_all(siblings, share);
    return st;
}

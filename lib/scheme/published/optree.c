/* SPDX-License-Identifier: GPL-3.0-or-later */
/** OpTree (Dai, Chen, Huang, Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems).
 * Level j splits every group into m children; nodes at equal positions of sibling groups exchange all blocks that they
 * hold.  Sizes may differ by one, and then positions do not match.
 *
 * Invariant: after every level each group holds each block exactly once, in equal shares for the parts into which it
 * will be cut next. */
#include "scheme/published/optree.h"

#include "base/arena.h"

/** A child group as a sender.  The blocks that it has yet to send are block[next] … block[end - 1]; the first of them
 * is held by node `node`. */
struct optree_sender {
    uint32_t node;
    uint64_t next, end;
};

/** The tree under construction: the blocks that each node holds, and the groups of the current level. */
struct optree {
    uint32_t nodes;
    uint32_t blocks; /* of all nodes, equally many of each at the start */
    bool cycle;
    const uint32_t *radix;
    size_t levels, level;
    uint32_t *border;      /* group g is border[g] … border[g + 1] - 1 */
    uint32_t *next_border; /* of the children of all groups */
    size_t groups;
    uint64_t *first; /* node v holds block[first[v]] … block[first[v + 1] - 1] */
    uint32_t *block;
    uint64_t *before; /* node v held the first before[v] of its blocks before the last stage */
    uint64_t *fill;
    uint32_t *share; /* blocks that each node of a group should hold after the stage */
    struct optree_sender *sibling;
    struct arena memory; /* of the arrays but the blocks */
};

static rwa_status tree_open(struct optree *t, const struct optree_row *row, rwa_error *err)
{
    uint32_t n = row->nodes, held = row->stride;
    *t = (struct optree){.nodes = n, .blocks = n * held, .cycle = row->cycle, .groups = 1, .memory.err = err};
    arena_arrays(&t->memory, (size_t)n + 1, t->border, t->next_border, t->first);
    MUST(arena_arrays(&t->memory, n, t->before, t->fill, t->share, t->sibling));
    MUST(base_new(t->block, t->blocks, err));
    t->border[1] = n;
    for (uint32_t v = 0; v < n; v++)
        t->first[v + 1] = (v + UINT64_C(1)) * held;
    for (uint32_t b = 0; b < t->blocks; b++)
        t->block[b] = b;
    return RWA_OK;
}

static void tree_close(struct optree *t)
{
    free(t->block);
    arena_free(&t->memory);
}

static uint32_t parts_of(const struct optree *t, uint32_t size, size_t level)
{
    return lesser(size, t->radix[level]);
}

/** Add a transfer of t->block[i], which node v holds, from v to dst. */
static void tree_send(const struct optree *t, struct transfers *s, uint32_t v, uint64_t i, uint32_t dst)
{
    s->early[s->count] = i - t->first[v] < t->before[v];
    transfer_add(s, v, dst, t->block[i]);
}

/* ---- children ---- */

/** Return the largest size of a group that the levels after this one can cut into single nodes. */
static uint32_t separable(const struct optree *t)
{
    uint64_t most = 1;
    for (size_t level = t->level + 1; level < t->levels && most < t->nodes; level++)
        most *= t->radix[level];
    return lesser(most, t->nodes);
}

/** Return the number of lightpaths, in the direction with more, over the border between children c - 1 and c of a group
 * of `parts` children.  The group begins at node `from`, child c at node `at`.  Each block on one side of the border
 * goes to every child on the other. */
static uint64_t border_load(const struct optree *t, uint32_t from, uint32_t at, uint32_t parts, uint32_t c)
{
    uint64_t left = t->first[at] - t->first[from], there = left * (parts - c), back = (t->blocks - left) * c;
    return there > back ? there : back;
}

/** Cut a group (nodes from … to - 1) into `parts` children where the fewest lightpaths cross the borders: border[c]
 * becomes the end of child c - 1.  Every child has at least one node, and at most as many as the later levels can
 * separate. */
static void cut_by_load(const struct optree *t, uint32_t from, uint32_t to, uint32_t parts, uint32_t *border)
{
    uint32_t most = separable(t);
    for (uint32_t c = 1; c <= parts; c++) {
        uint32_t last = lesser(border[c - 1] + (uint64_t)most, to - (parts - c));
        uint64_t need = (uint64_t)(parts - c) * most; /* the children to the right take no more than this */
        border[c] = border[c - 1] + 1;
        if (border[c] + need < to)
            border[c] = (uint32_t)(to - need);
        for (uint32_t at = border[c] + 1; at <= last; at++)
            if (border_load(t, from, at, parts, c) < border_load(t, from, border[c], parts, c))
                border[c] = at;
    }
}

/** Find the borders of the children of all groups, and list them in t->next_border.  Returns the number of children. */
static size_t cut_groups(struct optree *t)
{
    size_t children = 0;
    for (size_t g = 0; g < t->groups; g++) {
        uint32_t from = t->border[g], size = t->border[g + 1] - from, parts = parts_of(t, size, t->level),
                 *border = t->next_border + children;
        for (uint32_t c = 0; c <= parts; c++)
            border[c] = from + part_start(size, parts, c);
        if (t->level == 1 && t->cycle && parts > 1)
            cut_by_load(t, from, from + size, parts, border);
        children += parts;
    }
    return children;
}

/* ---- transfers ---- */

/** Add the transfers of the first stage on a ring, which has `parts` groups: every node sends its own blocks to the
 * nodes at its position in all other groups, or to the last node of a shorter group.  Also set the ranks of nodes and
 * the copies of transfers in `s`; by these the planner sees that its closed form for an exchange applies. */
static rwa_status exchange_places(const struct optree *t, struct transfers *s, uint32_t parts)
{
    const uint32_t *border = t->next_border;
    uint32_t held = t->blocks / t->nodes;
    MUST(arena_arrays(&s->memory, t->nodes, s->rank_of));
    s->ranks = parts;
    s->copies = border[1] * held;
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = 0; b < parts; b++)
            for (uint32_t v = border[b]; v < border[b + 1]; v++) {
                uint32_t position = v - border[b];
                s->rank_of[v] = b;
                for (uint32_t k = 0; k < held && a != b; k++) {
                    s->copy[s->count] = position * held + k;
                    tree_send(t, s, v, t->first[v] + k, lesser(border[a] + position, border[a + 1] - 1));
                }
            }
    return RWA_OK;
}

/** Set t->share[v], the number of blocks that node v should hold, for nodes from … to - 1 with `blocks` blocks
 * together.  The blocks are divided as the later levels will divide the nodes, so that all children of a group hold
 * equally many, even if their sizes differ. */
static void share_out(const struct optree *t, size_t level, uint32_t from, uint32_t to, uint32_t blocks)
{
    uint32_t size = to - from, parts = size > 1 ? parts_of(t, size, level) : 0;
    if (parts == 0)
        t->share[from] = blocks;
    for (uint32_t c = 0; c < parts; c++)
        share_out(t, level + 1, from + part_start(size, parts, c), from + part_start(size, parts, c + 1),
                  middle_start(blocks, parts, c + 1) - middle_start(blocks, parts, c));
}

/** Add the transfer of the next block that a child group (`b`) has yet to send, to node dst.  Returns false if the
 * group has sent all. */
static bool send_next(const struct optree *t, struct transfers *s, struct optree_sender *b, uint32_t dst)
{
    if (b->next == b->end)
        return false;
    while (b->next == t->first[b->node + 1])
        b->node++;
    tree_send(t, s, b->node, b->next++, dst);
    return true;
}

/** Add the transfers that bring child a of a group all blocks of its siblings.  The group has `parts` children; child
 * c begins at node border[c].  The siblings send in turn, and each sends its first blocks to a's first nodes and its
 * last blocks to a's last nodes; if the children are equal, these are equal positions. */
static void fill_child(const struct optree *t, struct transfers *s, const uint32_t *border, uint32_t parts, uint32_t a)
{
    uint32_t turn = 0, idle = 0;
    for (uint32_t b = 0; b < parts; b++)
        t->sibling[b] = (struct optree_sender){border[b], t->first[border[b]], t->first[border[b == a ? b : b + 1]]};
    share_out(t, t->level + 1, border[a], border[a + 1], t->blocks);
    for (uint32_t v = border[a]; v < border[a + 1]; v++)
        for (uint64_t held = t->first[v + 1] - t->first[v]; held < t->share[v] && idle < parts;
             turn = (turn + 1) % parts) {
            bool sent = send_next(t, s, &t->sibling[turn], v);
            held += sent;
            idle = sent ? 0 : idle + 1;
        }
}

/** Append to the blocks of each node in t->block those that the transfers of a stage bring it, and set t->first and
 * t->before accordingly. */
static rwa_status receive(struct optree *t, const struct transfers *s, rwa_error *err)
{
    uint32_t *block;
    uint64_t end = 0;
    MUST(base_new(block, t->first[t->nodes] + s->count, err));
    memset(t->fill, 0, t->nodes * sizeof *t->fill);
    for (size_t i = 0; i < s->count; i++)
        t->fill[s->dst[i]]++;
    for (uint32_t v = 0; v < t->nodes; v++) {
        uint64_t from = t->first[v], more = t->fill[v];
        t->before[v] = t->first[v + 1] - from;
        memcpy(block + end, t->block + from, t->before[v] * sizeof *block);
        t->first[v] = end;
        t->fill[v] = end + t->before[v];
        end = t->fill[v] + more;
    }
    t->first[t->nodes] = end;
    for (size_t i = 0; i < s->count; i++)
        block[t->fill[s->dst[i]]++] = s->block[i];
    free(t->block);
    t->block = block;
    return RWA_OK;
}

/** Add the transfers of the next level: cut every group into children, and bring each child all blocks of its
 * siblings. */
static rwa_status fill_level(struct optree *t, struct transfers *s, rwa_error *err)
{
    size_t children = cut_groups(t);
    bool closed = t->level == 0 && t->cycle;
    uint32_t *border = t->next_border;
    MUST(transfers_create(s, (children - t->groups) * t->blocks, WITH_EARLY | (closed ? WITH_COPY : 0), err));
    s->radix = t->radix[t->level];
    if (closed)
        MUST(exchange_places(t, s, (uint32_t)children));
    for (size_t g = 0, first = 0; g < t->groups && !closed; g++) {
        uint32_t parts = parts_of(t, t->border[g + 1] - t->border[g], t->level);
        for (uint32_t a = 0; a < parts && parts > 1; a++)
            fill_child(t, s, border + first, parts, a);
        first += parts;
    }
    t->next_border = t->border;
    t->border = border;
    t->groups = children;
    t->level++;
    return children < t->nodes ? receive(t, s, err) : RWA_OK;
}

/** Push all levels of the tree along one dimension, with the radices of the request from number *level on.  *level is
 * raised by the number of levels. */
static rwa_status push_tree(struct schedule_sink *sink, const struct plan_request *request, size_t dimension,
                            size_t *level)
{
    const struct parameters *p = request->parameters;
    struct optree_row row = optree_row(request->net, dimension);
    size_t left = optree_levels(p) - *level;
    struct transfers s = {0};
    struct optree t;
    rwa_status st = RWA_OK;
    TRY(tree_open(&t, &row, sink->err));
    t.radix = p->radix + *level;
    t.levels = dimension > 0 ? optree_needed(t.radix, left, row.nodes) : left;
    *level += t.levels;
    assert(*level <= RADIX_LEVELS);
    while (t.level < t.levels && t.groups < t.nodes) {
        TRY(fill_level(&t, &s, sink->err));
        if (optree_dimensions(request->net) > 1)
            s.rows = (struct stage_rows){row.nodes, row.stride};
        TRY(sink_transfers(sink, &s));
    }
done:
    transfers_free(&s);
    tree_close(&t);
    return st;
}

/** Push one tree after the other: one tree on a ring or line; on a torus or mesh one along each dimension, the last
 * dimension first. */
static rwa_status plan_optree(struct schedule_sink *sink, const struct plan_request *request)
{
    size_t level = 0;
    for (size_t d = optree_dimensions(request->net); d-- > 0;)
        MUST(push_tree(sink, request, d, &level));
    return RWA_OK;
}

const struct scheme scheme_optree = {
    .name = "optree",
    .summary = "m-ary tree: nodes at equal position in sibling groups exchange all they hold",
    .source = "OpTree, Section IV",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .reads = READS_RADIX | READS_STAGES,
    .solver_needs = NETWORK_ARCS | NETWORK_TORUS | NETWORK_MESH,
    .traits = REVERSIBLE,
    .validate = optree_validate,
    .estimate = optree_estimate,
    .plan = plan_optree,
    .formula = optree_formula,
};

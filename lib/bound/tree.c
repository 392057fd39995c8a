/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broadcast-tree: every block needs a tree of lightpaths, and all trees together must fit the links' channels.
 *
 * gap[g]   C(g,t): least total length that informs the g-1 nodes between two holders at distance g within t steps
 * reach[x] A(x): least cost of the nodes informed in the first step from the left holder, the last of them at x,
 *          and of filling the parts between them in t-1 steps
 * outer[n] D(n,t): the same for n nodes with a holder on one side only (a line)
 * A table is finite on 0 .. count-1 and infinite beyond. */
#include "bound/bound.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t infinite = UINT64_MAX;
static const double most_work = 4e9;
static const uint32_t most_nodes = 65536;

struct table {
    uint64_t *at;
    size_t count;
};

struct candidate {
    size_t y;       /* the node before the last */
    size_t from;    /* best from this x on */
};

struct tree {
    struct table gap, reach, twice, outer, next;
    struct candidate *queue;
    size_t limit;   /* the longest lightpath */
    size_t room;    /* entries of a table: nodes + 1 */
    double work;
};

static bool is_convex(const struct table *t)
{
    for (size_t i = 2; i < t->count; i++)
        if (t->at[i] + t->at[i - 2] < 2 * t->at[i - 1])
            return false;
    return true;
}

static size_t sum_count(const struct table *a, const struct table *b, size_t room)
{
    size_t count = a->count + b->count - 1;
    return count < room ? count : room;
}

/** out(n) = min over i of a(i) + b(n-i), both convex: their slopes in rising order. */
static void merge_slopes(struct table *out, const struct table *a, const struct table *b, size_t room)
{
    size_t i = 0, j = 0;
    out->count = sum_count(a, b, room);
    out->at[0] = a->at[0] + b->at[0];
    for (size_t n = 1; n < out->count; n++) {
        bool left = j + 1 >= b->count ||
                    (i + 1 < a->count && a->at[i + 1] + b->at[j] <= b->at[j + 1] + a->at[i]);
        i += left;
        j += !left;
        out->at[n] = a->at[i] + b->at[j];
    }
}

static void try_all_sums(struct table *out, const struct table *a, const struct table *b, size_t room)
{
    out->count = sum_count(a, b, room);
    for (size_t n = 0; n < out->count; n++)
        out->at[n] = infinite;
    for (size_t i = 0; i < a->count && i < out->count; i++)
        for (size_t j = 0; j < b->count && i + j < out->count; j++)
            if (a->at[i] + b->at[j] < out->at[i + j])
                out->at[i + j] = a->at[i] + b->at[j];
}

static void add_tables(struct tree *tree, struct table *out, const struct table *a, const struct table *b)
{
    if (is_convex(a) && is_convex(b)) {
        merge_slopes(out, a, b, tree->room);
        tree->work += (double)out->count;
    } else {
        try_all_sums(out, a, b, tree->room);
        tree->work += (double)a->count * (double)b->count;
    }
}

static uint64_t through(const struct tree *tree, size_t y, size_t x)
{
    return x - y < tree->gap.count ? tree->reach.at[y] + tree->gap.at[x - y] : infinite;
}

/** The first x after `y` at which y is as good as the older candidate; it stays so, since the gaps are convex. */
static size_t overtakes(const struct tree *tree, size_t y, size_t older)
{
    size_t low = y + 1, high = tree->reach.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (through(tree, y, middle) <= through(tree, older, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void reach_by_queue(struct tree *tree)
{
    struct candidate *queue = tree->queue;
    size_t head = 0, tail = 1;
    queue[0] = (struct candidate){0, 1};
    for (size_t x = 1; x < tree->reach.count; x++) {
        while (head + 1 < tail && queue[head + 1].from <= x)
            head++;
        tree->reach.at[x] = x + through(tree, queue[head].y, x);
        size_t from = overtakes(tree, x, queue[tail - 1].y);
        while (tail > head + 1 && from <= queue[tail - 1].from) {
            tail--;
            from = overtakes(tree, x, queue[tail - 1].y);
        }
        if (from < tree->reach.count)
            queue[tail++] = (struct candidate){x, from};
    }
}

static void reach_by_trying(struct tree *tree)
{
    for (size_t x = 1; x < tree->reach.count; x++) {
        uint64_t best = infinite;
        for (size_t y = 0; y < x; y++)
            if (through(tree, y, x) < best)
                best = through(tree, y, x);
        tree->reach.at[x] = x + best;
    }
}

static void find_reach(struct tree *tree)
{
    double count = (double)tree->limit + 1, depth = 1;
    tree->reach.count = tree->limit + 1;
    tree->reach.at[0] = 0;
    if (is_convex(&tree->gap)) {
        for (size_t n = tree->limit; n > 0; n /= 2)
            depth++;
        tree->work += count * depth;
        reach_by_queue(tree);
    } else {
        tree->work += count * count / 2;
        reach_by_trying(tree);
    }
}

static bool replace(struct tree *tree, struct table *table)
{
    struct table old = *table;
    bool same = old.count == tree->next.count && memcmp(old.at, tree->next.at, old.count * sizeof *old.at) == 0;
    *table = tree->next;
    tree->next = old;
    return same;
}

/** From t-1 to t steps; true when nothing changed, so that nothing ever will. */
static bool one_more_step(struct tree *tree)
{
    find_reach(tree);
    add_tables(tree, &tree->next, &tree->reach, &tree->outer);
    bool same = replace(tree, &tree->outer);
    add_tables(tree, &tree->twice, &tree->reach, &tree->reach);
    add_tables(tree, &tree->next, &tree->twice, &tree->gap);
    return replace(tree, &tree->gap) && same;
}

/** Channels-times-links that all blocks need, per round of one block a node; infinite when some node is out of reach. */
static uint64_t need(const struct tree *tree, const struct bound_case *c)
{
    uint64_t sum = 0;
    if (c->kind == RWA_RING)
        return tree->gap.count > c->nodes ? tree->gap.at[c->nodes] : infinite;
    if (tree->outer.count < c->nodes)
        return infinite;
    for (size_t n = 0; n < c->nodes; n++)
        sum += tree->outer.at[n];
    return sum;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/** The least T with need <= capacity of T steps.  Ring: blocks C(N,T) <= 2 N W T; line: blocks/N of 2 sum D(n,T). */
static uint64_t steps_for(uint64_t cost, const struct bound_case *c)
{
    uint64_t factor = c->kind == RWA_RING ? c->coll->blocks : c->coll->blocks / c->nodes;
    uint64_t capacity = c->kind == RWA_RING ? 2 * (uint64_t)c->nodes * c->channels
                                            : (uint64_t)(c->nodes - 1) * c->channels;
    if (cost > UINT64_MAX / factor)
        return infinite;
    return divide_up(cost * factor, capacity);
}

static rwa_status make_tables(struct tree *tree, uint32_t nodes, rwa_error *err)
{
    struct table *tables[] = {&tree->gap, &tree->reach, &tree->twice, &tree->outer, &tree->next};
    tree->room = (size_t)nodes + 1;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        tables[i]->at = base_array(tree->room, sizeof *tables[i]->at, err);
        if (!tables[i]->at)
            return RWA_NOMEM;
    }
    tree->queue = base_array(tree->room, sizeof *tree->queue, err);
    tree->gap.count = 2;
    tree->outer.count = 1;
    return tree->queue ? RWA_OK : RWA_NOMEM;
}

static void free_tables(struct tree *tree)
{
    free(tree->gap.at);
    free(tree->reach.at);
    free(tree->twice.at);
    free(tree->outer.at);
    free(tree->next.at);
    free(tree->queue);
}

static rwa_status search(uint64_t *value, struct tree *tree, const struct bound_case *c, rwa_error *err)
{
    bool settled = false;
    for (uint64_t t = 1; tree->work < most_work; t++) {
        if (base_must_stop(c->watch, "broadcast-tree bound", tree->work / most_work))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the broadcast-tree bound");
        settled = one_more_step(tree);
        uint64_t cost = need(tree, c);
        uint64_t steps = cost == infinite ? infinite : steps_for(cost, c);
        if (steps <= t || (settled && steps != infinite)) {
            *value = steps < t ? t : steps;
            break;
        }
    }
    return RWA_OK;
}

/** Whether even the fewest possible steps would take too long. */
static bool too_much(const struct bound_case *c, size_t limit)
{
    double nodes = c->nodes, depth = 1;
    double steps = steps_for(c->nodes - 1, c) < c->nodes ? (double)steps_for(c->nodes - 1, c) : nodes;
    if (steps < nodes / (2.0 * (double)limit))
        steps = nodes / (2.0 * (double)limit);
    for (size_t n = limit; n > 0; n /= 2)
        depth++;
    return steps * (3 * nodes + depth * (double)limit) > most_work;
}

rwa_status bound_tree(uint64_t *value, const struct bound_case *c, rwa_error *err)
{
    struct tree tree = {0};
    rwa_status st = RWA_OK;
    *value = 0;
    if (c->nodes > most_nodes || (c->kind == RWA_LINE && c->coll->blocks % c->nodes != 0))
        return RWA_OK;
    tree.limit = c->max_hops > 0 && c->max_hops < c->nodes ? c->max_hops : c->nodes - 1;
    if (too_much(c, tree.limit))
        return RWA_OK;
    TRY(make_tables(&tree, c->nodes, err));
    TRY(search(value, &tree, c, err));
done:
    free_tables(&tree);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How blocks travel over a logical topology: all-gathers step by step, the rarest blocks first; all-to-alls over shortest ways. */
#include "scheme/own/logical.h"

enum { POLL_CARRIAGES = 1 << 16, POLL_PAIRS = 1 << 12 };

void carriages_free(struct carriages *c)
{
    free_all(c->list, c->load);
    *c = (struct carriages){0};
}

/** The next step begins, with nothing on any lightpath. */
static rwa_status begin_step(struct carriages *c, rwa_error *err)
{
    c->steps++;
    MUST(base_grow((void **)&c->load, &c->load_room, c->steps + 1, sizeof *c->load, err));
    c->load[c->steps] = 0;
    return RWA_OK;
}

static rwa_status keep_carriage(struct carriages *c, struct carriage carriage, rwa_error *err)
{
    return base_append(c->list, c->count, c->room, err, carriage);
}

rwa_status carriages_sort(struct carriages *c, const struct logical *t, rwa_error *err)
{
    struct bins bins = {0};
    size_t keys = ((size_t)c->steps + 1) * t->links;
    struct carriage *sorted = base_array(c->count, sizeof *sorted, err);
    rwa_status st = sorted ? RWA_OK : RWA_NOMEM;
    TRY(st);
    TRY(bins_open(&bins, keys, err));
    for (size_t i = 0; i < c->count; i++)
        bins_count(&bins, (size_t)c->list[i].step * t->links + c->list[i].link);
    TRY(bins_divide(&bins, keys, err));
    for (size_t i = 0; i < c->count; i++) {
        if (i % POLL_CARRIAGES == 0)
            TRY(physical_go_on(t->physical, err));
        sorted[bins_place(&bins, (size_t)c->list[i].step * t->links + c->list[i].link)] = c->list[i];
    }
    free(c->list);
    c->list = sorted;
    c->room = c->count;
    sorted = NULL;
done:
    bins_free(&bins);
    free(sorted);
    return st;
}

/* ---- all-gather ---- */

/** Of a rank: more than twice as many as there are blocks. */
#define HOLDER (1U << 18)

enum { NODE_WORDS = LOGICAL_NODES / 64, SOME_WORDS = NODE_WORDS / 2, FEW_WORDS = GREEDY_NODES / 64 };

/** A set of nodes. */
struct nodes {
    uint64_t word[NODE_WORDS];
};

/** The blocks that a lightpath can bring in a step: a list of those that it prefers, and then one of the others. */
struct stock {
    size_t first[2];
    uint32_t count[2];
    bool known;
};

struct gossip {
    const struct logical *t;
    uint32_t nodes, parts, blocks;
    uint32_t node_words;        /* that the nodes fill in a set of them */
    double spent_s;             /* on steps so far */
    size_t words;
    uint64_t *has, *offers;     /* [node][word]: blocks so far; those of the start of the step that the node may pass on */
    uint64_t *kept;             /* [node][word]: blocks that the node does not pass on */
    uint32_t *rank;             /* of each block: HOLDER for each holder, those at the end of the step, too; plus its number */
    uint32_t *link;             /* [node][block]: over which it arrives; */
    uint16_t *step;             /* and when; 0: from the start */
    uint32_t *onward;           /* [node][block]: to how many the node sends it */
    uint32_t *again;            /* [node][block]: the lightpath that brings it once more in the last step, plus 1; 0: none does */
    struct bins out;            /* lightpaths by the node that they leave */
    uint32_t *order;            /* of lightpaths, drawn at random; of parallel ones, no more than there are parts */
    uint32_t lit;               /* how many those are */
    struct nodes *near;         /* of each node: to which it has lightpaths */
    struct nodes *keepers;      /* of each block: nodes that do not pass it on, */
    bool *longer;               /* and whether that may make its way to some node longer */
    uint32_t *carried;          /* by each lightpath in the step */
    uint32_t *in_last;          /* by each lightpath in the last step */
    uint32_t *lit_into;         /* of each node: lightpaths that lead to it */
    uint32_t *missing_at;       /* each node: blocks that it lacks */
    struct stock *stock;        /* of each lightpath in the step */
    bool *dry;                  /* of each lightpath: in this step it brings no more */
    uint16_t *listed;           /* blocks of their lists */
    size_t listed_count, listed_room;
    uint64_t random;
    size_t missing;
    struct arena memory;
};

/** The first lightpaths from one node to another, as many as there are parts, are lit.  This says whether it is too late at once. */
static rwa_status gossip_open(struct gossip *g, const struct logical *t, uint32_t parts, rwa_error *err)
{
    uint32_t nodes = t->physical->nodes, blocks = nodes * parts, *parallel;
    *g = (struct gossip){.t = t, .nodes = nodes, .parts = parts, .blocks = blocks, .words = ceil_div(blocks, 64), .random = 1,
                         .node_words = (uint32_t)ceil_div(nodes, 64), .missing = (size_t)(nodes - 1) * blocks, .memory = {.err = err}};
    arena_new(&g->memory, g->order, t->links);
    arena_new(&g->memory, g->lit_into, nodes);
    arena_new(&g->memory, g->missing_at, nodes);
    arena_new(&g->memory, parallel, (size_t)nodes * nodes);
    MUST(arena_status(&g->memory));
    for (uint32_t l = 0; l < t->links; l++)
        if (parallel[(size_t)t->from[l] * nodes + t->to[l]]++ < parts) {
            g->order[g->lit++] = l;
            g->lit_into[t->to[l]]++;
        }
    for (uint32_t v = 0; v < nodes; v++)
        g->missing_at[v] = blocks - parts;
    return RWA_OK;
}

static rwa_status gossip_reserve(struct gossip *g, bool together)
{
    uint32_t nodes = g->nodes, blocks = g->blocks, links = g->t->links;
    arena_new(&g->memory, g->has, nodes * g->words);
    arena_new(&g->memory, g->offers, nodes * g->words);
    arena_new(&g->memory, g->kept, nodes * g->words);
    arena_new(&g->memory, g->rank, blocks);
    arena_new(&g->memory, g->link, (size_t)nodes * blocks);
    arena_new(&g->memory, g->step, (size_t)nodes * blocks);
    arena_new(&g->memory, g->near, nodes);
    arena_new(&g->memory, g->carried, links);
    arena_new(&g->memory, g->stock, links);
    arena_new(&g->memory, g->dry, links);
    if (together) {
        arena_new(&g->memory, g->onward, (size_t)nodes * blocks);
        arena_new(&g->memory, g->keepers, blocks);
        arena_new(&g->memory, g->longer, blocks);
        arena_new(&g->memory, g->again, (size_t)nodes * blocks);
        arena_new(&g->memory, g->in_last, links);
    }
    return arena_status(&g->memory);
}

/** Every node has its own blocks. */
static rwa_status gossip_begin(struct gossip *g, bool together)
{
    MUST(gossip_reserve(g, together));
    for (uint32_t l = 0; l < g->t->links; l++)
        g->near[g->t->from[l]].word[g->t->to[l] / 64] |= (uint64_t)1 << g->t->to[l] % 64;
    for (uint32_t b = 0; b < g->blocks; b++) {
        g->has[b / g->parts * g->words + b / 64] |= (uint64_t)1 << b % 64;
        g->rank[b] = HOLDER + b;
    }
    return RWA_OK;
}

/** Words of a constant number: compilers turn the loop into vector instructions. */
static inline void join_nodes(struct nodes *all, const struct nodes *more, uint32_t words)
{
    for (uint32_t k = 0; k < words; k++)
        all->word[k] |= more->word[k];
}

/** The nodes that lightpaths lead to from some of these. */
static struct nodes neighbours_of(const struct gossip *g, const struct nodes *some)
{
    struct nodes all = {{0}};
    for (uint32_t i = 0; i < g->node_words; i++)
        for (uint64_t rest = some->word[i]; rest; rest &= rest - 1) {
            const struct nodes *near = &g->near[64 * i + (uint32_t)__builtin_ctzll(rest)];
            if (g->node_words > SOME_WORDS)
                join_nodes(&all, near, NODE_WORDS);
            else if (g->node_words > FEW_WORDS)
                join_nodes(&all, near, SOME_WORDS);
            else
                join_nodes(&all, near, FEW_WORDS);
        }
    return all;
}

/** Whether the block reaches all nodes over so many lightpaths from its owner, if its keepers do not pass it on. */
static bool reaches_all(const struct gossip *g, uint32_t block, uint32_t most)
{
    const struct nodes *keepers = &g->keepers[block];
    struct nodes seen = {{0}}, at;
    uint32_t owner = block / g->parts, reached = 1, before = 0;
    seen.word[owner / 64] = (uint64_t)1 << owner % 64;
    at = seen;
    for (uint32_t depth = 0; depth < most && before < reached && reached < g->nodes; depth++) {
        before = reached;
        for (uint32_t k = 0; k < g->node_words; k++)
            at.word[k] &= ~keepers->word[k];
        at = neighbours_of(g, &at);
        for (uint32_t k = 0; k < g->node_words; k++) {
            at.word[k] &= ~seen.word[k];
            seen.word[k] |= at.word[k];
            reached += (uint32_t)__builtin_popcountll(at.word[k]);
        }
    }
    return reached == g->nodes;
}

static bool holds(const uint64_t *set, uint32_t node, size_t words, uint32_t block)
{
    return set[node * words + block / 64] >> block % 64 & 1;
}

/** Whether a node that has a lightpath to this one keeps the block. */
static bool neighbour_keeps(const struct gossip *g, uint32_t node, uint32_t block)
{
    for (uint32_t k = 0; k < g->node_words; k++)
        if (g->keepers[block].word[k] & g->near[node].word[k])
            return true;
    return false;
}

/** Whether a node that passes the block on and is so far from its owner has a lightpath to this one.  Lightpaths lead there and back. */
static bool comes_from(const struct gossip *g, uint32_t node, uint32_t block, uint32_t distance)
{
    const uint16_t *away = g->t->hops + (size_t)(block / g->parts) * g->nodes;
    for (uint32_t k = 0; k < g->node_words; k++)
        for (uint64_t rest = g->near[node].word[k] & ~g->keepers[block].word[k]; rest; rest &= rest - 1)
            if (away[64 * k + (uint32_t)__builtin_ctzll(rest)] == distance)
                return true;
    return false;
}

/** Whether others get the block as soon though a node keeps it. */
static bool is_idle(const struct gossip *g, uint32_t node, uint32_t block)
{
    const uint16_t *away = g->t->hops + (size_t)(block / g->parts) * g->nodes;
    for (uint32_t k = 0; k < g->node_words; k++)
        for (uint64_t rest = g->near[node].word[k]; rest; rest &= rest - 1) {
            uint32_t next = 64 * k + (uint32_t)__builtin_ctzll(rest);
            if (away[next] > away[node] && !comes_from(g, next, block, away[node]))
                return false;
        }
    return true;
}

/** Whether a node may keep a block, which is so marked then: all others still get it, within so many steps, no fewer than the longest way
 *  has where all pass all on. */
static bool keep_block(struct gossip *g, uint32_t node, uint32_t block, uint32_t most)
{
    uint64_t *word = &g->keepers[block].word[node / 64], bit = (uint64_t)1 << node % 64;
    if (*word & bit)
        return false;
    *word |= bit;
    bool as_soon = !g->longer[block] && is_idle(g, node, block);
    if (!as_soon && !reaches_all(g, block, most)) {
        *word &= ~bit;
        return false;
    }
    g->longer[block] = !as_soon;
    g->kept[node * g->words + block / 64] |= (uint64_t)1 << block % 64;
    return true;
}

/** Mark blocks of far owners first, which all others still get in so many steps; returns how many are wanted yet. */
static uint32_t keep_far_blocks(struct gossip *g, uint32_t node, uint32_t wanted, uint32_t most, bool apart)
{
    for (uint32_t away = g->t->farthest; wanted > 0 && away > 0; away--)
        for (uint32_t i = g->parts; wanted > 0 && i < g->blocks; i++) {
            uint32_t block = (node * g->parts + i) % g->blocks;
            if (g->t->hops[(size_t)(block / g->parts) * g->nodes + node] == away && !(apart && neighbour_keeps(g, node, block)))
                wanted -= keep_block(g, node, block, most);
        }
    return wanted;
}

/** A node keeps as many blocks as lightpaths lead to it, which can bring them in the last step.  Whether it finds so many. */
static bool choose_kept(struct gossip *g, uint32_t node)
{
    uint32_t wanted = keep_far_blocks(g, node, g->lit_into[node], g->t->farthest, true);
    if (g->t->levelled)
        wanted = keep_far_blocks(g, node, wanted, g->t->farthest + (g->t->farthest + 3) / 4, true);
    wanted = keep_far_blocks(g, node, wanted, g->t->farthest, false);
    return keep_far_blocks(g, node, wanted, g->nodes, false) == 0;
}

/** Where all ways lead through some node, none keeps any: blocks come there twice. */
static void choose_all_kept(struct gossip *g)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        if (!choose_kept(g, v)) {
            memset(g->kept, 0, g->nodes * g->words * sizeof *g->kept);
            return;
        }
}

/** Where lightpaths lead either way round, odd blocks rather go one way and even ones the other: then the ends of longer lightpaths, on
 *  either side of a node, do not bring it the same. */
static uint64_t preferred(const struct gossip *g, uint32_t link)
{
    const uint64_t all = ~(uint64_t)0, even = all / 3;
    return !g->t->levelled ? all : link & 1 ? even : ~even;
}

static rwa_status list_stock(struct gossip *g, uint32_t link, rwa_error *err)
{
    const uint64_t *offers = g->offers + g->t->from[link] * g->words, *has = g->has + g->t->to[link] * g->words;
    struct stock *s = &g->stock[link];
    MUST(base_grow((void **)&g->listed, &g->listed_room, g->listed_count + g->blocks, sizeof *g->listed, err));
    for (uint32_t other = 0; other < 2; other++) {
        uint64_t mask = other ? ~preferred(g, link) : preferred(g, link);
        s->first[other] = g->listed_count;
        for (size_t word = 0; word < g->words; word++)
            for (uint64_t rest = offers[word] & ~has[word] & mask; rest; rest &= rest - 1)
                g->listed[g->listed_count++] = (uint16_t)(64 * word + (uint32_t)__builtin_ctzll(rest));
        s->count[other] = (uint32_t)(g->listed_count - s->first[other]);
    }
    s->known = true;
    return RWA_OK;
}

/** The block of a list that fewest nodes hold, of equals the first one from `begin` on; UINT32_MAX: there is none.  What has come over
 *  another lightpath leaves the list. */
static uint32_t rarest(struct gossip *g, uint16_t *list, uint32_t *count, const uint64_t *has, uint32_t begin)
{
    uint32_t best = UINT32_MAX, left = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t block = list[i], missing = ~(uint32_t)(has[block / 64] >> block % 64) & 1;
        uint32_t rank = (g->rank[block] | (block < begin ? HOLDER / 2 : 0)) | (missing - 1);
        list[left] = (uint16_t)block;
        left += missing;
        best = rank < best ? rank : best;
    }
    *count = left;
    return best < UINT32_MAX ? best % (HOLDER / 2) : UINT32_MAX;
}

/** What a lightpath brings next; UINT32_MAX: nothing. */
static rwa_status next_block(uint32_t *block, struct gossip *g, uint32_t link, rwa_error *err)
{
    struct stock *s = &g->stock[link];
    *block = UINT32_MAX;
    if (g->dry[link]) {
        base_random(&g->random);
        return RWA_OK;
    }
    uint32_t begin = (uint32_t)base_random_below(&g->random, g->blocks);
    if (!s->known)
        MUST(list_stock(g, link, err));
    for (uint32_t other = 0; other < 2 && *block == UINT32_MAX; other++)
        *block = rarest(g, g->listed + s->first[other], &s->count[other], g->has + g->t->to[link] * g->words, begin);
    g->dry[link] = *block == UINT32_MAX;
    return RWA_OK;
}

static void bring(struct gossip *g, uint32_t link, uint32_t block, uint32_t step)
{
    uint32_t to = g->t->to[link];
    size_t at = (size_t)to * g->blocks + block;
    g->has[to * g->words + block / 64] |= (uint64_t)1 << block % 64;
    g->rank[block] += HOLDER;
    g->link[at] = link;
    g->step[at] = (uint16_t)step;
    g->carried[link]++;
    g->missing_at[to]--;
    g->missing--;
}

/** Of the node that lacks most: blocks that each lightpath to it has yet to bring. */
static uint64_t blocks_left(const struct gossip *g)
{
    uint64_t each = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        uint64_t here = ceil_div(g->missing_at[v], g->lit_into[v]);
        each = here > each ? here : each;
    }
    return each;
}

/** Whether the caller stops, or the steps from `step` on take too long, in which lightpaths carry no more than `round` blocks so far: all
 *  that lead to the node that lacks most carry as much as they may, and some lightpath carries a block in each step. */
static bool is_late(const struct gossip *g, const struct travelling *how, uint32_t step, uint32_t round)
{
    uint64_t left = blocks_left(g), away = g->t->farthest >= step ? g->t->farthest - step + 1 : 1;
    uint64_t steps = round > 0 ? 1 : ceil_div(left, how->most);
    steps = away > steps ? away : steps;
    uint64_t later = steps - (round > 0), blocks = round + (left > later ? left : later);
    double least_s = (double)steps * how->step_s + (double)blocks * how->block_s;
    return physical_stops(g->t->physical) || g->spent_s + least_s > how->limit_s;
}

/** In each round every lightpath takes one block more, in another order; the rounds of a step end when none does.  *fullest is 0 where
 *  nothing moves, or it is too late. */
static rwa_status fill_step(uint32_t *fullest, struct gossip *g, const struct travelling *how, uint32_t step, rwa_error *err)
{
    bool more = true;
    *fullest = 0;
    for (size_t i = 0; i < g->nodes * g->words; i++)
        g->offers[i] = g->has[i] & ~g->kept[i];
    memset(g->carried, 0, g->t->links * sizeof *g->carried);
    memset(g->stock, 0, g->t->links * sizeof *g->stock);
    memset(g->dry, 0, g->t->links * sizeof *g->dry);
    g->listed_count = 0;
    for (uint32_t round = 0; round < how->most && more; round++) {
        more = false;
        base_shuffle(g->order, g->lit, &g->random);
        for (uint32_t i = 0; i < g->lit; i++) {
            uint32_t link = g->order[i], block;
            MUST(next_block(&block, g, link, err));
            if (block == UINT32_MAX)
                continue;
            bring(g, link, block, step);
            *fullest = g->carried[link] > *fullest ? g->carried[link] : *fullest;
            more = true;
        }
        if (is_late(g, how, step, round + more)) {
            *fullest = 0;
            break;
        }
    }
    return RWA_OK;
}

/** Blocks that one may take for the last step: any; none that the source keeps; of these only those that the end keeps. */
enum care { ANY, SPARE, KEPT };

static bool comes_again(const struct gossip *g, uint32_t node, uint32_t block)
{
    return g->again[(size_t)node * g->blocks + block] > 0;
}

/** Let a lightpath carry, in the last step, a block that its end does not pass on and that no other lightpath needs then, or in the
 *  first step, in which all carry something. */
static bool fill_last(struct gossip *g, uint32_t link, uint32_t last, enum care care)
{
    uint32_t from = g->t->from[link], to = g->t->to[link];
    for (uint32_t block = 0; block < g->blocks; block++) {
        size_t at = (size_t)to * g->blocks + block;
        uint32_t *onward = g->onward + (size_t)from * g->blocks + block;
        if (block / g->parts == to || g->step[at] == 1 || g->onward[at] > 0 || g->step[(size_t)from * g->blocks + block] == last ||
            (g->step[at] == last && g->in_last[g->link[at]] == 1) || comes_again(g, from, block) ||
            comes_again(g, g->t->from[g->link[at]], block) || (care >= SPARE && holds(g->kept, from, g->words, block)) ||
            (care >= KEPT && !holds(g->kept, to, g->words, block)))
            continue;
        g->in_last[g->link[at]] -= g->step[at] == last;
        g->onward[(size_t)g->t->from[g->link[at]] * g->blocks + block]--;
        ++*onward;
        g->link[at] = link;
        g->step[at] = (uint16_t)last;
        g->in_last[link] = 1;
        return true;
    }
    return false;
}

/** The last step in which a node passes a block on, and the lightpath; 0: over several, or in none. */
static uint32_t last_passed(const struct gossip *g, uint32_t node, uint32_t block, uint32_t last, uint32_t *over)
{
    uint32_t latest = 0, times = 0;
    for (size_t k = g->out.first[node]; k < g->out.first[node + 1]; k++) {
        uint32_t link = g->out.number[k];
        size_t at = (size_t)g->t->to[link] * g->blocks + block;
        uint32_t step = g->again[at] == link + 1 ? last : g->step[at] > 0 && g->link[at] == link ? g->step[at] : 0;
        times = step > latest ? 1 : times + (step > 0 && step == latest);
        *over = step > latest ? link : *over;
        latest = step > latest ? step : latest;
    }
    return times == 1 ? latest : 0;
}

/** The step before the last one in which the end of a lightpath has passed a block on, the last time over one lightpath, `over`, so that
 *  it may get it again over this one; 0: it may not. */
static uint32_t may_come_again(const struct gossip *g, uint32_t link, uint32_t block, uint32_t last, uint32_t *over)
{
    uint32_t to = g->t->to[link];
    size_t at = (size_t)to * g->blocks + block, source = (size_t)g->t->from[link] * g->blocks + block;
    if (block / g->parts == to || g->step[at] == last || g->again[at] > 0 || g->step[source] == last || g->again[source] > 0)
        return 0;
    uint32_t passed = last_passed(g, to, block, last, over);
    return passed < last ? passed : 0;
}

/** How many blocks one passes over a lightpath in a step, which all may come again over `link`; 0: not all may. */
static uint32_t all_come_again(const struct gossip *g, uint32_t link, uint32_t over, uint32_t step, uint32_t last)
{
    uint32_t count = 0, other;
    for (uint32_t block = 0; block < g->blocks; block++) {
        size_t at = (size_t)g->t->to[over] * g->blocks + block;
        if (g->link[at] != over || g->step[at] != step)
            continue;
        if (may_come_again(g, link, block, last, &other) != step || other != over)
            return 0;
        count++;
    }
    return count;
}

static void come_again(struct gossip *g, uint32_t link, uint32_t over, uint32_t step)
{
    for (uint32_t block = 0; block < g->blocks; block++) {
        size_t at = (size_t)g->t->to[over] * g->blocks + block;
        if (g->link[at] != over || g->step[at] != step)
            continue;
        g->again[(size_t)g->t->to[link] * g->blocks + block] = link + 1;
        g->onward[(size_t)g->t->from[link] * g->blocks + block]++;
        g->in_last[link]++;
    }
}

/** Let a lightpath carry, in the last step, the blocks that its end has passed on over a lightpath in a step: backwards the end sends its
 *  own contributions first, and what comes over that lightpath takes their place.  The earlier that was, the longer may others replace
 *  them. */
static bool fill_again(struct gossip *g, uint32_t link, uint32_t last)
{
    uint32_t best = UINT32_MAX, step = last, over;
    for (uint32_t block = 0; block < g->blocks; block++) {
        uint32_t passed = may_come_again(g, link, block, last, &over);
        if (passed == 0 || passed >= step || all_come_again(g, link, over, passed, last) == 0)
            continue;
        best = over;
        step = passed;
    }
    if (best != UINT32_MAX)
        come_again(g, link, best, step);
    return best != UINT32_MAX;
}

static void forget_again(struct gossip *g)
{
    for (size_t at = 0; at < (size_t)g->nodes * g->blocks; at++)
        if (g->again[at] > 0)
            g->onward[(size_t)g->t->from[g->again[at] - 1] * g->blocks + at % g->blocks]--;
    memset(g->again, 0, (size_t)g->nodes * g->blocks * sizeof *g->again);
}

/** With as much care as can be: what one node keeps, and none of its neighbours, is there for its lightpaths alone. */
static bool fill_carefully(struct gossip *g, uint32_t link, uint32_t last)
{
    return fill_last(g, link, last, KEPT) || fill_last(g, link, last, SPARE) || fill_last(g, link, last, ANY) ||
           fill_again(g, link, last);
}

/** Every lightpath carries something in the last step.  Whether that can be. */
static bool fill_all_last(struct gossip *g, uint32_t last)
{
    for (uint32_t i = 0; i < g->lit; i++)
        if (g->in_last[g->order[i]] == 0 && (physical_stops(g->t->physical) || !fill_carefully(g, g->order[i], last)))
            return false;
    return true;
}

static void count_onward(struct gossip *g)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        for (size_t block = 0, at = (size_t)v * g->blocks; block < g->blocks; block++, at++)
            if (g->step[at] > 0)
                g->onward[(size_t)g->t->from[g->link[at]] * g->blocks + block]++;
}

/** Backwards, sums that a node has sent may be replaced, to keep lightpaths up: until the last step, of blocks that come to it later, and
 *  of those that come again while it does not pass them on.  Adds these to [node][step]. */
static void count_replaceable(uint32_t *count, const struct gossip *g, uint32_t last)
{
    for (size_t at = 0; at < (size_t)g->nodes * g->blocks; at++) {
        uint32_t node = (uint32_t)(at / g->blocks), over, arrival = g->step[at];
        uint32_t passed = g->again[at] > 0 ? last_passed(g, node, (uint32_t)(at % g->blocks), last, &over) : last;
        for (uint32_t step = 1; step < last; step++)
            count[(size_t)node * (last + 1) + step] += step < arrival || step > passed;
    }
}

/** Whether all lightpaths have something to carry backwards in every step. */
static rwa_status stay_up(bool *stay, const struct gossip *g, uint32_t last, rwa_error *err)
{
    struct arena memory = {.err = err};
    size_t cells = (size_t)g->nodes * (last + 1);
    uint32_t *count;
    bool *busy;
    rwa_status st = RWA_OK;
    arena_new(&memory, count, cells);
    arena_new(&memory, busy, (size_t)g->t->links * (last + 1));
    TRY(arena_status(&memory));
    count_replaceable(count, g, last);
    for (size_t at = 0; at < (size_t)g->nodes * g->blocks; at++)
        busy[(size_t)g->link[at] * (last + 1) + g->step[at]] = true;
    *stay = true;
    for (uint32_t i = 0; i < g->lit && *stay; i++)
        for (uint32_t step = 1; step < last && *stay; step++)
            if (!busy[(size_t)g->order[i] * (last + 1) + step])
                *stay = count[(size_t)g->t->from[g->order[i]] * (last + 1) + step]-- > 0;
done:
    arena_free(&memory);
    return st;
}

/** In the step that is the last one, or in one more; *ended: whether that can be. */
static rwa_status end_together(bool *ended, struct gossip *g, struct carriages *out, rwa_error *err)
{
    MUST(logical_links_out(&g->out, g->t, err));
    count_onward(g);
    memcpy(g->in_last, g->carried, g->t->links * sizeof *g->in_last);
    *ended = fill_all_last(g, out->steps);
    if (!*ended) {
        forget_again(g);
        MUST(begin_step(out, err));
        memset(g->in_last, 0, g->t->links * sizeof *g->in_last);
        *ended = fill_all_last(g, out->steps);
    }
    for (uint32_t i = 0; i < g->lit; i++)
        out->load[out->steps] = g->in_last[g->order[i]] > out->load[out->steps] ? g->in_last[g->order[i]] : out->load[out->steps];
    return *ended ? stay_up(ended, g, out->steps, err) : RWA_OK;
}

static rwa_status list_arrivals(struct carriages *out, const struct gossip *g, rwa_error *err)
{
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t block = 0; block < g->blocks; block++) {
            size_t at = (size_t)v * g->blocks + block;
            uint32_t sender = g->t->from[g->link[at]], over = UINT32_MAX;
            bool revives = g->again && g->step[at] > 0 && comes_again(g, sender, block) &&
                           last_passed(g, sender, block, out->steps, &over) > 0 && over == g->link[at];
            if (g->step[at] > 0)
                MUST(keep_carriage(out, (struct carriage){g->step[at], g->link[at], block, revives}, err));
            if (g->again && g->again[at] > 0)
                MUST(keep_carriage(out, (struct carriage){out->steps, g->again[at] - 1, block, false}, err));
        }
    return RWA_OK;
}

rwa_status logical_all_gather(struct carriages *out, const struct logical *t, const struct travelling *how, rwa_error *err)
{
    struct gossip g;
    uint32_t fullest = 1;
    rwa_status st = RWA_OK;
    *out = (struct carriages){0};
    TRY(gossip_open(&g, t, how->parts, err));
    bool late = is_late(&g, how, 1, 0);
    if (!late)
        TRY(gossip_begin(&g, how->together));
    if (how->together && !late)
        choose_all_kept(&g);
    bool ends;
    while (!late && g.missing > 0 && fullest > 0 && !is_late(&g, how, out->steps + 1, 0)) {
        TRY(begin_step(out, err));
        TRY(fill_step(&fullest, &g, how, out->steps, err));
        out->load[out->steps] = fullest;
        out->full |= fullest == how->most;
        g.spent_s += how->step_s + how->block_s * fullest;
    }
    out->full |= fullest > 0 && blocks_left(&g) > how->most;
    ends = g.missing == 0;
    if (ends && how->together)
        TRY(end_together(&ends, &g, out, err));
    if (ends) {
        TRY(list_arrivals(out, &g, err));
    } else {
        out->steps = 0;
        TRY(physical_go_on(t->physical, err));
    }
done:
    free(g.listed);
    bins_free(&g.out);
    arena_free(&g.memory);
    return st;
}

/* ---- all-to-all ---- */

/** Of the lightpaths that lead nearer to a node the one that carries least in the step. */
static uint32_t next_link(const struct logical *t, const struct bins *out, uint32_t at, uint32_t dst, const uint32_t *carried)
{
    uint32_t nodes = t->physical->nodes, best = UINT32_MAX;
    for (size_t k = out->first[at]; k < out->first[at + 1]; k++) {
        uint32_t link = out->number[k];
        if (t->hops[(size_t)t->to[link] * nodes + dst] + 1U == t->hops[(size_t)at * nodes + dst] &&
            (best == UINT32_MAX || carried[link] < carried[best]))
            best = link;
    }
    assert(best != UINT32_MAX);
    return best;
}

/** No step carries less: what goes so far, over all lightpaths; in the first one, what the node with the fewest sends.  Returns the sum. */
static uint64_t begin_loads(struct carriages *c, const struct logical *t, uint32_t parts)
{
    uint32_t nodes = t->physical->nodes;
    uint64_t far = 0, sum = 0;
    for (size_t i = 0; i < (size_t)nodes * nodes; i++)
        c->load[t->hops[i]] += i / nodes != i % nodes;
    for (uint32_t step = c->steps; step > 0; step--) {
        uint64_t least = ceil_div((far += c->load[step]) * parts, t->links), sent = ceil_div((nodes - 1) * (uint64_t)parts, t->degree);
        c->load[step] = (uint32_t)(step > 1 || least > sent ? least : sent);
        sum += c->load[step];
    }
    return sum;
}

rwa_status logical_all_to_all(struct carriages *out, const struct logical *t, const struct travelling *how, rwa_error *err)
{
    uint32_t nodes = t->physical->nodes, parts = how->parts;
    uint32_t *carried = base_array(((size_t)t->farthest + 1) * t->links, sizeof *carried, err);
    struct bins links = {0};
    rwa_status st = carried ? RWA_OK : RWA_NOMEM;
    *out = (struct carriages){0};
    TRY(st);
    TRY(logical_links_out(&links, t, err));
    while (out->steps < t->farthest)
        TRY(begin_step(out, err));
    double time_s = t->farthest * how->step_s + (double)begin_loads(out, t, parts) * how->block_s;
    for (uint32_t i = 0; i < nodes * (nodes - 1) * parts && time_s < how->limit_s; i++) { /* near ends first */
        uint32_t src = i % nodes, dst = (src + 1 + i / nodes / parts) % nodes, part = i / nodes % parts, step = 0;
        if (i % POLL_PAIRS == 0)
            TRY(physical_go_on(t->physical, err));
        for (uint32_t at = src; at != dst; at = t->to[out->list[out->count - 1].link]) {
            uint32_t *row = carried + (size_t)++step * t->links, link = next_link(t, &links, at, dst, row);
            TRY(keep_carriage(out, (struct carriage){step, link, (src * nodes + dst) * parts + part, false}, err));
            if (++row[link] > out->load[step]) {
                out->load[step]++;
                time_s += how->block_s;
            }
        }
    }
    if (time_s >= how->limit_s)
        out->steps = 0;
done:
    bins_free(&links);
    free(carried);
    return st;
}

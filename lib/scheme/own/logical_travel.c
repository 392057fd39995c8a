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

/** The blocks that a lightpath can bring in a step: a list of those that it prefers, and then one of the others. */
struct stock {
    size_t first[2];
    uint32_t count[2];
    bool known;
};

struct gossip {
    const struct logical *t;
    uint32_t nodes, parts, blocks;
    double spent_s;             /* on steps so far */
    size_t words;
    uint64_t *has, *offers;     /* [node][word]: blocks so far; those of the start of the step */
    uint32_t *rank;             /* of each block: HOLDER for each holder, those at the end of the step, too; plus its number */
    uint32_t *link;             /* [node][block]: over which it arrives; */
    uint16_t *step;             /* and when; 0: from the start */
    uint32_t *order;            /* of lightpaths, drawn at random; of parallel ones, no more than there are parts */
    uint32_t lit;               /* how many those are */
    uint32_t *carried;          /* by each lightpath in the step */
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
                         .missing = (size_t)(nodes - 1) * blocks, .memory = {.err = err}};
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

static rwa_status gossip_reserve(struct gossip *g)
{
    uint32_t nodes = g->nodes, blocks = g->blocks, links = g->t->links;
    arena_new(&g->memory, g->has, nodes * g->words);
    arena_new(&g->memory, g->offers, nodes * g->words);
    arena_new(&g->memory, g->rank, blocks);
    arena_new(&g->memory, g->link, (size_t)nodes * blocks);
    arena_new(&g->memory, g->step, (size_t)nodes * blocks);
    arena_new(&g->memory, g->carried, links);
    arena_new(&g->memory, g->stock, links);
    arena_new(&g->memory, g->dry, links);
    return arena_status(&g->memory);
}

/** Every node has its own blocks. */
static rwa_status gossip_begin(struct gossip *g)
{
    MUST(gossip_reserve(g));
    for (uint32_t b = 0; b < g->blocks; b++) {
        g->has[b / g->parts * g->words + b / 64] |= (uint64_t)1 << b % 64;
        g->rank[b] = HOLDER + b;
    }
    return RWA_OK;
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
    memcpy(g->offers, g->has, g->nodes * g->words * sizeof *g->has);
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

static rwa_status list_arrivals(struct carriages *out, const struct gossip *g, rwa_error *err)
{
    for (size_t at = 0; at < (size_t)g->nodes * g->blocks; at++)
        if (g->step[at] > 0)
            MUST(keep_carriage(out, (struct carriage){g->step[at], g->link[at], (uint32_t)(at % g->blocks)}, err));
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
        TRY(gossip_begin(&g));
    while (!late && g.missing > 0 && fullest > 0 && !is_late(&g, how, out->steps + 1, 0)) {
        TRY(begin_step(out, err));
        TRY(fill_step(&fullest, &g, how, out->steps, err));
        out->load[out->steps] = fullest;
        out->full |= fullest == how->most;
        g.spent_s += how->step_s + how->block_s * fullest;
    }
    out->full |= fullest > 0 && blocks_left(&g) > how->most;
    if (g.missing == 0) {
        TRY(list_arrivals(out, &g, err));
    } else {
        out->steps = 0;
        TRY(physical_go_on(t->physical, err));
    }
done:
    free(g.listed);
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
            TRY(keep_carriage(out, (struct carriage){step, link, (src * nodes + dst) * parts + part}, err));
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

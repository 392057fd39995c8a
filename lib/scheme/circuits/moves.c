/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plan how blocks move over circuits: in an all-gather step by step, blocks with the fewest holders first; in an
 * all-to-all over the fewest circuits. */
#include "scheme/circuits/circuits.h"

uint64_t circuits_blocks(const struct plan_request *request, uint32_t parts)
{
    uint64_t nodes = request->coll->nodes;
    return (request->coll->kind == RWA_ALL_TO_ALL ? nodes * nodes : nodes) * parts;
}

double circuits_part_bytes(const struct plan_request *request, uint32_t parts)
{
    return scheme_block_bytes(request, circuits_blocks(request, parts));
}

double circuits_most_pieces(const struct plan_request *request, bool sums)
{
    enum { PART_BYTES = 64 };
    double blocks = (double)request->coll->nodes * (double)circuits_blocks(request, 1);
    return fmin(circuits_part_bytes(request, 1) / PART_BYTES, (sums ? SUMS_HELD_MOST : HELD_MOST) / blocks);
}

uint32_t circuits_most_load(const struct plan_request *request)
{
    uint32_t limit = request->opts->lightpath_blocks;
    return limit > 0 ? limit : UINT32_MAX;
}

void moves_free(struct moves *m)
{
    free(m->list);
    *m = (struct moves){0};
}

static rwa_status add_move(struct moves *out, const struct moving *how, struct move move, rwa_error *err)
{
    if (!how->timed)
        return base_append(out->list, out->count, err, move);
    out->count++;
    return RWA_OK;
}

/** Return the time of a step with `load` blocks on its fullest circuit; INFINITY: a lightpath may not carry so many. */
static double step_time(const struct moving *how, uint32_t load)
{
    if (load > circuits_most_load(how->request))
        return INFINITY;
    return scheme_step_time(how->request, &how->price, (uint64_t)(how->bytes * load));
}

/* ---- all-gather ---- */

struct gather_moves {
    const struct circuits *c;
    const struct moving *how;
    struct moves *out;
    uint32_t nodes, blocks;
    size_t words;
    uint64_t *has, *offers;     /* [node][word]: blocks held now; blocks held at the start of the step */
    uint32_t *holders;          /* of each block: number of holders, with those of this step */
    uint32_t *order;            /* of circuits, drawn at random */
    uint32_t *missing_at;       /* of each node: number of blocks that it lacks */
    uint64_t *news;             /* of each node: words with blocks that it holds since this step */
    uint64_t *open;             /* of each pair of nodes: words in which it may bring further blocks in this step */
    uint64_t random;
    size_t missing;
    struct arena memory;
};

static rwa_status gather_open(struct gather_moves *g, struct moves *out, const struct circuits *c,
                              const struct moving *how, rwa_error *err)
{
    uint32_t nodes = c->routes->nodes, blocks = nodes * how->parts;
    assert(blocks <= 64 * 64);
    *g = (struct gather_moves){.c = c,
                               .how = how,
                               .out = out,
                               .nodes = nodes,
                               .blocks = blocks,
                               .words = ceil_div(blocks, 64),
                               .random = 1,
                               .missing = (size_t)(nodes - 1) * blocks,
                               .memory = {.err = err}};
    arena_arrays(&g->memory, nodes * g->words, g->has, g->offers);
    arena_new(&g->memory, g->holders, blocks);
    arena_arrays(&g->memory, c->count, g->order, g->open);
    MUST(arena_arrays(&g->memory, nodes, g->missing_at, g->news));
    for (uint32_t i = 0; i < c->count; i++)
        g->order[i] = i;
    for (uint32_t b = 0; b < blocks; b++) {
        set_bit(g->has + b / how->parts * g->words, b);
        set_bit(g->news + b / how->parts, b / 64);
        g->holders[b] = 1;
    }
    for (uint32_t v = 0; v < nodes; v++)
        g->missing_at[v] = blocks - how->parts;
    return RWA_OK;
}

/** Return the block with the fewest holders among those that a circuit can bring to its end node; UINT32_MAX: there is
 * none.  Of several such blocks it is the first one at or after a random block. */
static uint32_t rarest(struct gather_moves *g, uint32_t circuit)
{
    const uint64_t *offers = g->offers + g->c->from[circuit] * g->words, *has = g->has + g->c->to[circuit] * g->words;
    uint64_t least = UINT64_MAX, *open = &g->open[g->c->pair[circuit]];
    uint32_t begin = *open ? (uint32_t)base_random_below(&g->random, g->blocks) : 0, looked = 0;
    for (uint64_t words = *open; words; words &= words - 1, looked++) {
        uint32_t word = (uint32_t)__builtin_ctzll(words);
        uint64_t rest = offers[word] & ~has[word];
        if (!rest)
            clear_bit(open, word);
        for (; rest; rest &= rest - 1, looked++) {
            uint32_t block = 64 * word + (uint32_t)__builtin_ctzll(rest);
            uint64_t rank = (2 * (uint64_t)g->holders[block] + (block < begin)) * g->blocks + block;
            LOWER(least, rank);
        }
    }
    g->out->looked += looked;
    return least < UINT64_MAX ? (uint32_t)(least % g->blocks) : UINT32_MAX;
}

static rwa_status bring(struct gather_moves *g, uint32_t circuit, uint32_t block, rwa_error *err)
{
    uint32_t to = g->c->to[circuit];
    set_bit(g->has + to * g->words, block);
    set_bit(g->news + to, block / 64);
    g->holders[block]++;
    g->missing_at[to]--;
    g->missing--;
    return add_move(g->out, g->how, (struct move){(g->out->steps - 1) * g->c->count + circuit, block}, err);
}

/** Return the largest number of steps for which (step - 1) * circuits + circuit, by which struct move names a step and
 * a circuit, fits into 32 bits. */
static uint32_t most_steps(const struct circuits *c)
{
    return UINT32_MAX / c->count;
}

/** Tell whether the plan becomes too slow, or has too many steps, even if all circuits into every node are full
 * from now on. */
static bool is_late(const struct gather_moves *g)
{
    uint64_t left = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        assert(g->c->in.first[v + 1] > g->c->in.first[v]); /* all nodes can be reached */
        uint64_t here = ceil_div(g->missing_at[v], g->c->in.first[v + 1] - g->c->in.first[v]);
        RAISE(left, here);
    }
    double least_s = (double)ceil_div(left, g->how->most) * g->how->price.step_s +
                     (double)left * g->how->price.byte_s * g->how->bytes;
    return g->out->time_s + least_s >= g->how->limit_s || g->out->steps == most_steps(g->c);
}

/** Work of drawing a random circuit, counted in visited blocks. */
enum { DRAWN_WORK = 8 };

/** Plan one step of an all-gather.  In each round every circuit brings one more block, the circuits in a new random
 * order.  The step ends when no circuit can bring another block, or all are full. */
static rwa_status gather_step(struct gather_moves *g, rwa_error *err)
{
    uint32_t rounds = 0;
    bool more = true;
    g->out->steps++;
    memcpy(g->offers, g->has, g->nodes * g->words * sizeof *g->has);
    for (size_t pair = 0; pair < g->c->out.first[g->nodes]; pair++) /* each is looked at once, in its first word */
        g->open[pair] |= g->news[g->c->before[pair]] | 1;
    memset(g->news, 0, g->nodes * sizeof *g->news);
    for (; rounds < g->how->most && more; rounds += more) {
        more = false;
        MUST(circuits_go_on(g->c->routes->budget, err));
        base_shuffle(g->order, g->c->count, &g->random);
        g->out->looked += (double)DRAWN_WORK * g->c->count;
        for (uint32_t i = 0; i < g->c->count; i++) {
            uint32_t circuit = g->order[i], block = rarest(g, circuit);
            if (block == UINT32_MAX)
                continue;
            more = true;
            MUST(bring(g, circuit, block, err));
        }
    }
    assert(rounds > 0); /* all nodes can be reached */
    g->out->time_s += step_time(g->how, rounds);
    return RWA_OK;
}

rwa_status moves_gather(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err)
{
    struct gather_moves g;
    *out = (struct moves){0};
    rwa_status st = gather_open(&g, out, c, how, err);
    while (st == RWA_OK && g.missing > 0 && !is_late(&g) && out->looked <= 2 * WORK_MOST)
        st = gather_step(&g, err);
    if (g.missing > 0)
        out->steps = 0;
    arena_free(&g.memory);
    return st;
}

/* ---- all-to-all ---- */

/** Number of start steps that are compared for a block. */
enum { PLACES = 4 };

struct exchange_moves {
    const struct circuits *c;
    const struct moving *how;
    struct moves *out;
    uint16_t *hops;             /* [destination][node]: circuits from the node to the destination */
    uint32_t *load;             /* [step - 1][pair of nodes]: of all its circuits, which share it evenly */
    uint32_t *fullest;          /* of each step */
    uint32_t *route, *other;    /* scratch: pairs of nodes on two candidate paths of a block */
    uint64_t random;
    double least_s;             /* lower bound on the time, from the moves so far */
    uint32_t first, end;        /* nodes with blocks for others: all, or the root of a scatter */
    uint32_t pairs;             /* of nodes that circuits join */
    uint32_t *width;            /* of each pair: number of its circuits */
};

/** Return the number of blocks on the least loaded circuit of a pair of nodes.  The pair sends load[pair] blocks in
 * the step, and its circuits share them evenly. */
static uint32_t least_load(const struct exchange_moves *x, const uint32_t *load, uint32_t pair)
{
    return load[pair] / x->width[pair];
}

/** Return the pair of nodes (at, next) over which a block goes on from node `at` in a step.  Node next is one circuit
 * nearer to the destination; of several such pairs it is the one whose circuits carry the fewest blocks.  `hops` gives
 * the circuits from each node to the destination, `load` the blocks of each pair in this step. */
static uint32_t next_pair(const struct exchange_moves *x, const uint16_t *hops, uint32_t at, const uint32_t *load)
{
    const size_t *first = x->c->out.first + at;
    uint32_t best = UINT32_MAX;
    for (uint32_t pair = (uint32_t)first[0]; pair < first[1]; pair++)
        if (hops[x->c->after[pair]] + 1 == hops[at] &&
            (best == UINT32_MAX || (uint64_t)load[pair] * x->width[best] < (uint64_t)load[best] * x->width[pair]))
            best = pair;
    assert(best != UINT32_MAX);
    return best;
}

/** Find a path for a block from node `at` to its destination, and list its pairs of nodes in `route`.  The path takes
 * one circuit in each step from `start` on (0 is the first), each time over the least loaded pair.  `hops` gives the
 * circuits from each node to the destination.  Returns how many steps get longer by the block; the search stops once
 * that number is `most`. */
static uint32_t follow(uint32_t *route, const struct exchange_moves *x, const uint16_t *hops, uint32_t at,
                       uint32_t start, uint32_t most)
{
    uint32_t longer = 0;
    for (uint32_t step = start; hops[at] > 0 && longer < most; step++) {
        const uint32_t *load = x->load + (size_t)step * x->pairs;
        uint32_t pair = route[step - start] = next_pair(x, hops, at, load);
        longer += least_load(x, load, pair) == x->fullest[step];
        at = x->c->after[pair];
    }
    return longer;
}

/** Plan the moves of a block from its source `at`, and add them to x->out.  The block may wait at its source: of a few
 * start steps, the one with which the fewest steps get longer is taken.  `hops` gives the circuits from each node to
 * the destination of the block. */
static void move_block(struct exchange_moves *x, const uint16_t *hops, uint32_t at, uint32_t block)
{
    struct moves *out = x->out;
    uint32_t slack = out->steps - hops[at], tries = slack < PLACES ? slack + 1 : PLACES, best = 0,
             least = UINT32_MAX;
    for (uint32_t k = 0; k < tries && least > 0; k++) {
        uint32_t start = tries < PLACES || k == 0 ? k : (uint32_t)base_random_below(&x->random, slack + 1);
        uint32_t *route = x->other, longer = follow(route, x, hops, at, start, least);
        if (longer >= least)
            continue;
        best = start;
        least = longer;
        x->other = x->route;
        x->route = route;
    }
    x->least_s += least * x->how->price.byte_s * x->how->bytes;
    for (uint32_t i = 0; i < hops[at]; i++) {
        uint32_t step = best + i, pair = x->route[i], *load = x->load + (size_t)step * x->pairs;
        x->fullest[step] += least_load(x, load, pair) == x->fullest[step];
        size_t circuit = x->c->alike.first[pair] + load[pair]++ % x->width[pair];
        assert(x->how->timed || out->count < base_capacity(out->list));
        if (!x->how->timed)
            out->list[out->count] = (struct move){step * x->c->count + x->c->alike.number[circuit], block};
        out->count++;
    }
}

/** Plan the moves of the blocks from each source to the node whose number is higher by `ahead`, modulo the number of
 * nodes. */
static rwa_status move_all(struct exchange_moves *x, uint32_t ahead, rwa_error *err)
{
    uint32_t nodes = x->c->routes->nodes, parts = x->how->parts;
    MUST(circuits_go_on(x->c->routes->budget, err));
    for (uint32_t src = x->first; src < x->end; src++) {
        uint32_t dst = (src + ahead) % nodes, block = x->end - x->first > 1 ? src * nodes + dst : dst;
        for (uint32_t part = 0; part < parts; part++)
            move_block(x, x->hops + (size_t)dst * nodes, src, block * parts + part);
    }
    return RWA_OK;
}

/** Compute x->hops, the number of circuits on a shortest path from each node to each destination.  *farthest, 0 at
 * first, becomes the largest number of circuits that a block needs, and *moves, also 0 at first, the number of moves
 * of all blocks. */
static rwa_status find_hops(uint32_t *farthest, uint64_t *moves, const struct exchange_moves *x, rwa_error *err)
{
    uint32_t nodes = x->c->routes->nodes, *queue;
    MUST(base_new(queue, nodes, err));
    for (uint32_t dst = 0; dst < nodes; dst++) {
        uint16_t *hops = x->hops + (size_t)dst * nodes;
        circuits_hops(hops, x->c, dst, false, queue);
        for (uint32_t src = x->first; src < x->end; src++) {
            RAISE(*farthest, hops[src]);
            *moves += (uint64_t)hops[src] * x->how->parts;
        }
    }
    free(queue);
    return RWA_OK;
}

/** Remove the steps in which no block moves, and add the time of the others to x->out->time_s. */
static void end_exchange(struct exchange_moves *x)
{
    uint32_t kept = 0, count = x->c->count;
    for (uint32_t step = 0; step < x->out->steps; step++) {
        x->out->time_s += x->fullest[step] > 0 ? step_time(x->how, x->fullest[step]) : 0;
        x->fullest[step] = x->fullest[step] > 0 ? kept++ : 0;
    }
    for (size_t i = 0; kept < x->out->steps && !x->how->timed && i < x->out->count; i++) {
        uint32_t *place = &x->out->list[i].place;
        *place = x->fullest[*place / count] * count + *place % count;
    }
    x->out->steps = kept;
}

/** Limits of the planning: more moves would take more than 400 MB; more visited circuits would take some seconds. */
enum { MOVES_MOST = 1 << 25 };
#define LOOKED_MOST 4e8

bool moves_are_too_many(double moves, const struct circuits *c)
{
    uint32_t nodes = c->routes->nodes;
    return moves > MOVES_MOST || PLACES * moves * (double)c->out.first[nodes] / nodes > LOOKED_MOST;
}

rwa_status moves_exchange(struct moves *out, const struct circuits *c, const struct moving *how, rwa_error *err)
{
    uint32_t nodes = c->routes->nodes;
    struct exchange_moves x = {
        .c = c, .how = how, .out = out, .random = 1, .end = nodes, .pairs = (uint32_t)c->out.first[nodes]};
    struct arena scratch = {.err = err};
    uint64_t moves = 0;
    rwa_status st = RWA_OK;
    *out = (struct moves){0};
    if (how->request->coll->kind == RWA_SCATTER) {
        x.first = how->request->coll->root;
        x.end = x.first + 1;
    }
    TRY(arena_arrays(&scratch, (size_t)nodes * nodes, x.hops));
    TRY(find_hops(&out->steps, &moves, &x, err));
    out->looked = (double)nodes * x.pairs;
    if (moves_are_too_many((double)moves, c) || (uint64_t)out->steps + how->most > most_steps(c)) {
        out->steps = 0;
        goto done;
    }
    arena_arrays(&scratch, out->steps, x.route, x.other);
    arena_new(&scratch, x.width, x.pairs);
    out->steps += how->most - 1;
    arena_new(&scratch, x.load, (size_t)out->steps * x.pairs);
    TRY(arena_arrays(&scratch, out->steps, x.fullest));
    if (!how->timed)
        TRY(base_reserve(out->list, moves, err));
    for (size_t circuit = 0; circuit < c->count; circuit++)
        x.width[c->pair[circuit]]++;
    x.least_s = out->steps * how->price.step_s;
    for (uint32_t ahead = 1; ahead < nodes && x.least_s < how->limit_s; ahead++)
        TRY(move_all(&x, ahead, err));
    end_exchange(&x);
    if (x.least_s >= how->limit_s)
        out->steps = 0;
    out->looked += PLACES * (double)out->count * x.pairs / nodes;
done:
    arena_free(&scratch);
    return st;
}

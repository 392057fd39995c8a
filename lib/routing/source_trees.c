/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/source_trees.h"

/* Prices: exp(STEEPNESS * (load / most - 1)); the steepness grows from round to round.  The load of a source moves
 * towards that of its new tree by the share 2 / (round + 2), but at least by LEAST_MOVE. */
#define STEEPNESS_FIRST 10.0
#define STEEPNESS_LAST 300.0
#define LEAST_MOVE 0.03
/* Factor by which the average of the prices decays each round. */
#define MEMORY 0.95

/* A length is the price in PRICE_BITS bits, plus HOP_LENGTH for each hop, so that ties go to short routes. */
enum { PRICE_BITS = 36, HOP_LENGTH = 1 << 12, LENGTH_BITS = 20 };

/* Most memory for trees, in entries. */
enum { MOST_TREE_ENTRIES = 1 << 27 };

/* Bounds: total rounds for the prices; subgradient steps of a round; the step size is cut after this many steps in a
 * row without improvement. */
enum { PRICE_ROUNDS = 60, BOUND_STEPS = 20, PATIENCE = 8 };
#define CUT 0.6

void source_trees_free(struct source_trees *c)
{
    path_tree_free(&c->path_tree);
    arena_free(&c->arena);
    memset(c, 0, sizeof *c);
}

static uint32_t trees_that_fit(const struct source_trees *c)
{
    uint64_t trees = MOST_TREE_ENTRIES / ((uint64_t)c->sources * c->graph->nodes);
    return trees < 2 ? 2 : trees > SOURCE_TREES ? SOURCE_TREES : (uint32_t)trees;
}

static rwa_status allocate(struct source_trees *c, uint32_t kept, rwa_error *err)
{
    const struct traffic *t = c->traffic;
    size_t links = c->graph->links, nodes = c->graph->nodes;
    c->arena.err = err;
    arena_new(&c->arena, c->first, t->pairs + 1);
    MUST(arena_arrays(&c->arena, t->pairs, c->source_of));
    for (size_t i = 0; i < t->pairs; i++) {
        if (i == 0 || t->src[i] != t->src[i - 1])
            c->first[c->sources++] = i;
        c->source_of[i] = (uint32_t)c->sources - 1;
    }
    c->first[c->sources] = t->pairs;
    c->kept = kept < trees_that_fit(c) ? kept : trees_that_fit(c);
    MUST(base_fits_memory(4.0 * (double)c->sources * ((double)c->kept * (double)nodes + (double)links), "the routes",
                          err));
    arena_new(&c->arena, c->tree, c->sources * c->kept * nodes);
    arena_new(&c->arena, c->distinct, t->pairs);
    arena_arrays(&c->arena, links, c->amount, c->price, c->average, c->part, c->bound.length, c->trial.length);
    arena_new(&c->arena, c->of_source, c->sources * links);
    arena_new(&c->arena, c->below, nodes);
    MUST(arena_arrays(&c->arena, c->graph->arcs, c->length));
    return path_tree_create(&c->path_tree, c->graph, err);
}

/* ---- a tree and its load ---- */

/* Set the lengths of arcs, c->length, in proportion to the prices of their links, plus a little for each hop; the most
 * expensive link gets 2^PRICE_BITS. */
static void set_lengths(struct source_trees *c, const double *price)
{
    const struct routing_graph *g = c->graph;
    double most = 0;
    for (uint32_t l = 0; l < g->links; l++)
        most = fmax(most, price[l]);
    double scale = most > 0 ? (double)(UINT64_C(1) << PRICE_BITS) / most : 0;
    for (uint32_t a = 0; a < g->arcs; a++)
        c->length[a] = (uint64_t)(price[g->link[a]] * scale) + HOP_LENGTH;
}

/* Set c->path_tree to the shortest-path tree of source number `source` under c->length, and c->part to the load on each
 * link if all traffic of the source follows the tree. */
static void load_tree(struct source_trees *c, size_t source)
{
    const struct routing_graph *g = c->graph;
    const struct traffic *t = c->traffic;
    const struct path_tree *tree = &c->path_tree;
    path_tree_from(&c->path_tree, g, c->length, t->src[c->first[source]]);
    memset(c->part, 0, g->links * sizeof *c->part);
    memset(c->below, 0, g->nodes * sizeof *c->below);
    for (size_t i = c->first[source]; i < c->first[source + 1]; i++)
        c->below[t->dst[i]] = (double)t->amount[i];
    for (uint32_t i = tree->settled; i-- > 1;) {    /* from the farthest node to the root */
        uint32_t v = tree->order[i], arc = tree->arc[v];
        c->part[g->link[arc]] += c->below[v];
        c->below[g->from[arc]] += c->below[v];
    }
}

/* ---- rounds ---- */

static double most_loaded(const struct source_trees *c)
{
    double most = 0;
    for (uint32_t l = 0; l < c->graph->links; l++)
        most = fmax(most, c->amount[l] / c->graph->fibers[l]);
    return most;
}

static void set_prices(struct source_trees *c, double steepness)
{
    double most = most_loaded(c);
    for (uint32_t l = 0; l < c->graph->links; l++)
        c->price[l] =
            most > 0 ? exp(steepness * (c->amount[l] / c->graph->fibers[l] / most - 1)) / c->graph->fibers[l] : 1;
}

static void move_load(struct source_trees *c, size_t source, double share)
{
    uint32_t links = c->graph->links;
    float *mine = c->of_source + source * links;
    for (uint32_t l = 0; l < links; l++) {
        double now = (1 - share) * mine[l] + share * c->part[l];
        c->amount[l] += now - mine[l];
        mine[l] = (float)now;
    }
}

/* End a round: set the price of every link, exponential in its load with this steepness, and add it to the running
 * average, from which the lower bound is computed. */
static void note_prices(struct source_trees *c, double steepness)
{
    uint32_t links = c->graph->links;
    double sum = 0;
    set_prices(c, steepness);
    for (uint32_t l = 0; l < links; l++)
        sum += c->price[l] * c->graph->fibers[l];
    for (uint32_t l = 0; l < links; l++)
        c->average[l] = MEMORY * c->average[l] + c->price[l] / sum;
}

/* Do one round: find a shortest-path tree for each source under the current prices, and move the source's load towards
 * it.  Keep it as tree number `slot` of the source; slot = c->kept: keep no tree.  The budget may end any round but the
 * first: a round cut short does not count, and the sources left keep their earlier tree in that slot. */
static void round_once(struct source_trees *c, uint32_t slot, struct budget *budget)
{
    uint32_t round = c->rounds;
    double share = fmax(2.0 / (round + 2.0), LEAST_MOVE), steepness = fmin(STEEPNESS_FIRST + round, STEEPNESS_LAST);
    for (size_t s = 0; s < c->sources; s++) {
        if (round > 0 && base_must_stop(budget, "routes", -1))
            return;
        set_prices(c, steepness);
        set_lengths(c, c->price);
        load_tree(c, s);
        move_load(c, s, share);
        if (slot < c->kept)
            memcpy(c->tree + (s * c->kept + slot) * c->graph->nodes, c->path_tree.arc,
                   c->graph->nodes * sizeof *c->tree);
    }
    note_prices(c, steepness);
    c->rounds++;
}

/* ---- routes ---- */

static bool same_route(const struct source_trees *c, size_t pair, uint32_t a, uint32_t b)
{
    const uint32_t *x = source_trees_of(c, pair, a), *y = source_trees_of(c, pair, b), *from = c->graph->from;
    uint32_t src = c->traffic->src[pair];
    for (uint32_t v = c->traffic->dst[pair]; v != src; v = from[x[v]])
        if (x[v] != y[v])
            return false;
    return true;
}

static void find_distinct(struct source_trees *c, uint32_t trees)
{
    for (size_t pair = 0; pair < c->traffic->pairs; pair++)
        for (uint32_t k = 0; k < trees; k++) {
            bool known = false;
            for (uint32_t j = 0; j < k && !known; j++)
                known = (c->distinct[pair] >> j & 1) && same_route(c, pair, j, k);
            c->distinct[pair] |= (uint16_t)(!known << k);
        }
}

rwa_status source_trees_solve(struct source_trees *c, const struct routing_graph *graph, const struct traffic *traffic,
                              uint32_t rounds, uint32_t kept, struct budget *budget, rwa_error *err)
{
    assert(rounds > 0 && traffic->pairs > 0 && !traffic->twice);
    c->graph = graph;
    c->traffic = traffic;
    MUST(allocate(c, kept, err));
    do
        round_once(c, c->rounds * c->kept / rounds, budget);
    while (c->rounds < rounds && !base_must_stop(budget, "routes", (double)c->rounds / rounds));
    if (budget->cancelled)
        return base_fail(err, RWA_CANCELLED, "stopped while looking for routes");
    c->load = most_loaded(c);
    c->made = (c->rounds - 1) * c->kept / rounds + 1;
    find_distinct(c, c->made);
    return RWA_OK;
}

rwa_status source_trees_take(struct source_trees *c, const struct routing_graph *graph, const struct traffic *traffic,
                             uint32_t kept, void (*fill)(void *data, uint32_t root, uint32_t k, uint32_t *tree),
                             void *data, const double *price, rwa_error *err)
{
    assert(kept > 0 && kept <= SOURCE_TREES);
    c->graph = graph;
    c->traffic = traffic;
    MUST(allocate(c, kept, err));
    for (size_t s = 0; s < c->sources; s++)
        for (uint32_t k = 0; k < kept; k++)
            fill(data, traffic->src[c->first[s]], k, c->tree + (s * kept + k) * graph->nodes);
    memcpy(c->average, price, graph->links * sizeof *c->average);
    find_distinct(c, kept);
    return RWA_OK;
}

/* ---- bounds ---- */

static rwa_status keep_if_better(struct source_trees *c, rwa_error *err)
{
    rwa_status st = metric_evaluate(&c->trial, c->graph, c->traffic, 0, err);
    if (st != RWA_OK || (c->bound.name && c->trial.value <= c->bound.value))
        return st;
    uint32_t *length = c->bound.length;
    c->bound = c->trial;
    c->trial.length = length;
    return st;
}

/* Compute the bounds that link lengths made of the prices prove, until one reaches `target`, and keep the best in
 * c->bound.  First come lengths of 0 and 1, by several thresholds, then the prices in integers. */
static rwa_status try_lengths(struct source_trees *c, const double *price, uint64_t target, rwa_error *err)
{
    uint32_t links = c->graph->links;
    static const double least[] = {0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05};
    double most = 0;
    uint32_t before = 0;
    for (uint32_t l = 0; l < links; l++)
        most = fmax(most, price[l]);
    /* the best bound is often that of a cut, which even inexact prices show */
    for (size_t i = 0; i < sizeof least / sizeof *least && !(c->bound.name && c->bound.value >= target); i++) {
        uint32_t count = 0;
        for (uint32_t l = 0; l < links; l++)
            count += c->trial.length[l] = price[l] >= least[i] * most;
        if (count > before)
            MUST(keep_if_better(c, err));
        before = count;
    }
    for (uint32_t l = 0; l < links; l++)
        c->trial.length[l] = (uint32_t)(price[l] / most * (1 << LENGTH_BITS) + 0.5);
    if (!(c->bound.name && c->bound.value >= target))
        MUST(keep_if_better(c, err));
    return RWA_OK;
}

/* Subgradient ascent with Polyak's step size towards the target.  The dual function is the distance of the traffic
 * under prices that add up to 1. */
struct ascent {
    double *price, *best, *load;
    double value, share;
    uint32_t idle;
};

static void measure(struct source_trees *c, struct ascent *a, double *value)
{
    uint32_t links = c->graph->links;
    *value = 0;
    set_lengths(c, a->price);
    memset(a->load, 0, links * sizeof *a->load);
    for (size_t s = 0; s < c->sources; s++) {
        load_tree(c, s);
        for (uint32_t l = 0; l < links; l++)
            a->load[l] += c->part[l];
    }
    for (uint32_t l = 0; l < links; l++)
        *value += a->load[l] * a->price[l];
}

static void normalise(const struct source_trees *c, double *price)
{
    uint32_t links = c->graph->links;
    double sum = 0;
    for (uint32_t l = 0; l < links; l++)
        sum += price[l] * c->graph->fibers[l];
    for (uint32_t l = 0; l < links; l++)
        price[l] /= sum;
}

static void step(struct source_trees *c, struct ascent *a, double target)
{
    uint32_t links = c->graph->links;
    double value, square = 0;
    size_t bytes = links * sizeof *a->price;
    measure(c, a, &value);
    if (value > a->value) {
        a->value = value;
        a->idle = 0;
        memcpy(a->best, a->price, bytes);
    } else if (++a->idle >= PATIENCE) {
        a->idle = 0;
        a->share *= CUT;
        memcpy(a->price, a->best, bytes);
    }
    for (uint32_t l = 0; l < links; l++)
        square += pow(a->load[l] - value * c->graph->fibers[l], 2);
    double length = square > 0 ? a->share * fmax(target - value, 0) / square : 0;
    for (uint32_t l = 0; l < links; l++)
        a->price[l] = fmax(0, a->price[l] + length * (a->load[l] - value * c->graph->fibers[l]));
    normalise(c, a->price);
}

/* Make more rounds, without keeping trees, to improve the prices.  Do nothing if the trees and prices are the caller's
 * (source_trees_take()). */
static void sharpen_prices(struct source_trees *c, struct budget *budget)
{
    while (c->rounds > 0 && c->rounds < PRICE_ROUNDS && !base_must_stop(budget, "bound", -1))
        round_once(c, c->kept, budget);
    if (c->rounds > 0)
        c->load = most_loaded(c);
}

rwa_status source_trees_bound(struct source_trees *c, uint64_t target, uint32_t rounds, struct budget *budget,
                              rwa_error *err)
{
    uint32_t links = c->graph->links;
    rwa_status st = RWA_OK;
    struct ascent a = {.share = 1};
    struct arena arena = {.err = err};
    TRY(arena_arrays(&arena, links, a.price, a.best, a.load));
    c->trial.budget = budget;
    if (rounds > 0)
        sharpen_prices(c, budget);
    memcpy(a.price, c->average, links * sizeof *a.price);
    normalise(c, a.price);
    TRY(try_lengths(c, a.price, target, err));
    for (uint32_t round = 0; round < rounds && c->bound.value < target && !base_must_stop(budget, "bound", -1);
         round++) {
        for (int i = 0; i < BOUND_STEPS && !base_must_stop(budget, "bound", -1); i++)
            step(c, &a, c->load);
        if (a.value > 0)
            TRY(try_lengths(c, a.best, target, err));
    }
done:
    arena_free(&arena);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy search in which the nearest holders serve first, as long as channels and ports last, and rare blocks go
 * before others.
 *
 * In every other round of tries a node yields if its neighbour receives the same block in this step: the neighbour can
 * serve it in the next step, so that each block passes a narrow cut only once.  The first steps may use lightpaths of
 * any length, so that later every node has a holder nearby; tries differ in the number of such steps, and in the random
 * order of the receivers.  Blocks that only one node needs are sent without relays, the farthest first. */
#include "delivery/delivery_search.h"

#include "base/arithmetic.h"
#include "collective/needs.h"
#include "delivery/delivery_state.h"

enum { FAR_STEPS = 4, YIELDING_REACH = 2 };

/** With more than MANY_PAIRS node-block pairs, a node is skipped in a step after FEW_FAILURES failed searches with the
 * same reach (largest number of hops). */
enum { MANY_PAIRS = 1 << 19, FEW_FAILURES = 16 };

/** Once there is a plan, tries end when all searches together have visited this many nodes, which takes some
 * seconds. */
enum { LOOKED_MOST = 1 << 26 };

/** Sort key of a receiver that no holder can serve any more in this step. */
static const uint32_t cut_off = UINT32_MAX;

/** A node that needs a block and does not have it yet. */
struct tree_receiver {
    uint32_t node;
    uint32_t key;       /* sort key in a step; or cut_off */
    uint64_t block;
};

struct greedy {
    const struct delivery_request *request;
    const uint8_t *held;        /* see nearest_holder_rest(); NULL: the collective begins */
    struct delivery_state state;
    struct deliveries best;     /* of fewest steps */
    uint64_t blocks;
    struct tree_receiver *wait, *sorted;
    size_t waits;
    uint32_t *holders;          /* of each block: their number */
    uint32_t *failed;           /* of each node: failed searches with this reach */
    uint32_t failures;          /* after so many failed searches a node is skipped */
    bool private;               /* each block is for one node: others need not hold it */
    size_t *fill;               /* of the counting sort */
    uint32_t keys;              /* all keys are smaller */
    struct arena memory;        /* of the arrays from `holders` on */
    uint64_t random;
    uint32_t below;             /* a try ends when it reaches so many steps; 0: no limit */
    bool yields;                /* in the current try nodes yield if a neighbour gets the same block … */
    bool yielding;              /* … and they do so in the current pass */
    bool given_up;              /* the budget has ended the current try */
    bool passed_on;             /* some node got a block that it does not need */
};

static void greedy_close(struct greedy *g)
{
    delivery_close(&g->state);
    deliveries_free(&g->best);
    free_all(g->wait, g->sorted);
    arena_free(&g->memory);
}

/* ---- the receivers ---- */

/* Return the node of the participant with number `rank`, from 0, in the collective. */
static uint32_t node_of(const struct greedy *g, uint32_t rank)
{
    return base_mapped(g->request->members, rank);
}

static uint32_t source_of(const struct greedy *g, uint64_t block)
{
    return g->request->folding ? (uint32_t)block : node_of(g, collective_source(g->request->coll, block));
}

/** Return RWA_CANCELLED if the caller cancels, else RWA_OK.  The caller is asked only if `done`, the number of blocks
 * or receivers handled so far, is a multiple of POLL_EVERY. */
static rwa_status go_on(const struct greedy *g, uint64_t done, rwa_error *err)
{
    enum { POLL_EVERY = 1 << 14 };
    struct budget *budget = g->request->budget;
    if (done % POLL_EVERY > 0 || !base_must_stop(budget, "serving from the nearest", -1) || !budget->cancelled)
        return RWA_OK;
    return base_fail(err, RWA_CANCELLED, "planning was stopped before a nearest-holder greedy");
}

/** Tell whether participant number `rank` holds a block before the first step. */
static bool holds_first(const struct greedy *g, uint32_t rank, uint64_t block)
{
    return g->held ? g->held[block * g->request->coll->nodes + rank] : node_of(g, rank) == source_of(g, block);
}

/** For a collective that has begun, store in g->state the nodes that hold a block (g->held), and in g->holders[block]
 * their number. */
static void resume(struct greedy *g, uint64_t block)
{
    g->holders[block] = 0;
    for (uint32_t v = 0; v < g->request->coll->nodes; v++)
        if (holds_first(g, v, block)) {
            delivery_hold(&g->state, node_of(g, v), block);
            g->holders[block]++;
        }
}

static rwa_status begin(struct greedy *g, rwa_error *err)
{
    const rwa_collective *coll = g->request->coll;
    delivery_reset(&g->state);
    g->waits = 0;
    g->passed_on = false;
    for (uint64_t b = 0; b < g->blocks; b++) {
        MUST(go_on(g, b, err));
        g->holders[b] = 1;
        if (g->held)
            resume(g, b);
        else if (b > 0 && source_of(g, b) == source_of(g, b - 1))
            delivery_hold_like_last(&g->state, b);
        else
            delivery_hold(&g->state, source_of(g, b), b);
    }
    for (uint32_t v = 0; v < coll->nodes; v++)
        for (uint64_t b = 0; (b = collective_next_needed(coll, v, b)) < g->blocks; b++) {
            MUST(go_on(g, g->waits, err));
            if (holds_first(g, v, b))
                continue;
            MUST(base_append(g->wait, g->waits, err,
                             (struct tree_receiver){.node = node_of(g, v), .block = b}));
        }
    return base_reserve(g->sorted, g->waits, err);
}

static uint32_t key_of(const struct greedy *g, const struct tree_receiver *w)
{
    return g->private ? NODE_FAR - (uint32_t)delivery_at(&g->state, w->node, w->block) : g->holders[w->block];
}

static void shuffle(struct greedy *g)
{
    for (size_t i = g->waits; i > 1; i--) {
        size_t k = (size_t)base_random_below(&g->random, i);
        struct tree_receiver kept = g->wait[i - 1];
        g->wait[i - 1] = g->wait[k];
        g->wait[k] = kept;
    }
}

/* Sort g->wait, the receivers: those of blocks with few holders first.  If each block is for one node only, the
 * receivers that are farthest from a holder come first.  The sort is stable. */
static void sort_receivers(struct greedy *g)
{
    memset(g->fill, 0, ((size_t)g->keys + 1) * sizeof *g->fill);
    for (size_t i = 0; i < g->waits; i++) {
        g->wait[i].key = key_of(g, &g->wait[i]);
        assert(g->wait[i].key < g->keys);
        g->fill[g->wait[i].key + 1]++;
    }
    for (uint32_t h = 0; h < g->keys; h++)
        g->fill[h + 1] += g->fill[h];
    for (size_t i = 0; i < g->waits; i++)
        g->sorted[g->fill[g->wait[i].key]++] = g->wait[i];
    memcpy(g->wait, g->sorted, g->waits * sizeof *g->wait);
}

static void reset_keys(struct greedy *g)
{
    for (size_t i = 0; i < g->waits; i++)
        g->wait[i].key = 0;
}

/* ---- one try ---- */

/** Tell whether the budget ends the current try, and store the answer in g->given_up.  While no plan has been found,
 * only a cancellation ends it. */
static bool must_give_up(struct greedy *g)
{
    struct budget *budget = g->request->budget;
    g->given_up = base_must_stop(budget, "serving from the nearest", -1) && (budget->cancelled || g->below > 0);
    return g->given_up;
}

static bool neighbour_gets(const struct delivery_state *s, const struct tree_receiver *w)
{
    for (uint32_t i = s->in_first[w->node]; i < s->in_first[w->node + 1]; i++)
        if (delivery_at(s, s->in_from[i], w->block) == NODE_GETS)
            return true;
    return false;
}

/* Serve a receiver from a holder at most `reach` hops away; *answer says whether that was done or why not.  There is no
 * search, and *answer is DELIVERY_TOO_FAR, in three cases: no holder is that near, g->failures searches for this node
 * have failed, or the node yields to a neighbour that gets the block in this step. */
static rwa_status serve_one(struct greedy *g, const struct tree_receiver *w, uint32_t reach,
                            enum delivery_answer *answer)
{
    uint32_t *failed = &g->failed[w->node];
    *answer = DELIVERY_TOO_FAR;
    if (*failed >= g->failures || delivery_at(&g->state, w->node, w->block) > reach ||
        (g->yielding && neighbour_gets(&g->state, w)))
        return RWA_OK;
    rwa_status st = delivery_serve(&g->state, w->node, w->block, reach, answer);
    *failed += *answer != DELIVERY_SENT;
    return st;
}

static rwa_status serve_within(struct greedy *g, uint32_t reach)
{
    enum { POLL_EVERY = 256 };
    size_t left = 0;
    memset(g->failed, 0, g->state.nodes * sizeof *g->failed);
    for (size_t i = 0; i < g->waits; i++) {
        struct tree_receiver w = g->wait[i];
        enum delivery_answer answer = DELIVERY_CUT_OFF;
        if (i % POLL_EVERY == POLL_EVERY - 1 && must_give_up(g)) { /* keep the receivers that were not served */
            memmove(&g->wait[left], &g->wait[i], (g->waits - i) * sizeof w);
            left += g->waits - i;
            break;
        }
        if (w.key != cut_off)
            MUST(serve_one(g, &w, reach, &answer));
        if (answer == DELIVERY_CUT_OFF)
            w.key = cut_off;
        if (answer == DELIVERY_SENT)
            g->holders[w.block]++;
        else
            g->wait[left++] = w;
    }
    g->waits = left;
    return RWA_OK;
}

static uint32_t longest_reach(const struct greedy *g)
{
    return (uint32_t)limited(g->state.nodes - 1, g->request->max_hops);
}

/* Send nodes blocks that they do not need but can pass on, from holders at most `reach` hops away. */
static rwa_status serve_others_within(struct greedy *g, uint32_t reach)
{
    const rwa_collective *coll = g->request->coll;
    enum delivery_answer answer = DELIVERY_CUT_OFF;
    for (uint32_t v = 0; v < coll->nodes && !must_give_up(g); v++)
        for (uint64_t b = 0; b < g->blocks; b++) {
            if (collective_needs(coll, v, b) || !delivery_lacks(&g->state, node_of(g, v), b))
                continue;
            MUST(delivery_serve(&g->state, node_of(g, v), b, reach, &answer));
            g->passed_on = g->passed_on || answer == DELIVERY_SENT;
        }
    return RWA_OK;
}

/* Call serve(), which serves nodes from holders within a number of hops, at first with `reach` hops and then with more
 * and more.  So nearest holders serve first. */
static rwa_status serve_widening(struct greedy *g, rwa_status (*serve)(struct greedy *, uint32_t), uint32_t reach)
{
    uint32_t most = longest_reach(g);
    rwa_status st = serve(g, lesser(reach, most));
    while (st == RWA_OK && reach < most && !g->given_up) {
        reach += (reach + 1) / 2;
        st = serve(g, lesser(reach, most));
    }
    return st;
}

/* Serve all receivers once more without a limit on failed searches: a step may stay empty only if no node can be
 * served. */
static rwa_status serve_patiently(struct greedy *g)
{
    uint32_t failures = g->failures;
    rwa_status st = RWA_OK;
    if (failures == UINT32_MAX)
        return RWA_OK;
    g->failures = UINT32_MAX;
    reset_keys(g);
    st = serve_widening(g, serve_within, 1);
    g->failures = failures;
    return st;
}

static rwa_status one_step(struct greedy *g, bool far)
{
    delivery_begin_step(&g->state);
    shuffle(g);
    sort_receivers(g);
    g->yielding = g->yields && !far;
    for (uint32_t reach = 1; g->yielding && reach <= YIELDING_REACH && reach <= longest_reach(g); reach++)
        MUST(serve_within(g, reach));
    g->yielding = false;
    MUST(serve_widening(g, serve_within, far ? longest_reach(g) : 1));
    if (delivery_step_is_empty(&g->state))
        MUST(serve_patiently(g));
    if (delivery_step_is_empty(&g->state))
        MUST(serve_widening(g, serve_others_within, 1));
    delivery_end_step(&g->state);
    return RWA_OK;
}

/* Remove from the plan, which is complete, the lightpaths to nodes that neither need the block nor pass it on.  Marks
 * overwrite g->state.near, which is not needed any more. */
static void prune(struct greedy *g)
{
    const rwa_collective *coll = g->request->coll;
    memset(g->state.near, 0, (size_t)(g->state.nodes * coll->blocks));
    for (uint64_t b = 0; b < coll->blocks; b++)
        for (uint32_t v = 0; v < coll->nodes; v++)
            g->state.near[b * g->state.nodes + node_of(g, v)] = collective_needs(coll, v, b);
    delivery_prune(&g->state);
}

/* Tell whether a plan was found and the searches have visited as many nodes as allowed. */
static bool has_looked_enough(const struct greedy *g)
{
    return g->below > 0 && g->state.looked > LOOKED_MOST;
}

/* Make the plan of the current try, which has the fewest steps so far, the best plan g->best. */
static void keep_shorter(struct greedy *g)
{
    struct deliveries kept = g->best;
    g->best = g->state.sent;
    g->state.sent = kept;
    g->below = g->best.steps;
}

/* Try to deliver all blocks in fewer steps than the best plan so far.  In the first far_steps steps lightpaths may have
 * any length. *stuck becomes true if some node cannot be served at all. */
static rwa_status one_try(struct greedy *g, uint32_t far_steps, bool *stuck, rwa_error *err)
{
    const struct deliveries *sent = &g->state.sent;
    MUST(begin(g, err));
    while (g->waits > 0 && !*stuck && !g->given_up && !has_looked_enough(g) &&
           (g->below == 0 || sent->steps + 1 < g->below)) {
        MUST(one_step(g, g->private || sent->steps < far_steps));
        *stuck = delivery_step_is_empty(&g->state) && !g->given_up;
    }
    if (g->waits == 0 && g->passed_on)
        prune(g);
    if (g->waits == 0)
        keep_shorter(g);
    return RWA_OK;
}

/* ---- all tries ---- */

/** Return the number of blocks that participant number `rank` needs and does not hold before the first step. */
static uint64_t blocks_lacking(const struct greedy *g, uint32_t rank)
{
    const rwa_collective *coll = g->request->coll;
    uint64_t lacking = g->held ? 0 : collective_blocks_needed(coll, rank);
    for (uint64_t b = 0; g->held && (b = collective_next_needed(coll, rank, b)) < g->blocks; b++)
        lacking += !holds_first(g, rank, b);
    return lacking;
}

/* Return a lower bound on the steps, the larger of two.  In a step a node receives at most as many blocks as it has
 * ports, or channels on the links into it.  The number of holders of a block, one at the start, grows in a step at most
 * by the factor delivery_growth(). */
static uint64_t fewest_steps(struct greedy *g)
{
    const rwa_collective *coll = g->request->coll;
    uint64_t most = 1;
    delivery_begin_step(&g->state);
    for (uint32_t v = 0; v < coll->nodes; v++) {
        uint32_t in = g->state.in_left[node_of(g, v)], ports = g->state.may_receive[node_of(g, v)];
        uint64_t needed = blocks_lacking(g, v), width = in < ports ? in : ports;
        if (width > 0 && needed > most * width)
            most = ceil_div(needed, width);
    }
    uint64_t growth = delivery_growth(&g->state), steps = 0;
    for (uint64_t holders = 1; !g->private && !g->held && growth > 1 && holders < coll->nodes;
         holders = times_saturated(holders, growth))
        steps++;
    return most > steps ? most : steps;
}

/* Return the larger of two lower bounds on the steps: `fewest`, and r->bound(), if the request has this function.
 * `reached`, the number of steps of the best plan so far, is passed to r->bound(). */
static uint64_t bound_known(const struct delivery_request *r, uint64_t fewest, uint64_t reached)
{
    uint64_t bound = r->bound ? r->bound(r, reached) : 0;
    assert(bound <= reached);
    return bound > fewest ? bound : fewest;
}

static bool is_done(const struct greedy *g, const struct delivery_found *out)
{
    return out->cut_off || out->shortest || has_looked_enough(g);
}

static rwa_status try_all(struct greedy *g, struct delivery_found *out, rwa_error *err)
{
    struct budget *budget = g->request->budget;
    const struct delivery_request *r = g->request;
    uint64_t pairs = r->coll->nodes * g->blocks, tries = pairs < r->effort ? r->effort / pairs : 1;
    uint64_t fewest = fewest_steps(g);
    for (uint32_t i = 0; i < r->tries && i < tries && !is_done(g, out) && (g->below == 0 || fewest < g->below); i++) {
        g->random = r->seed + i; /* a try does not depend on the tries before it, so that a limit loses no plan */
        g->yields = r->coll->kind == RWA_ALL_GATHER && i / FAR_STEPS % 2 == 0;
        MUST(one_try(g, i % FAR_STEPS, &out->cut_off, err));
        if (i == 0 && tries > 1 && g->best.steps > fewest)
            fewest = bound_known(r, fewest, g->best.steps);
        out->shortest = g->best.steps == fewest;
        if (base_must_stop(budget, "serving from the nearest", -1))
            break;
    }
    if (budget->cancelled)
        return base_fail(err, RWA_CANCELLED, "planning was stopped at step %u of a nearest-holder greedy",
                         g->state.sent.steps);
    return RWA_OK;
}

static rwa_status greedy_open(struct greedy *g, rwa_error *err)
{
    const struct delivery_request *r = g->request;
    rwa_collective_kind kind = r->coll->kind;
    uint32_t nodes = rwa_network_nodes(r->net);
    assert(!r->folding || (kind == RWA_ALL_GATHER && r->coll->blocks == nodes && !r->members));
    g->below = r->below;
    g->blocks = r->folding ? r->folding->by.index : r->coll->blocks;
    g->private = kind == RWA_SCATTER || kind == RWA_ALL_TO_ALL;
    g->keys = (nodes > NODE_FAR ? nodes : NODE_FAR) + 1;
    g->failures = r->coll->nodes * g->blocks > MANY_PAIRS ? FEW_FAILURES : UINT32_MAX;
    g->memory.err = err;
    arena_new(&g->memory, g->holders, (size_t)g->blocks);
    arena_new(&g->memory, g->fill, (size_t)g->keys + 1);
    MUST(arena_arrays(&g->memory, nodes, g->failed));
    return delivery_open(&g->state, r->net, g->blocks, r->folding, err);
}

rwa_status nearest_holder_plan(struct delivery_found *out, const struct delivery_request *request, rwa_error *err)
{
    return nearest_holder_rest(out, request, NULL, err);
}

rwa_status nearest_holder_rest(struct delivery_found *out, const struct delivery_request *request, const uint8_t *held,
                               rwa_error *err)
{
    struct greedy g = {.request = request, .held = held};
    assert(!held || !request->folding);
    rwa_status st = RWA_OK;
    *out = (struct delivery_found){.cut_off = false};
    TRY(greedy_open(&g, err));
    TRY(try_all(&g, out, err));
    out->hindered = g.state.hindered;
    if (out->cut_off) {
        out->from = source_of(&g, g.wait[0].block);
        out->to = g.wait[0].node;
    } else {
        out->plan = g.best;
        g.best = (struct deliveries){.count = 0};
    }
done:
    greedy_close(&g);
    return st;
}

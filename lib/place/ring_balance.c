/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/ring.h"

#include "network/ring_cut.h"

enum { ROUNDS = 256, CUT_NODES_MAX = 2048 };
static const double LEARNING_RATE = 0.15;

struct balance {
    struct ring_job *job;
    uint32_t n;
    struct arena memory;    /* of the arrays below */
    double *weight[2];      /* of the links of a direction */
    double *before[2];      /* before[d][s]: weights of links 0 … s - 1 */
    double *load[2];        /* of each link of a direction, in this round */
    uint32_t *times;        /* rounds in which a flow went clockwise */
};

uint32_t ring_hops(const struct ring_job *job, size_t flow, int direction)
{
    const rwa_flow *f = &job->traffic->flow[flow];
    uint32_t ahead = f->dst >= f->src ? f->dst - f->src : job->nodes - f->src + f->dst;
    return direction == 0 ? ahead : job->nodes - ahead;
}

static void sum_weights(struct balance *b)
{
    for (int d = 0; d < b->job->directions; d++)
        for (uint32_t s = 0; s < b->n; s++)
            b->before[d][s + 1] = b->before[d][s] + b->weight[d][s];
}

/** Return the total weight of the links from node `from` clockwise to node `to`, with the weights for direction d (0:
 *  clockwise, 1: counter-clockwise). */
static double arc_weight(const struct balance *b, int d, uint32_t from, uint32_t to)
{
    assert(from < b->n && to < b->n);
    double direct = b->before[d][to] - b->before[d][from];
    return to > from ? direct : direct + b->before[d][b->n];
}

/** Add bytes to the load in direction d (0: clockwise, 1: counter-clockwise) of the links that lie clockwise from node
 *  `from` to node `to`.  b->load[d] gets the differences at both ends; settle_loads() adds them up. */
static void add_load(struct balance *b, int d, uint32_t from, uint32_t to, double bytes)
{
    assert(from < b->n && to < b->n && bytes > 0);
    b->load[d][from] += bytes;
    b->load[d][to] -= bytes;
    if (to <= from) /* the route passes from the last link to the first */
        b->load[d][0] += bytes;
}

static double settle_loads(struct balance *b)
{
    double most = 0;
    for (int d = 0; d < b->job->directions; d++)
        for (uint32_t s = 0; s < b->n; s++) {
            b->load[d][s] += s > 0 ? b->load[d][s - 1] : 0;
            most = fmax(most, b->load[d][s]);
        }
    return most;
}

/** Route each flow in the direction with the smaller sum of link weights.  Return the lower bound on the load of the
 *  most loaded link that the weights prove: the sum over all flows of bytes times the weight of the route, divided by
 *  the sum of all weights. */
static double route_lighter(struct balance *b)
{
    const rwa_traffic *t = b->job->traffic;
    double total = 0, all = 0;
    sum_weights(b);
    for (int d = 0; d < b->job->directions; d++) {
        all += b->before[d][b->n];
        for (uint32_t s = 0; s < b->n; s++)
            b->load[d][s] = 0;
    }
    for (size_t i = 0; i < t->count; i++) {
        const rwa_flow *f = &t->flow[i];
        double ahead = arc_weight(b, 0, f->src, f->dst);
        double back = b->job->directions == 2 ? arc_weight(b, 1, f->dst, f->src) : INFINITY;
        if (ahead <= back)
            add_load(b, 0, f->src, f->dst, f->bytes);
        else
            add_load(b, 1, f->dst, f->src, f->bytes);
        b->times[i] += ahead <= back;
        total += f->bytes * fmin(ahead, back);
    }
    return total / all;
}

static void raise_weights(struct balance *b, double most)
{
    double all = 0; /* scales the weights, to keep the numbers in range */
    for (int d = 0; d < b->job->directions; d++)
        for (uint32_t s = 0; s < b->n; s++)
            all += b->weight[d][s] *= 1 + LEARNING_RATE * b->load[d][s] / most;
    for (int d = 0; d < b->job->directions; d++)
        for (uint32_t s = 0; s < b->n; s++)
            b->weight[d][s] /= all;
}

/** Raise *load, a lower bound on the bytes over the most loaded link, by cuts: all traffic out of an interval of nodes
 *  uses two links, one in each direction. */
static rwa_status cut_bound(double *load, const struct ring_job *job, rwa_error *err)
{
    const rwa_traffic *t = job->traffic;
    struct ring_cut best;
    double *amount;
    MUST(base_new(amount, (size_t)job->nodes * job->nodes, err));
    for (size_t i = 0; i < t->count; i++)
        amount[(size_t)t->flow[i].src * job->nodes + t->flow[i].dst] = t->flow[i].bytes;
    rwa_status st = ring_cut_find(&best, amount, job->nodes, false, false, err);
    *load = fmax(*load, best.amount / job->directions);
    free(amount);
    return st;
}

/** Return an upper bound on the number of lightpaths: in each direction, as many as fit round the ring on all channels
 *  if every lightpath is as short as the shortest route of a flow. */
static uint64_t slots(const struct ring_job *job)
{
    uint64_t all = 0;
    for (int d = 0; d < job->directions; d++) {
        uint32_t shortest = job->nodes;
        for (size_t i = 0; i < job->traffic->count; i++) {
            uint32_t hops = ring_hops(job, i, d);
            LOWER(shortest, hops);
        }
        all += (uint64_t)job->channels * (job->nodes / shortest);
    }
    return all;
}

static bool fits_slots(const rwa_traffic *t, double load, uint64_t most)
{
    uint64_t all = 0;
    for (size_t i = 0; i < t->count && all <= most; i++)
        all += circuits_for(t->flow[i].bytes, load);
    return all <= most;
}

/** Return a lower bound on the load (bytes on a lightpath): the least load at which the flows need no more lightpaths
 *  than slots().  INFINITY: one lightpath for each flow is already too many, or takes more links than all channels
 *  have. */
static double slot_bound(const struct ring_job *job)
{
    const rwa_traffic *t = job->traffic;
    uint64_t most = slots(job), hops = 0;
    double low = 0;
    for (size_t i = 0; i < t->count; i++) {
        hops += ring_shortest(job, i);
        low += t->flow[i].bytes / ((double)most * 2); /* needs twice as many lightpaths */
    }
    if (t->count > most || hops > (uint64_t)job->nodes * job->channels * (uint64_t)job->directions)
        return INFINITY;
    return least_fitting(low, fits_slots, t, most);
}

/** Round a lower bound on the load (bytes on a lightpath) up to a load that can occur: the bytes of some flow divided
 *  by an integer, the number of its lightpaths. */
static double round_up(const rwa_traffic *t, double bound)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        double x = floor(t->flow[i].bytes / bound * (1 + 1e-9));
        if (x >= 1)
            least = fmin(least, t->flow[i].bytes / x);
    }
    return least < INFINITY ? least : bound;
}

static rwa_status open_balance(struct balance *b, struct ring_job *job, rwa_error *err)
{
    *b = (struct balance){.job = job, .n = job->nodes, .memory.err = err};
    for (int d = 0; d < 2; d++) {
        arena_arrays(&b->memory, b->n, b->weight[d], b->load[d]);
        arena_new(&b->memory, b->before[d], (size_t)b->n + 1);
        for (uint32_t s = 0; b->weight[d] && s < b->n; s++)
            b->weight[d][s] = 1;
    }
    return arena_arrays(&b->memory, job->traffic->count, b->times);
}

rwa_status ring_balance(struct ring_job *job, double *bound, rwa_error *err)
{
    struct balance b;
    double load = 0;
    rwa_status st = RWA_OK;
    *bound = 0;
    if (job->traffic->count == 0)
        return RWA_OK;
    TRY(open_balance(&b, job, err));
    for (int round = 0; round < ROUNDS; round++) {
        load = fmax(load, route_lighter(&b));
        raise_weights(&b, settle_loads(&b));
    }
    for (size_t i = 0; i < job->traffic->count; i++)
        job->share[i] = (float)b.times[i] / ROUNDS;
    if (job->nodes <= CUT_NODES_MAX)
        TRY(cut_bound(&load, job, err));
    *bound = fmax(round_up(job->traffic, load / job->channels), slot_bound(job));
done:
    arena_free(&b.memory);
    return st;
}

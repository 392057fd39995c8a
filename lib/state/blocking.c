/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random traffic: requests arrive, hold and depart; blocked ones are counted in batches. */
#include "rwa/blocking.h"

#include "base/base.h"
#include "state/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096 };

/** A lightpath's end. */
struct leaving {
    double time;
    uint64_t id;
    uint32_t hops;
};

struct simulation {
    rwa_state *state;
    const rwa_blocking_options *opts;
    uint32_t nodes;
    bool ordered;           /* pairs of nodes are */
    double erlang;
    uint64_t random;        /* of the traffic; the state has its own */
    struct leaving *heap;   /* the earliest first */
    size_t count, capacity;
    double now, began;      /* began: when counting did */
    uint64_t busy;          /* channels taken, link by link */
    double busy_time, up_time;  /* integrals of busy, and of the lightpaths up */
    uint64_t accepted, hops;
    uint64_t done, all;     /* requests, the warm-up among them */
    struct budget budget;
    rwa_error *err;
};

void rwa_blocking_options_init_sized(rwa_blocking_options *opts, size_t size)
{
    rwa_blocking_options defaults = {.warm_up = 10000, .batches = 20, .requests = 200000};
    rwa_state_options_init(&defaults.state);
    base_init_options(opts, size, &defaults, sizeof defaults);
}

/* ---- what leaves first ---- */

static rwa_status push(struct simulation *s, struct leaving one)
{
    rwa_status st = RWA_OK;
    TRY(base_grow((void **)&s->heap, &s->capacity, s->count + 1, sizeof *s->heap, s->err));
    size_t i = s->count++;
    for (; i > 0 && s->heap[(i - 1) / 2].time > one.time; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = one;
done:
    return st;
}

static struct leaving pop(struct simulation *s)
{
    assert(s->count > 0);
    struct leaving first = s->heap[0], last = s->heap[--s->count];
    size_t i = 0;
    for (size_t child = 1; child < s->count; child = 2 * i + 1) {
        child += child + 1 < s->count && s->heap[child + 1].time < s->heap[child].time;
        if (last.time <= s->heap[child].time)
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return first;
}

/* ---- events ---- */

/** Exponential with mean 1, from the 53 bits a double has; never infinite. */
static double exponential(uint64_t *random)
{
    return -log(((double)(base_random(random) >> 11) + 0.5) * 0x1p-53);
}

static void advance(struct simulation *s, double time)
{
    assert(time >= s->now);
    s->busy_time += (double)s->busy * (time - s->now);
    s->up_time += (double)s->count * (time - s->now);
    s->now = time;
}

static rwa_status leave(struct simulation *s)
{
    advance(s, s->heap[0].time);
    struct leaving gone = pop(s);
    s->busy -= gone.hops;
    return rwa_state_release(s->state, gone.id, s->err);
}

/** One request; what it draws does not depend on whether it is served. */
static rwa_status arrive(struct simulation *s, double time, bool *blocked)
{
    uint32_t src = (uint32_t)base_random_below(&s->random, s->nodes);
    uint32_t dst = (uint32_t)base_random_below(&s->random, s->nodes - 1);
    double holding = exponential(&s->random);
    rwa_request request;
    rwa_placed placed;
    rwa_status st = RWA_OK;
    dst += dst >= src;
    if (s->ordered || src < dst)
        rwa_request_init(&request, src, dst);
    else
        rwa_request_init(&request, dst, src);
    request.routing = s->opts->routing;
    request.policy = s->opts->policy;
    advance(s, time);
    TRY(rwa_state_add(&placed, s->state, &request, s->err));
    *blocked = placed.hops == 0;
    if (*blocked)
        return RWA_OK;
    TRY(push(s, (struct leaving){time + holding, placed.id, placed.hops}));
    s->busy += placed.hops;
    s->accepted++;
    s->hops += placed.hops;
done:
    return st;
}

/** So many requests; *blocked of them. */
static rwa_status run(struct simulation *s, uint64_t requests, uint64_t *blocked)
{
    rwa_status st = RWA_OK;
    *blocked = 0;
    for (uint64_t i = 0; i < requests; i++) {
        double time = s->now + exponential(&s->random) / s->erlang;
        bool lost = false;
        if (i % POLL_EVERY == 0 && base_must_stop(&s->budget, "traffic", (double)s->done / (double)s->all))
            return base_fail(s->err, RWA_CANCELLED, "the simulation was stopped");
        while (s->count > 0 && s->heap[0].time <= time)
            TRY(leave(s));
        TRY(arrive(s, time, &lost));
        *blocked += lost;
        s->done++;
    }
done:
    return st;
}

static void begin_counting(struct simulation *s)
{
    s->began = s->now;
    s->busy_time = s->up_time = 0;
    s->accepted = s->hops = 0;
}

/* ---- the answer ---- */

/** Channels of all links that a lightpath could take on an empty network. */
static uint64_t usable(const rwa_state *state)
{
    const rwa_network *net = rwa_state_network(state);
    uint64_t all = 0;
    for (uint32_t a = 0; a < rwa_network_links(net); a++)
        all += rwa_state_free_channels(state, a);
    return rwa_state_model(state) == RWA_UNDIRECTED ? all / 2 : all;
}

/** The channels of all routes tried from one of two nodes to the other, each a link: any free one will do, as Erlang B wants
 *  it.  The links that are counted fail. */
static rwa_status count_servers(rwa_state *state, const rwa_blocking_options *o, uint32_t src, uint32_t dst, uint32_t *servers,
                                rwa_error *err)
{
    uint32_t routes = o->routing == RWA_ROUTING_SHORTEST ? 1 : o->state.paths;
    rwa_request request;
    rwa_placed placed;
    rwa_status st = RWA_OK;
    rwa_request_init(&request, src, dst);
    request.routing = o->routing;
    for (*servers = 0; routes > 0; routes--) {
        TRY(rwa_state_try(&placed, state, &request, err));
        if (placed.hops == 0)
            break;
        *servers += rwa_state_free_channels(state, placed.links[0]);
        TRY(rwa_state_fail_link(state, placed.links[0], err));
    }
done:
    return st;
}

static rwa_status find_exact(double *exact, const rwa_network *net, double erlang, const rwa_blocking_options *o,
                             rwa_error *err)
{
    rwa_state *state = NULL;
    uint32_t there = 0, back = 0;
    rwa_status st = RWA_OK;
    *exact = NAN;
    if (rwa_network_nodes(net) != 2)
        return RWA_OK;
    TRY(rwa_state_create(&state, net, &o->state, err));
    TRY(count_servers(state, o, 0, 1, &there, err));
    *exact = rwa_erlang_b(erlang, there);
    if (rwa_state_model(state) == RWA_DIRECTED) {
        TRY(count_servers(state, o, 1, 0, &back, err));
        *exact = (rwa_erlang_b(erlang / 2, there) + rwa_erlang_b(erlang / 2, back)) / 2;
    }
done:
    rwa_state_free(state);
    return st;
}

static void conclude(rwa_blocking *out, const struct simulation *s, uint64_t channels, const double *shares, uint32_t batches)
{
    double time = s->now - s->began;
    out->probability = (double)out->blocked / (double)out->requests;
    out->half_width = out->blocked ? half_width_95(shares, batches) : 3 / (double)out->requests;
    out->carried = s->up_time / time;
    out->utilization = channels ? s->busy_time / time / (double)channels : 0;
    out->mean_hops = s->accepted ? (double)s->hops / (double)s->accepted : NAN;
}

static rwa_status check_load(double erlang, const rwa_blocking_options *o, rwa_error *err)
{
    if (!(erlang > 0) || !isfinite(erlang))
        return base_fail(err, RWA_BADARG, "a load of %g Erlang: expected more than 0", erlang);
    if (o->batches < 2 || o->requests == 0 || o->requests > UINT64_MAX - o->batches)
        return base_fail(err, RWA_BADARG, "%llu requests in %u batches: expected requests, in at least 2 batches",
                         (unsigned long long)o->requests, o->batches);
    return RWA_OK;
}

rwa_status rwa_blocking_simulate_sized(rwa_blocking *out, size_t size, const rwa_network *net, double erlang,
                                       const rwa_blocking_options *opts, rwa_error *err)
{
    base_begin(err);
    rwa_blocking_options o;
    struct simulation s = {.opts = &o, .erlang = erlang, .err = err};
    rwa_blocking seen = {.erlang = erlang};
    double *shares = NULL;
    uint64_t blocked = 0;
    rwa_status st = RWA_OK;
    rwa_blocking_options_init(&o);
    if (opts)
        TRY(base_take_options(&o, sizeof o, opts, "rwa_blocking_options", err));
    TRY(check_load(erlang, &o, err));
    o.state.history = 0;
    TRY(find_exact(&seen.exact, net, erlang, &o, err));
    TRY(rwa_state_create(&s.state, net, &o.state, err));
    shares = base_array(o.batches, sizeof *shares, err);
    if (!shares) {
        st = RWA_NOMEM;
        goto done;
    }
    s.nodes = rwa_network_nodes(net);
    s.ordered = rwa_state_model(s.state) == RWA_DIRECTED;
    s.random = o.state.seed;
    s.budget = base_budget(0, o.poll, o.poll_data);
    uint64_t channels = usable(s.state), each = (o.requests + o.batches - 1) / o.batches;
    s.all = o.warm_up + each * o.batches;
    TRY(run(&s, o.warm_up, &blocked));
    begin_counting(&s);
    for (uint32_t b = 0; b < o.batches; b++) {
        TRY(run(&s, each, &blocked));
        seen.requests += each;
        seen.blocked += blocked;
        shares[b] = (double)blocked / (double)each;
    }
    conclude(&seen, &s, channels, shares, o.batches);
done:
    base_give_answer(out, size, &seen, sizeof seen);
    free(shares);
    free(s.heap);
    rwa_state_free(s.state);
    return st;
}

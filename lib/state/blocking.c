/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Simulates random traffic: requests arrive, hold their lightpaths and depart.  Blocked requests are counted in
 *  batches. */
#include "rwa/blocking.h"

#include "network/network.h"
#include "state/state.h"
#include "state/statistics.h"

enum { POLL_EVERY = 4096, LOOK_EVERY = 4096 };

/** The departure of a lightpath; kept at 16 bytes, since heap operations move many of them. */
struct leaving {
    double time;
    uint64_t id;
};

/** A request that is still to arrive. */
struct drawn_request {
    double gap;             /* time since the previous request, of mean 1 */
    double holding;
    uint32_t src, dst;
    size_t class;
};

/** The number and size of the requests, and of the blocked ones, of one class or of all classes; reset for each
 *  batch. */
struct tally {
    uint64_t requests, blocked;
    double asked, lost;     /* bit/s or slots */
};

struct simulation {
    rwa_state *state;
    const rwa_blocking_options *opts;
    uint32_t nodes;
    bool ordered;           /* pairs of nodes are ordered */
    double erlang;
    uint64_t random;        /* random numbers of the traffic; the state has its own */
    struct drawn_request next;      /* drawn ahead, so that the memory that it needs has been fetched by then */
    const rwa_traffic_class *classes;
    size_t class_count;
    rwa_request *asked;     /* of each class: the request for one of its lightpaths, without the ends */
    double *upto;           /* of each class: the sum of the shares of the classes before it; and at the end 1 */
    uint32_t most_width;
    bool by_rate;           /* every class has a bit rate */
    uint64_t *ids;          /* of the lightpaths of a request; most_width entries */
    struct tally *tallies;  /* of the classes, then of all requests, in this batch */
    rwa_class_blocking *answers;    /* likewise, over the batches */
    double *shares;         /* of each batch: the share of requests lost, by class and in all, then the share of
                               bandwidth lost: (class_count + 2) rows of an entry for each batch */
    double size, lost;      /* bandwidth asked for and lost, over the batches */
    struct leaving *heap;   /* the earliest first */
    size_t count;
    uint64_t up;            /* requests served now */
    double look_sum;        /* sum of the fragmentation over `looks` observations */
    uint64_t looks;
    double now, began;      /* began: time when counting began */
    double busy_time, up_time;  /* integrals of the channels taken, and of the lightpaths up */
    uint64_t accepted, hops;
    uint64_t done, all;     /* requests done, and in all; both include the warm-up */
    struct budget budget;
    rwa_error *err;
    struct arena arena;     /* of all arrays but the heap */
};

void rwa_blocking_options_init_sized(rwa_blocking_options *opts, size_t size)
{
    rwa_blocking_options defaults = {.warm_up = 10000, .batches = 20, .requests = 200000};
    rwa_state_options_init(&defaults.state);
    base_init_options(opts, size, &defaults, sizeof defaults);
}

/* ---- departures, the earliest first ---- */

static bool is_sooner(const struct leaving *a, const struct leaving *b)
{
    return a->time < b->time;
}

HEAP(leaving, struct leaving, is_sooner)

/* ---- events ---- */

/** Return a random number of the exponential distribution with mean 1.  It is never infinite. */
static double exponential(uint64_t *random)
{
    return -log(((double)(base_random(random) >> 11) + 0.5) * 0x1p-53);
}

static void advance(struct simulation *s, double time)
{
    assert(time >= s->now);
    s->busy_time += (double)(int64_t)s->state->taken * (time - s->now);    /* signed conversion takes one instruction */
    s->up_time += (double)(int64_t)s->up * (time - s->now);
    s->now = time;
}

static rwa_status leave(struct simulation *s)
{
    advance(s, s->heap[0].time);
    struct leaving gone = leaving_pop(s->heap, &s->count);
    s->up -= s->count == 0 || s->heap[0].time != gone.time; /* the slots of a scattered request leave together and
                                                               count once */
    return rwa_state_release(s->state, gone.id, s->err);
}

/** Return the traffic class (from 0) of the next request, drawn by the shares of the classes.  With a single class no
 *  random number is drawn. */
static size_t draw_class(struct simulation *s)
{
    size_t k = 0;
    if (s->class_count < 2)
        return 0;
    double at = (double)(base_random(&s->random) >> 11) * 0x1p-53;
    while (k + 1 < s->class_count && at >= s->upto[k + 1])
        k++;
    return k;
}

/** Set up `lightpaths` times what `request` asks for, and note that they depart at time `end`.  If one of them is
 *  blocked, release the others; placed->hops is 0 then. */
static rwa_status set_up(struct simulation *s, const rwa_request *request, uint32_t lightpaths, double end,
                         rwa_placed *placed)
{
    uint32_t got = 0;
    do {
        MUST(rwa_state_add(placed, s->state, request, s->err));
        s->ids[got] = placed->id;
    } while (placed->hops > 0 && ++got < lightpaths);
    for (uint32_t i = 0; i < got; i++)
        MUST(got < lightpaths ? rwa_state_release(s->state, s->ids[i], s->err)
                              : leaving_push(&s->heap, &s->count, (struct leaving){end, s->ids[i]},
                                             s->err));
    return RWA_OK;
}

static void count_request(struct simulation *s, size_t k, bool blocked)
{
    double size = s->by_rate ? s->classes[k].rate_bps : s->classes[k].width;
    for (int all = 0; all <= 1; all++) {
        struct tally *t = &s->tallies[all ? s->class_count : k];
        t->requests++;
        t->blocked += blocked;
        t->asked += size;
        t->lost += blocked ? size : 0;
    }
}

/** Draw the next request: the time to it from the one before (gap), its end nodes, holding time and class.  The numbers
 *  drawn do not depend on which requests were served. */
static struct drawn_request draw(struct simulation *s)
{
    struct drawn_request d = {.gap = exponential(&s->random)};
    uint32_t src = (uint32_t)base_random_below(&s->random, s->nodes);
    uint32_t dst = (uint32_t)base_random_below(&s->random, s->nodes - 1);
    dst += dst >= src;
    bool swapped = !s->ordered && src > dst;
    d.src = swapped ? dst : src;
    d.dst = swapped ? src : dst;
    routes_expect(&s->state->routes, d.src, d.dst);
    d.holding = exponential(&s->random);
    d.class = draw_class(s);
    return d;
}

/** Let a request arrive at `time`: set up its lightpath, and count it as served or blocked. */
static rwa_status arrive(struct simulation *s, const struct drawn_request *d, double time)
{
    rwa_request *request = &s->asked[d->class];
    rwa_placed placed;
    request->src = d->src;
    request->dst = d->dst;
    advance(s, time);
    MUST(set_up(s, request, s->opts->scattered ? s->classes[d->class].width : 1, time + d->holding, &placed));
    count_request(s, d->class, placed.hops == 0);
    if (placed.hops == 0)
        return RWA_OK;
    s->up++;
    s->accepted++;
    s->hops += placed.hops;
    return RWA_OK;
}

static void look(struct simulation *s)
{
    rwa_fragmentation f;
    rwa_state_fragmentation(&f, s->state);
    s->look_sum += f.external;
    s->looks++;
}

/** Simulate the arrival of `requests` requests, and all departures before the last of them. */
static rwa_status run(struct simulation *s, uint64_t requests)
{
    memset(s->tallies, 0, (s->class_count + 1) * sizeof *s->tallies);
    for (uint64_t i = 0; i < requests; i++) {
        struct drawn_request d = s->next;
        double time = s->now + d.gap / s->erlang;
        s->next = draw(s);
        routes_expect_first(&s->state->routes, d.src, d.dst);
        if (i % POLL_EVERY == 0 && base_must_stop(&s->budget, "traffic", (double)s->done / (double)s->all))
            return base_fail(s->err, RWA_CANCELLED, "the simulation was stopped");
        while (s->count > 0 && s->heap[0].time <= time)
            MUST(leave(s));
        MUST(arrive(s, &d, time));
        if (++s->done % LOOK_EVERY == 0)
            look(s);
    }
    return RWA_OK;
}

static void begin_counting(struct simulation *s)
{
    s->began = s->now;
    s->busy_time = s->up_time = s->look_sum = 0;
    s->accepted = s->hops = s->looks = 0;
}

/* ---- the answer ---- */

/** Return the number of usable channels of an empty network, summed over its links, or over its fibre pairs in the
 *  undirected model. */
static uint64_t usable(const rwa_state *state)
{
    const rwa_network *net = rwa_state_network(state);
    uint64_t all = 0;
    for (uint32_t a = 0; a < rwa_network_links(net); a++)
        all += rwa_state_free_channels(state, a);
    return rwa_state_model(state) == RWA_UNDIRECTED ? all / 2 : all;
}

/** Set *servers to the number of channels on all links that the routing tries from src to dst, in a network of two
 *  nodes.  They are the servers of Erlang B. */
static rwa_status count_servers(uint32_t *servers, const struct simulation *s, uint32_t src, uint32_t dst)
{
    struct routes *r = &s->state->routes;
    struct tried tried;
    *servers = 0;
    MUST(routes_find(r, src, dst, s->opts->routing == RWA_ROUTING_SHORTEST ? 1 : r->most, &tried, s->err));
    for (size_t i = 0; i < tried.count; i++)
        *servers += rwa_state_free_channels(s->state, *paths_arcs(&r->paths, tried.first + i));
    return RWA_OK;
}

/** For each class k, add to answers[k].exact its exact blocking probability on a link of `servers` channels, times
 *  `weight`.  `erlang`: load of all classes together.  RWA_NOMEM. */
static rwa_status add_exact(const struct simulation *s, double erlang, uint32_t servers, double weight)
{
    size_t count = s->class_count;
    struct arena arena = {.err = s->err};
    double *loads, *lost;
    uint32_t *widths;
    rwa_status st = RWA_OK;
    TRY(arena_arrays(&arena, count, loads, lost, widths));
    for (size_t k = 0; k < count; k++) {
        widths[k] = s->classes[k].width;
        loads[k] = erlang * (s->upto[k + 1] - s->upto[k]);
    }
    TRY(rwa_kaufman_roberts(lost, widths, loads, count, servers, s->err));
    for (size_t k = 0; k < count; k++)
        s->answers[k].exact += weight * (s->most_width == 1 ? rwa_erlang_b(erlang, servers) : lost[k]);
done:
    arena_free(&arena);
    return st;
}

/** Set answers[k].exact, for each class k, to its exact blocking probability by Erlang B or Kaufman-Roberts; the state
 *  must be empty.  It is NAN (not known) unless the network has two nodes, any free slots serve a request, and there
 *  are neither modulation formats nor backups.  RWA_NOMEM. */
static rwa_status find_exact(const struct simulation *s)
{
    const rwa_blocking_options *o = s->opts;
    uint32_t servers;
    bool any_slot = o->scattered || (s->most_width == 1 && o->guard == 0);
    bool known = any_slot && s->nodes == 2 && !o->transmission && o->protection == RWA_PROTECTION_NONE;
    for (size_t k = 0; k < s->class_count; k++)
        s->answers[k].exact = known ? 0 : NAN;
    for (uint32_t src = 0; known && src <= s->ordered; src++) {  /* of a pair of links each carries half of the load */
        double part = s->ordered ? 0.5 : 1;
        MUST(count_servers(&servers, s, src, 1 - src));
        MUST(add_exact(s, s->erlang * part, servers, part));
    }
    return RWA_OK;
}

/** Return half the width of the 95 % confidence interval of a blocking probability: from `shares`, the share of
 *  requests blocked in each batch, or by the rule of three if no request was blocked.  NAN: there was no request. */
static double half_width(uint64_t requests, uint64_t blocked, const double *shares, uint32_t batches)
{
    if (requests == 0)
        return NAN;
    return blocked ? half_width_95(shares, batches) : 3 / (double)requests;
}

static rwa_status check_classes(const rwa_blocking_options *o, rwa_error *err)
{
    for (size_t k = 0; k < o->class_count; k++) {
        const rwa_traffic_class *c = &o->classes[k];
        if (c->width < 1 || c->width > RWA_CHANNELS_MAX || !(c->share > 0) || !isfinite(c->share) ||
            !(c->rate_bps >= 0) || !isfinite(c->rate_bps))
            return base_refuse(err,
                               "class %zu: %u slots, a share of %g and %g bit/s, expected a width and a share above 0",
                               k, c->width, c->share, c->rate_bps);
    }
    if (o->scattered && o->guard > 0)
        return base_refuse(err, "scattered slots with a guard of %u: expected no guard", o->guard);
    if (o->scattered && o->transmission)
        return base_refuse(err, "scattered slots with a transmission: expected one of the two");
    if (o->scattered && o->protection != RWA_PROTECTION_NONE)
        return base_refuse(err, "scattered slots with protection: expected one of the two");
    return RWA_OK;
}

static rwa_status check_load(double erlang, const rwa_blocking_options *o, rwa_error *err)
{
    if (!(erlang > 0) || !isfinite(erlang))
        return base_refuse(err, "a load of %g Erlang: expected more than 0", erlang);
    if (o->batches < 2 || o->requests == 0 || o->requests > UINT64_MAX - o->batches)
        return base_refuse(err, "%llu requests in %u batches: expected requests, in at least 2 batches",
                           (unsigned long long)o->requests, o->batches);
    return RWA_OK;
}

/** Check the traffic classes of the options and store them in `s`; without any, use one class of width 1. */
static rwa_status take_classes(struct simulation *s, const rwa_blocking_options *o)
{
    static const rwa_traffic_class narrow = {1, 1, 0};
    double all = 0, sum = 0;
    MUST(check_classes(o, s->err));
    s->classes = o->class_count ? o->classes : &narrow;
    s->class_count = o->class_count ? o->class_count : 1;
    arena_arrays(&s->arena, s->class_count + 1, s->upto, s->asked, s->tallies, s->answers);
    s->shares = arena_array(&s->arena, s->class_count + 2, o->batches * sizeof *s->shares);
    MUST(arena_status(&s->arena));
    s->by_rate = true;
    for (size_t k = 0; k < s->class_count; k++) {
        all += s->classes[k].share;
        RAISE(s->most_width, s->classes[k].width);
        s->by_rate = s->by_rate && s->classes[k].rate_bps > 0;
    }
    for (size_t k = 0; k < s->class_count; k++) {
        s->upto[k + 1] = (sum += s->classes[k].share) / all;
        rwa_request_init(&s->asked[k], 0, 1);
        s->asked[k].routing = o->routing;
        s->asked[k].policy = o->policy;
        s->asked[k].width = o->scattered ? 1 : s->classes[k].width;
        s->asked[k].guard = o->guard;
        s->asked[k].transmission = o->transmission;
        s->asked[k].rate_bps = o->transmission ? s->classes[k].rate_bps : 0;
        s->asked[k].protection = o->protection;
    }
    return arena_arrays(&s->arena, s->most_width, s->ids);
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/** Add the tallies of a batch to the answers. */
static void gather(struct simulation *s, uint32_t batch)
{
    size_t count = s->class_count, batches = s->opts->batches;
    const struct tally *all = &s->tallies[count];
    for (size_t k = 0; k <= count; k++) {
        const struct tally *t = &s->tallies[k];
        s->answers[k].requests += t->requests;
        s->answers[k].blocked += t->blocked;
        s->shares[k * batches + batch] = share_of((double)t->blocked, (double)t->requests);
    }
    s->shares[(count + 1) * batches + batch] = share_of(all->lost, all->asked);
    s->size += all->asked;
    s->lost += all->lost;
}

/** From the sums over all batches compute the blocking probability of each class, into answers[], and of all requests,
 *  into *out.  The exact value for all requests is the mean of those of the classes, weighted by their shares. */
static void conclude(rwa_blocking *out, const struct simulation *s, uint64_t channels)
{
    size_t count = s->class_count;
    uint32_t batches = s->opts->batches;
    double time = s->now - s->began;
    rwa_class_blocking *all = &s->answers[count];
    for (size_t k = 0; k <= count; k++) {
        rwa_class_blocking *c = &s->answers[k];
        c->probability = c->requests ? (double)c->blocked / (double)c->requests : NAN;
        c->half_width = half_width(c->requests, c->blocked, s->shares + k * batches, batches);
        if (k < count)
            all->exact += c->exact * (s->upto[k + 1] - s->upto[k]);
    }
    out->requests = all->requests;
    out->blocked = all->blocked;
    out->probability = all->probability;
    out->half_width = all->half_width;
    out->exact = all->exact;
    out->bandwidth = share_of(s->lost, s->size);
    out->bandwidth_half_width = half_width(all->requests, all->blocked, s->shares + (count + 1) * batches, batches);
    out->carried = s->up_time / time;
    out->utilization = channels ? s->busy_time / time / (double)channels : 0;
    out->mean_hops = s->accepted ? (double)s->hops / (double)s->accepted : NAN;
    out->fragmentation = s->look_sum / (double)s->looks;
}

/** Refuse a simulation on a ring or line that would take more than about a minute.  A request there crosses about a
 *  quarter of all links. */
static rwa_status refuse_work(const struct simulation *s, const rwa_network *net)
{
    const double most = 1.2e10, each = rwa_network_nodes(net) / 4.0,
                 requests = (double)s->opts->requests + (double)s->opts->warm_up;
    if (!network_has_arcs(net) || requests * each <= most)
        return RWA_OK;
    return base_refuse(s->err,
                       "requests: %.0f with those of the warm-up, over about %.0f links each, expected at most %.0f in "
                       "all",
                       requests, each, floor(most / each));
}

/** Simulate the warm-up, then the batches.  Store the results of all requests in *seen, and those of each class in the
 *  options' class_answers, if there is such an array. */
static rwa_status simulate(struct simulation *s, rwa_blocking *seen)
{
    const rwa_blocking_options *o = s->opts;
    uint64_t channels = usable(s->state), each = (o->requests + o->batches - 1) / o->batches;
    s->all = o->warm_up + each * o->batches;
    s->next = draw(s);
    MUST(run(s, o->warm_up));
    begin_counting(s);
    for (uint32_t b = 0; b < o->batches; b++) {
        MUST(run(s, each));
        gather(s, b);
    }
    if (s->looks == 0)
        look(s);
    conclude(seen, s, channels);
    if (o->class_answers && o->class_count > 0)
        memcpy(o->class_answers, s->answers, o->class_count * sizeof *s->answers);
    return RWA_OK;
}

rwa_status rwa_blocking_simulate_sized(rwa_blocking *out, size_t size, const rwa_network *net, double erlang,
                                       const rwa_blocking_options *opts, rwa_error *err)
{
    BEGIN(err, out, net);
    rwa_blocking_options o;
    struct simulation s = {.opts = &o, .erlang = erlang, .err = err, .arena = {.err = err}};
    rwa_blocking seen = {.erlang = erlang};
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_blocking_options, &o, opts, err));
    TRY(check_load(erlang, &o, err));
    TRY(refuse_work(&s, net));
    o.state.history = 0;
    TRY(take_classes(&s, &o));
    TRY(rwa_state_create(&s.state, net, &o.state, err));
    s.nodes = rwa_network_nodes(net);
    s.ordered = rwa_state_model(s.state) == RWA_DIRECTED;
    s.random = o.state.seed;
    s.budget = base_budget(0, o.poll, o.poll_data);
    TRY(find_exact(&s));
    TRY(simulate(&s, &seen));
done:
    base_give_answer(out, size, &seen, sizeof seen);
    free(s.heap);
    arena_free(&s.arena);
    rwa_state_free(s.state);
    return st;
}

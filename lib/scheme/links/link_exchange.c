/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "link-exchange": an all-to-all whose lightpaths are the links.  The block of each pair takes a route of its own, by prices that
 * rise with what links carry, and leaves in a step in which its links have room; so the fullest link carries little more than it must,
 * and about as much in each step.
 */
#include "base/arithmetic.h"
#include "base/bins.h"
#include "delivery/exchange_load.h"
#include "scheme/links/links.h"

/** Links that all blocks pass together, and lightpaths of a schedule, at most. */
#define MOVES_MOST 25165824.0
#define LIGHTPATHS_MOST 1572864.0
/** Nodes, steps of a schedule, and places where a block's first step is looked for. */
enum { EXCHANGE_NODES = 4096, STEPS_MOST = 1024, PLACES = 3 };

/** How the price of a link rises with its load: from 1 up to 1 + `steep` at the fullest one, as load to the power 16. */
struct pricing {
    double steep;               /* 0: all blocks take shortest routes */
    double slack;               /* a block may take a link whose route costs so much more than the cheapest */
};

/** The routes of all blocks. */
struct routes {
    const rwa_network *net;     /* borrowed: only while the search lasts */
    uint32_t nodes, links, longest; /* the most links of a route */
    uint16_t *link;             /* of each pair, by destination, then source, one after the other */
    size_t moves, room;
    uint32_t *length;           /* of the route of each pair */
    uint32_t *load;             /* of each link: routes over it */
    uint32_t fullest;
    double *price, *cost;       /* of each link; of each node: of its cheapest route to the destination */
    struct bins into;           /* links by the node that they lead to */
    uint32_t *begin;            /* links out of node v on routes to the destination: onward[begin[v]] … onward[begin[v + 1] - 1] */
    uint16_t *onward;
    struct arena memory;
};

/** When blocks leave: what each link carries in each step. */
struct timetable {
    uint32_t steps;
    uint16_t *start;            /* of each pair: its first step, from 0 */
    uint32_t *load;             /* [step][link] */
    uint32_t *fullest;          /* of each step */
    uint32_t lanes;             /* lightpaths of a link, at most */
    double lightpaths, time_s;
    struct arena memory;
};

struct link_draft {
    struct draft draft;
    struct routes routes;
    struct timetable table;
};

/* ---- routes ---- */

static void routes_close(struct routes *r)
{
    bins_free(&r->into);
    arena_free(&r->memory);
}

/** @param room  links of all routes, at most */
static rwa_status routes_open(struct routes *r, const rwa_network *net, size_t room, rwa_error *err)
{
    *r = (struct routes){.net = net, .nodes = net->nodes, .links = net->link_count, .room = room, .memory = {.err = err}};
    arena_new(&r->memory, r->link, room);
    arena_new(&r->memory, r->begin, (size_t)r->nodes + 1);
    arena_new(&r->memory, r->onward, r->links);
    arena_new(&r->memory, r->length, (size_t)r->nodes * r->nodes);
    arena_new(&r->memory, r->load, r->links);
    arena_new(&r->memory, r->price, r->links);
    arena_new(&r->memory, r->cost, r->nodes);
    MUST(arena_status(&r->memory));
    MUST(bins_open(&r->into, r->nodes, err));
    for (uint32_t l = 0; l < r->links; l++)
        bins_count(&r->into, net->links[l].to);
    MUST(bins_divide(&r->into, r->nodes, err));
    for (uint32_t l = 0; l < r->links; l++)
        bins_put(&r->into, net->links[l].to, l);
    return RWA_OK;
}

static void set_prices(struct routes *r, const struct pricing *by)
{
    for (uint32_t l = 0; l < r->links; l++) {
        double share = r->fullest > 0 ? (double)r->load[l] / r->fullest : 0;
        for (int square = 0; square < 4; square++)
            share *= share;
        r->price[l] = 1 + by->steep * share;
    }
}

struct visit {
    double cost;
    uint32_t node;
};

static bool is_cheaper(const struct visit *a, const struct visit *b)
{
    return a->cost < b->cost;
}

HEAP(visits, struct visit, is_cheaper)

/** Dijkstra's search from a destination, against the links. */
static rwa_status find_costs(struct routes *r, uint32_t dst, struct visit **heap, size_t *room, rwa_error *err)
{
    size_t count = 0;
    for (uint32_t v = 0; v < r->nodes; v++)
        r->cost[v] = INFINITY;
    r->cost[dst] = 0;
    MUST(visits_push(heap, &count, room, (struct visit){0, dst}, err));
    while (count > 0) {
        struct visit at = visits_pop(*heap, &count);
        if (at.cost > r->cost[at.node])
            continue;
        for (size_t k = r->into.first[at.node]; k < r->into.first[at.node + 1]; k++) {
            uint32_t link = r->into.number[k], from = r->net->links[link].from;
            double cost = at.cost + r->price[link];
            if (cost >= r->cost[from])
                continue;
            r->cost[from] = cost;
            MUST(visits_push(heap, &count, room, (struct visit){cost, from}, err));
        }
    }
    return RWA_OK;
}

/** Links that lead to cheaper nodes, on routes hardly dearer than the cheapest one. */
static void list_onward(struct routes *r, double slack)
{
    const rwa_network *net = r->net;
    uint32_t count = 0;
    for (uint32_t v = 0; v < r->nodes; v++) {
        double most = r->cost[v] * (1 + 1e-12) + slack;
        r->begin[v] = count;
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            uint32_t link = net->out[k], to = net->links[link].to;
            if (r->cost[to] < r->cost[v] && r->cost[to] + r->price[link] <= most)
                r->onward[count++] = (uint16_t)link;
        }
    }
    r->begin[r->nodes] = count;
}

/** The one with the least load. */
static uint16_t next_link(const struct routes *r, uint32_t at)
{
    const uint16_t *onward = r->onward + r->begin[at], *end = r->onward + r->begin[at + 1];
    uint16_t best = *onward;
    assert(onward < end);
    while (++onward < end)
        best = r->load[*onward] < r->load[best] ? *onward : best;
    return best;
}

/** The block of a pair; false: its links would be too many. */
static bool route_pair(struct routes *r, uint32_t src, uint32_t dst)
{
    uint32_t hops = 0;
    for (uint32_t at = src; at != dst; hops++) {
        if (r->moves == r->room)
            return false;
        uint16_t link = next_link(r, at);
        r->link[r->moves++] = link;
        r->fullest = ++r->load[link] > r->fullest ? r->load[link] : r->fullest;
        at = r->net->links[link].to;
    }
    r->length[(size_t)dst * r->nodes + src] = hops;
    r->longest = hops > r->longest ? hops : r->longest;
    return true;
}

/** To each destination, or to one of so many, with the prices that follow from those before; *whole: all blocks have routes. */
static rwa_status find_routes(bool *whole, struct routes *r, const struct pricing *by, uint32_t apart, const struct budget *given,
                              rwa_error *err)
{
    struct budget budget = *given;
    struct visit *heap = NULL;
    size_t room = 0;
    rwa_status st = RWA_OK;
    *whole = true;
    for (uint32_t dst = apart / 2; dst < r->nodes && *whole; dst += apart) {
        if (base_must_stop(&budget, "routes of an exchange", (double)dst / r->nodes))
            st = base_fail(err, RWA_CANCELLED, "planning was stopped while routes were chosen");
        TRY(st);
        set_prices(r, by);
        TRY(find_costs(r, dst, &heap, &room, err));
        list_onward(r, by->slack);
        for (uint32_t i = 0; i < r->nodes && *whole; i++)
            if (isinf(r->cost[i]))
                *whole = false;
            else if (i != dst)
                *whole = route_pair(r, i, dst);
    }
done:
    free(heap);
    return st;
}

/* ---- steps ---- */

/** The fullest of a route's links, in the steps from `start` on in which the block passes them. */
static uint32_t fullest_on(const struct timetable *t, const struct routes *r, const uint16_t *route, uint32_t length, uint32_t start)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t load = t->load[(size_t)(start + i) * r->links + route[i]];
        most = load > most ? load : most;
    }
    return most;
}

/** Of some starts drawn at random, that with the emptiest links. */
static uint32_t choose_start(const struct timetable *t, const struct routes *r, const uint16_t *route, uint32_t length, uint64_t *random)
{
    uint32_t choices = t->steps - length + 1, best = 0, least = UINT32_MAX, first = (uint32_t)base_random_below(random, choices);
    uint32_t places = choices < PLACES ? choices : PLACES;
    for (uint32_t i = 0; i < places && least > 0; i++) {
        uint32_t start = (first + i * choices / places) % choices, here = fullest_on(t, r, route, length, start);
        best = here < least ? start : best;
        least = here < least ? here : least;
    }
    return best;
}

static rwa_status choose_starts(struct timetable *t, const struct routes *r, struct budget *budget, rwa_error *err)
{
    uint64_t random = 1;
    size_t at = 0;
    for (size_t pair = 0; pair < (size_t)r->nodes * r->nodes; at += r->length[pair++]) {
        uint32_t length = r->length[pair];
        if (length == 0) {
            if (base_must_stop(budget, "steps of an exchange", -1))
                return base_fail(err, RWA_CANCELLED, "planning was stopped while steps were chosen");
            continue;
        }
        const uint16_t *route = r->link + at;
        uint32_t start = choose_start(t, r, route, length, &random);
        t->start[pair] = (uint16_t)start;
        for (uint32_t i = 0; i < length; i++) {
            uint32_t *load = &t->load[(size_t)(start + i) * r->links + route[i]];
            t->fullest[start + i] = ++*load > t->fullest[start + i] ? *load : t->fullest[start + i];
        }
    }
    return RWA_OK;
}

/** Lightpaths of a link that carries so many blocks in a step: no more than share the load as the fullest link's do. */
static uint32_t lanes_for(const struct timetable *t, uint32_t step, uint32_t blocks)
{
    return (uint32_t)(blocks > 0 ? ceil_div(blocks, ceil_div(t->fullest[step], t->lanes)) : 0);
}

static double count_lightpaths(const struct timetable *t, const struct routes *r)
{
    double sum = 0;
    for (uint32_t step = 0; step < t->steps; step++)
        for (uint32_t link = 0; link < r->links; link++)
            sum += lanes_for(t, step, t->load[(size_t)step * r->links + link]);
    return sum;
}

static void timetable_close(struct timetable *t)
{
    arena_free(&t->memory);
}

/** In so many steps, on as many channels as keep the schedule small. */
static rwa_status timetable_open(struct timetable *t, const struct routes *r, uint32_t steps, const struct plan_request *request,
                                 struct budget *budget, rwa_error *err)
{
    rwa_cost_prices price;
    *t = (struct timetable){.steps = steps, .memory = {.err = err}};
    arena_new(&t->memory, t->start, (size_t)r->nodes * r->nodes);
    arena_new(&t->memory, t->load, (size_t)steps * r->links);
    arena_new(&t->memory, t->fullest, steps);
    MUST(arena_status(&t->memory));
    MUST(rwa_cost_floor(&price, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    MUST(choose_starts(t, r, budget, err));
    t->lanes = rwa_network_channels(r->net);
    t->lightpaths = count_lightpaths(t, r);
    while (t->lightpaths > LIGHTPATHS_MOST && t->lanes > 1) {
        t->lanes = 3 * t->lanes / 4;
        t->lightpaths = count_lightpaths(t, r);
    }
    t->time_s = t->lightpaths <= LIGHTPATHS_MOST ? price.once_s : INFINITY;
    for (uint32_t step = 0; step < steps; step++)
        t->time_s += scheme_step_time(request, &price, ceil_div(t->fullest[step], t->lanes) * request->coll->block_bytes);
    return RWA_OK;
}

/* ---- plan ---- */

struct writer {
    struct schedule_sink *sink;
    const struct plan_request *request;
    const struct routes *r;
    const struct timetable *t;
    struct bins moves;          /* blocks, by step and link */
    rwa_run *run;
};

/** Counts the moves of all blocks, or lists them. */
static void list_moves(struct writer *w, bool count)
{
    const struct routes *r = w->r;
    size_t at = 0;
    for (size_t pair = 0; pair < (size_t)r->nodes * r->nodes; at += r->length[pair++]) {
        uint32_t src = (uint32_t)(pair % r->nodes), dst = (uint32_t)(pair / r->nodes);
        const uint16_t *route = r->link + at;
        for (uint32_t i = 0; i < r->length[pair]; i++) {
            size_t key = (size_t)(w->t->start[pair] + i) * r->links + route[i];
            if (count)
                bins_count(&w->moves, key);
            else
                bins_put(&w->moves, key, src * r->nodes + dst);
        }
    }
}

static rwa_status writer_open(struct writer *w, rwa_error *err)
{
    const struct routes *r = w->r;
    size_t keys = (size_t)w->t->steps * r->links;
    uint32_t most = 1;
    for (uint32_t step = 0; step < w->t->steps; step++)
        most = w->t->fullest[step] > most ? w->t->fullest[step] : most;
    MUST(base_new(w->run, most, err));
    MUST(bins_open(&w->moves, keys, err));
    list_moves(w, true);
    MUST(bins_divide(&w->moves, keys, err));
    list_moves(w, false);
    return RWA_OK;
}

static void writer_close(struct writer *w)
{
    bins_free(&w->moves);
    free(w->run);
}

/** So many blocks on a lightpath of a link. */
static rwa_status push_lane(const struct writer *w, uint32_t link, uint32_t lane, const uint32_t *block, uint32_t count, rwa_error *err)
{
    const rwa_network *net = w->request->net;
    uint32_t ends[] = {net->links[link].from, net->links[link].to}, runs = 0;
    for (uint32_t i = 0; i < count; i++)
        runs = run_append(w->run, runs, (rwa_run){block[i], 1, 1});
    rwa_lightpath lp = {.step = 1, .src = ends[0], .dst = ends[1], .fiber = lane / net->wavelengths, .wavelength = lane % net->wavelengths,
                        .orbit = 1, .block = block[0]};
    rwa_lists lists = {.runs = w->run, .run_count = runs, .block_count = count, .path = ends, .path_nodes = 2};
    return sink_lightpath(w->sink, &lp, &lists, err);
}

static rwa_status push_link(const struct writer *w, uint32_t step, uint32_t link, rwa_error *err)
{
    size_t key = (size_t)step * w->r->links + link;
    const uint32_t *block = w->moves.number + w->moves.first[key];
    uint32_t count = w->t->load[key], lanes = lanes_for(w->t, step, count);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t begin = part_start(count, lanes, lane), end = part_start(count, lanes, lane + 1);
        MUST(push_lane(w, link, lane, block + begin, end - begin, err));
    }
    return RWA_OK;
}

static rwa_status write_steps(struct schedule_sink *sink, const struct plan_request *request, const struct link_draft *d, rwa_error *err)
{
    struct writer w = {.sink = sink, .request = request, .r = &d->routes, .t = &d->table};
    rwa_status st = writer_open(&w, err);
    for (uint32_t step = 0; step < d->table.steps && st == RWA_OK; step++) {
        for (uint32_t k = 0; k < d->routes.links && st == RWA_OK; k++)
            st = push_link(&w, step, request->net->out[k], err);
        if (st == RWA_OK)
            st = sink_end_stage(sink, err);
    }
    writer_close(&w);
    return st;
}

/* ---- search ---- */

static void release_draft(struct draft *draft)
{
    struct link_draft *d = (struct link_draft *)draft;
    routes_close(&d->routes);
    timetable_close(&d->table);
    free(d);
}

/** Links of all shortest routes together, and of the longest one. */
static void sum_distances(double *sum, uint32_t *farthest, const struct distances *d)
{
    size_t pairs = (size_t)d->net->nodes * d->net->nodes;
    *sum = *farthest = 0;
    for (size_t i = 0; i < pairs; i++) {
        *sum += d->hops[i];
        *farthest = d->hops[i] > *farthest ? d->hops[i] : *farthest;
    }
}

struct search {
    const struct plan_request *request;
    struct budget budget;
    struct distances distances;
    rwa_cost_prices price;
    double block_s, limit_s;    /* of a block on a channel; what takes no less is of no interest */
    double sum;                 /* links of all shortest routes */
    uint32_t farthest;          /* links of the longest one */
    struct link_draft *best;
};

/** The least time, where the fullest link carries so many blocks and the longest route has so many links. */
static double least_s(const struct search *s, double fullest, uint32_t lanes, uint32_t longest)
{
    return s->price.once_s + longest * s->price.step_s + fullest / lanes * s->block_s;
}

/** Links of all routes together, at most: routes by prices are hardly longer than so. */
static size_t moves_most(const struct search *s)
{
    const double longer = 1.5;
    return (size_t)fmin(longer * s->sum, MOVES_MOST);
}

/** What routes to one destination of so many show of the routes to all; these share the links into their ends with few others, so that it
 *  is rather too much. */
static rwa_status rate(double *time_s, const struct search *s, const struct pricing *by, uint32_t apart, rwa_error *err)
{
    struct routes r;
    bool whole = false;
    rwa_status st = routes_open(&r, s->request->net, moves_most(s) / apart + s->request->net->nodes, err);
    if (st == RWA_OK)
        st = find_routes(&whole, &r, by, apart, &s->budget, err);
    double needed = 0.5 * r.links * (r.longest + 1.0); /* lightpaths, for one channel of each link, about */
    double lanes = fmin(rwa_network_channels(r.net), fmax(1, LIGHTPATHS_MOST / needed));
    *time_s = whole ? least_s(s, (double)r.fullest * apart, (uint32_t)lanes, r.longest) : INFINITY;
    routes_close(&r);
    return st;
}

static const struct pricing priced = {100, 0.5}, shortest = {0, 0};

/** The better of shortest routes and routes by prices, over the links. */
static rwa_status choose_pricing(struct pricing *out, double *time_s, const struct search *s, rwa_error *err)
{
    enum { LARGE = 256, APART = 8 };
    const double close = 1.1;
    uint32_t apart = s->request->net->nodes > LARGE ? APART : 1;
    double other_s = INFINITY;
    *out = shortest;
    MUST(rate(time_s, s, &shortest, apart, err));
    if (*time_s > close * least_s(s, 0, rwa_network_channels(s->request->net), s->farthest))
        MUST(rate(&other_s, s, &priced, apart, err));
    if (other_s < *time_s) {
        *out = priced;
        *time_s = other_s;
    }
    return RWA_OK;
}

/** As many steps as the longest route has links, or more as long as that is quicker: then links are about equally full in each step. */
static rwa_status find_timetable(struct search *s, rwa_error *err)
{
    const struct routes *r = &s->best->routes;
    double bytes_s = (double)r->fullest / rwa_network_channels(r->net) * s->block_s;
    double stretch = r->longest * s->price.step_s < bytes_s ? 1.5 : 1;
    for (bool more = true; more && r->longest * stretch <= STEPS_MOST; stretch *= 1.5) {
        struct timetable t;
        uint32_t steps = (uint32_t)(r->longest * stretch);
        rwa_status st = timetable_open(&t, r, steps, s->request, &s->budget, err);
        more = st == RWA_OK && t.time_s < s->limit_s;
        if (more) {
            struct timetable slower = s->best->table;
            s->best->table = t;
            s->limit_s = t.time_s;
            more = t.time_s - least_s(s, r->fullest, t.lanes, steps) > steps / 2 * s->price.step_s;
            t = slower;
        }
        timetable_close(&t);
        MUST(st);
    }
    return RWA_OK;
}

static rwa_status search(struct search *s, rwa_error *err)
{
    const double hope = 0.6; /* of the time that a part of the routes shows */
    struct link_draft *d = s->best;
    struct pricing by;
    double time_s;
    bool found = false;
    MUST(choose_pricing(&by, &time_s, s, err));
    if (hope * time_s < s->limit_s) {
        MUST(routes_open(&d->routes, s->request->net, moves_most(s), err));
        MUST(find_routes(&found, &d->routes, &by, 1, &s->budget, err));
    }
    return found && d->routes.longest <= STEPS_MOST ? find_timetable(s, err) : RWA_OK;
}

/** Whether the links that all blocks pass together leave a chance. */
static rwa_status search_where_hopeful(struct search *s, rwa_error *err)
{
    const rwa_network *net = s->request->net;
    if (links_limit_unlike(s->request) || net->nodes > EXCHANGE_NODES || net->link_count > UINT16_MAX ||
        s->request->coll->blocks != (uint64_t)net->nodes * net->nodes)
        return RWA_OK;
    MUST(distances_open(&s->distances, net, err));
    MUST(rwa_cost_floor(&s->price, rwa_network_rate_bps(net), &s->request->opts->cost, err));
    sum_distances(&s->sum, &s->farthest, &s->distances);
    s->block_s = s->price.byte_s * (double)s->request->coll->block_bytes;
    bool hopeful = s->sum <= MOVES_MOST && s->farthest <= STEPS_MOST &&
                   least_s(s, s->sum / net->link_count, rwa_network_channels(net), 1) < s->limit_s;
    return hopeful ? search(s, err) : RWA_OK;
}

static rwa_status estimate_exchange(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct link_draft *draft;
    struct search s = {.request = request, .budget = base_budget(0, o->poll, o->poll_data), .limit_s = scheme_time_limit(request)};
    *out = scheme_no_estimate(request);
    MUST(base_new(draft, 1, err));
    draft->draft.release = release_draft;
    s.best = draft;
    rwa_status st = search_where_hopeful(&s, err);
    TRY(st);
    if (draft->table.steps > 0) {
        *out = (struct estimate){.blocks = request->coll->blocks, .steps = draft->table.steps, .time_s = draft->table.time_s,
                                 .records = draft->table.lightpaths, .draft = &draft->draft};
        draft = NULL;
    }
done:
    distances_free(&s.distances);
    if (draft)
        release_draft(&draft->draft);
    return st;
}

static rwa_status plan_exchange(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    const struct link_draft *draft = (const struct link_draft *)request->draft;
    if (links_limit_unlike(request))
        return scheme_refuse(request, "scheme link-exchange does not support %s", links_limit_unlike(request));
    if (!draft || request->coll->blocks != (uint64_t)request->net->nodes * request->net->nodes)
        return scheme_refuse(request, "scheme link-exchange needs one block for each pair of nodes, and few enough links on their ways");
    return write_steps(sink, request, draft, err);
}

const struct scheme scheme_link_exchange = {
    .name = "link-exchange",
    .summary = "the block of each pair takes links of its own choice, as empty as can be, one in each step",
    .source = "this work",
    .collectives = 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_LISTED,
    .traits = SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_exchange,
    .plan = plan_exchange,
};

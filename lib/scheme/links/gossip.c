/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "gossip": every link is a lightpath on each of its channels.  In each step a node passes on to each neighbour blocks that this one
 * lacks.  A reduce-scatter is an all-gather backwards, an all-reduce both.  Where tuning takes time by itself lightpaths stay up from the
 * first step that needs them to the last: those with nothing to carry repeat a block that does no harm.
 */
#include "scheme/links/gossip.h"

#include "delivery/exchange_load.h"
#include "network/translations.h"
#include "scheme/links/links.h"

/** Words that may be looked at in one run, about: of whole blocks, and of parts. */
#define WORDS_MOST 536870912.0
#define PART_WORDS_MOST 134217728.0
/** Blocks that nodes receive, lightpaths of a schedule, and those with lightpaths that are up before they are needed. */
#define DELIVERIES_MOST 4194304.0
#define LIGHTPATHS_MOST 6291456.0
#define FILLED_MOST 2097152.0

static double block_bytes(const struct plan_request *request, uint32_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    uint64_t blocks = (uint64_t)coll->nodes * parts;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

/* ---- time ---- */

static bool runs_backwards(const struct plan_request *request)
{
    return request->coll->kind == RWA_REDUCE_SCATTER || request->coll->kind == RWA_ALL_REDUCE;
}

/** Lightpaths that are up: what a schedule of one run, backwards, forwards or both, has in each of its steps on each link. */
struct lanes {
    const struct plan_request *request;
    const struct gossip *g;
    uint32_t *opposite;         /* of each link */
    uint32_t steps, back;       /* of the schedule; the first `back` of these are backwards */
    uint16_t *up;               /* [step, from 0][link] */
    double lightpaths;
    struct arena memory;
};

/** The step of the run, from 0, that is step `at` of the schedule, from 0. */
static uint32_t step_of(const struct lanes *s, uint32_t at)
{
    return at < s->back ? s->back - 1 - at : at - s->back;
}

/** Blocks on a link in a step of the schedule. */
static uint32_t blocks_on(const struct lanes *s, uint32_t at, uint32_t link)
{
    return s->g->count[(size_t)step_of(s, at) * s->g->links + (at < s->back ? s->opposite[link] : link)];
}

/** Of the lightpaths of a link no more carry blocks than there are. */
static uint32_t lanes_on(const struct lanes *s, uint32_t at, uint32_t link)
{
    uint32_t blocks = blocks_on(s, at, link);
    return blocks < s->g->channels ? blocks : s->g->channels;
}

static void find_opposites(const struct lanes *s)
{
    const rwa_network *net = s->g->net;
    for (uint32_t l = 0; l < net->link_count; l++)
        for (uint32_t k = net->first[net->links[l].to]; k < net->first[net->links[l].to + 1]; k++)
            if (net->links[net->out[k]].to == net->links[l].from)
                s->opposite[l] = net->out[k];
}

/** Each lightpath stays up between the first step and the last that need it; `early`: all come up in the first step. */
static void fill_lanes(struct lanes *s, bool early)
{
    uint32_t links = s->g->links, *most = s->opposite + links; /* behind, of each link */
    memset(most, 0, links * sizeof *most);
    for (uint32_t at = s->steps; at-- > 0;)
        for (uint32_t l = 0; l < links; l++) {
            uint32_t now = lanes_on(s, at, l);
            most[l] = now > most[l] ? now : most[l];
            s->up[(size_t)at * links + l] = (uint16_t)most[l];
        }
    memset(most, 0, links * sizeof *most);
    for (uint32_t at = 0; at < s->steps; at++)
        for (uint32_t l = 0; l < links; l++) {
            uint16_t *up = &s->up[(size_t)at * links + l];
            uint32_t now = lanes_on(s, at, l);
            now = early && at == 0 ? *up : now;
            most[l] = now > most[l] ? now : most[l];
            *up = most[l] < *up ? (uint16_t)most[l] : *up;
        }
}

static double count_lightpaths(const struct lanes *s)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)s->steps * s->g->links; i++)
        sum += s->up[i];
    return sum;
}

/** RWA_NOMEM; lanes_close() in any case. */
static rwa_status lanes_open(struct lanes *s, const struct plan_request *request, const struct gossip *g, rwa_error *err)
{
    rwa_cost_model model = request->opts->cost.model;
    bool both = request->coll->kind == RWA_ALL_REDUCE;
    *s = (struct lanes){.request = request, .g = g, .steps = (both ? 2 : 1) * g->steps, .back = runs_backwards(request) ? g->steps : 0,
                        .memory = {.err = err}};
    arena_new(&s->memory, s->opposite, 2 * (size_t)g->links);
    arena_new(&s->memory, s->up, (size_t)s->steps * g->links);
    MUST(arena_status(&s->memory));
    find_opposites(s);
    if (model == RWA_COST_PAPER) {
        for (uint32_t at = 0; at < s->steps; at++)
            for (uint32_t l = 0; l < g->links; l++)
                s->up[(size_t)at * g->links + l] = (uint16_t)lanes_on(s, at, l);
    } else {
        bool early = model == RWA_COST_CIRCUIT && s->back == 0; /* sums have to come in before any block does no harm */
        fill_lanes(s, early);
        if (early && count_lightpaths(s) > FILLED_MOST)
            fill_lanes(s, false);
    }
    s->lightpaths = count_lightpaths(s);
    return RWA_OK;
}

static void lanes_close(struct lanes *s)
{
    arena_free(&s->memory);
}

/** Steps with new lightpaths. */
static uint32_t count_settings(const struct lanes *s)
{
    uint32_t links = s->g->links, settings = 1;
    for (uint32_t at = 1; at < s->steps; at++) {
        const uint16_t *now = s->up + (size_t)at * links, *before = now - links;
        bool more = false;
        for (uint32_t l = 0; l < links && !more; l++)
            more = now[l] > before[l];
        settings += more;
    }
    return settings;
}

/** Of a step without tuning of its own. */
static double step_time(const struct plan_request *request, const rwa_cost_prices *price, uint32_t parts, uint32_t load)
{
    return scheme_step_time(request, price, (uint64_t)(block_bytes(request, parts) * load));
}

/* ---- search ---- */

/** Numbers of blocks on a lightpath, each twice the one before, that are tried in any case. */
enum { LEAST_TRIES = 3 };

struct search {
    const struct plan_request *request;
    rwa_cost_prices price;
    struct estimate *best;
};

/** Run it while it takes less than a limit; *spent_s: all its steps, INFINITY if it did not end. */
static rwa_status run(double *spent_s, struct gossip *g, const struct search *s, double limit_s, rwa_error *err)
{
    const rwa_plan_options *o = s->request->opts;
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    double sum_s = 0;
    bool some = true;
    while (g->missing > 0 && some && sum_s < limit_s && g->steps < UINT16_MAX - 1) {
        MUST(gossip_step(&some, g, &budget, err));
        sum_s += some ? step_time(s->request, &s->price, g->way.parts, g->load[g->steps - 1]) : 0;
    }
    *spent_s = g->missing == 0 && sum_s < limit_s ? sum_s : INFINITY;
    return RWA_OK;
}

static rwa_status rate_run(struct search *s, const struct gossip *g, double spent_s, rwa_error *err)
{
    const rwa_cost_options *cost = &s->request->opts->cost;
    struct lanes lanes;
    rwa_status st = lanes_open(&lanes, s->request, g, err);
    TRY(st);
    uint32_t settings = count_settings(&lanes);
    double tuned_s = cost->model == RWA_COST_CIRCUIT ? (settings - 1) * cost->reconfig_s : 0;
    double time_s = s->price.once_s + spent_s * (double)scheme_passes(s->request) + tuned_s;
    if (time_s < s->best->time_s && lanes.lightpaths <= LIGHTPATHS_MOST)
        *s->best = (struct estimate){.blocks = g->blocks, .steps = lanes.steps, .reconfigurations = settings, .records = lanes.lightpaths,
                                     .set[0].radix = {g->way.parts, g->way.most}, .sets = 1, .time_s = time_s};
done:
    lanes_close(&lanes);
    return st;
}

/** *steps: how many it took; 0: it was given up. */
static rwa_status try_way(uint32_t *steps, struct search *s, const struct way *way, double limit_s, rwa_error *err)
{
    struct gossip g;
    double spent_s;
    rwa_status st = gossip_open(&g, s->request->net, way, false, err);
    TRY(st);
    TRY(run(&spent_s, &g, s, limit_s, err));
    *steps = isinf(spent_s) ? 0 : g.steps;
    if (*steps > 0)
        TRY(rate_run(s, &g, spent_s, err));
done:
    gossip_close(&g);
    return st;
}

/** Blocks that enter the node with the fewest links, to each of its lightpaths. */
static double least_rounds(const rwa_network *net)
{
    uint32_t degree = UINT32_MAX; /* links lead there and back, or the node with the fewest out is no worse a guess */
    for (uint32_t v = 0; v < net->nodes; v++)
        degree = net->first[v + 1] - net->first[v] < degree ? net->first[v + 1] - net->first[v] : degree;
    return degree > 0 ? (net->nodes - 1.0) / degree / rwa_network_channels(net) : INFINITY;
}

/** No run takes fewer steps than a block has links to go: from the node farthest from node 0 to the node farthest from there. */
static rwa_status least_steps(uint32_t *steps, const rwa_network *net, rwa_error *err)
{
    uint32_t *queue, from = 0;
    uint16_t *hops;
    struct arena memory = {.err = err};
    arena_new(&memory, queue, net->nodes);
    arena_new(&memory, hops, net->nodes);
    for (int sweep = 0; sweep < 2 && !memory.failed; sweep++) {
        distances_from(hops, net, from, queue);
        for (uint32_t v = 0; v < net->nodes; v++)
            from = hops[v] > hops[from] ? v : from;
    }
    *steps = memory.failed ? 0 : hops[from];
    rwa_status st = arena_status(&memory);
    arena_free(&memory);
    return st;
}

/** Parts of a block: few enough for the planning to be quick. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { PART_BYTES = 64 };
    const rwa_network *net = request->net;
    double nodes = net->nodes, runs = least_rounds(net), words = GOSSIP_CLASSES * nodes / 64 * net->link_count * runs;
    double most = fmin(fmin(sqrt(PART_WORDS_MOST / words), DELIVERIES_MOST / nodes / nodes), block_bytes(request, 1) / PART_BYTES);
    return most > 1 ? (uint32_t)most : 1;
}

/**
 * Where some lightpath always carries something, S steps after the first D, in which blocks spread as far as they go, take S + D prices
 * of a step and as many blocks on a lightpath as it costs least to send at once: the square root of what S steps cost, by what
 * D blocks do.  Parts of a block are enough where the first D take little of the time.
 */
static struct way best_way(const struct plan_request *request, const rwa_cost_prices *price, uint32_t spread)
{
    const double little = 0.02;
    double rounds = least_rounds(request->net), blocks = sqrt(rounds * price->step_s / spread / (price->byte_s * block_bytes(request, 1)));
    double parts = fmin(fmin(ceil(1 / blocks), ceil(spread / rounds / little)), most_parts(request));
    struct way way = {1, 1};
    if (blocks < 1)
        way.parts = parts > 1 ? (uint32_t)parts : 1;
    else
        way.most = blocks < request->net->nodes ? (uint32_t)blocks : request->net->nodes;
    return way;
}

/** First in the fewest steps, whose number is the distance that blocks travel; then with numbers of blocks around the best estimate. */
static rwa_status try_ways(struct search *s, rwa_error *err)
{
    struct way way = {1, UINT32_MAX};
    uint32_t spread, steps;
    MUST(try_way(&spread, s, &way, INFINITY, err));
    if (spread == 0)
        return RWA_OK;
    way = best_way(s->request, &s->price, spread);
    for (uint32_t tries = 0, better = 0; tries < LEAST_TRIES || better == tries; tries++, way.most *= 2) {
        double before_s = s->best->time_s;
        MUST(try_way(&steps, s, &way, (before_s - s->price.once_s) / (double)scheme_passes(s->request), err));
        better = s->best->time_s < before_s ? tries + 1 : better;
    }
    return RWA_OK;
}

static rwa_status estimate_gossip(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct estimate best = {.time_s = scheme_time_limit(request)};
    struct search s = {.request = request, .best = &best};
    const double hardly = 1.005; /* a run that never waits for a block is rare */
    double nodes = request->coll->nodes;
    uint32_t least;
    *out = scheme_no_estimate(request);
    if (links_limit(request))
        return RWA_OK;
    MUST(least_steps(&least, request->net, err));
    MUST(rwa_cost_floor(&s.price, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    double rounds = least_rounds(request->net), words = GOSSIP_CLASSES * ceil(nodes / 64) * request->net->link_count * rounds;
    double pass_s = least * s.price.step_s + rounds * s.price.byte_s * block_bytes(request, 1);
    if (words > WORDS_MOST || nodes * nodes > DELIVERIES_MOST ||
        hardly * (s.price.once_s + pass_s * (double)scheme_passes(request)) >= best.time_s)
        return RWA_OK;
    MUST(try_ways(&s, err));
    if (best.steps > 0)
        *out = best;
    return RWA_OK;
}

/* ---- plan ---- */

struct writer {
    struct schedule_sink *sink;
    const struct lanes *s;
    const struct gossip *g;
    size_t *first;              /* [step of the run][link]: where its blocks stand in the sequence */
    uint32_t *repeated;         /* [node][block]: the last step of the schedule in which it was sent there only to keep a lightpath up */
    uint32_t *next;             /* of each node: where to look for the next such block */
    rwa_run *run;
    struct arena memory;
};

static rwa_status writer_open(struct writer *w, struct schedule_sink *sink, const struct lanes *s, rwa_error *err)
{
    const struct gossip *g = s->g;
    size_t entries = (size_t)g->steps * g->links;
    *w = (struct writer){.sink = sink, .s = s, .g = g, .memory = {.err = err}};
    arena_new(&w->memory, w->first, entries + 1);
    arena_new(&w->memory, w->repeated, (size_t)g->nodes * g->blocks);
    arena_new(&w->memory, w->next, g->nodes);
    arena_new(&w->memory, w->run, g->blocks);
    MUST(arena_status(&w->memory));
    for (size_t i = 0; i < entries; i++)
        w->first[i + 1] = w->first[i] + g->count[i];
    return RWA_OK;
}

/**
 * A block that keeps a lightpath up which has nothing to carry.  In an all-gather the source's own one.  Backwards the receiver has sent
 * its sum of the block on and needs it no more; forwards again, both ends have the whole sum.  UINT32_MAX: there is none.
 */
static uint32_t block_to_repeat(struct writer *w, uint32_t from, uint32_t to, uint32_t at)
{
    const struct gossip *g = w->g;
    const uint16_t *source = g->arrival + (size_t)from * g->blocks, *sink = g->arrival + (size_t)to * g->blocks;
    uint32_t step = step_of(w->s, at) + 1, *repeated = w->repeated + (size_t)to * g->blocks;
    if (w->s->back == 0)
        return from * g->way.parts;
    for (uint32_t i = 0; i < g->blocks; i++) {
        uint32_t block = w->next[to] = (w->next[to] + 1) % g->blocks;
        bool harmless = at < w->s->back ? sink[block] > step : source[block] < step && sink[block] < step;
        if (!harmless || repeated[block] == at + 1)
            continue;
        repeated[block] = at + 1;
        return block;
    }
    return UINT32_MAX;
}

/** A lightpath with `count` blocks of the sequence from `first` on, or with one that keeps it up. */
static rwa_status push_lane(struct writer *w, uint32_t at, uint32_t link, uint32_t lane, size_t first, uint32_t count, rwa_error *err)
{
    const rwa_link *l = &w->g->net->links[link];
    uint32_t path[] = {l->from, l->to}, runs = 0, wavelengths = rwa_network_wavelengths(w->g->net);
    rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .fiber = lane / wavelengths, .wavelength = lane % wavelengths,
                        .orbit = 1, .op = count > 0 && at < w->s->back ? RWA_REDUCE : RWA_COPY};
    for (uint32_t i = 0; i < count; i++)
        runs = run_append(w->run, runs, (rwa_run){w->g->sequence[first + i], 1, 1});
    if (count == 0) {
        uint32_t block = block_to_repeat(w, path[0], path[1], at);
        if (block == UINT32_MAX)
            return RWA_OK;
        w->run[runs++] = (rwa_run){block, 1, 1};
    }
    lp.block = w->run[0].first;
    rwa_lists lists = {.runs = w->run, .run_count = runs, .block_count = count > 0 ? count : 1, .path = path, .path_nodes = 2};
    return sink_lightpath(w->sink, &lp, &lists, err);
}

/** What a link carries in a step, in equal shares on its lightpaths. */
static rwa_status push_link(struct writer *w, uint32_t at, uint32_t link, rwa_error *err)
{
    const struct lanes *s = w->s;
    uint32_t lanes = lanes_on(s, at, link), blocks = blocks_on(s, at, link), up = s->up[(size_t)at * w->g->links + link];
    size_t first = w->first[(size_t)step_of(s, at) * w->g->links + (at < s->back ? s->opposite[link] : link)];
    for (uint32_t lane = 0; lane < up; lane++) {
        uint64_t begin = lane < lanes ? (uint64_t)blocks * lane / lanes : blocks;
        uint64_t end = lane < lanes ? (uint64_t)blocks * (lane + 1) / lanes : blocks;
        MUST(push_lane(w, at, link, lane, first + begin, (uint32_t)(end - begin), err));
    }
    return RWA_OK;
}

static rwa_status write_run(struct schedule_sink *sink, const struct plan_request *request, const struct gossip *g, rwa_error *err)
{
    struct lanes lanes;
    struct writer w = {.sink = sink};
    rwa_status st = lanes_open(&lanes, request, g, err);
    TRY(st);
    TRY(writer_open(&w, sink, &lanes, err));
    for (uint32_t at = 0; at < lanes.steps; at++) {
        for (uint32_t link = 0; link < g->links; link++)
            TRY(push_link(&w, at, link, err));
        TRY(sink_end_stage(sink, err));
    }
done:
    arena_free(&w.memory);
    lanes_close(&lanes);
    return st;
}

static rwa_status plan_gossip(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct search s = {.request = request};
    struct gossip g;
    struct way way = {request->parameters->radix[0], request->parameters->radix[1]};
    double spent_s;
    if (links_limit(request))
        return scheme_refuse(request, "scheme gossip does not support %s", links_limit(request));
    if (way.parts == 0 || request->coll->blocks != (uint64_t)way.parts * request->coll->nodes)
        return scheme_refuse(request, "scheme gossip cuts blocks otherwise, or is not quicker than other schemes");
    rwa_status st = gossip_open(&g, request->net, &way, true, err);
    TRY(st);
    TRY(run(&spent_s, &g, &s, INFINITY, err));
    if (isinf(spent_s))
        TRY(scheme_refuse(request, "some node cannot be reached from another"));
    else
        TRY(write_run(sink, request, &g, err));
done:
    gossip_close(&g);
    return st;
}

const struct scheme scheme_gossip = {
    .name = "gossip",
    .summary = "each node passes on to each neighbour blocks that this one lacks; lightpaths of one link stay up",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_REDUCE_SCATTER | 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_LISTED,
    .traits = SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_gossip,
    .plan = plan_gossip,
};

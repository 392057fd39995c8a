/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "gossip": every link is a lightpath on each of its channels.  In each step a node passes on to each neighbour blocks that this one
 * lacks, each block once to each node.  All lightpaths fit together, so that they are tuned once.
 */
#include "scheme/links/gossip.h"

#include "delivery/exchange_load.h"
#include "network/translations.h"
#include "scheme/links/links.h"

/** Words that may be looked at in one run, about: of whole blocks, and of parts. */
#define WORDS_MOST 536870912.0
#define PART_WORDS_MOST 134217728.0
/** Blocks that nodes receive, and lightpaths of a schedule. */
#define DELIVERIES_MOST 4194304.0
#define LIGHTPATHS_MOST 6291456.0

static double block_bytes(const struct plan_request *request, uint32_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    uint64_t blocks = (uint64_t)coll->nodes * parts;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

/* ---- time ---- */

/** Of the lightpaths of a link no more carry blocks than there are. */
static uint32_t lanes_of(const struct gossip *g, uint32_t blocks)
{
    return blocks < g->channels ? blocks : g->channels;
}

static double count_lightpaths(const struct gossip *g)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)g->steps * g->links; i++)
        sum += lanes_of(g, g->count[i]);
    return sum;
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

static void rate_run(struct search *s, const struct gossip *g, double spent_s)
{
    double lightpaths = count_lightpaths(g), time_s = s->price.once_s + spent_s;
    if (time_s < s->best->time_s && lightpaths <= LIGHTPATHS_MOST)
        *s->best = (struct estimate){.blocks = g->blocks, .steps = g->steps, .records = lightpaths,
                                     .set[0].radix = {g->way.parts, g->way.most}, .sets = 1, .time_s = time_s};
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
        rate_run(s, &g, spent_s);
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
        MUST(try_way(&steps, s, &way, before_s - s->price.once_s, err));
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
        hardly * (s.price.once_s + pass_s) >= best.time_s)
        return RWA_OK;
    MUST(try_ways(&s, err));
    if (best.steps > 0)
        *out = best;
    return RWA_OK;
}

/* ---- plan ---- */

/** The blocks that a link carries in a step, in equal shares on its lightpaths. */
static rwa_status push_link(struct schedule_sink *sink, const struct gossip *g, uint32_t link, const uint32_t *block, uint32_t count,
                            rwa_run *run, rwa_error *err)
{
    const rwa_link *l = &g->net->links[link];
    uint32_t path[] = {l->from, l->to}, wavelengths = rwa_network_wavelengths(g->net), lanes = lanes_of(g, count);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t begin = part_start(count, lanes, lane), end = part_start(count, lanes, lane + 1), runs = 0;
        for (uint32_t i = begin; i < end; i++)
            runs = run_append(run, runs, (rwa_run){block[i], 1, 1});
        rwa_lightpath lp = {.step = 1, .src = l->from, .dst = l->to, .fiber = lane / wavelengths, .wavelength = lane % wavelengths,
                            .orbit = 1, .block = block[begin]};
        rwa_lists lists = {.runs = run, .run_count = runs, .block_count = end - begin, .path = path, .path_nodes = 2};
        MUST(sink_lightpath(sink, &lp, &lists, err));
    }
    return RWA_OK;
}

static rwa_status write_run(struct schedule_sink *sink, const struct gossip *g, rwa_error *err)
{
    const uint32_t *block = g->sequence, *count = g->count;
    rwa_run *run;
    rwa_status st = RWA_OK;
    MUST(base_new(run, g->blocks, err));
    for (uint32_t step = 0; step < g->steps; step++) {
        for (uint32_t link = 0; link < g->links; block += *count++, link++)
            TRY(push_link(sink, g, link, block, *count, run, err));
        TRY(sink_end_stage(sink, err));
    }
done:
    free(run);
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
        TRY(write_run(sink, &g, err));
done:
    gossip_close(&g);
    return st;
}

const struct scheme scheme_gossip = {
    .name = "gossip",
    .summary = "each node passes on to each neighbour blocks that this one lacks, over lightpaths of one link",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_LISTED,
    .traits = REVERSIBLE | SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_gossip,
    .plan = plan_gossip,
};

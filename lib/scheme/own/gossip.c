/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scheme "gossip": every link is a lightpath on each of its channels, which stays up.  In each step a node passes on to each neighbour
 * blocks that this one lacks, rare ones first, so that the narrow links of a large network are busy nearly all the time.
 */
#include "base/bins.h"
#include "network/translations.h"
#include "scheme/scheme.h"

/** Words that may be looked at in one run, about: of whole blocks, and of parts. */
#define WORDS_MOST 536870912.0
#define PART_WORDS_MOST 134217728.0
/** Runs of blocks of a schedule, about. */
#define DELIVERIES_MOST 4194304.0

/** Blocks that fewer nodes hold come first: of so many classes, as near as can be equally large. */
enum { CLASSES = 3 };

/** How it is done. */
struct way {
    uint32_t parts;             /* of each block */
    uint32_t most;              /* blocks on a lightpath and step */
};

struct gossip {
    const struct plan_request *request;
    const rwa_network *net;
    rwa_cost_prices price;
    struct way way;
    uint32_t nodes, links, channels, blocks;
    size_t words;
    uint64_t *has, *offers;     /* [node][word]: blocks now, and at the beginning of the step */
    uint64_t *sent;             /* [link][word]: in the step */
    uint64_t *rare;             /* [class][word] */
    uint32_t *holders, *sorted; /* of each block; blocks by holders */
    uint32_t *order, *count;    /* of links: drawn at random; blocks sent in the step */
    uint32_t *lanes;            /* lightpaths of each link in the step before */
    bool *spent;                /* of each link: nothing is left to send in the step */
    rwa_run *run;
    uint64_t random;
    size_t missing;
    uint32_t steps, grows, shrinks; /* steps so far; of these, those with more lightpaths of some link than before, and with fewer */
    double time_s;
    struct arena memory;
};

static const char *limit_of(const struct plan_request *request)
{
    const rwa_network *net = request->net;
    if (rwa_network_ports(net) > 0)
        return "a limit of ports";
    if (network_has_reserved(net) || !network_is_uniform(net))
        return "links that are not alike, reserved channels or failed links";
    if (network_has_parallel_links(net))
        return "parallel links";
    if (request->coll->nodes != rwa_network_nodes(net) || request->coll->nodes < 3)
        return "members that are not all nodes, or fewer than 3 nodes";
    return request->opts->stripes > 1 ? "stripes, since it cuts blocks by itself" : NULL;
}

static double block_bytes(const struct plan_request *request, uint32_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    uint64_t blocks = (uint64_t)coll->nodes * parts;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks, NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

/** Beside tuning that is not in the price of a step. */
static double step_time(const struct gossip *g, uint32_t load)
{
    const rwa_cost_options *cost = &g->request->opts->cost;
    double bytes = block_bytes(g->request, g->way.parts) * load;
    return g->price.step_s - cost->reconfig_s + rwa_cost_steps(1, (uint64_t)bytes, rwa_network_rate_bps(g->net), cost);
}

/* ---- one run ---- */

static rwa_status gossip_open(struct gossip *g, const struct plan_request *request, const struct way *way, rwa_error *err)
{
    const rwa_network *net = request->net;
    uint32_t nodes = rwa_network_nodes(net), blocks = nodes * way->parts;
    *g = (struct gossip){.request = request, .net = net, .way = *way, .nodes = nodes, .links = net->link_count, .blocks = blocks,
                         .channels = rwa_network_channels(net), .words = ceil_div(blocks, 64), .random = 1,
                         .missing = (size_t)(nodes - 1) * blocks, .memory = {.err = err}};
    MUST(rwa_cost_floor(&g->price, rwa_network_rate_bps(net), &request->opts->cost, err));
    arena_new(&g->memory, g->has, nodes * g->words);
    arena_new(&g->memory, g->offers, nodes * g->words);
    arena_new(&g->memory, g->sent, g->links * g->words);
    arena_new(&g->memory, g->rare, CLASSES * g->words);
    arena_new(&g->memory, g->holders, blocks);
    arena_new(&g->memory, g->sorted, blocks);
    arena_new(&g->memory, g->order, g->links);
    arena_new(&g->memory, g->count, g->links);
    arena_new(&g->memory, g->lanes, g->links);
    arena_new(&g->memory, g->spent, g->links);
    arena_new(&g->memory, g->run, blocks);
    MUST(arena_status(&g->memory));
    for (uint32_t b = 0; b < blocks; b++) {
        g->has[b / way->parts * g->words + b / 64] |= (uint64_t)1 << b % 64;
        g->holders[b] = 1;
    }
    for (uint32_t l = 0; l < g->links; l++)
        g->order[l] = l;
    g->time_s = g->price.once_s;
    return RWA_OK;
}

/** Sort blocks by holders, and divide them into classes. */
static rwa_status find_classes(struct gossip *g, rwa_error *err)
{
    struct bins by = {0};
    rwa_status st = bins_open(&by, g->nodes + 1, err);
    TRY(st);
    for (uint32_t b = 0; b < g->blocks; b++)
        bins_count(&by, g->holders[b]);
    TRY(bins_divide(&by, g->nodes + 1, err));
    for (uint32_t b = 0; b < g->blocks; b++)
        g->sorted[bins_place(&by, g->holders[b])] = b;
    memset(g->rare, 0, CLASSES * g->words * sizeof *g->rare);
    for (uint32_t i = 0; i < g->blocks; i++)
        g->rare[(uint64_t)i * CLASSES / g->blocks * g->words + g->sorted[i] / 64] |= (uint64_t)1 << g->sorted[i] % 64;
done:
    bins_free(&by);
    return st;
}

/** Send up to `wanted` blocks of a class over a link, from one on and round; returns how many. */
static uint32_t send_class(struct gossip *g, uint32_t link, const uint64_t *class, uint32_t begin, uint32_t wanted)
{
    const uint64_t *offers = g->offers + g->net->links[link].from * g->words;
    uint64_t *has = g->has + g->net->links[link].to * g->words, *sent = g->sent + link * g->words;
    uint64_t later = ~(uint64_t)0 << begin % 64;
    uint32_t found = 0;
    for (size_t i = 0, word = begin / 64; i <= g->words && found < wanted; i++, word = word + 1 < g->words ? word + 1 : 0) {
        uint64_t rest = offers[word] & ~has[word] & class[word];
        for (rest &= i == 0 ? later : i == g->words ? ~later : ~(uint64_t)0; rest && found < wanted; rest &= rest - 1, found++) {
            has[word] |= rest & -rest;
            sent[word] |= rest & -rest;
            g->holders[64 * word + (uint32_t)__builtin_ctzll(rest)]++;
        }
    }
    return found;
}

/** One block more for each lightpath of a link, as far as there are any. */
static void send_round(struct gossip *g, uint32_t link)
{
    uint32_t begin = (uint32_t)base_random_below(&g->random, g->blocks), found = 0;
    for (size_t class = 0; class < CLASSES && found < g->channels; class++)
        found += send_class(g, link, g->rare + class * g->words, begin, g->channels - found);
    g->count[link] += found;
    g->missing -= found;
    g->spent[link] = found < g->channels;
}

/** Of the lightpaths of a link no more are lit than there are blocks. */
static uint32_t lanes_of(const struct gossip *g, uint32_t link)
{
    return g->count[link] < g->channels ? g->count[link] : g->channels;
}

/** Count the step, in which a lightpath carries at most `fullest` blocks. */
static void end_step(struct gossip *g, uint32_t fullest)
{
    bool grows = false, shrinks = false;
    for (uint32_t l = 0; l < g->links; l++) {
        uint32_t lanes = lanes_of(g, l);
        grows |= lanes > g->lanes[l];
        shrinks |= lanes < g->lanes[l];
        g->lanes[l] = lanes;
    }
    g->steps++;
    g->grows += grows;
    g->shrinks += shrinks;
    g->time_s += step_time(g, fullest);
}

/** In each round every lightpath takes one block more, in another order; the step ends when none does.  Whether anything was sent. */
static rwa_status fill_step(bool *some, struct gossip *g, struct budget *budget, rwa_error *err)
{
    uint32_t round = 0;
    bool more = true;
    MUST(find_classes(g, err));
    memcpy(g->offers, g->has, g->nodes * g->words * sizeof *g->has);
    memset(g->sent, 0, g->links * g->words * sizeof *g->sent);
    memset(g->count, 0, g->links * sizeof *g->count);
    memset(g->spent, 0, g->links * sizeof *g->spent);
    for (; round < g->way.most && more; round += more) {
        size_t before = g->missing;
        base_shuffle(g->order, g->links, &g->random);
        for (uint32_t i = 0; i < g->links; i++)
            if (!g->spent[g->order[i]])
                send_round(g, g->order[i]);
        more = g->missing < before;
        if (base_must_stop(budget, "passing on blocks", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped");
    }
    *some = round > 0;
    if (*some)
        end_step(g, round);
    return RWA_OK;
}

/* ---- search ---- */

/** Steps with new lightpaths. */
static uint32_t settings_of(const struct gossip *g)
{
    return g->request->sums ? g->shrinks + 1 : g->grows;
}

/** Whether a run until now takes at least so long. */
static bool is_late(const struct gossip *g, double limit_s)
{
    const rwa_cost_options *cost = &g->request->opts->cost;
    double tuned_s = cost->model == RWA_COST_CIRCUIT && settings_of(g) > 0 ? (settings_of(g) - 1) * cost->reconfig_s : 0;
    return g->time_s + tuned_s >= limit_s;
}

static rwa_status push_link(struct schedule_sink *sink, const struct gossip *g, uint32_t link, rwa_error *err);

/** All steps, which go to a sink unless that is NULL, as long as they take less than a limit.  *done: all nodes have all blocks. */
static rwa_status gossip_run(bool *done, struct gossip *g, double limit_s, struct schedule_sink *sink, rwa_error *err)
{
    const rwa_plan_options *o = g->request->opts;
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    bool some = true;
    while (g->missing > 0 && some && !is_late(g, limit_s)) {
        MUST(fill_step(&some, g, &budget, err));
        for (uint32_t l = 0; l < g->links && sink; l++)
            MUST(push_link(sink, g, l, err));
        if (sink)
            MUST(sink_end_stage(sink, err));
    }
    *done = g->missing == 0 && !is_late(g, limit_s);
    return RWA_OK;
}

static rwa_status try_way(struct estimate *best, const struct plan_request *request, const struct way *way, rwa_error *err)
{
    struct gossip g;
    bool done;
    rwa_status st = gossip_open(&g, request, way, err);
    TRY(st);
    TRY(gossip_run(&done, &g, best->time_s, NULL, err));
    if (done)
        *best = (struct estimate){.blocks = g.blocks, .steps = g.steps, .reconfigurations = settings_of(&g),
                                  .records = (double)(g.nodes - 1) * g.blocks / (way->most > 1 ? 2 : 1),
                                  .set[0].radix = {way->parts, way->most}, .sets = 1,
                                  .time_s = g.time_s + (request->opts->cost.model == RWA_COST_CIRCUIT
                                                            ? (settings_of(&g) - 1) * request->opts->cost.reconfig_s : 0)};
done:
    arena_free(&g.memory);
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

/** Parts of a block: few enough for the planning to be quick. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { PART_BYTES = 64 };
    const rwa_network *net = request->net;
    double nodes = net->nodes, runs = least_rounds(net), words = CLASSES * nodes / 64 * net->link_count * runs;
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

/** At first in as few steps as can be, which tells how far blocks have to go; then around what is thought best. */
static rwa_status try_ways(struct estimate *best, const struct plan_request *request, const rwa_cost_prices *price, rwa_error *err)
{
    struct estimate widest = {.time_s = INFINITY};
    struct way way = {1, UINT32_MAX};
    MUST(try_way(&widest, request, &way, err));
    if (widest.steps == 0)
        return RWA_OK;
    *best = widest.time_s < best->time_s ? widest : *best;
    way = best_way(request, price, (uint32_t)widest.steps);
    for (bool better = true; better; way.most *= 2) {
        double before_s = best->time_s;
        MUST(try_way(best, request, &way, err));
        better = best->time_s < before_s;
    }
    return RWA_OK;
}

static rwa_status estimate_gossip(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct estimate best = {.time_s = request->below_s > 0 ? request->below_s : INFINITY};
    rwa_cost_prices price;
    out->least_s = request->below_s > 0 ? 1e299 : 0; /* longer than anything takes that can be done */
    if (limit_of(request))
        return RWA_OK;
    MUST(rwa_cost_floor(&price, rwa_network_rate_bps(request->net), &request->opts->cost, err));
    double words = CLASSES * ceil(request->net->nodes / 64.0) * request->net->link_count * least_rounds(request->net);
    double least_s = price.once_s + 2 * price.step_s + least_rounds(request->net) * price.byte_s * block_bytes(request, 1);
    if (words > WORDS_MOST || (double)request->net->nodes * request->net->nodes > DELIVERIES_MOST || least_s >= best.time_s)
        return RWA_OK;
    MUST(try_ways(&best, request, &price, err));
    if (best.steps > 0)
        *out = best;
    return RWA_OK;
}

/* ---- plan ---- */

/** What a link sends in the step, in equal shares on its lightpaths. */
static rwa_status push_link(struct schedule_sink *sink, const struct gossip *g, uint32_t link, rwa_error *err)
{
    const uint64_t *sent = g->sent + link * g->words;
    uint32_t lanes = lanes_of(g, link), wavelengths = rwa_network_wavelengths(g->net), lane = 0, runs = 0, count = 0, before = 0;
    uint32_t path[] = {g->net->links[link].from, g->net->links[link].to};
    for (size_t word = 0; word < g->words && lane < lanes; word++)
        for (uint64_t rest = sent[word]; rest; rest &= rest - 1) {
            rwa_run next = {(uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(rest), 1, 1};
            if (runs == 0 || !run_extend(&g->run[runs - 1], &next))
                g->run[runs++] = next;
            count++;
            if (before + count < (uint64_t)g->count[link] * (lane + 1) / lanes)
                continue;
            rwa_lightpath lp = {.step = 1, .src = path[0], .dst = path[1], .fiber = lane / wavelengths, .wavelength = lane % wavelengths,
                                .orbit = 1, .block = g->run[0].first};
            rwa_lists lists = {.runs = g->run, .run_count = runs, .block_count = count, .path = path, .path_nodes = 2};
            MUST(sink_lightpath(sink, &lp, &lists, err));
            before += count;
            runs = count = 0;
            lane++;
        }
    return RWA_OK;
}

static rwa_status plan_gossip(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct gossip g;
    struct way way = {request->parameters->radix[0], request->parameters->radix[1]};
    bool done = false;
    if (limit_of(request))
        return scheme_refuse(request, "scheme gossip does not support %s", limit_of(request));
    if (way.parts == 0 || request->coll->blocks != (uint64_t)way.parts * request->coll->nodes)
        return scheme_refuse(request, "scheme gossip cuts blocks otherwise, or is not quicker than other schemes");
    rwa_status st = gossip_open(&g, request, &way, err);
    TRY(st);
    TRY(gossip_run(&done, &g, INFINITY, sink, err));
    if (!done)
        TRY(scheme_refuse(request, "some node cannot be reached from another"));
done:
    arena_free(&g.memory);
    return st;
}

const struct scheme scheme_gossip = {
    .name = "gossip",
    .summary = "each node passes on to each neighbour blocks that this one lacks; lightpaths of one link stay up",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER,
    .needs = NETWORK_LISTED,
    .traits = REVERSIBLE | SEARCHES | KEEPS_LIGHTPATHS | SHORTENS,
    .estimate = estimate_gossip,
    .plan = plan_gossip,
};

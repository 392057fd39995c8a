/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "logical-topology": circuits of one or several links stay up during the whole plan, and blocks move over them
 * from node to node.  A recipe, the parameters of a plan, says which circuits to set up, into how many parts to cut
 * blocks, and how many blocks a circuit carries in a step. */
#include "network/translations.h"
#include "scheme/circuits/circuits.h"

/** The parameters of a plan: which circuits it uses, and how blocks move over them. */
struct recipe {
    uint32_t parts;             /* of each block */
    uint32_t most;              /* as in struct moving */
    struct circuit_choice choice;
};

static const char *limit_of(const struct plan_request *request)
{
    const char *limit = scheme_limit_of_circuits(request);
    if (!limit && !rwa_network_is_paired(request->net))
        return "links that lead one way only";
    if (rwa_network_nodes(request->net) > CIRCUIT_NODES || request->coll->nodes < 3)
        return "fewer than 3 nodes, or more than 2048";
    return limit;
}

static bool is_gather(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_GATHER;
}

/** Return the largest number of parts of a block to try, where a circuit divides each part into `width` pieces.  With
 * more of them, pieces would be too small, or the plan would have too many blocks. */
static uint32_t most_parts(const struct plan_request *request, uint32_t width)
{
    enum { BLOCKS = 512, PAIR_BLOCKS = 1 << 15 };
    double blocks = request->coll->kind == RWA_ALL_TO_ALL ? PAIR_BLOCKS : BLOCKS;
    double most = fmin(circuits_most_pieces(request, request->sums) / width,
                       blocks / (double)circuits_blocks(request, 1));
    return most > 1 ? (uint32_t)most : 1;
}

/* ---- search ---- */

/** A recipe and the time of its plan: first an estimate with the best numbers of parts and blocks, later the measured
 * time. */
struct rated {
    struct recipe recipe;
    double time_s;
    double least_s;             /* lower bound on the time of any recipe with these circuits */
};

/** The best plan so far. */
struct logical_draft {
    struct draft draft;         /* must be the first member */
    struct route_table routes;
    struct circuits circuits;
    struct moving how;
    uint64_t blocks;            /* into which the message is cut */
};

static void release_draft(struct draft *draft)
{
    struct logical_draft *d = (struct logical_draft *)draft;
    circuits_close(&d->circuits);
    routes_close(&d->routes);
    free(d);
}

enum { CHOICES = 96, SEEDS = 3 };

struct topology_search {
    const struct plan_request *request;
    const struct route_table *routes;   /* the draft's */
    rwa_cost_prices price;
    struct estimate *best;
    struct logical_draft *draft;
    bool kept;                  /* the draft uses the circuits being tried */
    struct rated list[CHOICES];
    size_t count;
    double work;                /* blocks visited so far */
    double most_work;           /* the search ends here unless it finds a better plan before */
};

/** By which factor the blocks visited in all tries may grow without a better plan. */
enum { PATIENCE = 4 };

/** Return the time, in seconds, that all steps of a plan together must stay below to beat the best plan so far.  It is
 * the time of the best plan without the costs that a plan has only once. */
static double limit_of_steps(const struct topology_search *s)
{
    return s->best->time_s - s->price.once_s;
}

static double step_s(const struct topology_search *s, double bytes)
{
    return s->price.step_s + s->price.byte_s * bytes;
}

/** Number of circuits on the longest path of a block, and on the average path; estimate of the blocks that the fullest
 * circuit carries in an all-to-all. */
struct block_extent {
    double farthest, mean, fullest;
};

/** Add to load[], which a circuit of each pair of nodes carries, the blocks that all nodes send to the one where `hops`
 * is 0.  Each node sends its own, and those that reach it, over the least loaded circuits that lead nearer.  The last
 * circuit on a path does not count: where few destinations stand for all, theirs would carry too much.
 * @param queue  the nodes in ascending order of their hops
 * @param flow   scratch */
static void add_loads(double *load, const struct circuits *c, const uint16_t *hops, const uint32_t *queue, double *flow)
{
    for (uint32_t i = 0; i < c->routes->nodes; i++)
        flow[i] = 1;
    for (uint32_t i = c->routes->nodes; hops[queue[--i]] > 1;) {
        uint32_t v = queue[i];
        size_t best = SIZE_MAX;
        for (size_t k = c->out.first[v]; k < c->out.first[v + 1]; k++)
            if (hops[c->after[k]] < hops[v] && (best == SIZE_MAX || load[k] < load[best]))
                best = k;
        load[best] += flow[v] / (double)(c->alike.first[best + 1] - c->alike.first[best]);
        flow[c->after[best]] += flow[v];
    }
}

/** Measure the paths from all nodes to a sample of destinations, and set *out, with out->farthest UINT16_MAX if the
 * circuits do not connect all nodes in both directions. */
static rwa_status measure(struct block_extent *out, const struct circuits *c, rwa_error *err)
{
    enum { LOOKS = 16 };
    uint32_t nodes = c->routes->nodes, *queue;
    size_t pairs = c->out.first[nodes], apart = ceil_div(nodes, LOOKS);
    struct arena scratch = {.err = err};
    double *load, *flow;
    uint16_t *hops;
    rwa_status st;
    arena_new(&scratch, load, pairs);
    TRY(arena_arrays(&scratch, nodes, queue, hops, flow));
    *out = (struct block_extent){.farthest = circuits_hops(hops, c, 0, true, queue)};
    out->farthest = fmax(out->farthest, circuits_hops(hops, c, 0, false, queue));
    for (uint32_t dst = 0; dst < nodes && out->farthest < UINT16_MAX; dst += (uint32_t)apart) {
        out->farthest = fmax(out->farthest, circuits_hops(hops, c, dst, false, queue));
        add_loads(load, c, hops, queue, flow);
        for (uint32_t v = 0; v < nodes; v++)
            out->mean += hops[v];
    }
    out->mean /= (double)ceil_div(nodes, apart) * nodes;
    for (size_t k = 0; k < pairs; k++)
        out->fullest = fmax(out->fullest, load[k] * (double)apart);
done:
    arena_free(&scratch);
    return st;
}

/** Tell whether a plan of `steps` steps over the circuits `c` may have more lightpaths than the request allows, or so
 * many that they take some seconds. */
static bool has_too_many(const struct topology_search *s, double steps, const struct circuits *c)
{
    enum { LIGHTPATHS_MOST = 1 << 23 };
    double most = s->request->lightpaths_most;
    return steps * c->count * c->width > (most > 0 ? most : LIGHTPATHS_MOST);
}

/** Find the number of parts of a block, and the limit on the blocks of a circuit in a step, with which the estimated
 * time of an all-gather is least.  Keep them in `r` if the time is less than r->time_s.  `e` gives the lengths of the
 * paths (measure()). */
static void rate_gather(struct rated *r, const struct topology_search *s, const struct circuits *c,
                        const struct block_extent *e)
{
    uint32_t nodes = c->routes->nodes, load = circuits_most_load(s->request), full = nodes < load ? nodes : load;
    for (uint32_t parts = 1; parts <= most_parts(s->request, c->width); parts *= 2)
        for (uint32_t most = 1; most <= full; most *= 2) {
            /* all circuits are full once blocks have covered half the longest path */
            double busy = ceil((double)nodes * parts / c->degree / most),
                   steps = fmax(e->farthest, e->farthest / 2 + busy);
            double time_s = steps * step_s(s, most * circuits_part_bytes(s->request, parts * c->width));
            if (time_s >= r->time_s || has_too_many(s, steps, c))
                continue;
            r->time_s = time_s;
            r->recipe.parts = parts;
            r->recipe.most = most;
        }
}

/** Return a lower bound on the blocks that the fullest circuit carries over all steps: the average load of some
 * circuits.  In an all-gather these are the circuits out of the node that has the fewest; in a scatter those out of
 * the root; in an all-to-all all circuits.  `e` gives the lengths of the paths (measure()). */
static double least_load(const struct plan_request *request, const struct circuits *c, const struct block_extent *e)
{
    double nodes = c->routes->nodes, fewest = is_gather(request) ? c->degree : c->sends[request->coll->root];
    return request->coll->kind == RWA_ALL_TO_ALL ? nodes * nodes * e->mean / c->count : (nodes - 1) / fewest;
}

static rwa_status rate(struct topology_search *s, const struct circuit_choice *choice, rwa_error *err)
{
    struct circuits c;
    struct block_extent extent;
    struct rated *r = &s->list[s->count];
    double least_steps = (double)ceil_div(s->routes->farthest, choice->longest);
    if (least_steps * s->price.step_s >= limit_of_steps(s) || s->count == CHOICES)
        return RWA_OK;
    *r = (struct rated){.recipe = {1, 1, *choice}, .time_s = INFINITY};
    if (choice->longest * choice->neighbours == 1 &&
        circuits_most_pieces(s->request, s->request->sums) >= s->routes->channels)
        r->recipe.choice.more = s->routes->channels - 1;
    rwa_status st = circuits_open(&c, s->routes, &r->recipe.choice, err);
    TRY(st);
    TRY(measure(&extent, &c, err));
    const double block_s = s->price.byte_s * circuits_part_bytes(s->request, c.width);
    r->least_s = extent.farthest * s->price.step_s + least_load(s->request, &c, &extent) * block_s;
    if (extent.farthest == UINT16_MAX)
        goto done;
    if (is_gather(s->request))
        rate_gather(r, s, &c, &extent);
    else if (!moves_are_too_many((double)circuits_blocks(s->request, 1) * extent.mean, &c))
        r->time_s = fmax(r->least_s, extent.farthest * s->price.step_s + extent.fullest * block_s);
    s->count += isfinite(r->time_s) != 0;
done:
    circuits_close(&c);
    return st;
}

static void keep_moves(struct topology_search *s, const struct moves *m, const struct moving *how,
                       const struct circuits *c)
{
    s->draft->how = *how;
    s->kept = true;
    s->most_work = fmin(PATIENCE * s->work, WORK_MOST);
    s->draft->blocks = circuits_blocks(s->request, how->parts * c->width);
    *s->best = (struct estimate){.blocks = s->draft->blocks, .steps = m->steps,
                                 .time_s = s->price.once_s + m->time_s,
                                 .records = (double)m->steps * c->count * c->width};
}

static rwa_status move_blocks(struct moves *m, const struct circuits *c, const struct moving *how, rwa_error *err)
{
    return (is_gather(how->request) ? moves_gather : moves_exchange)(m, c, how, err);
}

/** Time the plan that a recipe gives over the circuits `c`, and keep it in `s` if it is the best so far. *better tells
 * whether it takes less than *time_s seconds; if so, *time_s becomes its time. */
static rwa_status try_recipe(bool *better, double *time_s, struct topology_search *s, const struct circuits *c,
                             const struct recipe *recipe, rwa_error *err)
{
    struct moving how = {.request = s->request,
                         .price = s->price,
                         .parts = recipe->parts,
                         .most = recipe->most,
                         .bytes = circuits_part_bytes(s->request, recipe->parts * c->width),
                         .limit_s = *time_s,
                         .timed = true};
    struct moves m;
    rwa_status st = move_blocks(&m, c, &how, err);
    s->work += m.looked;
    *better = st == RWA_OK && m.steps > 0 && m.time_s < how.limit_s;
    *time_s = *better ? m.time_s : *time_s;
    if (*better && m.time_s < limit_of_steps(s) && !has_too_many(s, m.steps, c))
        keep_moves(s, &m, &how, c);
    moves_free(&m);
    return st;
}

/** Improve the recipe at.recipe, whose plan takes at.time_s seconds, by hill climbing: double or halve the parts of a
 * block, the blocks on a circuit, or both, and start again from each quicker plan.  The best plan stays in `s`. */
static rwa_status climb(struct topology_search *s, const struct circuits *c, struct rated at, rwa_error *err)
{
    enum { WAYS = 5 };
    static const double parts[WAYS] = {2, 1, 2, 1, 0.5}, most[WAYS] = {1, 2, 2, 0.5, 0.5};
    for (uint32_t way = 0, next; way < WAYS && s->work < s->most_work; way = next) {
        struct recipe r = {(uint32_t)(at.recipe.parts * parts[way]), (uint32_t)(at.recipe.most * most[way]),
                           at.recipe.choice};
        bool better = false;
        if (r.parts > 0 && r.most > 0 && r.parts <= most_parts(s->request, c->width) &&
            r.most <= c->routes->nodes * r.parts)
            MUST(try_recipe(&better, &at.time_s, s, c, &r, err));
        at.recipe = better ? r : at.recipe;
        next = better ? 0 : way + 1;
    }
    return RWA_OK;
}

/** Set up the circuits of r->recipe, unless the bound r->least_s shows that no plan over them beats the best one.  If
 * `climbs`, improve the recipe by hill climbing; otherwise set r->time_s to the time of its plan (INFINITY: no plan is
 * quick enough). */
static rwa_status try_circuits(struct topology_search *s, struct rated *r, bool climbs, rwa_error *err)
{
    struct circuits c, *best = &s->draft->circuits;
    bool better;
    if (r->least_s >= limit_of_steps(s))
        return RWA_OK;
    s->kept = false;
    rwa_status st = circuits_open(&c, s->routes, &r->recipe.choice, err);
    if (st == RWA_OK && climbs)
        st = climb(s, &c, *r, err);
    r->time_s = climbs ? r->time_s : INFINITY;
    if (st == RWA_OK && !climbs)
        st = try_recipe(&better, &r->time_s, s, &c, &r->recipe, err);
    if (s->kept) {
        struct circuits other = *best;
        *best = c;
        c = other;
    }
    circuits_close(&c);
    return st;
}

COMPARATOR(by_time, struct rated, UP(time_s))

/** Time the plans of the recipes, the lowest estimate first, until a quarter of the allowed work is done; then improve
 * these recipes by hill climbing, the quickest first. */
static rwa_status try_all(struct topology_search *s, rwa_error *err)
{
    size_t tried = 0;
    base_sort(s->list, s->count, by_time);
    for (; tried < s->count && s->work < WORK_MOST / PATIENCE; tried++)
        MUST(try_circuits(s, &s->list[tried], false, err));
    base_sort(s->list, tried, by_time);
    s->most_work = fmin(PATIENCE * s->work, WORK_MOST);
    for (size_t i = 0; i < tried && s->work < s->most_work; i++)
        MUST(try_circuits(s, &s->list[i], true, err));
    return RWA_OK;
}

/** Limits on the links of the routes of all pairs.  More links would take long in large networks; on transitive
 * networks the limit is lower, since circuits that are the same at every node are found sooner. */
#define LINKS_MOST 16777216.0
#define LINKS_MOST_ALIKE 1048576.0

enum { LEVELS_ROUND = 4 };

static rwa_status rate_seeds(struct topology_search *s, const struct circuit_choice *choice, rwa_error *err)
{
    double nodes = s->routes->nodes, most = network_is_transitive(s->request->net) ? LINKS_MOST_ALIKE : LINKS_MOST;
    struct circuit_choice drawn = *choice;
    for (; drawn.seed < (drawn.longest > 1 ? SEEDS : 1) && nodes * nodes * drawn.longest <= most; drawn.seed++)
        MUST(rate(s, &drawn, err));
    return RWA_OK;
}

static rwa_status search(struct topology_search *s, rwa_error *err)
{
    const struct route_table *r = s->routes;
    uint32_t farthest = (uint32_t)limited(r->farthest, s->request->opts->max_hops);
    /* lightpaths in one direction can stay up for one pass only */
    uint32_t ports = r->ports == UINT32_MAX || s->request->passes > 1 ? 0 : r->ports;
    bool arcs = network_has_arcs(s->request->net) && r->ports == UINT32_MAX;
    for (uint32_t longest = farthest; longest > 0 && r->ports == UINT32_MAX; longest /= 2)
        for (uint32_t neighbours = 1, most = longest > 1 ? r->channels : 1; neighbours <= most;
             neighbours += (uint32_t)ceil_div(r->channels, 2))
            MUST(rate_seeds(s, &(struct circuit_choice){longest, .neighbours = neighbours}, err));
    for (uint32_t longest = farthest; longest > 0 && r->ports < UINT32_MAX; longest /= 2)
        for (uint32_t used = r->ports; used > 1; used = (used + 1) / 2)
            MUST(rate_seeds(s, &(struct circuit_choice){longest, .ports = used}, err));
    for (uint32_t levels = 1; levels <= LEVELS_ROUND && levels <= ports; levels++)
        for (uint32_t ratio = 2; ratio == 2 || (ratio <= r->nodes / 2 && levels > 1); ratio += ratio / 2)
            MUST(rate(s, &(struct circuit_choice){farthest, .levels = levels, .ratio = ratio, .round = true}, err));
    for (uint32_t ratio = larger_number(2); ratio <= farthest && arcs; ratio = larger_number(ratio))
        for (uint32_t levels = 2, longest = ratio; levels <= r->channels && longest <= farthest;
             levels++, longest *= ratio)
            MUST(rate(s, &(struct circuit_choice){longest, .levels = levels, .ratio = ratio}, err));
    return try_all(s, err);
}

static rwa_status estimate_logical(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    struct topology_search s = {.request = request, .best = out};
    rwa_status st = RWA_OK;
    *out = scheme_no_estimate(request);
    if (limit_of(request))
        return RWA_OK;
    TRY(base_new(s.draft, 1, err));
    s.draft->draft.release = release_draft;
    s.routes = &s.draft->routes;
    TRY(rwa_cost_floor(&s.price, rwa_network_rate_bps(request->net), &o->cost, err));
    TRY(routes_open(&s.draft->routes, request->net, o->members, request->coll->nodes, &budget, err));
    out->time_s = scheme_time_limit(request);
    if (s.routes->nodes > 0)
        TRY(search(&s, err));
    s.draft->routes.budget = NULL;
    if (out->steps > 0)
        out->draft = &s.draft->draft;
    else
        *out = scheme_no_estimate(request);
done:
    if (s.draft && !out->draft)
        release_draft(&s.draft->draft);
    return st;
}

/* ---- plan ---- */

/** List in `out` the blocks that the first lightpath of each circuit carries in each step.  Those of a circuit in a
 * step are bin (step - 1) * c->count + circuit. */
static rwa_status list_blocks(struct bins *out, const struct moves *m, const struct circuits *c, rwa_error *err)
{
    rwa_status st = RWA_OK;
    while (bins_pass(out, (size_t)m->steps * c->count, &st, err))
        for (size_t i = 0; i < m->count; i++)
            bins_add(out, m->list[i].place, m->list[i].block * c->width);
    return st;
}

static rwa_status push_circuit(struct schedule_sink *sink, const rwa_network *net, const struct circuits *c,
                               uint32_t circuit, uint32_t *block, uint32_t count, uint32_t *path)
{
    rwa_lightpath lp = {.step = 1, .orbit = 1};
    rwa_lists lists = {
        .blocks = block, .block_count = count, .path = path, .path_nodes = circuit_path(path, c, circuit)};
    lp.src = path[0];
    lp.dst = path[lists.path_nodes - 1];
    if (network_has_arcs(net)) {
        lp.direction = path[1] == (lp.src + 1) % rwa_network_nodes(net) ? RWA_CW : RWA_CCW;
        lists.path_nodes = 0;
    }
    for (uint32_t k = 0; k < c->width; k++) {
        lp.wavelength = c->channel[circuit] * c->width + k;
        lp.block = block[0];
        MUST(sink_lightpath(sink, &lp, &lists));
        for (uint32_t i = 0; i < count; i++)
            block[i]++;
    }
    return RWA_OK;
}

static rwa_status write_moves(struct schedule_sink *sink, const rwa_network *net, const struct moves *m,
                              const struct circuits *c)
{
    struct bins blocks = {0};
    uint32_t *path;
    rwa_status st = base_new(path, rwa_network_nodes(net) + 1, sink->err);
    TRY(st);
    TRY(list_blocks(&blocks, m, c, sink->err));
    for (size_t key = 0; key < (size_t)m->steps * c->count; key++) {
        size_t from = blocks.first[key], count = blocks.first[key + 1] - from;
        if (count > 0)
            TRY(push_circuit(sink, net, c, (uint32_t)(key % c->count), blocks.number + from, (uint32_t)count, path));
        if ((key + 1) % c->count == 0)
            TRY(sink_end_stage(sink));
    }
done:
    bins_free(&blocks);
    free(path);
    return st;
}

static rwa_status plan_logical(struct schedule_sink *sink, const struct plan_request *request)
{
    const struct logical_draft *draft = (const struct logical_draft *)request->draft;
    struct moving how;
    struct moves m;
    if (limit_of(request))
        return scheme_refuse(request, "scheme logical-topology does not support %s", limit_of(request));
    if (!draft || request->coll->blocks != draft->blocks)
        return scheme_refuse(request,
                             "scheme logical-topology cuts blocks otherwise, or is not quicker than other schemes");
    how = draft->how;
    how.request = request;
    how.timed = false;
    rwa_status st = move_blocks(&m, &draft->circuits, &how, sink->err);
    if (st == RWA_OK)
        st = write_moves(sink, request->net, &m, &draft->circuits);
    moves_free(&m);
    return st;
}

const struct scheme scheme_logical = {
    .name = "logical-topology",
    .summary = "lightpaths of one or several links stay up from the first step to the last; blocks move over them",
    .source = "rwa's own, unpublished",
    .former_names = "gossip central-tree link-exchange",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL | 1u << RWA_SCATTER,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = SEARCHES | SHORTENS | KEEPS_LIGHTPATHS | REVERSIBLE | TAKES_MEMBERS,
    .estimate = estimate_logical,
    .plan = plan_logical,
};

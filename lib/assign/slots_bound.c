/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bounds for lightpaths of several slots: the links between two sides of the network have a limited capacity. */
#include "assign/assign.h"

/* Small networks, with at most FEW_DEMANDS demands, are tried with all cuts, others with the cuts around single
 * nodes. */
enum { FEW_NODES = 14, FEW_DEMANDS = 2000, MOST_HOLES = 64 };

struct cuts {
    struct job *job;
    bool *inside;           /* of each node */
    struct crossing {
        uint32_t span, count;
    } *crossing;            /* lightpaths that must cross */
    uint64_t best;
    uint32_t *lengths;      /* the witness of the best cut: 1 for the links across */
    struct arena arena;
};

/** Whether a demand must cross the cut from the nodes inside to those outside, because of its ends or the node that it
 *  must pass.  In the undirected model, crossings in both directions count. */
static bool must_cross(const struct cuts *c, const rwa_demand *d)
{
    bool src = c->inside[d->src], dst = c->inside[d->dst], via = d->via == RWA_NONE ? src : c->inside[d->via];
    return c->job->model == RWA_UNDIRECTED ? src != dst || via != src : (src && (!via || !dst)) || (via && !dst);
}

static uint64_t count_fibers(const struct cuts *c, uint32_t *lengths)
{
    const struct routing_graph *g = &c->job->graph;
    uint64_t fibers = 0;
    memset(lengths, 0, g->links * sizeof *lengths);
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t i = g->out_first[v]; i < g->out_first[v + 1]; i++) {
            uint32_t a = g->out[i];
            if (c->inside[g->from[a]] && !c->inside[g->to[a]])
                lengths[g->link[a]] = 1;
        }
    for (uint32_t l = 0; l < g->links; l++)
        fibers += lengths[l] ? g->fibers[l] : 0;
    return fibers;
}

COMPARATOR(by_span, struct crossing, DOWN(span))

/** List in c->crossing the demands that have a route and must cross the cut, widest first, and return their number. */
static size_t list_crossing(struct cuts *c)
{
    const rwa_demand *list = c->job->list;
    size_t n = 0;
    for (size_t d = 0; d < c->job->count; d++)
        if (!c->job->has_no_route[d] && must_cross(c, &list[d]))
            c->crossing[n++] = (struct crossing){job_span(c->job, d), list[d].count};
    base_sort(c->crossing, n, by_span);
    return n;
}

/** Return the slots that the `lightpaths` widest lightpaths of the first n demands in c->crossing take together. */
static uint64_t widest(const struct cuts *c, size_t n, uint64_t lightpaths)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n && lightpaths > 0; i++) {
        uint64_t here = c->crossing[i].count < lightpaths ? c->crossing[i].count : lightpaths;
        sum += here * c->crossing[i].span;
        lightpaths -= here;
    }
    return sum;
}

/** Return a lower bound on the slots of a fibre, the largest over j < MOST_HOLES: of the j * fibers + 1 widest
 *  lightpaths, some fibre carries j + 1.  c->crossing[0 … n - 1], widest first, has `lightpaths` lightpaths in all. */
static uint64_t by_pigeonholes(const struct cuts *c, size_t n, uint64_t lightpaths, uint64_t fibers)
{
    uint64_t best = 0;
    /* some fibre carries at least j + 1 of the j * fibers + 1 widest lightpaths: no fewer slots than the j + 1
     * narrowest of these */
    for (uint64_t j = 0; j * fibers < lightpaths && j < MOST_HOLES; j++) {
        uint64_t sum = widest(c, n, j * fibers + 1) - widest(c, n, j * fibers - j);
        RAISE(best, sum);
    }
    return best;
}

static void try_cut(struct cuts *c, uint32_t *lengths)
{
    uint64_t slots = 0, lightpaths = 0, fibers = count_fibers(c, lengths), value = 0;
    size_t n = fibers > 0 ? list_crossing(c) : 0;
    for (size_t i = 0; i < n; i++) {
        slots += (uint64_t)c->crossing[i].span * c->crossing[i].count;
        lightpaths += c->crossing[i].count;
    }
    if (n == 0)
        return;
    value = (slots + fibers - 1) / fibers;
    uint64_t pigeons = by_pigeonholes(c, n, lightpaths, fibers);
    RAISE(value, pigeons);
    if (value > c->best) {
        c->best = value;
        memcpy(c->lengths, lengths, c->job->graph.links * sizeof *lengths);
    }
}

/** Try cuts of the network and keep in c->best and c->lengths the one that proves most: in small networks all cuts,
 *  otherwise those around each single node, out of it and into it.  lengths: workspace, an entry for each link. */
static void try_cuts(struct cuts *c, uint32_t *lengths)
{
    uint32_t nodes = c->job->graph.nodes;
    bool all = nodes <= FEW_NODES && c->job->count <= FEW_DEMANDS;
    for (uint32_t side = 1; all && side + 1 < (uint32_t)1 << nodes; side++) {
        for (uint32_t v = 0; v < nodes; v++)
            c->inside[v] = side >> v & 1;
        if (c->job->model == RWA_DIRECTED || c->inside[0])
            try_cut(c, lengths);
    }
    for (uint32_t v = 0; !all && v < nodes && !base_must_stop(&c->job->budget, "bounds", -1); v++)
        for (int outside = 0; outside < 2; outside++) {
            for (uint32_t u = 0; u < nodes; u++)
                c->inside[u] = (u == v) != (outside != 0);
            try_cut(c, lengths);
        }
}

rwa_status job_bound_slots(struct job *job)
{
    struct cuts c = {.job = job, .arena = {.err = job->err}};
    uint32_t *lengths = NULL;
    rwa_status st = RWA_OK;
    arena_new(&c.arena, c.inside, job->graph.nodes);
    arena_new(&c.arena, c.crossing, job->count);
    TRY(arena_arrays(&c.arena, job->graph.links, lengths));
    free(job->cut);
    TRY(base_new(job->cut, job->graph.links, job->err));
    c.lengths = job->cut;
    try_cuts(&c, lengths);
    if (c.best > job->bound.value)
        job->bound = (rwa_certificate){
            .name = "cut",
            .value = c.best,
            .kind = job->unroutable_count > 0 ? RWA_WITNESS_NONE : RWA_WITNESS_LENGTHS,
            .lengths = c.lengths,
            .length_count = job->graph.links,
            .source = "the fibres between two sides of the network carry all lightpaths from one to the other"};
done:
    arena_free(&c.arena);
    return st;
}

/* ---- the most that can be served ---- */

rwa_status job_bound_served(struct job *job, const struct metric *metric)
{
    const rwa_demand *list = job->list;
    size_t count = job->count, n = 0;
    struct arena arena = {.err = job->err};
    struct path_tree tree = {0};
    struct served *items = NULL;
    uint64_t *length = NULL;
    double capacity = 0;
    rwa_status st = RWA_OK;
    arena_new(&arena, items, count);
    TRY(arena_arrays(&arena, job->graph.arcs, length));
    TRY(path_tree_create(&tree, &job->graph, job->err));
    for (uint32_t a = 0; a < job->graph.arcs; a++)
        length[a] = metric->length[job->graph.link[a]];
    for (uint32_t l = 0; l < job->graph.links; l++)
        capacity += (double)metric->length[l] * job->graph.fibers[l] * job->opts->wavelengths;
    for (size_t d = 0; d < count; d++) {
        if (d == 0 || list[d].src != list[d - 1].src)
            path_tree_from(&tree, &job->graph, length, list[d].src);
        uint64_t far = tree.dist[list[d].dst];  /* a node to pass cannot shorten it */
        if (far == GRAPH_FAR)
            continue;
        uint64_t value = job->opts->objective == RWA_MOST_TRAFFIC ? job_width(job, d) : 1;
        items[n++] = (struct served){far * job_span(job, d), value, list[d].count};
    }
    job->bound = (rwa_certificate){
        .name = metric->name,
        .value = served_most(items, n, capacity),
        .kind = RWA_WITNESS_NONE,
        .most_served = 1,
        .wavelengths = job->opts->wavelengths,
        .source = "every lightpath takes its slots on at least the shortest way under any lengths of the links"};
done:
    path_tree_free(&tree);
    arena_free(&arena);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all on rings and tori in closed form. */
#include "assign/torus.h"

#include "routing/exchange.h"

uint32_t torus_digit(const struct torus *t, uint32_t place, uint32_t dimension)
{
    for (uint32_t k = t->dimensions - 1; k > dimension; k--)
        place /= t->sizes[k];
    return place % t->sizes[dimension];
}

uint32_t torus_ahead(const struct torus *t, uint32_t from, uint32_t to, uint32_t dimension)
{
    uint32_t size = t->sizes[dimension];
    return (torus_digit(t, to, dimension) + size - torus_digit(t, from, dimension)) % size;
}

/* Return the number of the next node up or down along a dimension (place: a node's number made of its coordinates), and
 * set *link to the link to that node. */
static uint32_t go(const struct torus *t, uint32_t place, uint32_t dimension, bool up, uint32_t *link)
{
    uint32_t stride = 1, at = torus_digit(t, place, dimension), size = t->sizes[dimension], next;
    for (uint32_t k = dimension + 1; k < t->dimensions; k++)
        stride *= t->sizes[k];
    next = place - at * stride + (up ? (at + 1) % size : (at + size - 1) % size) * stride;
    *link = rwa_network_find_link(t->job->net, network_canonical_node(t->job->net, place),
                                  network_canonical_node(t->job->net, next));
    return next;
}

uint32_t torus_go(const struct torus *t, uint32_t *hops, uint32_t place, uint32_t dimension, bool up, uint32_t steps)
{
    for (; steps > 0; steps--)
        place = go(t, place, dimension, up, &t->arc[(*hops)++]);
    return place;
}

bool torus_is_regular(const struct torus *t)
{
    return t->sizes[t->longer] == t->size;
}

static rwa_status add_lightpaths(rwa_assignment *r, void *data)
{
    struct torus *t = data;
    rwa_status st = RWA_OK;
    const rwa_network *net = t->job->net;
    for (size_t d = 0; d < t->job->count && st == RWA_OK; d++) {
        const rwa_demand *demand = &t->job->list[d];
        rwa_route route = {.demand = d, .links = t->arc, .why = "no wavelength is left for it"};
        uint32_t colour = t->form->route(t, &route, network_canonical_place(net, demand->src),
                                         network_canonical_place(net, demand->dst));
        assert(colour < t->colours);
        route.fiber = colour % t->fibers;
        route.wavelength = colour / t->fibers;
        if (t->job->extra > 0 && route.wavelength >= t->job->opts->wavelengths)
            route.hops = 0;
        st = rwa_assignment_add(r, &route, t->job->err);
    }
    return st;
}

/* ---- all-to-all round a ring, both models; the construction and its proof are in docs/reference/bounds.md ---- */

static bool ring_fits(const struct torus *t, rwa_model model)
{
    (void)model;
    return t->dimensions == 1;
}

static rwa_status prepare_ring(struct torus *t)
{
    uint64_t n = t->size, pairs = ring_pairs_wavelengths(t->size);
    t->colours = (uint32_t)(t->job->model == RWA_UNDIRECTED ? pairs : (n * n / 4 + 1) / 2);
    return RWA_OK;
}

static uint32_t ring_route(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to)
{
    uint32_t colour = 0, hops = 0;
    if (t->job->model == RWA_DIRECTED)
        exchange_assign(t->size, 1, from, to, 0, &route->direction, &colour);
    else
        ring_pairs_assign(t->size, from, to, &route->direction, &colour);
    bool up = route->direction == RWA_CW;
    route->hops = up ? torus_ahead(t, from, to, 0) : torus_ahead(t, to, from, 0);
    if (!network_has_arcs(t->job->net)) /* otherwise the direction names the route */
        torus_go(t, &hops, from, 0, up, route->hops);
    return colour;
}

static const struct torus_form ring_form = {.fits = ring_fits, .prepare = prepare_ring, .route = ring_route};

/* ---- the answer ---- */

static void measure(struct torus *t, const struct network_grid *grid)
{
    t->sizes = grid->size;
    t->dimensions = (uint32_t)grid->dimensions;
    t->size = grid->size[0];
    for (uint32_t d = 1; d < t->dimensions; d++) {
        t->longer = grid->size[d] > grid->size[t->longer] ? d : t->longer;
        LOWER(t->size, grid->size[d]);
    }
    t->half = t->size / 2;
    t->nodes = t->job->graph.nodes;
    t->fibers = t->job->graph.fibers[0];
}

static bool find_form(struct torus *t)
{
    static const struct torus_form *const forms[] = {&ring_form, &even_torus, &odd_torus, &oblong_torus};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !t->form; i++)
        t->form = forms[i]->fits(t, t->job->model) ? forms[i] : NULL;
    return t->form;
}

static bool find_torus(struct torus *t)
{
    const struct job *job = t->job;
    const rwa_network *shape = network_canonical(job->net);
    struct network_grid grid = {&job->graph.nodes, 1, true};
    if (!job_searches_freely(job) || !job_is_plain(job) || !job_has_equal_fibers(job) ||
        (!network_is_cycle(shape) && !network_grid(&grid, shape)) || !grid.cyclic)
        return false;
    measure(t, &grid);
    return find_form(t) && rwa_demands_is_all_to_all(job->demands, job->model);
}

/* Write the witness of the bound to t->length: length 1 for links along the longer dimension, 0 for the others.  If all
 * dimensions are equal, every link has length 1. */
static void write_witness(struct torus *t)
{
    const struct routing_graph *r = &t->job->graph;
    for (uint32_t a = 0; a < r->arcs; a++) {
        uint32_t from = network_canonical_place(t->job->net, r->from[a]),
                 to = network_canonical_place(t->job->net, r->to[a]);
        t->length[r->link[a]] = torus_is_regular(t) || torus_digit(t, from, t->longer) != torus_digit(t, to, t->longer);
    }
}

static rwa_status open_torus(struct torus *t)
{
    t->arena.err = t->job->err;
    arena_new(&t->arena, t->length, t->job->graph.links);
    MUST(arena_arrays(&t->arena, t->nodes, t->arc));
    write_witness(t);
    return t->form->prepare(t);
}

/* Set t->job->bound to this number of wavelengths.  The total length of the shortest routes proves it, except in the
 * undirected model on a ring of 4k nodes.  There it proves one wavelength less, and the parity of node 0 proves the
 * last one. */
static rwa_status certify(const struct torus *t, uint32_t wavelengths)
{
    bool ring = t->dimensions == 1, parity = ring && t->job->model == RWA_UNDIRECTED && t->nodes % 4 == 0;
    struct odd_cuts *odd = &t->job->odd;
    uint32_t *node;
    t->job->bound = (rwa_certificate){
        .name = ring ? "ring-all-to-all" : torus_is_regular(t) ? "distance" : "metric", .value = wavelengths,
        .kind = parity ? RWA_WITNESS_ODD_CUTS : RWA_WITNESS_LENGTHS, .lengths = t->length,
        .length_count = t->job->graph.links,
        .source = "all-to-all round a ring or on a torus: counting the hops of shortest routes and, round a ring, that "
                  "half circles cannot load all links alike (docs/reference/bounds.md)"};
    odd->arena.err = t->job->err;
    MUST(arena_arrays(&odd->arena, parity, node, odd->sets));
    odd->set_count = parity;
    if (parity) /* an odd number of lightpaths ends at node 0, which has an even number of channels: one stays unused */
        odd->sets[0] = (rwa_odd_set){1, node, 1};
    return RWA_OK;
}

rwa_status job_closed_form(rwa_assignment **out, struct job *job)
{
    rwa_status st = RWA_OK;
    struct torus t = {.job = job};
    uint32_t given = job->opts->wavelengths;
    if (!find_torus(&t))
        return RWA_OK;
    TRY(open_torus(&t));
    uint32_t needed = (t.colours + t.fibers - 1) / t.fibers, extra = given > 0 && needed > given ? needed - given : 0;
    if (extra > 0 && !(t.dimensions == 1 && job->count > MANY_ARCS))
        goto done; /* a search chooses which lightpaths to leave out */
    TRY(certify(&t, needed));
    job->extra = extra;
    TRY(job_write(out, job, add_lightpaths, &t));
done:
    arena_free(&t.arena);
    return st;
}

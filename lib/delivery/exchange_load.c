/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Routes of an exchange, and the loads of links from which the steps follow.  In r->load each column is a link or, if
 * ports are limited, the sending or receiving side of a node.  While routes are chosen, row 0 counts blocks.  Then row
 * k counts the routes of all transfers of r->size[k] blocks.  These take equally many lightpaths each, so the rows give
 * the loads for any number of blocks on a lightpath (tau). */
#include "delivery/exchange_load.h"

#include "base/arithmetic.h"
#include "network/translations.h"

/* ---- distances ---- */

void distances_from(uint16_t *hops, const rwa_network *net, uint32_t src, uint32_t *queue)
{
    size_t head = 0, tail = 0;
    memset(hops, 0xff, net->nodes * sizeof *hops);
    hops[src] = 0;
    queue[tail++] = src;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t k = net->first[v]; k < net->first[v + 1]; k++) {
            uint32_t to = net->links[net->out[k]].to;
            if (hops[to] == UINT16_MAX) {
                hops[to] = (uint16_t)(hops[v] + 1);
                queue[tail++] = to;
            }
        }
    }
}

/** Tell whether all links have the same number of fibres. */
static bool links_are_even(const rwa_network *net)
{
    for (uint32_t l = 1; l < net->link_count; l++)
        if (net->links[l].fibers != net->links[0].fibers)
            return false;
    return net->link_count > 0;
}

/** Set d->alike[l] to the link out of node 0 that a translation moves to link l.  d->alike stays NULL unless orbits
 * exist, links have equal channels and none has failed, none are parallel, and ports have no limit. */
static rwa_status find_alike(struct distances *d, rwa_error *err)
{
    const rwa_network *net = d->net;
    struct translations all;
    if (!network_has_orbits(net) || !network_is_uniform(net) || network_has_parallel_links(net) ||
        rwa_network_ports(net) > 0 || !translations_of(&all, net))
        return RWA_OK;
    MUST(base_new(d->alike, net->link_count, err));
    for (uint32_t l = 0; l < net->link_count; l++)
        d->alike[l] = translations_link(&all, l, translations_move(&all, 0, net->links[l].from, 0));
    return RWA_OK;
}

rwa_status distances_open(struct distances *out, const rwa_network *net, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    *out = (struct distances){.net = net, .cycle = network_is_cycle(net)};
    if (network_has_arcs(net))
        return RWA_OK;
    out->even = links_are_even(net);
    uint32_t *queue;
    MUST(base_new(out->hops, (size_t)nodes * nodes, err));
    MUST(base_new(out->to, net->link_count, err));
    MUST(base_new(queue, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        distances_from(out->hops + (size_t)v * nodes, net, v, queue);
    for (uint32_t k = 0; k < net->link_count; k++)
        out->to[k] = net->links[net->out[k]].to;
    free(queue);
    return find_alike(out, err);
}

void distances_free(struct distances *d)
{
    free_all(d->hops, d->to, d->alike);
    *d = (struct distances){0};
}

/** Hops from src to dst in each direction of a ring or line, clockwise (ahead) and counterclockwise (back); 0: no
 * route. */
struct both_ways {
    uint32_t ahead, back;
};

static struct both_ways arc_hops(const struct distances *d, uint32_t src, uint32_t dst)
{
    uint32_t ahead = dst > src ? dst - src : 0, back = dst > src ? 0 : src - dst;
    if (d->cycle)
        return dst > src ? (struct both_ways){ahead, d->net->nodes - ahead}
                         : (struct both_ways){d->net->nodes - back, back};
    return (struct both_ways){ahead, back};
}

static bool goes_back(struct both_ways hops)
{
    return hops.ahead == 0 || (hops.back > 0 && hops.back < hops.ahead);
}

uint32_t distances_hops(const struct distances *d, uint32_t src, uint32_t dst)
{
    if (d->hops)
        return d->hops[(size_t)src * d->net->nodes + dst];
    struct both_ways hops = arc_hops(d, src, dst);
    return goes_back(hops) ? hops.back : hops.ahead;
}

static uint64_t hops_to_all(const struct distances *d, const uint32_t *members, uint32_t count, uint32_t from)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += distances_hops(d, base_mapped(members, from), base_mapped(members, i));
    return sum;
}

uint32_t distances_centre(const struct distances *d, const uint32_t *members, uint32_t count)
{
    uint32_t best = (count - 1) / 2;
    uint64_t least = d->hops ? hops_to_all(d, members, count, best) : 0;
    for (uint32_t i = 0; i < count && d->hops; i++) {
        uint64_t sum = hops_to_all(d, members, count, i);
        best = sum < least ? i : best;
        LOWER(least, sum);
    }
    return best;
}

/* ---- routes ---- */

/** Routes are not improved if the sum of the squares of all route lengths (about the number of links visited) exceeds
 * this limit. */
#define BALANCED_MOST 131072.0
/** Largest number of links visited while the routes of an exchange are improved. */
#define LOOKED_MOST 262144.0
/** Routes are not improved in larger networks, where it takes long. */
enum { BALANCED_NODES = 256 };

void routed_free(struct routed *r)
{
    free_all(r->ccw, r->start, r->end, r->link, r->first, r->load);
    shortest_routes_close(&r->routes);
    free_all(r->next, r->cost);
    *r = (struct routed){0};
}

static rwa_status reserve_rows(struct routed *r, rwa_error *err)
{
    const rwa_network *net = r->distances->net;
    size_t links = network_has_arcs(net) ? 2 * ((size_t)rwa_network_nodes(net) + 1) : rwa_network_links(net),
           count = r->e->count;
    size_t width = links + (rwa_network_ports(net) > 0 ? 2 * (size_t)rwa_network_nodes(net) : 0);
    r->links = links;
    r->width = width;
    MUST(base_reserve(r->load, LOAD_SIZES * width, err));
    MUST(base_reserve(r->ccw, count, err));
    MUST(base_reserve(r->start, count, err));
    MUST(base_reserve(r->end, count, err));
    return base_reserve(r->first, count + 1, err);
}

/** Store in r the direction and links of transfer i on a ring or line, whose route is the shorter one.  If both routes
 * are equally long, choose the direction in which such transfers have fewer blocks so far.  carried[] counts these
 * blocks for each direction. */
static void take_arc(struct routed *r, size_t i, uint64_t carried[2])
{
    uint32_t src = r->e->src[i], dst = r->e->dst[i];
    struct both_ways way = arc_hops(r->distances, src, dst);
    bool ccw = goes_back(way);
    if (way.ahead == way.back) {
        ccw = carried[1] < carried[0];
        carried[ccw] += r->e->blocks[i];
    }
    uint32_t hops = ccw ? way.back : way.ahead;
    r->ccw[i] = ccw;
    r->start[i] = ccw ? dst : src;
    r->end[i] = ccw ? src : dst;
    r->unreachable = r->unreachable || hops == 0;
    RAISE(r->longest, hops);
}

/** Return the index in the network's array net->out of the link by which a route leaves node v: of the links that lead
 * nearer to the destination the least loaded one.  `left` has the distances to the destination. */
static uint32_t next_out(const struct routed *r, uint32_t v, struct distances_to left)
{
    const uint32_t *out = r->distances->net->out, *to = r->distances->to;
    uint32_t best = UINT32_MAX, nearer = left.hops[v * left.stride] - 1U;
    int64_t least = INT64_MAX;
    for (uint32_t k = r->distances->net->first[v], end = r->distances->net->first[v + 1]; k < end; k++)
        if (left.hops[to[k] * left.stride] == nearer && r->load[out[k]] < least) {
            best = k;
            least = r->load[out[k]];
        }
    assert(best != UINT32_MAX);
    return best;
}

/** Store the route of transfer i in r->link: at each node it takes the least loaded of the links that lead nearer to
 * the destination.  Add the blocks of the transfer to the loads of these links. */
static void walk_path(struct routed *r, size_t i)
{
    struct distances_to left = distances_to(r->distances->net, r->distances->hops, r->e->dst[i]);
    uint32_t v = r->e->src[i];
    for (uint64_t k = r->first[i]; k < r->first[i + 1]; k++) {
        uint32_t out = next_out(r, v, left);
        r->link[k] = r->distances->net->out[out];
        r->load[r->link[k]] += (int64_t)r->e->blocks[i];
        v = r->distances->to[out];
    }
}

/** Store the route of transfer i, which stands for all its translations, in r->link: for each hop a link out of node 0.
 * Take the links out of the source that lead nearer to the destination, one after the other and again from the first,
 * and move each to node 0 by a translation. */
static void walk_alike(struct routed *r, size_t i)
{
    const struct distances *d = r->distances;
    uint32_t v = r->e->src[i], dst = r->e->dst[i], out = d->net->first[v];
    for (uint64_t k = r->first[i]; k < r->first[i + 1];) {
        if (distances_hops(d, d->to[out], dst) < distances_hops(d, v, dst))
            r->link[k++] = d->alike[d->net->out[out]];
        out = out + 1 < d->net->first[v + 1] ? out + 1 : d->net->first[v];
    }
}

/** Return the load of the most loaded link, once all routes are known. */
static int64_t fullest_link(const struct routed *r)
{
    int64_t most = 0;
    for (size_t l = 0; l < r->links; l++)
        RAISE(most, r->load[l]);
    return most;
}

/** Set r->next[v], for each node v of `routes`, to the first link of the cheapest route from v to the destination.  A
 * link costs ((load + blocks) / mean)^4.  `load` is that of other transfers, `blocks` that of the transfer to be
 * routed, and `mean` the average load of a link. */
static void find_cheapest(struct routed *r, const struct shortest_routes *routes, int64_t blocks, double mean)
{
    const rwa_link *link = r->distances->net->links;
    r->cost[routes->node[routes->nodes - 1]] = 0;
    for (uint32_t q = routes->nodes - 1; q-- > 0;) {
        uint32_t at = routes->node[q], next = 0;
        double least = INFINITY;
        for (uint32_t k = routes->begin[q], end = routes->begin[q + 1]; k < end; k++) {
            uint32_t onward = routes->onward[k];
            double load = (double)(r->load[onward] + blocks) / mean, square = load * load;
            double cost = r->cost[link[onward].to] + square * square;
            next = cost < least ? onward : next;
            LOWER(least, cost);
        }
        r->cost[at] = least;
        r->next[at] = next;
    }
}

/** Give transfer i the cheapest of its shortest routes (find_cheapest()), and add its blocks to the loads of the links
 * of this route.  The caller has subtracted the blocks of the transfer from the loads.  `mean`: average load of a
 * link. */
static rwa_status choose_path(struct routed *r, size_t i, double mean, rwa_error *err)
{
    const rwa_network *net = r->distances->net;
    struct shortest_routes routes;
    const int64_t blocks = (int64_t)r->e->blocks[i];
    uint32_t src = r->e->src[i], v = src;
    MUST(shortest_routes_recall(&routes, &r->routes, net, r->distances->hops, src, r->e->dst[i], err));
    r->looked += (double)routes.nodes * net->link_count / net->nodes;
    bool several = routes.begin[routes.nodes - 1] > r->first[i + 1] - r->first[i];
    if (several)
        find_cheapest(r, &routes, blocks, mean);
    for (uint64_t k = r->first[i]; k < r->first[i + 1]; k++) {
        r->link[k] = several ? r->next[v] : r->link[k];
        r->load[r->link[k]] += blocks;
        v = net->links[r->link[k]].to;
    }
    return RWA_OK;
}

static rwa_status make_scratch(struct routed *r, rwa_error *err)
{
    uint32_t nodes = r->distances->net->nodes;
    if (r->cost)
        return RWA_OK;
    MUST(shortest_routes_open(&r->routes, r->distances->net, err));
    MUST(base_new(r->next, nodes, err));
    return base_new(r->cost, nodes, err);
}

/** Subtract the blocks of transfer i from the loads of the links of its route. */
static void leave_path(struct routed *r, size_t i)
{
    for (uint64_t k = r->first[i]; k < r->first[i + 1]; k++)
        r->load[r->link[k]] -= (int64_t)r->e->blocks[i];
}

/** Choose the route of each transfer again, while all others keep theirs.  Do this in several passes, as long as a pass
 * lowers the load of the most loaded link. */
static rwa_status balance_paths(struct routed *r, rwa_error *err)
{
    enum { PASSES = 4 };
    const double even = 1.005, helps = 0.99;
    double size = 0, mean = 0, most = (double)fullest_link(r), last = INFINITY;
    rwa_status st = make_scratch(r, err);
    if (r->distances->net->nodes > BALANCED_NODES)
        return st;
    for (size_t i = 0; i < r->e->count; i++)
        size += pow((double)(r->first[i + 1] - r->first[i]), 2);
    for (size_t l = 0; l < r->links; l++)
        mean += (double)r->load[l] / (double)r->links;
    for (int pass = 0; st == RWA_OK && pass < PASSES && size <= BALANCED_MOST && most > even * mean; pass++) {
        for (size_t i = 0; i < r->e->count; i++) {
            if (r->first[i + 1] - r->first[i] < 2)
                continue;
            if (r->looked > LOOKED_MOST)
                return st;
            leave_path(r, i);
            MUST(choose_path(r, i, mean, err));
        }
        last = most;
        most = (double)fullest_link(r);
        if (most > helps * last)
            break;
    }
    return st;
}

static rwa_status take_path(struct routed *r, size_t i, rwa_error *err)
{
    const rwa_network *net = r->distances->net;
    uint32_t v = r->e->src[i], dst = r->e->dst[i], hops = r->distances->hops[(size_t)v * net->nodes + dst];
    uint64_t at = r->first[i];
    if (hops == UINT16_MAX) {
        r->unreachable = true;
        hops = 0;
    }
    MUST(base_reserve(r->link, (size_t)at + hops, err));
    r->first[i + 1] = at + hops;
    if (hops > 0)
        (r->e->alike ? walk_alike : walk_path)(r, i);
    RAISE(r->longest, hops);
    return RWA_OK;
}

rwa_status routed_make(struct routed *r, const struct exchange *e, const struct distances *d, rwa_error *err)
{
    uint64_t carried[2] = {0, 0};
    r->e = e;
    r->distances = d;
    r->arcs = network_has_arcs(d->net);
    r->unreachable = r->counted = false;
    r->looked = 0;
    r->largest = r->longest = 0;
    r->least = UINT64_MAX;
    MUST(reserve_rows(r, err));
    memset(r->load, 0, r->links * sizeof *r->load);
    r->first[0] = 0;
    for (size_t i = 0; i < e->count; i++) {
        uint64_t blocks = e->blocks[i];
        RAISE(r->largest, blocks);
        LOWER(r->least, blocks);
        if (r->arcs)
            take_arc(r, i, carried);
        else
            MUST(take_path(r, i, err));
    }
    if (!r->arcs && !r->unreachable && !e->alike)
        MUST(balance_paths(r, err));
    return RWA_OK;
}

double routed_work(const struct routed *r)
{
    const double looks_of_a_link = 4; /* work for a link of a route, in visited links */
    return r->arcs ? (double)r->e->count : (double)r->first[r->e->count] + r->looked / looks_of_a_link;
}

/* ---- loads ---- */

/** Return the row of r->load that counts the routes of transfers of `blocks` blocks.  If there is none, begin one with
 * zeros.  LOAD_SIZES: no row is left. */
static size_t row_of_size(struct routed *r, uint64_t blocks)
{
    size_t k = 0;
    while (k < r->sizes && r->size[k] != blocks)
        k++;
    if (k < r->sizes || k == LOAD_SIZES)
        return k;
    memset(r->load + k * r->width, 0, r->width * sizeof *r->load);
    r->size[r->sizes++] = blocks;
    return k;
}

/** Add `count` to load[] for every link on the route of transfer i.  On a ring or line add it only where the route
 * begins and subtract it where it ends; sum_changes() makes loads of these differences.  If ports are limited, add it
 * also for the sending side of the source and the receiving side of the destination. */
static void add_route(const struct routed *r, int64_t *load, size_t i, int64_t count)
{
    if (r->width > r->links) { /* ports are limited, and loaded as links are */
        load[r->links + r->e->src[i]] += count;
        load[(r->links + r->width) / 2 + r->e->dst[i]] += count;
    }
    if (!r->arcs) {
        for (uint64_t k = r->first[i]; k < r->first[i + 1]; k++)
            load[r->link[k]] += count;
        return;
    }
    int64_t *change = load + r->ccw[i] * (r->links / 2);
    change[r->start[i]] += count;
    change[r->end[i]] -= count;
    if (r->end[i] < r->start[i])
        change[0] += count;
}

/** Turn the differences in load[] that add_route() writes on a ring or line into loads, separately for each direction.
 * The load of a link is the sum of the differences up to it. */
static void sum_changes(const struct routed *r, int64_t *load)
{
    for (size_t l = 1; r->arcs && l < r->links; l++)
        if (l != r->links / 2)
            load[l] += load[l - 1];
}

/** Tell whether column l of r->load (a link, or a side of a node) never limits the steps, since some other column has
 * at least as much load in every row.  Of the columns first … kept - 1 only the last COMPARED are compared. */
static bool is_outweighed(const struct routed *r, size_t l, size_t first, size_t kept)
{
    enum { COMPARED = 8 };
    for (size_t c = kept; c-- > first && c + COMPARED >= kept;) {
        size_t k = 0;
        while (k < r->sizes && r->load[k * r->width + c] >= r->load[k * r->width + l])
            k++;
        if (k == r->sizes)
            return true;
    }
    return false;
}

/** Keep the columns of r->load, from number `from` to number `to` - 1, that may limit the steps: move them behind the
 * r->columns columns already kept.  All of them (links, or sides of nodes) must have equally many channels or ports. */
static void keep_full_columns(struct routed *r, size_t from, size_t to)
{
    size_t first = r->columns;
    for (size_t l = from; l < to; l++) {
        if (is_outweighed(r, l, first, r->columns))
            continue;
        for (size_t k = 0; k < r->sizes; k++)
            r->load[k * r->width + r->columns] = r->load[k * r->width + l];
        r->columns++;
    }
}

/** Count in r->load the routes over each link.  It gets a row for each size of transfers, and a column for each link or
 * side of a node that may limit the steps.  r->sizes becomes 0 if there are more than LOAD_SIZES sizes. */
static void count_routes(struct routed *r)
{
    size_t row = LOAD_SIZES;
    r->sizes = 0;
    r->counted = true;
    r->columns = r->width;
    r->of_links = r->links;
    for (size_t i = 0; i < r->e->count; i++) {
        if (row == LOAD_SIZES || r->size[row] != r->e->blocks[i])
            row = row_of_size(r, r->e->blocks[i]);
        if (row == LOAD_SIZES) {
            r->sizes = 0;
            return;
        }
        add_route(r, r->load + row * r->width, i, 1);
    }
    for (size_t k = 0; k < r->sizes; k++)
        sum_changes(r, r->load + k * r->width);
    if (!r->arcs && !r->distances->even) /* columns of links with few channels may be as full as others */
        return;
    r->columns = 0;
    keep_full_columns(r, 0, r->links);
    r->of_links = r->columns;
    keep_full_columns(r, r->links, r->width);
}

/** Count in row 0 of r->load the lightpaths over each link, transfer by transfer, with at most `tau` blocks on a
 * lightpath. */
static void load_one_by_one(struct routed *r, uint64_t tau)
{
    memset(r->load, 0, r->width * sizeof *r->load);
    for (size_t i = 0; i < r->e->count; i++)
        add_route(r, r->load, i, (int64_t)ceil_div(r->e->blocks[i], tau));
    sum_changes(r, r->load);
}

/** Return the number of lightpaths over the link of column l of r->load, if a transfer of r->size[k] blocks takes
 * pieces[k] lightpaths. */
static uint64_t lightpaths_over(const struct routed *r, size_t l, const uint64_t pieces[LOAD_SIZES])
{
    uint64_t sum = 0;
    for (size_t k = 0; k < r->sizes; k++)
        sum += (uint64_t)r->load[k * r->width + l] * pieces[k];
    return r->sizes > 0 ? sum : (uint64_t)r->load[l];
}

/** Return the number of channels of the link that column l of r->load stands for.  It is that of link l: if columns
 * were left out, column l may be another link's, but then all links have equally many channels. */
static uint64_t channels_of(const struct routed *r, size_t l)
{
    const rwa_network *net = r->distances->net;
    return r->arcs ? rwa_network_channels(net) : (uint64_t)net->links[l].fibers * net->wavelengths;
}

uint64_t routed_steps(struct routed *r, uint64_t tau)
{
    uint64_t pieces[LOAD_SIZES], steps = 0;
    if (!r->counted)
        count_routes(r);
    if (r->sizes == 0)
        load_one_by_one(r, tau);
    for (size_t k = 0; k < r->sizes; k++)
        pieces[k] = ceil_div(r->size[k], tau);
    for (size_t l = 0; l < r->columns; l++) {
        uint64_t load = lightpaths_over(r, l, pieces),
                 width = l < r->of_links ? channels_of(r, l) : rwa_network_ports(r->distances->net);
        assert(width > 0);
        if (load > steps * width)
            steps = ceil_div(load, width);
    }
    return steps;
}

double routed_step_s(const struct routed *r, uint64_t tau)
{
    double rate_bps = rwa_network_rate_bps(r->distances->net);
    return r->step_s - r->model->reconfig_s + rwa_cost_steps(1, tau * r->block_bytes, rate_bps, r->model);
}

struct cut routed_cut(struct routed *r, uint64_t steps)
{
    assert(steps > 0);
    /* tau * routed_steps(tau) is least for tau = 1: a lower bound on tau */
    uint64_t low = (routed_steps(r, 1) - 1) / steps, high = r->largest;
    low = low < high ? low + 1 : high;
    while (low < high) {
        uint64_t middle = (low + high) / 2, even = ceil_div(r->largest, ceil_div(r->largest, middle));
        if (routed_steps(r, middle) <= steps)
            high = r->least == r->largest ? even : middle; /* the same number of lightpaths, with fewer blocks each */
        else
            low = middle + 1;
    }
    return (struct cut){high, steps, (double)steps * routed_step_s(r, high)};
}

uint64_t routed_most_steps(const struct routed *r, uint64_t least)
{
    /* FURTHER more steps; or, up to MANY steps, WIDER times as many if the longest transfer takes more than LONG times
     * the setup time of a step */
    enum { FURTHER = 1, MANY = 8, WIDER = 3, LONG = 16 };
    bool by_bytes = (LONG + 1) * r->step_s < routed_step_s(r, r->largest);
    if (r->e->at_once)
        return 1;
    return by_bytes && least > 1 && least <= MANY ? WIDER * least : least + FURTHER;
}

struct cut routed_quickest(struct routed *r)
{
    uint64_t least = routed_steps(r, r->largest), most = routed_most_steps(r, least);
    struct cut best = {.time_s = INFINITY, .tau = r->largest};
    for (uint64_t steps = least; steps <= most; steps++) {
        struct cut next = routed_cut(r, steps);
        if (next.time_s < best.time_s)
            best = next;
    }
    return best;
}

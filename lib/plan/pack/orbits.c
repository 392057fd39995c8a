/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pack exchanges that are alike at all nodes of a torus or hypercube: each piece becomes an orbit of lightpaths.
 *
 * Consider an orbit of lightpaths of h links round cycles of n nodes.  On each link of its class it takes h
 * neighbouring channels of a band of P channels, where P divides n; from one link to the next these channels move on by
 * one.  So each band of each step is a bin of P places, in which orbits of one class lie side by side, the longest
 * first. */
#include "plan/pack/pieces.h"

#include "network/translations.h"

/** The class of links that a piece uses (a dimension and a direction of the network), and its number of links. */
struct lane {
    uint32_t class, hops;
    uint32_t onward;            /* the end of the first link if the piece begins at node 0 */
};

/** Find the lane of a piece (lightpath): its class of links, which is one dimension and direction of the network, and
 * its number of links.  Return false if it uses several dimensions.  If a transfer goes halfway round a cycle, its
 * pieces take both directions in turn.
 * @param i      the transfer
 * @param share  the number of the piece in its transfer */
static bool find_lane(struct lane *out, const struct translations *all, const struct routed *r, size_t i,
                      uint32_t share)
{
    uint32_t src = r->e->src[i], dst = r->e->dst[i], unit = 1;
    size_t d = translations_dimension(all, src, dst);
    uint32_t n = all->radix[d], ahead = (translations_digit(all, dst, d) + n - translations_digit(all, src, d)) % n;
    bool back = 2 * ahead > n || (2 * ahead == n && n > 2 && (i + share) % 2 == 1);
    for (size_t k = d + 1; k < all->digits; k++)
        unit *= all->radix[k];
    *out = (struct lane){(uint32_t)(2 * d + back), back ? n - ahead : ahead,
                         back ? translations_move(all, 0, unit, 0) : unit};
    return out->hops == r->first[i + 1] - r->first[i];
}

/** Return the period of the orbits on a class of links: the number of neighbouring channels in a band.  It divides the
 * length of the cycle and is at least `longest`, the links of the longest lightpath.  Among such numbers, those that
 * leave the fewest channels unused are best, and of these the largest. 0: there is none. */
static uint32_t choose_period(uint32_t cycle, uint32_t longest, uint32_t channels)
{
    uint32_t best = 0;
    for (uint32_t p = longest; p <= cycle && p <= channels; p++)
        if (cycle % p == 0 && (best == 0 || channels % p <= channels % best))
            best = p;
    return best;
}

struct packed_orbits {
    const struct packing *p;
    struct translations all;
    struct lane *lane;          /* of each piece */
    uint32_t *used;             /* scratch: channels that are taken in each band */
    uint32_t longest[2 * RWA_SHAPE_MAX];
};

/** Put all pieces (lightpaths) of `hops` links on a class of links into bands of channels, each piece into the first
 * band with enough space left.  Return the number of bands that are then in use.
 * @param bands  number of bands in use before */
static uint32_t fill_bands(struct packed_orbits *o, struct pieces *c, uint32_t class, uint32_t hops, uint32_t bands)
{
    uint32_t channels = o->p->channels, period = choose_period(o->all.radix[class / 2], o->longest[class], channels);
    for (size_t k = 0; k < c->count; k++) {
        uint32_t band = 0;
        if (o->lane[k].class != class || o->lane[k].hops != hops)
            continue;
        while (band < bands && o->used[band] + hops > period)
            band++;
        if (band == bands)
            o->used[bands++] = 0;
        /* on links from coordinate 0 it takes the next channels of the band; its first link is that many links
         * further on */
        uint32_t at = translations_digit(&o->all, o->p->routed.e->src[c->transfer[k]], class / 2) + o->used[band] +
                      (class % 2 == 0 ? hops - 1 : 0);
        uint32_t each = channels / period, first = band / each * channels + band % each * period;
        c->colour[k] = first + at % period;
        c->period[k] = period;
        RAISE(c->colours, first + period);
        o->used[band] += hops;
    }
    return bands;
}

static bool find_lanes(struct packed_orbits *o, struct pieces *c)
{
    for (size_t k = 0; k < c->count; k++) {
        struct lane *lane = &o->lane[k];
        if (!find_lane(lane, &o->all, &o->p->routed, c->transfer[k], c->share[k]))
            return false;
        c->start[k] = lane->onward;
        c->end[k] = lane->hops;
        RAISE(o->longest[lane->class], lane->hops);
        if (choose_period(o->all.radix[lane->class / 2], lane->hops, o->p->channels) == 0)
            return false;
    }
    return true;
}

rwa_status colour_orbits(struct pieces *c, const struct packing *p)
{
    struct packed_orbits o = {.p = p};
    translations_of(&o.all, p->request->net);
    MUST(arena_arrays(&c->memory, c->count, c->period, o.lane, o.used));
    if (!find_lanes(&o, c))
        return RWA_OK;
    for (uint32_t class = 0; class < 2 * o.all.digits; class++)
        for (uint32_t bands = 0, hops = o.longest[class]; hops > 0; hops--)
            bands = fill_bands(&o, c, class, hops, bands);
    return RWA_OK;
}

uint32_t orbit_path(uint32_t *path, const struct pieces *c, size_t k, const rwa_network *net)
{
    struct translations all;
    translations_of(&all, net);
    for (uint32_t i = 0; i < c->end[k]; i++)
        path[i + 1] = translations_add(&all, path[i], c->start[k]);
    return c->end[k] + 1;
}

/* ---- one by one ---- */

rwa_status exchange_expand(struct exchange *out, const struct exchange *e, const struct plan_request *request,
                           rwa_error *err)
{
    const rwa_network *net = request->net;
    *out = (struct exchange){.op = e->op, .at_once = e->at_once};
    for (size_t n = 0; n < net->nodes * e->count; n++) {
        size_t i = n % e->count;
        rwa_lightpath record = {.src = e->src[i], .dst = e->dst[i], .orbit = net->nodes, .period = 1}, lp;
        for (size_t r = e->first[i]; r < e->first[i + 1]; r++)
            for (uint32_t b = 0; b < e->run[r].count; b++) {
                record.block = e->run[r].first + b * e->run[r].stride;
                rwa_lightpath_of_orbit(&lp, &record, (uint32_t)(n / e->count), net, request->coll);
                if (r == e->first[i] && b == 0)
                    MUST(exchange_add(out, lp.src, lp.dst, e->blocks[i], err));
                MUST(exchange_run(out, (rwa_run){(uint32_t)lp.block, 1, 1}, err));
            }
    }
    return RWA_OK;
}

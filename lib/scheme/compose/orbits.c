/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An orbit of lightpaths of L hops round cycles of n nodes takes, on each link, L neighbouring channels of a band of P, which move on by
 * one from link to link: P divides n.  So each band of each step is a bin of P in which orbits of one direction lie side by side.
 */
#include "scheme/compose/orbits.h"

#include "network/translations.h"

/* ---- which compositions ---- */

/** Append the participants of each exchange of a term, the ones that lie farthest apart first.  Whether it is made of such exchanges. */
static bool list_groups(uint32_t group[TERM_NODES], size_t *count, const struct composition *c, uint8_t node, uint32_t nodes)
{
    const struct term *t = &c->node[node];
    if (t->phase == PHASE_POSITIONS)
        return list_groups(group, count, c, t->sub[0], nodes / t->number[0]) && list_groups(group, count, c, t->sub[1], t->number[0]);
    group[(*count)++] = nodes;
    return t->phase == PHASE_DIRECT || t->phase == PHASE_STEPS;
}

/** The term that all nodes carry out alike: of a broadcast, once each has got a share, and unless it is run backwards. */
static bool exchanges_among_all(const struct composition *composition, const struct plan_request *request)
{
    rwa_collective_kind kind = request->coll->kind;
    if (kind == RWA_BROADCAST)
        return composition->parts == 2 && !request->once;
    return composition->parts == 1 &&
           (kind == RWA_ALL_GATHER || kind == RWA_REDUCE_SCATTER || kind == RWA_ALL_REDUCE || kind == RWA_ALL_TO_ALL);
}

bool composition_has_orbits(const struct composition *composition, const struct composing *c)
{
    const rwa_network *net = c->request->net;
    uint8_t last = composition->part[composition->parts - 1];
    const struct term *t = &composition->node[last];
    uint32_t group[TERM_NODES];
    size_t groups = 0;
    struct translations all;
    bool same = network_has_orbits(net) && !network_has_arcs(net) && network_is_uniform(net) && !network_has_parallel_links(net) &&
                rwa_network_ports(net) == 0 && !c->request->opts->members && exchanges_among_all(composition, c->request);
    if (!same || composition->clusters || !translations_of(&all, net))
        return false;
    if (t->phase == PHASE_DIGITS)
        for (; groups < t->numbers; groups++)
            group[groups] = t->number[groups];
    else if (!list_groups(group, &groups, composition, last, all.nodes))
        return false;
    for (uint32_t turn = 0; turn < (composition->rotated ? c->turns : 1); turn++)
        for (size_t d = 0; d < groups; d++)
            if (groups != all.digits || group[d] != all.radix[(d + turn) % groups])
                return false;
    return true;
}

/* ---- bands ---- */

/** The shares `first`, first + `apart`, … of a transfer, which go the same way: the class, twice the dimension, plus 1 if back. */
struct lane {
    uint32_t class, hops, transfer, first, apart;
};

COMPARATOR(by_class_and_hops, struct lane, UP(class) DOWN(hops) UP(transfer))

/** An orbit: its band counts through all steps, and on links from coordinate 0 it begins with channel `place` of that. */
struct piece {
    const struct lane *lane;
    uint64_t share;
    uint32_t step, band, place;
};

/** An exchange while it gets steps. */
struct bands {
    const struct exchange *e;
    const struct translations *group;
    uint32_t channels, steps;
    uint64_t largest, tau;      /* blocks of the largest transfer, and on the fullest lightpath */
    double time_s, least_s;
    struct lane *lane;
    size_t lanes;
    uint32_t *period;           /* of each class */
    uint32_t *used;             /* scratch: channels taken of each band */
    struct piece *piece;
    size_t pieces, capacity, used_capacity;
    rwa_error *err;
};

static uint64_t shares_of(const struct bands *b, size_t transfer, uint64_t tau)
{
    return ceil_div(b->e->blocks[transfer], tau);
}

static uint64_t shares_in_lane(const struct bands *b, const struct lane *l, uint64_t tau)
{
    uint64_t shares = shares_of(b, l->transfer, tau);
    return shares > l->first ? ceil_div(shares - l->first, l->apart) : 0;
}

/** Transfers half round a cycle send every other share back. */
static void list_lanes(struct bands *b)
{
    for (size_t i = 0; i < b->e->count; i++) {
        b->largest = b->e->blocks[i] > b->largest ? b->e->blocks[i] : b->largest;
        size_t d = translations_dimension(b->group, b->e->src[i], b->e->dst[i]);
        uint32_t n = b->group->radix[d], to = translations_digit(b->group, b->e->dst[i], d);
        uint32_t ahead = (to + n - translations_digit(b->group, b->e->src[i], d)) % n, back = ahead > n - ahead, turn = (uint32_t)i % 2;
        struct lane lane = {(uint32_t)(2 * d + back), back ? n - ahead : ahead, (uint32_t)i, 0, 1};
        if (n > 2 && ahead == n - ahead) {
            b->lane[b->lanes++] = (struct lane){lane.class + 1, ahead, (uint32_t)i, 1 - turn, 2};
            lane.first = turn;
            lane.apart = 2;
        }
        b->lane[b->lanes++] = lane;
    }
    base_sort(b->lane, b->lanes, by_class_and_hops);
}

/** The divisors of the cycles that leave the fewest channels over; of several the longest.  Whether all lightpaths are that short. */
static bool choose_periods(struct bands *b)
{
    for (size_t k = 0; k < b->lanes; k++) {
        uint32_t *best = &b->period[b->lane[k].class], n = b->group->radix[b->lane[k].class / 2];
        if (*best > 0) /* for the longest lightpath of the class, which comes first */
            continue;
        for (uint32_t p = b->lane[k].hops; p <= n && p <= b->channels; p++)
            if (n % p == 0 && (*best == 0 || b->channels % p <= b->channels % *best))
                *best = p;
        if (*best == 0)
            return false;
    }
    return true;
}

/** What the fullest link carries, or, `halved`, no less than that in any steps: then those half round a cycle are free to go both ways. */
static uint64_t load_of(const struct bands *b, uint64_t tau, bool halved)
{
    uint64_t most = 0, load = 0, both = 0;
    for (size_t k = 0; k < b->lanes; k++) {
        const struct lane *l = &b->lane[k], *last = k > 0 ? l - 1 : l;
        uint64_t links = shares_in_lane(b, l, tau) * l->hops;
        load = l->class == last->class ? load : 0;
        both = l->class / 2 == last->class / 2 ? both + links : links;
        load += halved && l->apart > 1 ? 0 : links;
        most = load > most ? load : most;
        most = halved && ceil_div(both, 2) > most ? ceil_div(both, 2) : most;
    }
    return most;
}

/** The least tau for a load of no more; 0: none. */
static uint64_t least_tau(const struct bands *b, uint64_t load, bool halved)
{
    uint64_t low = 1, high = b->largest;
    if (load_of(b, high, halved) > load)
        return 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (load_of(b, middle, halved) <= load)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/** First-fit, the longest first. */
static rwa_status pack(struct bands *b, uint64_t tau)
{
    size_t band = 0, bands = 0;
    b->tau = tau;
    b->steps = 0;
    b->pieces = 0;
    for (size_t k = 0; k < b->lanes; k++) {
        const struct lane *l = &b->lane[k];
        uint32_t period = b->period[l->class], each = b->channels / period;
        if (k == 0 || l->class != l[-1].class)
            bands = 0;
        band = 0;
        for (uint64_t s = 0; s < shares_in_lane(b, l, tau); s++) {
            while (band < bands && b->used[band] + l->hops > period)
                band++;
            if (band == bands)
                MUST(base_append(b->used, bands, b->used_capacity, b->err, 0));
            struct piece piece = {l, l->first + s * l->apart, (uint32_t)band / each, (uint32_t)band % each * period, b->used[band]};
            MUST(base_append(b->piece, b->pieces, b->capacity, b->err, piece));
            b->used[band] += l->hops;
        }
        b->steps = bands > (size_t)b->steps * each ? (uint32_t)ceil_div(bands, each) : b->steps;
    }
    return RWA_OK;
}

/** Few steps with much on a lightpath, or more with less: the quickest, and what single lightpaths, with other channels or another way at
 *  each node, take at least.  With one block on a lightpath more steps gain nothing, even where a step costs nothing. */
static rwa_status choose_steps(struct bands *b, const struct plan_request *request)
{
    enum { TRIES = 16 };
    double block_s = request->price.byte_s * (double)request->coll->block_bytes, step_s = request->price.step_s;
    double all_s = (double)load_of(b, 1, true) / b->channels * block_s;
    uint64_t best = b->largest, from = ceil_div(load_of(b, b->largest, true), b->channels);
    b->time_s = b->least_s = NEVER_S;
    for (uint64_t steps = from, least = 0; (double)steps * step_s + all_s < b->time_s && (least != 1 || b->tau != 1); steps++) {
        least = least_tau(b, steps * b->channels, true);
        double least_s = (double)steps * (step_s + (double)least * block_s);
        uint64_t tau = least_tau(b, steps * b->channels, false);
        b->least_s = least_s < b->least_s ? least_s : b->least_s;
        for (int i = 0; i < TRIES && tau > 0; i++) {
            MUST(pack(b, tau));
            double time_s = b->steps * (step_s + (double)tau * block_s);
            best = time_s < b->time_s ? tau : best;
            b->time_s = time_s < b->time_s ? time_s : b->time_s;
            if (b->steps <= steps)
                break;
            tau = least_tau(b, load_of(b, tau, false) - 1, false);
        }
    }
    return pack(b, best);
}

static rwa_status bands_open(struct bands *b, bool *fits, const struct exchange *e, const struct plan_request *request)
{
    MUST(base_new(b->lane, 2 * e->count, b->err));
    MUST(base_new(b->period, 2 * b->group->digits, b->err));
    b->e = e;
    b->channels = rwa_network_channels(request->net);
    list_lanes(b);
    *fits = choose_periods(b);
    return *fits ? choose_steps(b, request) : RWA_OK;
}

/* ---- records ---- */

struct writer {
    struct schedule_sink *sink;
    const rwa_network *net;
    rwa_run *run;               /* scratch */
    uint32_t *path;             /* scratch */
};

static rwa_status push_piece(const struct writer *w, const struct bands *b, const struct piece *p, uint32_t step)
{
    const struct exchange *e = b->e;
    const struct lane *l = p->lane;
    size_t i = l->transfer, d = l->class / 2;
    uint32_t period = b->period[l->class], stride = 1, wavelengths = rwa_network_wavelengths(w->net), back = l->class % 2;
    for (size_t k = d + 1; k < b->group->digits; k++)
        stride *= b->group->radix[k];
    uint32_t link = back ? translations_move(b->group, 0, stride, 0) : stride;
    uint64_t shares = shares_of(b, i, b->tau), from = e->blocks[i] * p->share / shares, to = e->blocks[i] * (p->share + 1) / shares;
    uint32_t ahead = translations_digit(b->group, e->src[i], d) + p->place + (back ? 0 : l->hops - 1);
    uint32_t channel = p->band + ahead % period;
    rwa_lists lists = {.runs = w->run, .run_count = exchange_slice(w->run, e, i, from, to - from), .block_count = (uint32_t)(to - from),
                       .path = w->path, .path_nodes = l->hops + 1};
    rwa_lightpath lp = {.step = step, .src = e->src[i], .dst = e->dst[i], .fiber = channel / wavelengths,
                        .wavelength = channel % wavelengths, .orbit = b->group->nodes, .period = period, .op = e->op,
                        .block = w->run[0].first};
    w->path[0] = lp.src;
    for (uint32_t k = 0; k < l->hops; k++)
        w->path[k + 1] = translations_add(b->group, w->path[k], link);
    return sink_lightpath(w->sink, &lp, &lists, b->err);
}

static rwa_status push_bands(const struct writer *w, const struct bands *b)
{
    for (uint32_t step = 0; step < b->steps; step++)
        for (size_t k = 0; k < b->pieces; k++)
            if (b->piece[k].step == step)
                MUST(push_piece(w, b, &b->piece[k], step + 1));
    return sink_end_stage(w->sink, b->err);
}

rwa_status orbits_push(struct schedule_sink *sink, bool *fits, const struct program *p, const struct plan_request *request, rwa_error *err)
{
    const double slower = 1.05;
    struct translations group;
    struct bands *bands = base_array(p->steps, sizeof *bands, err);
    struct writer w = {.sink = sink, .net = request->net};
    size_t most = 0;
    double time_s = 0, least_s = 0;
    rwa_status st = bands && translations_of(&group, request->net) ? RWA_OK : RWA_NOMEM;
    TRY(st);
    *fits = true;
    for (size_t s = p->whole; s < p->steps && *fits; s++) {
        bands[s] = (struct bands){.group = &group, .err = err};
        TRY(bands_open(&bands[s], fits, &p->step[s], request));
        most = p->step[s].runs > most ? p->step[s].runs : most;
        time_s += bands[s].time_s;
        least_s += bands[s].least_s;
    }
    *fits = *fits && time_s <= slower * least_s;
    TRY(base_new(w.run, most, err));
    TRY(base_new(w.path, group.nodes, err));
    for (size_t s = 0; s < p->steps && *fits && request->why[0] == '\0'; s++)
        TRY(s < p->whole ? sink_exchange(sink, &p->step[s], err) : push_bands(&w, &bands[s]));
done:
    for (size_t s = 0; bands && s < p->steps; s++)
        free_all(bands[s].lane, bands[s].period, bands[s].used, bands[s].piece);
    free_all(bands, w.run, w.path);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Light travels along its fibre from node to node.  At each node it meets the receiver rings 0, 1, … of the bank,
 * then the transmitter rings.  A ring is engaged, that is on resonance with its wavelength, where a lightpath is
 * sent or received; otherwise it is parked off resonance.  An engaged receiver ring takes its own signal, and a
 * little of every other signal (crosstalk).  Where all lightpaths of a ring look the same from `period` nodes on, only
 * those that begin at its first `period` nodes are followed, and stand for the others.
 */
#include "check/physics/rings.h"

#include "base/arithmetic.h"
#include "network/network.h"
#include "power/power.h"

#include <float.h>

/** A weaker signal is ignored as a source of crosstalk. */
#define DARK_DBM (-300.0)

/** The rings that a signal has passed, and its losses there and in the spans between nodes. */
struct passage {
    double span_db, parked_db, engaged_db;
    uint32_t rings, engaged;
};

enum bank_kind { RECEIVERS, SENDERS };

/** An engaged ring: the transmitter of a lightpath, or one of its receivers (its end, or a tap on its way). */
struct ring {
    size_t lightpath;
    size_t next;            /* 1 + the next engaged ring of its bank, by wavelength; 0: none */
    uint32_t node, wavelength;
    double share;           /* share of the arriving light that it takes: 1 except at taps */
    struct passage passed;  /* by the light that it receives */
    double other_mw, same_mw, same_field, loudest_mw;
    size_t loudest;         /* the lightpath that disturbs it most */
    size_t home;            /* the ring that stands for it */
};

struct signals {
    const struct lit_set *set;
    const rwa_device *device;
    uint32_t nodes, rings;
    double span_db, depth, launch_dbm;
    /* of ring r for wavelength w, at index r - w + rings */
    double *parked_db;      /* loss past all parked rings before this distance */
    double *engaged_db;     /* additional loss past the engaged ring, compared with the same ring parked */
    double *parked, *engaged;   /* the shares of the light that these two losses leave, if `tabled` */
    bool tabled;
    double *caught;         /* share of the light that the engaged ring takes */
    struct ring *ring;      /* of each lightpath its transmitter, then its receivers in travel order */
    size_t *first;          /* of each lightpath: its transmitter, and one more for the end */
    size_t *order;          /* the lightpaths by wavelength, the highest first */
    size_t *heads[2];       /* of each bank and node: 1 + its first engaged ring in the current guide */
    double *output_mw;      /* of each node, in the current guide */
    struct passage passed;  /* by the signal that is followed */
    uint32_t period;        /* nodes; as many as there are: no lightpath stands for another */
    uint32_t *begins;       /* by channel, direction and node: 1 + the lightpath that begins there; 0: none */
    double *heard;          /* mW of each lit lightpath at each receiver of set->detailed; NULL: not asked for */
};

/** Return the share of the light that a ring takes `offset_ghz` away from its wavelength, divided by the share that it
 *  takes on its wavelength.  The ring is a Butterworth filter of the device's order. */
static double catches(const rwa_device *d, double offset_ghz)
{
    double half_widths = 2 * offset_ghz * d->ring_q / d->grid_base_ghz;
    return 1 / (1 + pow(half_widths * half_widths, d->filter_order));
}

/** Return the loss in dB of light that passes a ring, `offset_ghz` away from the ring's wavelength.  `share`: the part
 *  of the light on its own wavelength that the ring takes. */
static double past_db(const struct signals *p, double offset_ghz, double share)
{
    return p->device->ring_pass_db - decibel(1 - share * p->depth * catches(p->device, offset_ghz));
}

/** Return the loss in dB of wavelength w past the rings `from` to `to` - 1 of a bank, if all these are parked (off
 *  resonance). */
static double past_parked_db(const struct signals *p, uint32_t w, uint32_t from, uint32_t to)
{
    return p->parked_db[to + p->rings - w] - p->parked_db[from + p->rings - w];
}

static const rwa_lightpath *path_of(const struct signals *p, size_t lightpath)
{
    return &p->set->list[lightpath].lp;
}

static uint32_t wavelength_of(const struct signals *p, size_t lightpath)
{
    return path_of(p, lightpath)->wavelength;
}

static size_t guide_of(const struct signals *p, size_t lightpath)
{
    const rwa_lightpath *lp = path_of(p, lightpath);
    return 2 * (size_t)lp->fiber + (lp->direction == RWA_CCW);
}

static uint32_t *begin_of(const struct signals *p, size_t i, uint32_t on)
{
    size_t channel = guide_of(p, i) * rwa_network_wavelengths(p->set->net) + wavelength_of(p, i);
    return &p->begins[channel * p->nodes + (path_of(p, i)->src + on) % p->nodes];
}

/** Return the lightpath that stands for lightpath i: the translated copy of i that begins at one of the first
 *  p->period nodes. */
static size_t stand_in(const struct signals *p, size_t i)
{
    uint32_t src = path_of(p, i)->src, from = src % p->period;
    return from == src ? i : *begin_of(p, i, p->nodes + from - src) - 1;
}

/** Return the copy of lightpath `other` under the translation that takes lightpath i to stand_in(i) (`back`), or under
 *  the opposite one. */
static size_t seen_from(const struct signals *p, size_t other, size_t i, bool back)
{
    uint32_t on = path_of(p, i)->src / p->period * p->period;
    return on == 0 ? other : *begin_of(p, other, back ? p->nodes - on : on) - 1;
}

/* ---- one signal ---- */

/** Return the power in dBm that a signal has left after the losses in `passed`. */
static double power_behind(const struct signals *p, const struct passage *passed)
{
    return p->launch_dbm - passed->span_db - passed->parked_db - passed->engaged_db;
}

/** Add `mw` milliwatts of signal i to the crosstalk of the engaged receiver ring `at` of another lightpath.  They are
 *  added to the ring that stands for it, p->ring[at->home], and kept in p->heard if the link budget of its lightpath is
 *  wanted. */
static void disturb(const struct signals *p, const struct ring *at, size_t i, double mw)
{
    struct ring *r = &p->ring[at->home];
    if (p->heard && at->lightpath == p->set->detailed)
        p->heard[((size_t)(at - p->ring) - p->first[at->lightpath] - 1) * p->set->lit + i] = mw;
    if (wavelength_of(p, i) == r->wavelength) {
        r->same_mw += mw;
        r->same_field += sqrt(mw);
    } else {
        r->other_mw += mw;
    }
    if (mw > r->loudest_mw) {
        r->loudest_mw = mw;
        r->loudest = seen_from(p, i, at->lightpath, true);
    }
}

/** Let signal i, which is being followed, reach the engaged receiver ring `r`.  If the ring belongs to lightpath i,
 *  store the losses so far in r->passed; else add the crosstalk to the ring.  `mw`: times the ring's entry of the table
 *  p->parked, it gives the power of the signal there in milliwatts; unused unless p->tabled. */
static void meet(const struct signals *p, struct ring *r, size_t i, double mw)
{
    uint32_t w = wavelength_of(p, i), ring = r->wavelength, at = ring + p->rings - w;
    if (r->lightpath != i && p->tabled) {
        disturb(p, r, i, mw * p->parked[at] * p->caught[at] * r->share);
        return;
    }
    struct passage before = p->passed;
    before.rings += ring;
    before.parked_db += past_parked_db(p, w, 0, ring);
    if (r->lightpath == i)
        r->passed = before;
    else
        disturb(p, r, i, milliwatt(power_behind(p, &before)) * p->caught[at] * r->share);
}

/** Let signal i, which is being followed, pass a bank of rings at a node, from ring number `from` on.  In a bank of
 *  receivers it reaches every engaged ring (meet()). */
static void pass(struct signals *p, size_t i, enum bank_kind bank, uint32_t node, uint32_t from)
{
    uint32_t w = wavelength_of(p, i);
    double mw = bank == RECEIVERS ? milliwatt(power_behind(p, &p->passed)) / p->parked[p->rings - w] : 0;
    for (size_t k = p->heads[bank][node], next; k > 0; k = next) {
        struct ring *r = &p->ring[k - 1];
        uint32_t ring = r->wavelength, at = ring + p->rings - w;
        next = r->next;
        if (bank == RECEIVERS)
            meet(p, r, i, mw);
        if (ring < from || (next > 0 && p->ring[next - 1].wavelength == ring))
            continue; /* behind the signal, or the same ring again */
        double parked_db = past_parked_db(p, w, ring, ring + 1), db = p->engaged_db[at];
        if (r->share < 1)
            db = past_db(p, ((double)ring - (double)w) * p->device->spacing_ghz, r->share) - parked_db;
        mw *= r->share < 1 ? milliwatt(-db) : p->engaged[at];
        p->passed.engaged++;
        p->passed.parked_db -= parked_db;
        p->passed.engaged_db += parked_db + db;
    }
    p->passed.rings += p->rings - from;
    p->passed.parked_db += past_parked_db(p, w, from, p->rings);
}

static uint32_t hops_to(const struct signals *p, size_t i, uint32_t node)
{
    const rwa_lightpath *lp = path_of(p, i);
    return network_has_arcs(p->set->net) ? network_hops(p->set->net, lp->src, node, lp->direction)
                                         : p->set->list[i].hops;
}

/** Follow signal i along its fibre, from its source to its end and on until it is weaker than DARK_DBM, has gone once
 *  round the ring, or reaches the end of the line. */
static void follow(struct signals *p, size_t i)
{
    const rwa_lightpath *lp = path_of(p, i);
    uint32_t node = lp->src, hops = hops_to(p, i, lp->dst), most = p->nodes;
    if (!network_is_cycle(p->set->net))
        most = lp->direction == RWA_CW ? p->nodes - 1 - lp->src : lp->src;
    p->passed = (struct passage){.rings = 0};
    pass(p, i, SENDERS, node, lp->wavelength + 1);
    for (uint32_t h = 1;; h++) {
        p->output_mw[node % p->period] += milliwatt(power_behind(p, &p->passed));
        if (h > most)
            return;
        node = node_after(p->nodes, node, lp->direction);
        p->passed.span_db += p->span_db;
        pass(p, i, RECEIVERS, node, 0);
        if (h == p->nodes || (h >= hops && power_behind(p, &p->passed) < DARK_DBM))
            return;
        pass(p, i, SENDERS, node, 0);
    }
}

static bool is_overfull(const struct signals *p, size_t i)
{
    uint32_t node = path_of(p, i)->src;
    double most = milliwatt(p->device->waveguide_max_dbm);
    for (uint32_t h = hops_to(p, i, path_of(p, i)->dst); h > 0; h--) {
        if (p->output_mw[node % p->period] > most)
            return true;
        node = node_after(p->nodes, node, path_of(p, i)->direction);
    }
    return false;
}

/* ---- receivers ---- */

/** Set the `share` of each receiver ring of lightpath i, the part of the arriving light that it takes, so that all get
 *  the same power.  The last receiver takes all that arrives; a tap takes as much power as each receiver after it
 *  gets. */
static void share_light(struct signals *p, size_t i)
{
    const rwa_device *d = p->device;
    uint32_t w = wavelength_of(p, i);
    double bank_db = past_parked_db(p, w, 0, p->rings), own_db = past_parked_db(p, w, w, w + 1);
    for (size_t k = p->first[i + 1] - 1; k > p->first[i] + 1; k--) {
        uint32_t hops = hops_to(p, i, p->ring[k].node) - hops_to(p, i, p->ring[k - 1].node);
        double between_db = p->set->model == RWA_POWER_PAPER
                                ? hops * d->paper_pass_db
                                : hops * (p->span_db + 2 * bank_db) - own_db + d->ring_pass_db;
        double left = milliwatt(-between_db) * p->ring[k].share;
        p->ring[k - 1].share = left / (1 + p->depth * left);
    }
}

/** List in p->ring the rings that lightpath i has on resonance: its transmitter, its taps, its end.  Set the `share` of
 *  the light that each takes. */
static void list_rings(struct signals *p, size_t i)
{
    const struct lit_path *path = &p->set->list[i];
    size_t end = p->first[i];
    p->ring[end++].node = path->lp.src;
    for (uint32_t k = 0; k < path->tap_count; k++)
        p->ring[end++].node = path->taps[k];
    p->ring[end++].node = path->lp.dst;
    for (struct ring *r = p->ring + p->first[i]; r < p->ring + end; r++)
        *r = (struct ring){.lightpath = i, .node = r->node, .wavelength = path->lp.wavelength, .share = 1};
    p->first[i + 1] = end;
    share_light(p, i);
}

/* ---- lightpaths that look the same ---- */

/** Tell whether lightpath i has a copy that begins `on` nodes further on: a lightpath on the same channel in the same
 * direction, with its receivers as far from its source as those of i, and lit (p->set->lit) exactly if i is. */
static bool has_copy(const struct signals *p, size_t i, uint32_t on)
{
    const size_t *first = p->first;
    size_t j = *begin_of(p, i, on);
    if (j-- == 0 || (i < p->set->lit) != (j < p->set->lit) || first[i + 1] - first[i] != first[j + 1] - first[j])
        return false;
    for (size_t k = 0; k < first[i + 1] - first[i]; k++)
        if ((p->ring[first[i] + k].node + on) % p->nodes != p->ring[first[j] + k].node)
            return false;
    return true;
}

static bool is_period(const struct signals *p, uint32_t nodes)
{
    size_t i = 0;
    while (p->nodes % nodes == 0 && i < p->set->count && has_copy(p, i, nodes))
        i++;
    return i == p->set->count;
}

/** Set p->period to the least number of nodes by which translation maps the lightpaths of a ring to each other.  It is
 *  p->nodes, so that no lightpath stands for another, in three cases: on a line, if a link budget is wanted, or if two
 *  lightpaths begin at one node on one channel (a violation).  RWA_NOMEM. */
static rwa_status find_period(struct signals *p, struct arena *memory)
{
    p->period = p->nodes;
    if (p->heard || !network_is_cycle(p->set->net))
        return RWA_OK;
    MUST(arena_arrays(memory, 2 * (size_t)rwa_network_channels(p->set->net) * p->nodes, p->begins));
    for (size_t i = 0; i < p->set->count; i++) {
        if (*begin_of(p, i, 0) > 0)
            return RWA_OK;
        *begin_of(p, i, 0) = (uint32_t)i + 1;
    }
    uint32_t period = 1;
    while (period < p->nodes && !is_period(p, period))
        period++;
    p->period = period;
    return RWA_OK;
}

/** Set the `home` of each ring of each lightpath: the same ring (transmitter, first receiver, …) of the lightpath that
 *  stands for it (stand_in()). */
static void find_homes(struct signals *p)
{
    for (size_t i = 0; i < p->set->count; i++)
        for (size_t k = p->first[i], to = p->first[stand_in(p, i)]; k < p->first[i + 1]; k++)
            p->ring[k].home = to++;
}

/* ---- one guide: a direction of a fibre ---- */

/** List the lightpaths in p->order by wavelength, the highest first.  In this order engage() puts their rings at the
 *  heads of lists, which are then in ascending order.  RWA_NOMEM. */
static rwa_status sort_lightpaths(struct signals *p, struct arena *memory)
{
    uint32_t wavelengths = rwa_network_wavelengths(p->set->net);
    size_t *end, count = p->set->count;
    arena_new(memory, p->order, count);
    MUST(arena_arrays(memory, wavelengths + 1, end));
    for (size_t i = 0; i < count; i++)
        end[wavelength_of(p, i)]++;
    for (uint32_t w = wavelengths; w-- > 0;)
        end[w] += end[w + 1];
    for (size_t i = 0; i < count; i++)
        p->order[--end[wavelength_of(p, i)]] = i;
    return RWA_OK;
}

/** Put each ring that lightpath i has on resonance at the head of the list of rings of its node and bank. */
static void engage(struct signals *p, size_t i)
{
    for (size_t k = p->first[i + 1]; k-- > p->first[i];) {
        size_t *head = &p->heads[k == p->first[i] ? SENDERS : RECEIVERS][p->ring[k].node];
        p->ring[k].next = *head;
        *head = k + 1;
    }
}

static rwa_status light_guide(struct signals *p, double *most_mw, bool *overfull, size_t guide, struct budget *budget,
                              rwa_error *err)
{
    enum { POLL_EVERY = 64 };
    for (uint32_t v = 0; v < p->nodes; v++) {
        p->heads[RECEIVERS][v] = p->heads[SENDERS][v] = 0;
        p->output_mw[v] = 0;
    }
    for (size_t i = 0; i < p->set->count; i++)
        if (guide_of(p, p->order[i]) == guide)
            engage(p, p->order[i]);
    for (size_t i = 0; i < p->set->lit; i++) {
        if (guide_of(p, i) == guide && stand_in(p, i) == i)
            follow(p, i);
        if (i % POLL_EVERY == 0 && base_must_stop(budget, "checking", -1))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the power of %zu lightpaths", p->set->lit);
    }
    for (size_t i = 0; i < p->set->lit; i++)
        if (guide_of(p, i) == guide && stand_in(p, i) == i)
            overfull[i] = is_overfull(p, i);
    for (uint32_t v = 0; v < p->nodes; v++)
        *most_mw = fmax(*most_mw, p->output_mw[v]);
    return RWA_OK;
}

/* ---- figures ---- */

/** Tell whether the device profile has all numbers that the losses need. */
static bool knows_losses(const rwa_device *d)
{
    return !isnan(d->laser_dbm + d->modulator_loss_db + d->ring_pass_db + d->ring_drop_db + d->ring_through_er_db +
                  d->ring_q + d->park_offset_ghz + d->waveguide_db_per_cm + d->waveguide_cm_per_hop +
                  d->fiber_db_per_km + d->fiber_km_per_hop + d->coupling_db);
}

/** Compute the power figures (margin, noise, bit errors) of one receiver, after all signals of its direction of the
 *  fibre were followed. */
static rwa_power rate_receiver(const struct signals *p, const struct ring *r)
{
    uint32_t hops = hops_to(p, r->lightpath, path_of(p, r->lightpath)->dst);
    double received_dbm = power_behind(p, &r->passed) + decibel(r->share) - p->device->ring_drop_db;
    rwa_power one = power_figures(p->device, hops, received_dbm, r->other_mw, r->same_mw, r->same_field);
    one.aggressor = r->loudest_mw > 0 ? r->loudest : UINT64_MAX;
    return one;
}

static rwa_power rate_rings(const struct signals *p, size_t i, bool overfull)
{
    rwa_power power = rate_receiver(p, &p->ring[p->first[i] + 1]);
    for (size_t k = p->first[i] + 2; k < p->first[i + 1]; k++) {
        rwa_power one = rate_receiver(p, &p->ring[k]);
        power = power_worse(&power, &one);
    }
    if (overfull)
        power.budget = RWA_FAIL;
    else if (power.budget == RWA_PASS && isnan(p->device->waveguide_max_dbm))
        power.budget = RWA_UNCHECKED;
    return power;
}

/** Compute the power figures of a lightpath as the paper on OpTree does (eqs. 4 to 9): one fixed loss and one fixed
 *  noise for each node passed.  Its first receiver stands for all, which get the same power. */
static rwa_power rate_paper(const struct signals *p, size_t i)
{
    const rwa_device *d = p->device;
    const struct ring *first = &p->ring[p->first[i] + 1];
    uint32_t hops = hops_to(p, i, path_of(p, i)->dst);
    double dbm = p->launch_dbm - hops_to(p, i, first->node) * d->paper_pass_db + decibel(first->share);
    double noise = hops * milliwatt(d->paper_rx_crosstalk_dbm) + milliwatt(d->paper_tx_crosstalk_dbm);
    rwa_power power = power_figures(d, hops, dbm, noise, 0, 0);
    power.snr_coherent_db = power.snr_db;
    power.log10_ber = log10(0.5) - milliwatt(power.snr_db) / (4 * log(10.0));
    power.crosstalk = verdict_at_least(-power.log10_ber, -log10(d->ber_max));
    power.coherent_dbm = isnan(noise) ? NAN : -INFINITY;
    return power;
}

/* ---- the link budget of one lightpath ---- */

/** Store in a link budget the lightpaths that disturb the receiver most, the loudest first.  `heard`: crosstalk of
 *  each lightpath in mW. */
static void add_aggressors(rwa_link_budget *b, const struct signals *p, const double *heard)
{
    for (size_t i = 0; i < p->set->lit; i++) {
        const rwa_lightpath *lp = path_of(p, i);
        uint32_t hops = b->receiver == lp->src ? p->nodes : hops_to(p, i, b->receiver);
        rwa_crosstalk one = {i, lp->src, lp->dst, lp->wavelength, decibel(heard[i]), hops * p->span_db,
                             -decibel(p->caught[wavelength_of(p, p->set->detailed) - lp->wavelength + p->rings])};
        size_t at = b->aggressors < RWA_AGGRESSORS_NAMED ? b->aggressors : RWA_AGGRESSORS_NAMED;
        if (heard[i] <= 0)
            continue;
        b->aggressors++;
        for (; at > 0 && b->worst[at - 1].dbm < one.dbm; at--)
            if (at < RWA_AGGRESSORS_NAMED)
                b->worst[at] = b->worst[at - 1];
        if (at < RWA_AGGRESSORS_NAMED)
            b->worst[at] = one;
    }
}

/** Return the ring of the lightpath's receiver with the most bit errors, and store this receiver's figures in
 *  *power. */
static const struct ring *worst_receiver(rwa_power *power, const struct signals *p, size_t lightpath)
{
    const struct ring *first = &p->ring[p->first[lightpath] + 1], *end = &p->ring[p->first[lightpath + 1]],
                      *worst = NULL;
    for (const struct ring *r = first; r < end; r++) {
        rwa_power one = rate_receiver(p, r);
        if (worst && one.log10_ber <= power->log10_ber)
            continue;
        *power = one;
        worst = r;
    }
    return worst;
}

/** Store in *b the losses of lightpath p->set->detailed on the way to its worst receiver, and the crosstalk there,
 *  after all signals were followed. */
static void add_losses(rwa_link_budget *b, const struct signals *p)
{
    const struct ring *to = worst_receiver(&b->power, p, p->set->detailed);
    size_t number = (size_t)(to - p->ring) - p->first[p->set->detailed] - 1;
    b->receiver = to->node;
    b->rings = to->passed.rings;
    b->engaged = to->passed.engaged;
    b->parked_db = to->passed.parked_db;
    b->engaged_db = to->passed.engaged_db;
    b->span_db = to->passed.span_db;
    b->share_db = decibel(1 / to->share);
    b->drop_db = p->device->ring_drop_db;
    add_aggressors(b, p, p->heard + number * p->set->lit);
}

/** Store in *p->set->detail the link budget of lightpath p->set->detailed, given its power figures.  `followed`: all
 *  signals were followed through the rings, so the losses there are known. */
static void write_budget(const struct signals *p, const rwa_power *power, bool followed)
{
    const rwa_device *d = p->device;
    size_t i = p->set->detailed;
    const struct ring *first = &p->ring[p->first[i] + 1];
    double r = milliwatt(d->extinction_ratio_db);
    rwa_link_budget *b = p->set->detail;
    *b = (rwa_link_budget){.step = path_of(p, i)->step, .route = *path_of(p, i), .receiver = path_of(p, i)->dst,
                           .model = p->set->model, .power = *power, .laser_dbm = d->laser_dbm,
                           .modulator_db = d->modulator_loss_db, .sensitivity_dbm = d->rx_sensitivity_dbm,
                           .extinction_db = decibel((r + 1) / (r - 1)), .margin_db = d->margin_db,
                           .other_noise_dbm = d->other_noise_dbm, .ber_max = d->ber_max};
    if (b->model == RWA_POWER_PAPER) {
        b->node_db = hops_to(p, i, first->node) * d->paper_pass_db;
        b->share_db = decibel(1 / first->share);
    } else if (followed) {
        add_losses(b, p);
    } else {
        b->parked_db = b->engaged_db = b->span_db = b->drop_db = NAN;
    }
    b->power.budget = power->budget;
}

/* ---- a step ---- */

static rwa_status open_physics(struct signals *p, struct arena *memory)
{
    const struct lit_set *set = p->set;
    size_t rings = 2 * set->count, distances = 2 * (size_t)p->rings + 1;
    for (size_t i = 0; i < set->count; i++)
        rings += set->list[i].tap_count;
    arena_arrays(memory, distances + 1, p->parked_db, p->parked);
    arena_arrays(memory, distances, p->engaged_db, p->engaged, p->caught);
    arena_new(memory, p->ring, rings);
    arena_new(memory, p->first, set->count + 1);
    MUST(arena_arrays(memory, p->nodes, p->heads[RECEIVERS], p->heads[SENDERS], p->output_mw));
    p->parked[0] = 1;
    for (size_t k = 0; k < distances; k++) {
        double offset_ghz = ((double)k - p->rings) * p->device->spacing_ghz;
        double parked_db = past_db(p, offset_ghz + p->device->park_offset_ghz, 1);
        p->parked_db[k + 1] = p->parked_db[k] + parked_db;
        p->engaged_db[k] = past_db(p, offset_ghz, 1) - parked_db;
        p->parked[k + 1] = milliwatt(-p->parked_db[k + 1]);
        p->engaged[k] = milliwatt(-p->engaged_db[k]);
        p->caught[k] = milliwatt(-p->device->ring_drop_db) * catches(p->device, offset_ghz);
    }
    p->tabled = p->parked[distances] > DBL_MIN; /* else the loss of two banks is beyond the range of a double */
    for (size_t i = 0; i < set->count; i++)
        list_rings(p, i);
    if (set->detail)
        MUST(arena_arrays(memory, set->lit * (p->first[set->detailed + 1] - p->first[set->detailed] - 1), p->heard));
    MUST(sort_lightpaths(p, memory));
    MUST(find_period(p, memory));
    find_homes(p);
    return RWA_OK;
}

static rwa_status rate_all(rwa_power *power, double *waveguide_dbm, struct signals *p, struct arena *memory,
                           struct budget *budget)
{
    const struct lit_set *set = p->set;
    size_t guides = 0;
    double most_mw = 0;
    bool *overfull = NULL;
    MUST(arena_arrays(memory, set->count, overfull));
    for (size_t i = 0; i < set->count; i++)
        RAISE(guides, guide_of(p, i) + 1);
    for (size_t guide = 0; guide < guides; guide++)
        MUST(light_guide(p, &most_mw, overfull, guide, budget, memory->err));
    for (size_t i = 0; i < set->lit; i++)
        if (stand_in(p, i) == i)
            power[i] = rate_rings(p, i, overfull[i]);
    for (size_t i = 0; i < set->lit; i++) {
        power[i] = power[stand_in(p, i)];
        if (power[i].aggressor != UINT64_MAX)
            power[i].aggressor = seen_from(p, power[i].aggressor, i, false);
    }
    *waveguide_dbm = decibel(most_mw);
    return RWA_OK;
}

rwa_status physics_of(rwa_power *power, double *waveguide_dbm, const struct lit_set *set, struct budget *budget,
                      rwa_error *err)
{
    const rwa_device *d = set->device;
    bool paper = set->model == RWA_POWER_PAPER;
    struct arena memory = {.err = err};
    struct signals p = {.set = set,
                        .device = d,
                        .nodes = rwa_network_nodes(set->net),
                        .rings = lesser(rwa_network_wavelengths(set->net), rwa_device_wavelengths(d)),
                        .depth = paper ? 1 : 1 - milliwatt(-d->ring_through_er_db),
                        .span_db = d->waveguide_db_per_cm * d->waveguide_cm_per_hop +
                                   d->fiber_db_per_km * d->fiber_km_per_hop + 2 * d->coupling_db,
                        .launch_dbm = d->laser_dbm - d->modulator_loss_db};
    rwa_status st = RWA_OK;
    bool followed = !paper && set->count > 0 && knows_losses(d);
    *waveguide_dbm = NAN;
    TRY(open_physics(&p, &memory));
    for (size_t i = 0; i < set->lit; i++)
        power[i] = paper ? rate_paper(&p, i)
                         : power_figures(d, hops_to(&p, i, path_of(&p, i)->dst), NAN, NAN, NAN, NAN);
    if (followed)
        TRY(rate_all(power, waveguide_dbm, &p, &memory, budget));
    if (set->detail)
        write_budget(&p, &power[set->detailed], followed);
done:
    arena_free(&memory);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Light travels along its fibre from node to node.  At each node it meets the receiver rings 0, 1, … of the bank,
 * then the transmitter rings.  A ring is engaged, that is on resonance with its wavelength, where a lightpath is
 * sent or received; otherwise it is parked off resonance.  An engaged receiver ring takes its own signal, and a
 * little of every other signal (crosstalk).  Where all lightpaths of a ring look the same from `period` nodes on, only
 * those that begin at its first `period` nodes are followed, and stand for the others.
 */
#include "check/physics/signals.h"

#include <float.h>

/** A weaker signal is ignored as a source of crosstalk. */
#define DARK_DBM (-300.0)

double decibel(double ratio)
{
    return 10 * log10(ratio);
}

double milliwatt(double dbm)
{
    return exp(dbm * (log(10.0) / 10));
}

/** Return the share of the light `offset_ghz` away that a ring takes, relative to what it takes on its own wavelength:
 *  a Butterworth filter of the device's order. */
static double catches(const rwa_device *d, double offset_ghz)
{
    double half_widths = 2 * offset_ghz * d->ring_q / d->grid_base_ghz;
    return 1 / (1 + pow(half_widths * half_widths, d->filter_order));
}

double past_db(const struct signals *p, double offset_ghz, double share)
{
    return p->device->ring_pass_db - decibel(1 - share * p->depth * catches(p->device, offset_ghz));
}

double past_parked_db(const struct signals *p, uint32_t w, uint32_t from, uint32_t to)
{
    return p->parked_db[to + p->rings - w] - p->parked_db[from + p->rings - w];
}

/** Return the loss in dB that an engaged ring (on resonance, taking the share `share`) adds for wavelength w, compared
 *  with the same ring parked. */
static double engaged_db(const struct signals *p, uint32_t w, uint32_t ring, double share)
{
    double offset_ghz = ((double)ring - (double)w) * p->device->spacing_ghz;
    return share < 1 ? past_db(p, offset_ghz, share) - past_parked_db(p, w, ring, ring + 1)
                     : p->engaged_db[ring + p->rings - w];
}

uint32_t wavelength_of(const struct signals *p, size_t lightpath)
{
    return p->set->list[lightpath].wavelength;
}

static size_t guide_of(const rwa_lightpath *lp)
{
    return 2 * (size_t)lp->fiber + (lp->direction == RWA_CCW);
}

static uint32_t *begin_of(const struct signals *p, size_t i, uint32_t on)
{
    const rwa_lightpath *lp = &p->set->list[i];
    size_t channel = guide_of(lp) * rwa_network_wavelengths(p->set->net) + lp->wavelength;
    return &p->begins[channel * p->nodes + (lp->src + on) % p->nodes];
}

/** Return the lightpath that stands for lightpath i: its copy that begins at one of the first p->period nodes. */
static size_t stand_in(const struct signals *p, size_t i)
{
    uint32_t from = p->set->list[i].src % p->period;
    return from == p->set->list[i].src ? i : *begin_of(p, i, p->nodes + from - p->set->list[i].src) - 1;
}

/** Return the copy of lightpath `other` that is as far from it as stand_in(i) is from lightpath i (`back`); without
 *  `back`, the copy as far away in the opposite direction. */
static size_t seen_from(const struct signals *p, size_t other, size_t i, bool back)
{
    uint32_t on = p->set->list[i].src / p->period * p->period;
    return on == 0 ? other : *begin_of(p, other, back ? p->nodes - on : on) - 1;
}

/** Add `mw` of signal i as crosstalk to the receiver that stands for receiver `at`, which belongs to another
 *  lightpath. */
static void disturb(const struct signals *p, const struct ring_receiver *at, size_t i, double mw)
{
    struct ring_receiver *r = &p->receiver[at->home];
    if (p->heard && at->lightpath == p->set->detailed)
        p->heard[((size_t)(at - p->receiver) - p->first_receiver[at->lightpath]) * p->set->lit + i] = mw;
    if (wavelength_of(p, i) == wavelength_of(p, r->lightpath)) {
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

/** Follow signal i through the receiver rings of a node: from its power `dbm` before them, return its power behind
 *  them, in dBm.  Receivers note the power or crosstalk that they get from it. */
static double past_receivers(struct signals *p, size_t i, double dbm, uint32_t node)
{
    uint32_t w = wavelength_of(p, i);
    double engaged = 0, passing = milliwatt(dbm) / p->parked[p->rings - w]; /* in mW, without the parked rings */
    for (size_t k = p->heads[0][node]; k > 0; k = p->receiver[k - 1].next) {
        struct ring_receiver *r = &p->receiver[k - 1];
        uint32_t ring = wavelength_of(p, r->lightpath);
        double here = dbm - past_parked_db(p, w, 0, ring) - engaged;
        if (r->lightpath == i)
            r->received_dbm = here + decibel(r->share) - p->device->ring_drop_db;
        else
            disturb(p, r, i, (p->tabled ? passing * p->parked[ring + p->rings - w] : milliwatt(here)) *
                                 p->caught[ring + p->rings - w] * r->share);
        if (r->next == 0 || wavelength_of(p, p->receiver[r->next - 1].lightpath) != ring) { /* else the same ring */
            double db = engaged_db(p, w, ring, r->share);
            engaged += db;
            passing *= r->share < 1 ? milliwatt(-db) : p->passed[ring + p->rings - w];
        }
    }
    return dbm - past_parked_db(p, w, 0, p->rings) - engaged;
}

/** Return the power, in dBm, of wavelength w behind the transmitter rings of a node from ring `from` on, given its
 *  power `dbm` before them. */
static double past_senders(const struct signals *p, uint32_t w, double dbm, uint32_t node, uint32_t from)
{
    dbm -= past_parked_db(p, w, from, p->rings);
    for (size_t k = p->heads[1][node]; k > 0; k = p->sender[k - 1].next) {
        size_t behind = p->sender[k - 1].next;
        uint32_t ring = wavelength_of(p, k - 1);
        if (ring >= from && (behind == 0 || wavelength_of(p, behind - 1) != ring)) /* otherwise it is the same ring */
            dbm -= engaged_db(p, w, ring, 1);
    }
    return dbm;
}

uint32_t hops_to(const struct signals *p, size_t i, uint32_t node)
{
    return p->set->hops ? p->set->hops[i]
                        : network_hops(p->set->net, p->set->list[i].src, node, p->set->list[i].direction);
}

/** Follow signal i along its fibre from its source: at most once round a ring, or to the end of a line. */
static void follow(struct signals *p, size_t i)
{
    const rwa_lightpath *lp = &p->set->list[i];
    uint32_t node = lp->src, hops = hops_to(p, i, lp->dst), most = p->nodes;
    if (!network_is_cycle(p->set->net))
        most = lp->direction == RWA_CW ? p->nodes - 1 - lp->src : lp->src;
    double dbm = p->device->laser_dbm - p->device->modulator_loss_db;
    dbm = past_senders(p, lp->wavelength, dbm, node, lp->wavelength + 1);
    for (uint32_t h = 1;; h++) {
        p->output_mw[node % p->period] += milliwatt(dbm);
        if (h > most)
            return;
        node = node_after(p->nodes, node, lp->direction);
        dbm = past_receivers(p, i, dbm - p->span_db, node);
        if (h == p->nodes || (h >= hops && dbm < DARK_DBM))
            return;
        dbm = past_senders(p, lp->wavelength, dbm, node, 0);
    }
}

static bool is_overfull(const struct signals *p, size_t i)
{
    uint32_t node = p->set->list[i].src;
    double most = milliwatt(p->device->waveguide_max_dbm);
    for (uint32_t h = hops_to(p, i, p->set->list[i].dst); h > 0; h--) {
        if (p->output_mw[node % p->period] > most)
            return true;
        node = node_after(p->nodes, node, p->set->list[i].direction);
    }
    return false;
}

/* ---- receivers ---- */

/** Compute the shares of the light that the receivers of a lightpath take so that all get the same power.  The last one
 *  takes all that arrives, and each tap before it takes just enough to leave this for the others. */
static void share_light(struct signals *p, size_t i)
{
    const rwa_device *d = p->device;
    size_t first = p->first_receiver[i], end = p->first_receiver[i + 1];
    uint32_t w = wavelength_of(p, i);
    double bank_db = past_parked_db(p, w, 0, p->rings), own_db = past_parked_db(p, w, w, w + 1);
    p->receiver[end - 1].share = 1;
    for (size_t k = end - 1; k > first; k--) {
        uint32_t hops = hops_to(p, i, p->receiver[k].node) - hops_to(p, i, p->receiver[k - 1].node);
        double between_db = p->set->model == RWA_POWER_PAPER
                                ? hops * d->paper_pass_db
                                : hops * (p->span_db + 2 * bank_db) - own_db + d->ring_pass_db;
        double left = milliwatt(-between_db) * p->receiver[k].share;
        p->receiver[k - 1].share = left / (1 + p->depth * left);
    }
}

static void list_receivers(struct signals *p, size_t i)
{
    const struct lit_set *set = p->set;
    size_t end = p->first_receiver[i];
    for (size_t k = set->first_tap ? set->first_tap[i] : 0; set->first_tap && k < set->first_tap[i + 1]; k++)
        p->receiver[end++] = (struct ring_receiver){.lightpath = i, .node = set->taps[k]};
    p->receiver[end++] = (struct ring_receiver){.lightpath = i, .node = set->list[i].dst};
    p->first_receiver[i + 1] = end;
    share_light(p, i);
}

/* ---- lightpaths that look the same ---- */

/** Tell whether lightpath i has a copy `on` nodes ahead, on the same channel: its receivers are as far from its source,
 *  and it sends if and only if i does. */
static bool has_copy(const struct signals *p, size_t i, uint32_t on)
{
    const size_t *first = p->first_receiver;
    size_t j = *begin_of(p, i, on);
    if (j-- == 0 || (i < p->set->lit) != (j < p->set->lit) || first[i + 1] - first[i] != first[j + 1] - first[j])
        return false;
    for (size_t k = 0; k < first[i + 1] - first[i]; k++)
        if ((p->receiver[first[i] + k].node + on) % p->nodes != p->receiver[first[j] + k].node)
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

/** Find the least period of the lightpaths of the ring.  If two lightpaths of a channel begin at the same node, which
 *  is a violation, the period is p->nodes: none stands for another. */
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

/** Set the `home` of each receiver: the receiver with the same number of the lightpath that stands for its own. */
static void find_homes(struct signals *p)
{
    for (size_t i = 0; i < p->set->count; i++)
        for (size_t k = p->first_receiver[i], to = p->first_receiver[stand_in(p, i)]; k < p->first_receiver[i + 1]; k++)
            p->receiver[k].home = to++;
}

/* ---- one guide: a direction of a fibre ---- */

/** List the lightpaths by wavelength, the highest first, so that each goes to the front of the rings of its nodes. */
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

/** Put the rings of lightpath i, which are on resonance, in front of those of its nodes. */
static void engage(struct signals *p, size_t i)
{
    size_t *sender = &p->heads[1][p->set->list[i].src];
    p->sender[i].next = *sender;
    *sender = i + 1;
    for (size_t k = p->first_receiver[i + 1]; k-- > p->first_receiver[i];) {
        size_t *receiver = &p->heads[0][p->receiver[k].node];
        p->receiver[k].next = *receiver;
        *receiver = k + 1;
    }
}

static rwa_status light_guide(struct signals *p, double *most_mw, bool *overfull, size_t guide, struct budget *budget,
                              rwa_error *err)
{
    enum { POLL_EVERY = 64 };
    for (uint32_t v = 0; v < p->nodes; v++) {
        p->heads[0][v] = p->heads[1][v] = 0;
        p->output_mw[v] = 0;
    }
    for (size_t i = 0; i < p->set->count; i++)
        if (guide_of(&p->set->list[p->order[i]]) == guide)
            engage(p, p->order[i]);
    for (size_t i = 0; i < p->set->lit; i++) {
        if (guide_of(&p->set->list[i]) == guide && stand_in(p, i) == i)
            follow(p, i);
        if (i % POLL_EVERY == 0 && base_must_stop(budget, "checking", -1))
            return base_fail(err, RWA_CANCELLED, "stopped while computing the power of %zu lightpaths", p->set->lit);
    }
    for (size_t i = 0; i < p->set->lit; i++)
        if (guide_of(&p->set->list[i]) == guide && stand_in(p, i) == i)
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

static rwa_verdict at_least(double figure, double least)
{
    return isnan(figure) || isnan(least) ? RWA_UNCHECKED : figure < least ? RWA_FAIL : RWA_PASS;
}

/** Compute the power figures of a receiver from the signal that it gets (dBm), and from the noise of other wavelengths
 *  and of its own (mW). */
static rwa_power figures(const rwa_device *d, uint32_t hops, double dbm, double other_mw, double same_mw,
                         double same_field)
{
    double extinction = milliwatt(d->extinction_ratio_db), signal = milliwatt(dbm),
           dark = milliwatt(d->other_noise_dbm);
    double needed = d->rx_sensitivity_dbm + decibel((extinction + 1) / (extinction - 1)) + d->margin_db;
    double field = fmax(0, sqrt(signal) - same_field), snr = signal / (other_mw + same_mw + dark);
    double worst = isnan(dark) ? NAN : field * field / (other_mw + dark), rated = d->coherent_worst ? worst : snr;
    double log10_ber = log10(0.5) - rated / (4 * log(10.0));
    return (rwa_power){.hops = hops, .loss_db = d->laser_dbm - dbm, .received_dbm = dbm, .margin_db = dbm - needed,
                       .noise_dbm = decibel(other_mw), .coherent_dbm = decibel(same_mw), .snr_db = decibel(snr),
                       .snr_coherent_db = decibel(worst), .log10_ber = log10_ber, .aggressor = UINT64_MAX,
                       .budget = at_least(dbm - needed, 0), .crosstalk = at_least(-log10_ber, -log10(d->ber_max))};
}

/** Combine two verdicts: FAIL if one of them fails, PASS if both pass, else UNCHECKED. */
static rwa_verdict both(rwa_verdict a, rwa_verdict b)
{
    return a == RWA_FAIL || b == RWA_FAIL ? RWA_FAIL : a == RWA_PASS ? b : a;
}

/** Return the larger of two numbers; NaN if one of them is NaN. */
static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/** Combine the power figures of two receivers of a lightpath into the worse of each. */
static rwa_power worse(const rwa_power *a, const rwa_power *b)
{
    rwa_power w = b->log10_ber > a->log10_ber ? *b : *a;
    w.loss_db = larger(a->loss_db, b->loss_db);
    w.received_dbm = -larger(-a->received_dbm, -b->received_dbm);
    w.margin_db = -larger(-a->margin_db, -b->margin_db);
    w.log10_ber = larger(a->log10_ber, b->log10_ber);
    w.budget = both(a->budget, b->budget);
    w.crosstalk = both(a->crosstalk, b->crosstalk);
    return w;
}

rwa_power rate_receiver(const struct signals *p, const struct ring_receiver *r)
{
    uint32_t hops = hops_to(p, r->lightpath, p->set->list[r->lightpath].dst);
    rwa_power one = figures(p->device, hops, r->received_dbm, r->other_mw, r->same_mw, r->same_field);
    one.aggressor = r->loudest_mw > 0 ? r->loudest : UINT64_MAX;
    return one;
}

static rwa_power rate_rings(const struct signals *p, size_t i, bool overfull)
{
    rwa_power power = {0};
    for (size_t k = p->first_receiver[i]; k < p->first_receiver[i + 1]; k++) {
        rwa_power one = rate_receiver(p, &p->receiver[k]);
        power = k > p->first_receiver[i] ? worse(&power, &one) : one;
    }
    if (overfull)
        power.budget = RWA_FAIL;
    else if (power.budget == RWA_PASS && isnan(p->device->waveguide_max_dbm))
        power.budget = RWA_UNCHECKED;
    return power;
}

/** Compute the power figures of a lightpath after OpTree, eqs. 4 to 9, with its hops: one loss and one noise for each
 *  node passed.  Its first receiver stands for all. */
static rwa_power rate_paper(const struct signals *p, size_t i)
{
    const rwa_device *d = p->device;
    const struct ring_receiver *first = &p->receiver[p->first_receiver[i]];
    uint32_t hops = hops_to(p, i, p->set->list[i].dst);
    double nodes_db = hops_to(p, i, first->node) * d->paper_pass_db;
    double dbm = d->laser_dbm - d->modulator_loss_db - nodes_db + decibel(first->share);
    double noise = hops * milliwatt(d->paper_rx_crosstalk_dbm) + milliwatt(d->paper_tx_crosstalk_dbm);
    rwa_power power = figures(d, hops, dbm, noise, 0, 0);
    power.snr_coherent_db = power.snr_db;
    power.log10_ber = log10(0.5) - milliwatt(power.snr_db) / (4 * log(10.0));
    power.crosstalk = at_least(-power.log10_ber, -log10(d->ber_max));
    power.coherent_dbm = isnan(noise) ? NAN : -INFINITY;
    if (p->set->detail && p->set->detailed == i) {
        p->set->detail->node_db = nodes_db;
        p->set->detail->share_db = decibel(1 / first->share);
    }
    return power;
}

static rwa_status open_physics(struct signals *p, struct arena *memory)
{
    const struct lit_set *set = p->set;
    size_t taps = set->first_tap ? set->first_tap[set->count] - set->first_tap[0] : 0,
           distances = 2 * (size_t)p->rings + 1;
    arena_new(memory, p->parked_db, distances + 1);
    arena_new(memory, p->parked, distances + 1);
    arena_arrays(memory, distances, p->engaged_db, p->passed, p->caught);
    arena_new(memory, p->receiver, set->count + taps);
    arena_new(memory, p->first_receiver, set->count + 1);
    arena_new(memory, p->sender, set->count);
    MUST(arena_arrays(memory, p->nodes, p->heads[0], p->heads[1], p->output_mw));
    p->parked[0] = 1;
    for (size_t k = 0; k < distances; k++) {
        double offset_ghz = ((double)k - p->rings) * p->device->spacing_ghz;
        double parked_db = past_db(p, offset_ghz + p->device->park_offset_ghz, 1);
        p->parked_db[k + 1] = p->parked_db[k] + parked_db;
        p->engaged_db[k] = past_db(p, offset_ghz, 1) - parked_db;
        p->parked[k + 1] = milliwatt(-p->parked_db[k + 1]);
        p->passed[k] = milliwatt(-p->engaged_db[k]);
        p->caught[k] = milliwatt(-p->device->ring_drop_db) * catches(p->device, offset_ghz);
    }
    p->tabled = p->parked[distances] > DBL_MIN; /* else the loss of two banks is beyond the range of a double */
    for (size_t i = 0; i < set->count; i++)
        list_receivers(p, i);
    if (set->detail)
        MUST(arena_arrays(memory, set->lit * (p->first_receiver[set->detailed + 1] - p->first_receiver[set->detailed]),
                          p->heard));
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
        guides = guide_of(&set->list[i]) >= guides ? guide_of(&set->list[i]) + 1 : guides;
    for (size_t guide = 0; guide < guides; guide++) {
        MUST(light_guide(p, &most_mw, overfull, guide, budget, memory->err));
        if (p->heard && guide_of(&set->list[set->detailed]) == guide)
            budget_fill(p);
    }
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
    uint32_t wavelengths = rwa_network_wavelengths(set->net), grid = rwa_device_wavelengths(d);
    bool paper = set->model == RWA_POWER_PAPER;
    struct arena memory = {.err = err};
    struct signals p = {.set = set,
                        .device = d,
                        .nodes = rwa_network_nodes(set->net),
                        .rings = wavelengths < grid ? wavelengths : grid,
                        .depth = paper ? 1 : 1 - milliwatt(-d->ring_through_er_db),
                        .span_db = d->waveguide_db_per_cm * d->waveguide_cm_per_hop +
                                   d->fiber_db_per_km * d->fiber_km_per_hop + 2 * d->coupling_db};
    rwa_status st = RWA_OK;
    *waveguide_dbm = NAN;
    if (set->detail)
        budget_begin(set);
    TRY(open_physics(&p, &memory));
    for (size_t i = 0; i < set->lit; i++)
        power[i] = paper ? rate_paper(&p, i) : figures(d, hops_to(&p, i, set->list[i].dst), NAN, NAN, NAN, NAN);
    if (set->detail)
        set->detail->power = power[set->detailed];
    if (!paper && set->count > 0 && knows_losses(d))
        TRY(rate_all(power, waveguide_dbm, &p, &memory, budget));
    else if (set->detail && !paper)
        set->detail->parked_db = set->detail->engaged_db = set->detail->span_db = set->detail->drop_db = NAN;
    if (set->detail)
        set->detail->power.budget = power[set->detailed].budget;
done:
    arena_free(&memory);
    return st;
}

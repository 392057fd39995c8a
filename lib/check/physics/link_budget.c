/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link budget of one lightpath: what it loses from its laser to its receiver, and what disturbs it there. */
#include "check/physics/signals.h"

void budget_begin(const struct lit_set *set)
{
    const rwa_device *d = set->device;
    const rwa_lightpath *lp = &set->list[set->detailed];
    double r = milliwatt(d->extinction_ratio_db);
    *set->detail = (rwa_link_budget){.step = lp->step,
                                     .route = *lp,
                                     .receiver = lp->dst,
                                     .model = set->model,
                                     .laser_dbm = d->laser_dbm,
                                     .modulator_db = d->modulator_loss_db,
                                     .sensitivity_dbm = d->rx_sensitivity_dbm,
                                     .extinction_db = decibel((r + 1) / (r - 1)),
                                     .margin_db = d->margin_db,
                                     .other_noise_dbm = d->other_noise_dbm,
                                     .ber_max = d->ber_max};
}

/** Add the losses in the rings from … end - 1 of a bank at a node: those of its senders, or of its receivers. */
static void pass_bank(const struct signals *p, bool senders, uint32_t node, uint32_t from, uint32_t end)
{
    rwa_link_budget *b = p->set->detail;
    uint32_t w = b->route.wavelength;
    b->rings += end - from;
    b->parked_db += past_parked_db(p, w, from, end);
    for (size_t k = p->heads[senders][node], next; k > 0; k = next) {
        const struct ring_receiver *r = senders ? NULL : &p->receiver[k - 1];
        uint32_t ring = wavelength_of(p, r ? r->lightpath : k - 1);
        next = r ? r->next : p->sender[k - 1].next;
        bool last = next == 0 || wavelength_of(p, r ? p->receiver[next - 1].lightpath : next - 1) != ring;
        if (!last || ring < from || ring >= end)
            continue;
        b->engaged++;
        b->parked_db -= past_parked_db(p, w, ring, ring + 1);
        b->engaged_db += past_db(p, ((double)ring - (double)w) * p->device->spacing_ghz, r ? r->share : 1);
    }
}

static void add_losses(const struct signals *p, const struct ring_receiver *to)
{
    rwa_link_budget *b = p->set->detail;
    uint32_t node = b->route.src, w = b->route.wavelength;
    pass_bank(p, true, node, w + 1, p->rings);
    for (uint32_t left = hops_to(p, to->lightpath, to->node); left > 0; left--) {
        node = node_after(p->nodes, node, b->route.direction);
        b->span_db += p->span_db;
        pass_bank(p, false, node, 0, left > 1 ? p->rings : w);
        if (left > 1)
            pass_bank(p, true, node, 0, p->rings);
    }
    b->share_db = decibel(1 / to->share);
    b->drop_db = p->device->ring_drop_db;
}

/** Keep the loudest lightpaths, in descending order. */
static void add_aggressors(rwa_link_budget *b, const struct lit_set *set, const double *heard)
{
    for (size_t i = 0; i < set->lit; i++) {
        const rwa_lightpath *lp = &set->list[i];
        rwa_crosstalk one = {i, lp->src, lp->dst, lp->wavelength, decibel(heard[i])};
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

void budget_fill(const struct signals *p)
{
    rwa_link_budget *b = p->set->detail;
    size_t first = p->first_receiver[p->set->detailed], worst = first;
    for (size_t k = first; k < p->first_receiver[p->set->detailed + 1]; k++) {
        rwa_power power = rate_receiver(p, &p->receiver[k]);
        if (k > first && power.log10_ber <= b->power.log10_ber)
            continue;
        b->power = power;
        worst = k;
    }
    b->receiver = p->receiver[worst].node;
    add_losses(p, &p->receiver[worst]);
    add_aggressors(b, p->set, p->heard + (worst - first) * p->set->lit);
}

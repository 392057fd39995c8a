/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Signal to noise of schedules on amplified fibre, step by step: each lightpath has the most robust format that
 *  carries the rate in a channel. */
#include "check/checker.h"
#include "check/physics/gsnr.h"

#include "fiber/fiber.h"

/** Return the format that needs the lowest GSNR among those that carry the rate in a channel; NULL: none does. */
static const rwa_modulation *robust_format(const struct checker *chk, double rate_bps)
{
    const rwa_modulations *table = rwa_transmission_modulations(chk->transmission);
    const rwa_modulation *best = NULL;
    uint32_t slots = rwa_transmission_channel_slots(chk->transmission);
    for (size_t k = 0; k < table->count; k++) {
        const rwa_modulation *m = &table->list[k];
        bool fits = ceil(rate_bps / m->rate_bps - 1e-9) * m->slots <= slots;
        if (fits && (!best || m->required_gsnr_db < best->required_gsnr_db))
            best = m;
    }
    return best;
}

rwa_status gsnr_open(struct checker *chk, const rwa_transmission *transmission)
{
    chk->transmission = transmission;
    if (!transmission)
        return RWA_OK;
    bool known = chk->links > 0 && !network_has_arcs(chk->net);
    for (uint32_t link = 0; link < chk->links && known; link++)
        known = rwa_network_link(chk->net, link).length_km > 0;
    if (!known)
        return base_refuse(chk->err, "signals on fibre: expected a network that lists its links and their lengths");
    MUST(base_new(chk->fiber_step, 1, chk->err));
    *chk->fiber_step = gsnr_begin(chk->report, chk->net, transmission, chk->err);
    return RWA_OK;
}

rwa_status gsnr_add(struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    double rate_bps = chk->rate_bps > 0 ? chk->rate_bps : rwa_network_rate_bps(chk->net);
    const rwa_modulation *m = robust_format(chk, rate_bps);
    struct gsnr_path path = {chk->fiber_first++, hops, lp->fiber, lp->wavelength, chk->route_links, NULL, NULL, 1,
                             rwa_network_slot_hz(chk->net) > 0 ? 0 : rate_bps};
    chk->fiber_step->step = chk->step;
    return m ? gsnr_take(chk->fiber_step, &path, m)
             : base_refuse(chk->err, "%g Gbit/s: no modulation format carries it in a channel", rate_bps / 1e9);
}

void gsnr_close(struct checker *chk)
{
    if (chk->fiber_step)
        gsnr_release(chk->fiber_step);
    free(chk->fiber_step);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Power: every lightpath of a step against the limits of a device profile. */
#include "check/checker.h"

#include "network/network.h"
#include "power/power.h"

void power_open(struct checker *chk)
{
    chk->report->power_checked = chk->device != NULL;
    if (!chk->device)
        return;
    power_report_init(&chk->report->power);
    if (!network_has_arcs(chk->net)) { /* the physics covers arcs only: no other network is called ok */
        if (chk->report->power.verdict == RWA_PASS)
            chk->report->power.verdict = RWA_UNCHECKED;
        chk->device = NULL;
    }
}

rwa_status power_add(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t offset)
{
    size_t first = chk->lightpath_count > 0 ? chk->first_tap[chk->lightpath_count] : 0;
    assert(chk->device);
    MUST(base_grow((void **)&chk->lightpaths, &chk->lightpath_capacity, chk->lightpath_count + 1, sizeof *chk->lightpaths, chk->err));
    MUST(base_grow((void **)&chk->first_tap, &chk->first_tap_capacity, chk->lightpath_count + 2, sizeof *chk->first_tap, chk->err));
    MUST(base_grow((void **)&chk->taps, &chk->tap_capacity, first + lists->tap_count, sizeof *chk->taps, chk->err));
    for (uint32_t k = 0; k < lists->tap_count; k++)
        chk->taps[first + k] = (uint32_t)(((uint64_t)lists->taps[k] + offset) % chk->nodes);
    chk->first_tap[chk->lightpath_count] = first;
    chk->lightpaths[chk->lightpath_count++] = *lp;
    chk->first_tap[chk->lightpath_count] = first + lists->tap_count;
    return RWA_OK;
}

static bool outside_grid(struct checker *chk)
{
    for (size_t i = 0; i < chk->lightpath_count; i++)
        if (chk->lightpaths[i].wavelength >= rwa_device_wavelengths(chk->device)) {
            REPORT(chk, RWA_VIOLATION_POWER, "step %u: a wavelength lies outside the grid of the device profile", chk->step);
            return true;
        }
    return false;
}

static void report_power(struct checker *chk, const rwa_lightpath *lp, const rwa_power *power)
{
    if (power->budget == RWA_FAIL || power->crosstalk == RWA_FAIL)
        report_lightpath(chk, RWA_VIOLATION_POWER, lp, RWA_NO_INDEX,
                         "on wavelength %u fails its %s (margin %.2f dB, log10 BER %.2f)", lp->wavelength,
                         power->budget == RWA_FAIL ? "loss budget" : "error rate", power->margin_db, power->log10_ber);
}

rwa_status power_end_step(struct checker *chk)
{
    rwa_status st = RWA_OK;
    rwa_power *power = NULL;
    double waveguide_dbm = NAN;
    struct power_taps taps = {chk->taps, chk->first_tap};
    if (!chk->device || chk->lightpath_count == 0 || outside_grid(chk))
        goto done;
    MUST(base_new(power, chk->lightpath_count, chk->err));
    TRY(power_step(power, &waveguide_dbm, chk->device, chk->model, chk->net, chk->lightpaths,
                   chk->first_tap[chk->lightpath_count] > 0 ? &taps : NULL, chk->lightpath_count, &chk->budget, chk->err));
    power_report_add(&chk->report->power, chk->device, chk->step, chk->step_first, power, chk->lightpath_count);
    power_report_waveguide(&chk->report->power, waveguide_dbm);
    for (size_t i = 0; i < chk->lightpath_count; i++)
        report_power(chk, &chk->lightpaths[i], &power[i]);
done:
    free(power);
    chk->step_first += chk->lightpath_count;
    chk->lightpath_count = 0;
    return st;
}

void power_close(struct checker *chk)
{
    free_all(chk->lightpaths, chk->taps, chk->first_tap);
}

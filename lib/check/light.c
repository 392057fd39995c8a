/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Power: every lightpath of a step against the limits of a device profile. */
#include "check/judge.h"

#include "network/network.h"
#include "power/power.h"

#include <math.h>
#include <stdlib.h>

/** Nothing is called ok that the physics does not cover. */
static void power_leave_open(struct judge *j)
{
    if (j->verdict->power.verdict == RWA_PASS)
        j->verdict->power.verdict = RWA_UNCHECKED;
}

void power_open(struct judge *j)
{
    j->verdict->power_checked = j->device != NULL;
    if (!j->device)
        return;
    power_report_init(&j->verdict->power);
    if (!network_has_arcs(j->net)) { /* nor are routes that are no arcs */
        power_leave_open(j);
        j->device = NULL;
    }
}

rwa_status power_see(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn)
{
    rwa_status st = RWA_OK;
    size_t first = j->shine > 0 ? j->tapped_first[j->shine] : 0;
    if (!j->device)
        return RWA_OK;
    TRY(base_grow((void **)&j->shining, &j->shine_room, j->shine + 1, sizeof *j->shining, j->err));
    TRY(base_grow((void **)&j->tapped_first, &j->first_room, j->shine + 2, sizeof *j->tapped_first, j->err));
    TRY(base_grow((void **)&j->tapped, &j->tapped_room, first + lists->tap_count, sizeof *j->tapped, j->err));
    for (uint32_t k = 0; k < lists->tap_count; k++)
        j->tapped[first + k] = (uint32_t)(((uint64_t)lists->taps[k] + turn) % j->nodes);
    j->tapped_first[j->shine] = first;
    j->shining[j->shine++] = *lp;
    j->tapped_first[j->shine] = first + lists->tap_count;
done:
    return st;
}

static bool outside_grid(struct judge *j)
{
    for (size_t i = 0; i < j->shine; i++)
        if (j->shining[i].wavelength >= rwa_device_wavelengths(j->device)) {
            ACCUSE(j, RWA_VIOLATION_POWER, "step %u: a wavelength lies outside the grid of the device profile", j->step);
            return true;
        }
    return false;
}

static void accuse_power(struct judge *j, const rwa_lightpath *lp, const rwa_power *power)
{
    if (power->budget == RWA_FAIL || power->crosstalk == RWA_FAIL)
        accuse(j, RWA_VIOLATION_POWER, RWA_NO_INDEX, lp->wavelength,
               "step %u: lightpath %u to %u on wavelength %u fails its %s (margin %.2f dB, log10 BER %.2f)", j->step,
               lp->src, lp->dst, lp->wavelength, power->budget == RWA_FAIL ? "loss budget" : "error rate",
               power->margin_db, power->log10_ber);
}

rwa_status power_end_step(struct judge *j)
{
    rwa_status st = RWA_OK;
    rwa_power *power = NULL;
    double waveguide_dbm = NAN;
    struct power_taps taps = {j->tapped, j->tapped_first};
    if (!j->device || j->shine == 0 || outside_grid(j))
        goto done;
    power = base_array(j->shine, sizeof *power, j->err);
    if (!power)
        return RWA_NOMEM;
    TRY(power_step(power, &waveguide_dbm, j->device, j->model, j->net, j->shining,
                   j->tapped_first[j->shine] > 0 ? &taps : NULL, j->shine, j->err));
    power_report_add(&j->verdict->power, j->device, j->step, j->step_first, power, j->shine);
    power_report_waveguide(&j->verdict->power, waveguide_dbm);
    for (size_t i = 0; i < j->shine; i++)
        accuse_power(j, &j->shining[i], &power[i]);
done:
    free(power);
    j->step_first += j->shine;
    j->shine = 0;
    return st;
}

void power_close(struct judge *j)
{
    free(j->shining);
    free(j->tapped);
    free(j->tapped_first);
}

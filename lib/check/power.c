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
        chk->report->power_unchecked = "device profiles describe rings and lines only";
        chk->device = NULL;
    }
}

rwa_status power_add(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t offset)
{
    size_t first = chk->lightpath_count > 0 ? chk->first_tap[chk->lightpath_count] : 0;
    assert(chk->device);
    MUST(base_grow((void **)&chk->lightpaths, &chk->lightpath_capacity, chk->lightpath_count + 1, sizeof *chk->lightpaths, chk->err));
    MUST(base_grow((void **)&chk->origins, &chk->origin_capacity, chk->lightpath_count + 1, sizeof *chk->origins, chk->err));
    MUST(base_grow((void **)&chk->first_tap, &chk->first_tap_capacity, chk->lightpath_count + 2, sizeof *chk->first_tap, chk->err));
    MUST(base_grow((void **)&chk->taps, &chk->tap_capacity, first + lists->tap_count, sizeof *chk->taps, chk->err));
    for (uint32_t k = 0; k < lists->tap_count; k++)
        chk->taps[first + k] = (uint32_t)(((uint64_t)lists->taps[k] + offset) % chk->nodes);
    chk->first_tap[chk->lightpath_count] = first;
    chk->origins[chk->lightpath_count] = (struct origin){chk->record, chk->line};
    chk->lightpaths[chk->lightpath_count++] = *lp;
    chk->first_tap[chk->lightpath_count] = first + lists->tap_count;
    return RWA_OK;
}

/** Reports on lightpath i of the step that ends name its record and line. */
static void go_to(struct checker *chk, size_t i)
{
    chk->record = chk->origins[i].record;
    chk->line = chk->origins[i].line;
}

/** The physics knows no channels outside the grid: with one of them, only these lightpaths of the step are reported. */
static bool outside_grid(struct checker *chk)
{
    uint32_t grid = rwa_device_wavelengths(chk->device);
    rwa_power_report *power = &chk->report->power;
    uint64_t before = chk->report->off_grid;
    for (size_t i = 0; i < chk->lightpath_count; i++) {
        const rwa_lightpath *lp = &chk->lightpaths[i];
        if (lp->wavelength < grid)
            continue;
        go_to(chk, i);
        report_lightpath(chk, RWA_VIOLATION_POWER, lp, RWA_NO_INDEX, "on wavelength %u, outside the device's grid of wavelengths 0..%u",
                         lp->wavelength, grid - 1);
        power_report_fail(power, chk->step, chk->step_first + i);
        chk->report->off_grid++;
    }
    return chk->report->off_grid > before;
}

static void report_power(struct checker *chk, const rwa_lightpath *lp, const rwa_power *power)
{
    if (power->budget == RWA_FAIL || power->crosstalk == RWA_FAIL)
        report_lightpath(chk, RWA_VIOLATION_POWER, lp, RWA_NO_INDEX,
                         "on wavelength %u fails its %s (margin %.2f dB, log10 BER %.2f)", lp->wavelength,
                         power->budget == RWA_FAIL ? "loss budget" : "error rate", power->margin_db, power->log10_ber);
}

/** The power of all lightpaths of the step. */
static rwa_status check_power(struct checker *chk)
{
    rwa_status st = RWA_OK;
    rwa_power *power = NULL;
    double waveguide_dbm = NAN;
    struct power_taps taps = {chk->taps, chk->first_tap};
    MUST(base_new(power, chk->lightpath_count, chk->err));
    TRY(power_step(power, &waveguide_dbm, chk->device, chk->model, chk->net, chk->lightpaths,
                   chk->first_tap[chk->lightpath_count] > 0 ? &taps : NULL, chk->lightpath_count, chk->lightpath_count, &chk->budget,
                   chk->err));
    power_report_add(&chk->report->power, chk->device, chk->step, chk->step_first, power, chk->lightpath_count);
    power_report_waveguide(&chk->report->power, waveguide_dbm);
    for (size_t i = 0; i < chk->lightpath_count; i++) {
        go_to(chk, i);
        report_power(chk, &chk->lightpaths[i], &power[i]);
    }
done:
    free(power);
    return st;
}

rwa_status power_end_step(struct checker *chk)
{
    rwa_status st = RWA_OK;
    uint64_t record = chk->record, line = chk->line;
    if (chk->device && chk->lightpath_count > 0 && !outside_grid(chk))
        st = check_power(chk);
    chk->record = record;
    chk->line = line;
    chk->step_first += chk->lightpath_count;
    chk->lightpath_count = 0;
    return st;
}

void power_close(struct checker *chk)
{
    free_all(chk->lightpaths, chk->origins, chk->taps, chk->first_tap);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The report on the power of many lightpaths, which keeps the worst values. */
#include "check/physics/rings.h"

#include "power/power.h"

#include <math.h>

void power_report_init(rwa_power_report *report)
{
    *report = (rwa_power_report){.verdict = RWA_PASS, .worst_lightpath = UINT64_MAX, .worst_loss_db = NAN,
                                 .margin_db = NAN, .worst_snr_db = NAN, .worst_ber = NAN, .worst_log10_ber = NAN,
                                 .waveguide_max_dbm = NAN, .ber_max = NAN};
}

/* Tell whether a number is below the least one so far (NaN: none) by more than rounding, so that of equal lightpaths
 * the first one counts. */
static bool below(double figure, double least)
{
    static const double rounding = 1e-9;
    return !isnan(figure) && (isnan(least) || figure < least - rounding * fabs(least));
}

static void add_one(rwa_power_report *report, double log10_ber_max, uint32_t step, uint64_t index,
                    const rwa_power *power)
{
    bool worst = false, failed = power->budget == RWA_FAIL || power->crosstalk == RWA_FAIL;
    if (failed) {
        report->failing++;
        report->verdict = RWA_FAIL;
    } else if (report->verdict == RWA_PASS && (power->budget != RWA_PASS || power->crosstalk != RWA_PASS)) {
        report->verdict = RWA_UNCHECKED;
    }
    if (power->budget == RWA_FAIL && (report->longest_failing == 0 || power->hops < report->longest_failing))
        report->longest_failing = power->hops;
    /* fmax and fmin ignore NaN. */
    report->worst_loss_db = fmax(report->worst_loss_db, power->loss_db);
    report->worst_snr_db = fmin(report->worst_snr_db, power->snr_db);
    if (below(power->margin_db, report->margin_db)) {
        report->margin_db = power->margin_db;
        report->least_margin_lightpath = index;
        worst = !(report->worst_log10_ber > log10_ber_max);
    }
    if (below(-power->log10_ber, -report->worst_log10_ber)) {
        report->worst_log10_ber = power->log10_ber;
        report->worst_ber_lightpath = index;
        report->worst_ber = pow(10.0, power->log10_ber);
        worst = worst || power->log10_ber > log10_ber_max;
    }
    if (worst || report->worst_lightpath == UINT64_MAX) {
        report->worst_step = step;
        report->worst_lightpath = index;
    }
}

void power_report_add(rwa_power_report *report, const rwa_device *device, uint32_t step, uint64_t first_index,
                      const rwa_power *power, size_t count)
{
    double log10_ber_max = log10(device->ber_max);
    report->ber_max = device->ber_max;
    for (size_t i = 0; i < count; i++)
        add_one(report, log10_ber_max, step, first_index + i, &power[i]);
}

void power_report_fail(rwa_power_report *report, uint32_t step, uint64_t index)
{
    report->failing++;
    report->verdict = RWA_FAIL;
    if (report->worst_lightpath == UINT64_MAX) {
        report->worst_step = step;
        report->worst_lightpath = index;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The power figures of a receiver, and the report on those of many lightpaths, which keeps the worst values. */
#include "check/physics/rings.h"

#include "power/power.h"

#include <math.h>

rwa_verdict verdict_at_least(double figure, double least)
{
    return isnan(figure) || isnan(least) ? RWA_UNCHECKED : figure < least ? RWA_FAIL : RWA_PASS;
}

rwa_power power_figures(const rwa_device *d, uint32_t hops, double dbm, double other_mw, double same_mw,
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
                       .budget = verdict_at_least(dbm - needed, 0),
                       .crosstalk = verdict_at_least(-log10_ber, -log10(d->ber_max))};
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

rwa_power power_worse(const rwa_power *a, const rwa_power *b)
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

/* ---- many lightpaths ---- */

void power_report_init(rwa_power_report *report)
{
    *report = (rwa_power_report){.verdict = RWA_PASS, .worst_lightpath = UINT64_MAX, .worst_loss_db = NAN,
                                 .margin_db = NAN, .worst_snr_db = NAN, .worst_ber = NAN, .worst_log10_ber = NAN,
                                 .waveguide_max_dbm = NAN, .ber_max = NAN};
}

/* Tell whether a number is below the least so far by more than rounding errors; so the first of equal lightpaths is
 * kept.  If `least` is NaN, there is no least yet, and any number is below it, except NaN. */
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

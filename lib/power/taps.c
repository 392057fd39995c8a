/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Several receivers of one lightpath: their shares of its power, and the worst of their results. */
#include "power/power.h"

#include <assert.h>
#include <math.h>

void power_shares(double *share, const double *path_db, size_t count, double depth)
{
    assert(count > 0 && depth >= 0 && depth <= 1);
    share[count - 1] = 1.0;
    for (size_t k = count - 1; k > 0; k--) {
        double left = power_ratio(-path_db[k - 1]) * share[k];
        share[k - 1] = left / (1.0 + depth * left);
    }
}

static rwa_verdict worse(rwa_verdict a, rwa_verdict b)
{
    if (a == RWA_FAIL || b == RWA_FAIL)
        return RWA_FAIL;
    return a == RWA_PASS ? b : a;
}

/** Return the smaller of two numbers; NaN (unknown) if one of them is NaN. */
static double least(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

void power_worsen(rwa_power *power, const rwa_power *reader)
{
    rwa_power noisier = reader->log10_ber > power->log10_ber ? *reader : *power;
    noisier.loss_db = -least(-power->loss_db, -reader->loss_db);
    noisier.received_dbm = least(power->received_dbm, reader->received_dbm);
    noisier.margin_db = least(power->margin_db, reader->margin_db);
    noisier.log10_ber = -least(-power->log10_ber, -reader->log10_ber);
    noisier.budget = worse(power->budget, reader->budget);
    noisier.crosstalk = worse(power->crosstalk, reader->crosstalk);
    *power = noisier;
}

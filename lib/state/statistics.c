/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Student's t for confidence intervals, and blocking probabilities by Erlang B and by Kaufman and Roberts. */
#include "state/statistics.h"

#include "rwa/blocking.h"

#include "base/base.h"

/** Return the probability that Student's t with `freedom` degrees of freedom lies between -t and t: a finite sum (M.
 *  Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4). */
static double student_between(double t, uint32_t freedom)
{
    double angle = atan(t / sqrt(freedom)), cosine = cos(angle), term = freedom % 2 ? cosine : 1, sum = 0;
    for (uint32_t k = freedom % 2 ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (k - 1) / k;
    }
    sum *= sin(angle);
    return freedom % 2 ? 2 / M_PI * (angle + sum) : sum;
}

/** Return the t for which Student's distribution with `freedom` degrees of freedom, at least 1, has 95 % of its
 *  probability between -t and t. */
static double student_95(uint32_t freedom)
{
    assert(freedom >= 1);
    double low = 0, high = 16; /* for one degree of freedom it is 12.7 */
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (student_between(middle, freedom) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double half_width_95(const double *values, uint32_t count)
{
    assert(count >= 2);
    double mean = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += values[i] / count;
    for (uint32_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return student_95(count - 1) * sqrt(squares / (count - 1) / count);
}

double rwa_erlang_b(double erlang, uint32_t servers)
{
    double lost = 1;
    for (uint32_t n = 1; n <= servers; n++)
        lost = erlang * lost / (n + erlang * lost);
    return lost;
}

/** Compute q[j], for j = 0 … servers, proportional to the probability that j slots are taken: j q[j] is the sum over
 *  all classes of erlang * width * q[j - width].  When a value becomes too large, scale it and all before it down. */
static void occupancy(double *q, const uint32_t *widths, const double *erlang, size_t classes, uint32_t servers)
{
    q[0] = 1;
    for (uint32_t j = 1; j <= servers; j++) {
        q[j] = 0;
        for (size_t k = 0; k < classes; k++)
            q[j] += widths[k] <= j ? erlang[k] * widths[k] * q[j - widths[k]] / j : 0;
        for (uint32_t i = 0; q[j] > 1e200 && i <= j; i++)
            q[i] *= i < j ? 1e-200 : 1;
        q[j] *= q[j] > 1e200 ? 1e-200 : 1;
    }
}

rwa_status rwa_kaufman_roberts(double *blocking, const uint32_t *widths, const double *erlang, size_t class_count,
                               uint32_t servers, rwa_error *err)
{
    BEGIN(err, !class_count || blocking, !class_count || widths, !class_count || erlang);
    double *q = NULL, all = 0;
    for (size_t k = 0; k < class_count; k++)
        if (widths[k] == 0 || !(erlang[k] >= 0) || !isfinite(erlang[k]))
            return base_refuse(err, "class %zu: %u slots and %g Erlang, expected at least 1 slot and no negative load",
                               k, widths[k], erlang[k]);
    MUST(base_new(q, (size_t)servers + 1, err));
    occupancy(q, widths, erlang, class_count, servers);
    for (uint32_t j = 0; j <= servers; j++)
        all += q[j];
    for (size_t k = 0; k < class_count; k++) {
        double lost = 0;
        for (uint32_t j = widths[k] <= servers ? servers - widths[k] + 1 : 0; j <= servers; j++)
            lost += q[j];
        blocking[k] = lost / all;
    }
    free(q);
    return RWA_OK;
}

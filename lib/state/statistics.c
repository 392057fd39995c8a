/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state/statistics.h"

#include "rwa/blocking.h"

#include <assert.h>
#include <math.h>

/** The probability between -t and t: finite sums (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions,
 *  26.7.3 and 26.7.4). */
static double student_between(double t, uint32_t freedom)
{
    double angle = atan(t / sqrt(freedom)), cosine = cos(angle), term = freedom % 2 ? cosine : 1, sum = 0;
    for (uint32_t k = freedom % 2 ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (k - 1) / k;
    }
    sum *= sin(angle);
    return freedom % 2 ? 2 / acos(-1) * (angle + sum) : sum;
}

double student_95(uint32_t freedom)
{
    assert(freedom >= 1);
    double low = 0, high = 16; /* one degree of freedom has 12.7 */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The confidence interval of a sample mean. */
#pragma once

#include <stdint.h>

/** Return half the width of the 95 % confidence interval of the mean of `count` independent, normally distributed
 *  values; count is at least 2. */
double half_width_95(const double *values, uint32_t count);

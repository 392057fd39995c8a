/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The confidence interval of a sample mean. */
#pragma once

#include <stdint.h>

/** Half the width of the 95 % confidence interval of the mean of independent, normally distributed values; count at
 *  least 2. */
double half_width_95(const double *values, uint32_t count);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/solver.h"

static rwa_status first_fit(struct solve *run)
{
    return greedy_run(run, run->opts->order, false);
}

const struct solver solver_first_fit = {"first-fit", "greedy: the lowest wavelength free on the whole path", first_fit};

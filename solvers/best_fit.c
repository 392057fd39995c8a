/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/solver.h"

static rwa_status best_fit(struct solve *run)
{
    return greedy_run(run, run->opts->order, true);
}

const struct solver solver_best_fit = {"best-fit", "greedy: the free wavelength that occupies the most links already", best_fit};

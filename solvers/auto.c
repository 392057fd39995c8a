/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/solver.h"

/* From cheap and certain to costly: each step is tried only while the answer is not proven. */
static rwa_status automatic(struct solve *run)
{
    STEP(known_try(run));
    STEP(interval_try(run));
    STEP(greedy_run(run, run->opts->order, false));
    STEP(greedy_all(run));
    STEP(search_try(run, 10000));
    STEP(fractional_try(run, 400));
    STEP(refine_try(run, 1000000));
    STEP(search_try(run, 1000000));
    return RWA_OK;
}

/* The same with limits of work that end it within some hundredths of a second, on every machine alike. */
static rwa_status automatic_briefly(struct solve *run)
{
    STEP(known_try(run));
    STEP(interval_try(run));
    STEP(greedy_run(run, run->opts->order, false));
    STEP(greedy_all(run));
    STEP(search_try(run, 10000));
    STEP(fractional_try(run, 128));
    STEP(refine_try(run, 30000));
    return RWA_OK;
}

const struct solver solver_brief = {"auto, briefly", "as auto, for one of many colourings", automatic_briefly};
const struct solver solver_auto = {"auto", "known colouring, interval colouring, greedy, then column generation and search while small",
                                   automatic};

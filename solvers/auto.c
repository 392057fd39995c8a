/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/solver.h"

/* Run the solving steps from cheap to costly until the colouring is proven optimal.  most_kinds: the most different
 * arcs for column generation; work: the effort of the tabu search. */
static rwa_status solve_within(struct solve *run, int most_kinds, uint64_t work)
{
    STEP(known_try(run));
    if (run->idle_link < run->problem->links)
        STEP(greedy_run(run, RWA_ORDER_START, false));
    STEP(greedy_all(run));
    STEP(tails_try(run));
    STEP(search_try(run, 1000));
    STEP(fractional_try(run, most_kinds));
    STEP(refine_try(run, work));
    return RWA_OK;
}

static rwa_status exact(struct solve *run)
{
    MUST(solve_within(run, 2000, 200000000));
    STEP(search_try(run, 0));
    return RWA_OK;
}

static rwa_status automatic(struct solve *run)
{
    MUST(solve_within(run, 400, 2000000));
    STEP(search_try(run, 50000));
    return RWA_OK;
}

/* Run the solving steps with limits on their work that end them within some hundredths of a second.  Work is counted in
 * steps, not in time, so that the answer is the same on every machine. */
static rwa_status automatic_briefly(struct solve *run)
{
    enum { SEARCHED_MOST = 1024 };
    if (run->problem->paths <= SEARCHED_MOST)
        return solve_within(run, 128, 60000);
    STEP(tails_try(run));
    STEP(greedy_run(run, RWA_ORDER_LONGEST, false));
    return RWA_OK;
}

const struct solver solver_brief = {"auto, briefly", automatic_briefly};
const struct solver solver_auto = {"auto", automatic};
const struct solver solver_exact = {"exact", exact};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/published/ron.h"

/* ---- 64-bit arithmetic that notices when it does not suffice ---- */

static bool add(uint64_t *sum, uint64_t a)
{
    if (a > UINT64_MAX - *sum)
        return false;
    *sum += a;
    return true;
}

static bool multiply(uint64_t *product, uint64_t a)
{
    if (a > 0 && *product > UINT64_MAX / a)
        return false;
    *product *= a;
    return true;
}

/* ---- steps of the algorithms ---- */

uint64_t ron_tree_levels(uint64_t nodes, uint32_t ports)
{
    uint64_t all = 1, width = 1, levels = 0;
    if (ports == 1)
        return nodes - 1;
    for (; all < nodes; levels++) {
        if (!multiply(&width, ports))
            width = UINT64_MAX;
        if (!add(&all, width))
            all = UINT64_MAX;
    }
    return levels;
}

uint64_t ron_b1_steps(uint64_t nodes, uint32_t ports, uint32_t delay, uint32_t units)
{
    return ((uint64_t)delay + units) * ron_tree_levels(nodes, ports);
}

uint64_t ron_b2_steps(uint64_t nodes, uint32_t ports, uint32_t delay, uint32_t units)
{
    uint64_t rounds = 0;
    for (uint64_t all = 1; all < nodes; rounds++)
        if (!multiply(&all, (uint64_t)ports + 1))
            all = UINT64_MAX;
    return ((uint64_t)delay + units) * rounds;
}

uint64_t ron_b3_steps(uint64_t nodes, uint32_t ports, uint32_t delay, uint32_t units)
{
    return delay + units * ron_tree_levels(nodes, ports);
}

/* ---- node sets ---- */

/** Before its first turn is over a node informs k others in its first unit only: as many units as that takes at least. */
static uint64_t most_steps(uint64_t nodes, uint32_t ports, uint32_t delay)
{
    uint64_t b2 = ron_b2_steps(nodes, ports, delay, 1), tree = ron_tree_levels(nodes, ports);
    return b2 < tree ? b2 : tree;
}

rwa_status ron_sets_open(struct ron_sets *s, uint64_t nodes, uint32_t ports, uint32_t delay, rwa_error *err)
{
    uint64_t most = most_steps(nodes, ports, delay);
    *s = (struct ron_sets){.ports = ports, .delay = delay};
    MUST(base_fits_memory(8.0 * (double)most, "the steps of this broadcast", err));
    MUST(base_new(s->informed, (size_t)most + 1, err));
    s->informed[0] = 1;
    while (s->informed[s->steps] < nodes) {
        uint64_t step = ++s->steps, now = s->informed[step - 1];
        bool fits = multiply(&now, ports) && add(&now, step < (uint64_t)delay + 1 ? 1 : s->informed[step - delay - 1]);
        s->informed[step] = fits && now < nodes ? now : nodes;
    }
    return RWA_OK;
}

void ron_sets_close(struct ron_sets *s)
{
    free(s->informed);
}

uint64_t ron_latency_hiding_steps(uint64_t nodes, uint32_t ports, uint32_t delay)
{
    struct ron_sets s;
    uint64_t steps = 0;
    if (ron_sets_open(&s, nodes, ports, delay, NULL) == RWA_OK)
        steps = s.steps;
    ron_sets_close(&s);
    return steps;
}

struct ron_set ron_receivers(const struct ron_sets *s, uint64_t step)
{
    assert(step <= s->steps);
    return step == 0 ? (struct ron_set){0, 1} : (struct ron_set){s->informed[step - 1], s->informed[step]};
}

uint64_t ron_sender_sets(const struct ron_sets *s, uint64_t step)
{
    return step == 0 ? 0 : (step - 1) / ((uint64_t)s->delay + 1) + 1;
}

struct ron_set ron_senders(const struct ron_sets *s, uint64_t step, uint64_t i)
{
    assert(i < ron_sender_sets(s, step));
    uint64_t back = ron_sender_sets(s, step) - 1 - i;
    return ron_receivers(s, step - 1 - back * ((uint64_t)s->delay + 1));
}

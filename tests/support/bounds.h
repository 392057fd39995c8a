/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bounds of a request (request.h). */
#pragma once

#include "tests/support/request.h"

KEEPER(bounds)

/** What a request asks bounds for; the options point into the request. */
struct bound_task {
    rwa_network *net;
    rwa_collective coll;
    rwa_bound_options opts;
};

static inline struct bound_task bound_task_of(const struct request *r)
{
    struct bound_task t = {.net = request_network(*r)};
    t.coll = request_collective(r, t.net);
    rwa_bound_options_init(&t.opts);
    t.opts.max_hops = r->options.max_hops;
    t.opts.max_drops = r->options.max_drops;
    t.opts.taps = (int)r->taps;
    t.opts.members = r->members.count > 0 ? r->members.at : NULL;
    if (r->options.lightpath_blocks > 0)
        t.opts.lightpath_blocks = r->options.lightpath_blocks;
    return t;
}

/** The bounds are kept. */
static inline const rwa_bounds *bounds_for(struct request r)
{
    struct bound_task t = bound_task_of(&r);
    rwa_bounds *found = NULL;
    OK(rwa_bounds_make(&found, t.net, &t.coll, &t.opts, NULL));
    return keep_bounds(found);
}

/** Of the bound of this name; 0: it does not apply. */
static inline uint64_t bound_value(const rwa_bounds *list, const char *name)
{
    for (size_t i = 0; i < rwa_bounds_count(list); i++)
        if (strcmp(rwa_bounds_get(list, i)->name, name) == 0)
            return rwa_bounds_get(list, i)->value;
    return 0;
}

/** The best bound in steps. */
static inline uint64_t steps_bound_for(struct request r)
{
    struct bound_task t = bound_task_of(&r);
    rwa_bound best;
    OK(rwa_bound_best(&best, t.net, &t.coll, &t.opts, NULL));
    return best.value;
}

static inline double time_bound_for(struct request r)
{
    struct bound_task t = bound_task_of(&r);
    rwa_cost_prices floor;
    double seconds = NAN;
    OK(rwa_cost_floor(&floor, rwa_network_rate_bps(t.net), &r.options.cost, NULL));
    OK(rwa_bound_time(&seconds, NULL, t.net, &t.coll, &floor, &t.opts, NULL));
    return seconds;
}

#define bounds_on(...) bounds_for(request_of(__VA_ARGS__))
#define bound_on(name, ...) bound_value(bounds_on(__VA_ARGS__), name)
#define time_bound_on(...) time_bound_for(request_of(__VA_ARGS__))

struct known_bound {
    const char *name, *line;
    uint64_t value;
};

static inline void take_bounds(const struct known_bound *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = bound_on(rows[i].name, "%s", rows[i].line);
        if (value != rows[i].value)
            fprintf(stderr, "%s: %s %llu, expected %llu\n", rows[i].line, rows[i].name, (unsigned long long)value,
                    (unsigned long long)rows[i].value);
        CU_ASSERT_EQUAL(value, rows[i].value);
    }
}

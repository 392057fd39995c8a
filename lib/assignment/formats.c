/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The modulation formats of an assignment's routes. */
#include "assignment/assignment.h"

enum { NAMES_MAX = 256 };

/* The number of a name, which is added when it is new; NAMES_MAX: there are too many, or memory is out. */
static size_t number_of(struct rwa_assign_result *r, const char *name)
{
    struct format_names *f = &r->formats;
    size_t i = 0;
    while (i < f->count && strcmp(f->names[i], name) != 0)
        i++;
    if (i < f->count || i == NAMES_MAX)
        return i;
    if (!f->names && !arena_new(&r->arena, f->names, NAMES_MAX))
        return NAMES_MAX;
    f->names[i] = arena_copy_array(&r->arena, name, strlen(name) + 1, 1);
    if (!f->names[i])
        return NAMES_MAX;
    f->count++;
    return i;
}

rwa_status rwa_assign_result_set_modulation(rwa_assign_result *result, uint64_t i, const char *name, rwa_error *err)
{
    BEGIN(err, result, name);
    struct format_names *f = &result->formats;
    size_t number, had = f->of ? f->of_count : 0;
    if (i >= result->count || !*name)
        return base_fail(err, RWA_BADARG, "modulation of route %llu: expected a name, and a route below %zu", (unsigned long long)i,
                         result->count);
    result->arena.err = err;
    number = number_of(result, name);
    if (arena_status(&result->arena) != RWA_OK)
        return RWA_NOMEM;
    if (number == NAMES_MAX)
        return base_fail(err, RWA_BADARG, "modulation %s: expected at most %d different ones", name, NAMES_MAX);
    MUST(base_grow((void **)&f->of, &f->of_capacity, result->count, sizeof *f->of, err));
    if (had < result->count)
        memset(f->of + had, 0, (result->count - had) * sizeof *f->of);
    f->of_count = result->count;
    f->of[i] = (uint16_t)(number + 1);
    return RWA_OK;
}

const char *rwa_assign_result_modulation(const rwa_assign_result *r, uint64_t i)
{
    const struct format_names *f = &r->formats;
    assert(i < r->count);
    return i < f->of_count && f->of[i] > 0 ? f->names[f->of[i] - 1] : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The modulation formats of an assignment's routes. */
#include "assignment/assignment.h"

enum { NAMES_MAX = 256 };

rwa_status rwa_assignment_set_modulation(rwa_assignment *result, uint64_t i, const char *name, rwa_error *err)
{
    BEGIN(err, result, name);
    struct format_names *f = &result->formats;
    size_t had = f->of ? f->of_count : 0;
    uint32_t number = 0;
    if (i >= result->count || !*name)
        return base_refuse(err, "modulation of route %" PRIu64 ": expected a name, and a route below %zu", i,
                           result->count);
    if (f->names.count == NAMES_MAX && names_find(&f->names, name) == NAMES_NONE)
        return base_refuse(err, "modulation %s: expected at most %d different ones", name, NAMES_MAX);
    MUST(names_add(&f->names, name, &number, err));
    MUST(base_reserve(f->of, result->count, err));
    if (had < result->count)
        memset(f->of + had, 0, (result->count - had) * sizeof *f->of);
    f->of_count = result->count;
    f->of[i] = (uint16_t)(number + 1);
    return RWA_OK;
}

const char *rwa_assignment_modulation(const rwa_assignment *r, uint64_t i)
{
    const struct format_names *f = &r->formats;
    assert(i < r->count);
    return i < f->of_count && f->of[i] > 0 ? f->names.list[f->of[i] - 1] : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bit rates and modulation formats of lightpaths, for states that get any. */
#include "state/state.h"

struct detail details_get(const struct details *d, uint32_t slot)
{
    return slot < d->count ? d->of[slot] : (struct detail){0, 0};
}

const char *details_name(const struct details *d, struct detail detail)
{
    assert(detail.format <= d->name_count);
    return detail.format ? d->names[detail.format - 1] : NULL;
}

/** The number of a name plus 1; a new one is copied. */
static rwa_status number_name(struct details *d, const char *name, uint32_t *number, rwa_error *err)
{
    uint32_t i = 0;
    while (i < d->name_count && strcmp(d->names[i], name) != 0)
        i++;
    if (i == d->name_count) {
        MUST(base_grow((void **)&d->names, &d->name_capacity, d->name_count + 1, sizeof *d->names, err));
        if (!(d->names[i] = base_copy_text(name, err)))
            return RWA_NOMEM;
        d->name_count++;
    }
    *number = i + 1;
    return RWA_OK;
}

rwa_status details_prepare(struct rwa_state *s, const struct request *request, struct detail *out, rwa_error *err)
{
    struct details *d = &s->details;
    size_t need = s->slots.count + 1;
    *out = (struct detail){request->asked.rate_bps, 0};
    if (request->asked.transmission && !(out->rate_bps > 0))
        out->rate_bps = rwa_network_rate_bps(s->net);
    if (request->format)
        MUST(number_name(d, request->format, &out->format, err));
    if (d->count == 0 && !(out->rate_bps > 0) && out->format == 0)
        return RWA_OK;
    MUST(base_grow((void **)&d->of, &d->capacity, need, sizeof *d->of, err));
    if (d->count < need)
        memset(d->of + d->count, 0, (need - d->count) * sizeof *d->of);
    d->count = need > d->count ? need : d->count;
    return RWA_OK;
}

void details_set(struct details *d, uint32_t slot, struct detail detail)
{
    assert(slot < d->count || (d->count == 0 && !(detail.rate_bps > 0) && detail.format == 0));
    if (slot < d->count)
        d->of[slot] = detail;
}

void details_swap(struct details *d, uint32_t slot, uint32_t other)
{
    if (d->count == 0)
        return;
    assert(slot < d->count && other < d->count);
    struct detail kept = d->of[slot];
    d->of[slot] = d->of[other];
    d->of[other] = kept;
}

void details_free(struct details *d)
{
    for (size_t i = 0; i < d->name_count; i++)
        free(d->names[i]);
    free_all(d->names, d->of);
}

double rwa_state_rate(const rwa_state *s, uint64_t id)
{
    uint32_t slot = slots_find(&s->slots, id);
    return slot == NO_SLOT ? 0 : details_get(&s->details, slot).rate_bps;
}

const char *rwa_state_modulation(const rwa_state *s, uint64_t id)
{
    uint32_t slot = slots_find(&s->slots, id);
    return slot == NO_SLOT ? NULL : details_name(&s->details, details_get(&s->details, slot));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bit rates, modulation formats and tags of lightpaths, for states whose lightpaths have them. */
#include "state/state.h"

struct detail details_get(const struct details *d, uint32_t slot)
{
    return slot < d->count ? d->of[slot] : (struct detail){0, 0, NULL};
}

const char *details_name(const struct details *d, struct detail detail)
{
    assert(detail.format <= d->names.count);
    return detail.format ? d->names.list[detail.format - 1] : NULL;
}

rwa_status details_prepare(struct rwa_state *s, const struct request *request, struct detail *out, rwa_error *err)
{
    struct details *d = &s->details;
    const char *tag = request->asked.tag;
    size_t need = s->slots.count;
    *out = (struct detail){request->asked.rate_bps, 0, NULL};
    if (request->asked.transmission && !(out->rate_bps > 0))
        out->rate_bps = rwa_network_rate_bps(s->net);
    if (request->format) {
        MUST(names_add(&d->names, request->format, &out->format, err));
        out->format++;
    }
    if (d->count == 0 && !(out->rate_bps > 0) && out->format == 0 && !tag)
        return RWA_OK;
    MUST(base_reserve(d->of, need, d->capacity, err));
    if (d->count < need)
        memset(d->of + d->count, 0, (need - d->count) * sizeof *d->of);
    RAISE(d->count, need);
    if (tag && !(out->tag = base_copy_text(tag, err)))
        return RWA_NOMEM;
    return RWA_OK;
}

void details_set(struct details *d, uint32_t slot, struct detail detail)
{
    assert(slot < d->count || (d->count == 0 && !(detail.rate_bps > 0) && detail.format == 0 && !detail.tag));
    if (slot >= d->count)
        return;
    free(d->of[slot].tag);
    d->of[slot] = detail;
}

void details_swap(struct details *d, uint32_t slot, uint32_t other)
{
    if (d->count == 0)
        return;
    assert(slot < d->count && other < d->count);
    struct detail kept = d->of[slot];
    d->of[slot] = (struct detail){d->of[other].rate_bps, d->of[other].format, kept.tag};
    d->of[other] = (struct detail){kept.rate_bps, kept.format, d->of[other].tag};
}

void details_free(struct details *d)
{
    for (size_t slot = 0; slot < d->count; slot++)
        free(d->of[slot].tag);
    names_free(&d->names);
    free(d->of);
}

double rwa_state_rate(const rwa_state *s, uint64_t id)
{
    return details_get(&s->details, slots_find(&s->slots, id)).rate_bps;
}

const char *rwa_state_modulation(const rwa_state *s, uint64_t id)
{
    return details_name(&s->details, details_get(&s->details, slots_find(&s->slots, id)));
}

const char *rwa_state_tag(const rwa_state *s, uint64_t id)
{
    return details_get(&s->details, slots_find(&s->slots, id)).tag;
}

uint64_t rwa_state_find_tag(const rwa_state *s, const char *tag, uint64_t after)
{
    for (uint32_t slot = slots_above(&s->slots, after); slot != NO_SLOT; slot = slot_at(s, slot)->after) {
        const char *one = details_get(&s->details, slot).tag;
        if (one && strcmp(one, tag) == 0)
            return slot_at(s, slot)->id;
    }
    return RWA_NO_LIGHTPATH;
}

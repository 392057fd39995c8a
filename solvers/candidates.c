/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/candidates.h"

static size_t segments(const struct candidates *cand)
{
    return cand->segment[cand->route[cand->demands]];
}

rwa_status placement_create(struct placement *p, const struct candidates *cand, rwa_error *err)
{
    assert(cand->fibers > 0);
    MUST(base_new(p->route, cand->demands, err));
    MUST(base_new(p->channel, segments(cand), err));
    placement_clear(p, cand);
    return RWA_OK;
}

void placement_clear(struct placement *p, const struct candidates *cand)
{
    p->placed = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        p->route[d] = NO_ROUTE;
}

void placement_free(struct placement *p)
{
    free_all(p->route, p->channel);
    p->route = NULL;
    p->channel = NULL;
}

void placement_copy(struct placement *to, const struct placement *from, const struct candidates *cand)
{
    assert(from->placed <= cand->demands && to->route && from->route);
    to->channels = from->channels;
    to->placed = from->placed;
    memcpy(to->route, from->route, cand->demands * sizeof *to->route);
    memcpy(to->channel, from->channel, segments(cand) * sizeof *to->channel);
}

const char *candidates_channel_text(char text[CHANNEL_TEXT], const struct candidates *cand, uint32_t channel)
{
    if (cand->fibers > 1)
        snprintf(text, CHANNEL_TEXT, "f%" PRIu32 "_w%" PRIu32, channel % cand->fibers, channel / cand->fibers);
    else
        snprintf(text, CHANNEL_TEXT, "w%" PRIu32, channel);
    return text;
}

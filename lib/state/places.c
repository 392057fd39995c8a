/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finds places on a route.  A place is the lowest channel of a request's adjacent slots when these are free on every
 *  link of the route.  64 channels are examined at a time. */
#include "state/state.h"

#include "solvers/runs.h"

bool is_free_span(const struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span)
{
    for (; span > 0 && channel < s->channels && is_free(s, carrier, channel); channel += s->fibers)
        span--;
    return span == 0;
}

bool find_places(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask)
{
    uint64_t any = 0;
    assert(hops > 0 && span > 0);
    if (span == 1) {
        for (uint32_t w = 0; w < s->words; w++)
            any |= s->places[w] = free_word(s, links, hops, mask, w);
        return any != 0;
    }
    for (uint32_t w = 0; w < s->words; w++)
        s->places[w] = free_word(s, links, hops, NULL, w);
    runs_narrow(s->places, s->words, span, s->fibers);
    for (uint32_t w = 0; w < s->words; w++)
        any |= s->places[w] &= mask ? mask[w] : UINT64_MAX;
    return any != 0;
}

uint32_t free_count(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask)
{
    uint32_t count = 0;
    if (span == 1) {
        for (uint32_t w = 0; w < s->words; w++)
            count += runs_count(free_word(s, links, hops, mask, w));
        return count;
    }
    if (!find_places(s, links, hops, span, mask))
        return 0;
    for (uint32_t w = 0; w < s->words; w++)
        count += runs_count(s->places[w]);
    return count;
}

uint32_t free_lowest(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask)
{
    uint64_t here, above = 0;
    if ((span - 1) * (uint64_t)s->fibers >= 64)
        return find_places(s, links, hops, span, mask) ? runs_next(s->places, s->words, 0) : NO_CHANNEL;
    for (uint32_t w = 0; w < s->words; w++) {   /* the slots lie in at most two neighbouring words */
        if (span == 1) {
            here = free_word(s, links, hops, mask, w);
        } else {
            here = w > 0 ? above : free_word(s, links, hops, NULL, w);
            above = w + 1 < s->words ? free_word(s, links, hops, NULL, w + 1) : 0;
            here = runs_narrow_word(here, above, span, s->fibers) & (mask ? mask[w] : UINT64_MAX);
        }
        if (here)
            return 64 * w + (uint32_t)__builtin_ctzll(here);
    }
    return NO_CHANNEL;
}

/** Return how many channels are taken in the whole network on `span` adjacent wavelengths, of which the first is that
 *  of channel `place`. */
static int64_t use_at(const struct rwa_state *s, const struct choice *route, uint32_t place, uint32_t span)
{
    uint64_t use = 0;
    (void)route;
    for (uint32_t i = 0; i < span; i++)
        use += s->use[wavelength_of(s, place) + i];
    return (int64_t)use;
}

static int64_t disuse_at(const struct rwa_state *s, const struct choice *route, uint32_t place, uint32_t span)
{
    return -use_at(s, route, place, span);
}

/** Return by how much the number of free blocks (runs of adjacent free slots), summed over the links of a route, grows
 *  if a lightpath takes `span` slots from this channel on.  It may be negative. */
static int64_t blocks_added(const struct rwa_state *s, const struct choice *route, uint32_t channel, uint32_t span)
{
    uint64_t above = channel + (uint64_t)span * s->fibers;
    int64_t added = 0;
    for (uint32_t k = 0; k < route->hops; k++) {
        uint32_t carrier = s->carrier[route->links[k]];
        added += (channel >= s->fibers && is_free(s, carrier, channel - s->fibers)) +
                 (above < s->channels && is_free(s, carrier, (uint32_t)above)) - 1;
    }
    return added;
}

static uint32_t free_highest(const struct rwa_state *s, const struct choice *route, const uint64_t *mask)
{
    for (uint32_t w = s->words; w-- > 0;) {
        uint64_t word = free_word(s, route->links, route->hops, mask, w);
        if (word)
            return 64 * w + 63 - (uint32_t)__builtin_clzll(word);
    }
    return NO_CHANNEL;
}

uint32_t place_choose(struct rwa_state *s, struct request *request, const struct choice *route)
{
    if (request->asked.policy == RWA_POLICY_FIRST_FIT)
        return free_lowest(s, route->links, route->hops, request->span, request->mask);
    if (request->asked.policy == RWA_POLICY_LAST_FIT && request->span == 1)
        return free_highest(s, route, request->mask);
    if (!find_places(s, route->links, route->hops, request->span, request->mask))
        return NO_CHANNEL;
    switch (request->asked.policy) {
    case RWA_POLICY_FIRST_FIT: break;
    case RWA_POLICY_LAST_FIT: return runs_highest(s->places, s->words);
    case RWA_POLICY_MOST_USED: return least_place(s, route, request->span, disuse_at);
    case RWA_POLICY_LEAST_USED: return least_place(s, route, request->span, use_at);
    case RWA_POLICY_RANDOM: return runs_random(s->places, s->words, &request->random);
    case RWA_POLICY_EXACT_FIT: return runs_shortest(s->places, s->words, s->fibers); /* the low end of the smallest
                                                                                        free block */
    case RWA_POLICY_LEAST_FRAGMENTATION: return least_place(s, route, request->span, blocks_added);
    }
    return NO_CHANNEL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The free channels of every directed link, in an empty step and in the step being filled. */
#pragma once

#include "base/base.h"
#include "rwa/network.h"

/** Rows of bits, [link][word]; bit c of a row is channel c = fiber * wavelengths + wavelength. */
struct load_map {
    const rwa_network *net;     /* borrowed; lists its links */
    uint32_t links;             /* directed */
    uint32_t channels;          /* of the link that has most; rows have so many bits */
    size_t words;               /* of 64 channels each, in a row */
    uint64_t *open;             /* of an empty step */
    uint64_t *free;             /* of the step being filled */
};

/** Set up the free channels of a network; the step being filled is empty.  `map` starts as zeros; close it also after a
 * failure.  RWA_NOMEM.  Cost O(links * channels).
 * @param paths true: of parallel links only the one of lowest number has channels, since a path of nodes does not tell
 * them apart.  false: each has its own, as on a ring of two nodes, where they differ in direction
 * @param reversible true: each link has only the channels that both links of its pair have, so that every schedule also
 * fits when time-reversed.  false: links are independent */
rwa_status load_map_open(struct load_map *map, const rwa_network *net, bool paths, bool reversible, rwa_error *err);
void load_map_close(struct load_map *map);

/** Begin a new step, in which all usable channels are free. */
void load_map_begin_step(struct load_map *map);

/** Return the number of free channels of a link in this step.  O(words). */
uint32_t load_map_free_channels(const struct load_map *map, uint32_t link);

/** In debug builds, assert that bits beyond the channels are clear, and that no channel is free that an empty step does
 * not have. */
void load_map_check(const struct load_map *map);

static inline uint64_t *load_map_row(const struct load_map *map, uint32_t link)
{
    assert(link < map->links);
    return map->free + link * map->words;
}

static inline bool load_map_has(const struct load_map *map, uint32_t link, uint32_t channel)
{
    assert(channel < map->channels);
    return get_bit(load_map_row(map, link), channel);
}

/** Take a channel on a link; it must be free there. */
static inline void load_map_take(struct load_map *map, uint32_t link, uint32_t channel)
{
    assert(load_map_has(map, link, channel));
    clear_bit(load_map_row(map, link), channel);
}

/** Make a channel on a link free again, to undo load_map_take(). */
static inline void load_map_return(struct load_map *map, uint32_t link, uint32_t channel)
{
    assert(!load_map_has(map, link, channel));
    set_bit(load_map_row(map, link), channel);
}

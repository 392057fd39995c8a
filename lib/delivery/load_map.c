/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Free channels as rows of bits, one row for each directed link and one bit for each channel. */
#include "delivery/load_map.h"

#include "network/network.h"

/* In `row`, set the bits of the first `channels` channels, except those of channels that are reserved on all links. */
static void open_row(const struct load_map *map, uint64_t *row, uint32_t channels)
{
    assert(channels <= map->channels);
    for (uint32_t c = 0; c < channels; c++)
        if (!rwa_network_is_reserved_everywhere(map->net, c))
            set_bit(row, c);
}

/* In map->open, clear the bits of reserved channels.  Reservations of wavelengths beyond those of the network are
 * ignored. */
static void close_reserved(struct load_map *map)
{
    const rwa_reserved *list = NULL;
    size_t reserved = rwa_network_reserved(&list, map->net);
    uint32_t wavelengths = rwa_network_wavelengths(map->net);
    for (size_t i = 0; i < reserved; i++) {
        uint32_t channel = list[i].fiber * wavelengths + list[i].wavelength;
        if (list[i].wavelength >= wavelengths)
            continue;
        assert(channel < map->channels && list[i].link < map->links);
        clear_bit(map->open + list[i].link * map->words, channel);
    }
}

/* In rows[], the free channels of all links, leave each link only those that are free on both links of its pair; links
 * 2e and 2e + 1 are a pair. */
static void keep_common(const struct load_map *map, uint64_t *rows)
{
    for (size_t i = 0; i < map->links * map->words; i++)
        rows[i] &= rows[(i / map->words ^ 1) * map->words + i % map->words];
}

/* Fill map->open, which has for each link the channels that are free in an empty step.  For `paths` and `reversible`
 * see load_map_open(). */
static void open_links(struct load_map *map, bool paths, bool reversible)
{
    bool both = reversible && rwa_network_is_paired(map->net);
    for (uint32_t l = 0; l < map->links; l++) {
        rwa_link link = rwa_network_link(map->net, l);
        if (!paths || rwa_network_find_link(map->net, link.from, link.to) == l)
            open_row(map, map->open + l * map->words, link.fibers * rwa_network_wavelengths(map->net));
    }
    close_reserved(map);
    for (uint32_t l = 0; l < map->links; l++)
        if (rwa_network_is_failed(map->net, l))
            memset(map->open + l * map->words, 0, map->words * sizeof *map->open);
    if (both)
        keep_common(map, map->open);
}

rwa_status load_map_open(struct load_map *map, const rwa_network *net, bool paths, bool reversible, rwa_error *err)
{
    uint32_t channels = network_most_fibers(net) * rwa_network_wavelengths(net);
    *map = (struct load_map){.net = net, .links = rwa_network_links(net), .channels = channels,
                             .words = ((size_t)channels + 63) / 64};
    size_t all = map->links * map->words;
    MUST(base_new(map->open, all, err));
    MUST(base_new(map->free, all, err));
    open_links(map, paths, reversible);
    load_map_begin_step(map);
    return RWA_OK;
}

void load_map_close(struct load_map *map)
{
    free_all(map->open, map->free);
    memset(map, 0, sizeof *map);
}

void load_map_begin_step(struct load_map *map)
{
    memcpy(map->free, map->open, map->links * map->words * sizeof *map->free);
    load_map_check(map);
}

uint32_t load_map_free_channels(const struct load_map *map, uint32_t link)
{
    const uint64_t *row = load_map_row(map, link);
    uint32_t count = 0;
    for (size_t w = 0; w < map->words; w++)
        count += (uint32_t)__builtin_popcountll(row[w]);
    assert(count <= map->channels);
    return count;
}

void load_map_check(const struct load_map *map)
{
#ifndef NDEBUG
    for (size_t i = 0; i < map->links * map->words; i++) {
        size_t last = i % map->words + 1 == map->words && map->channels % 64 > 0 ? map->channels % 64 : 64;
        assert(last == 64 || map->open[i] >> last == 0);
        assert((map->free[i] & ~map->open[i]) == 0);
    }
#else
    (void)map;
#endif
}

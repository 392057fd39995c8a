/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/links/bypass.h"

#include "base/arena.h"
#include "base/arithmetic.h"

enum { WORDS_MOST = BYPASS_CHANNELS / 64 };

/** Lightpaths being laid. */
struct laying {
    struct bypass *b;
    const struct distances *d;
    uint32_t words;
    uint64_t *free;             /* [link][word]: channels */
    uint32_t *route;            /* of the lightpath being tried: its nodes, … */
    uint32_t *over;             /* … and its links */
};

void bypass_close(struct bypass *b)
{
    free(b->node);
    bins_free(&b->out);
    arena_free(&b->memory);
}

/** order: of all lightpaths; NULL: by their numbers. */
static rwa_status list_out(struct bypass *b, const uint32_t *order, rwa_error *err)
{
    MUST(bins_open(&b->out, b->nodes, err));
    for (uint32_t i = 0; i < b->count; i++)
        bins_count(&b->out, b->link[i].from);
    MUST(bins_divide(&b->out, b->nodes, err));
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t l = order ? order[i] : i;
        bins_put(&b->out, b->link[l].from, l);
    }
    return RWA_OK;
}

rwa_status bypass_of_links(struct bypass *out, const rwa_network *net, rwa_error *err)
{
    *out = (struct bypass){.nodes = net->nodes, .count = net->link_count, .lanes = rwa_network_channels(net), .memory = {.err = err}};
    arena_copy(&out->memory, out->link, net->links, net->link_count);
    MUST(arena_status(&out->memory));
    return list_out(out, net->out, err);
}

static uint32_t free_channels(const uint64_t *mask, const uint64_t *free, uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < words; k++)
        count += (uint32_t)__builtin_popcountll(mask[k] & free[k]);
    return count;
}

/** Of the links that lead nearer to the end the one that keeps most channels of the mask; UINT32_MAX: none keeps any. */
static uint32_t best_onward(const struct laying *l, uint32_t at, uint32_t end, const uint64_t *mask)
{
    const rwa_network *net = l->d->net;
    uint32_t best = UINT32_MAX, most = 0, left = distances_hops(l->d, at, end);
    for (uint32_t k = net->first[at]; k < net->first[at + 1]; k++) {
        uint32_t link = net->out[k];
        if (distances_hops(l->d, l->d->to[k], end) + 1 != left)
            continue;
        uint32_t here = free_channels(mask, l->free + (size_t)link * l->words, l->words);
        best = here > most ? link : best;
        most = here > most ? here : most;
    }
    return best;
}

static rwa_status add_lightpath(struct laying *l, uint32_t hops, uint32_t channel, rwa_error *err)
{
    struct bypass *b = l->b;
    for (uint32_t i = 0; i < hops; i++)
        l->free[(size_t)l->over[i] * l->words + channel / 64] &= ~((uint64_t)1 << channel % 64);
    b->link[b->count] = (rwa_link){.from = l->route[0], .to = l->route[hops]};
    b->channel[b->count] = channel;
    size_t used = b->path[b->count];
    for (uint32_t i = 0; i <= hops; i++)
        MUST(base_append(b->node, used, b->room, err, l->route[i]));
    b->path[++b->count] = used;
    return RWA_OK;
}

/** Over a shortest route, on the lowest channel that is free all along it, where there is one. */
static rwa_status join(struct laying *l, uint32_t from, uint32_t to, bool *joined, rwa_error *err)
{
    uint64_t mask[WORDS_MOST];
    uint32_t hops = 0;
    memset(mask, 0xff, sizeof mask);
    *joined = false;
    l->route[0] = from;
    for (uint32_t at = from; at != to; hops++) {
        uint32_t link = best_onward(l, at, to, mask);
        if (link == UINT32_MAX || l->b->count == BYPASS_LIGHTPATHS)
            return RWA_OK;
        for (uint32_t k = 0; k < l->words; k++)
            mask[k] &= l->free[(size_t)link * l->words + k];
        l->over[hops] = link;
        at = l->route[hops + 1] = l->d->net->links[link].to;
    }
    *joined = true;
    for (uint32_t k = 0; k < l->words; k++)
        if (mask[k])
            return add_lightpath(l, hops, 64 * k + (uint32_t)__builtin_ctzll(mask[k]), err);
    return RWA_OK;
}

/** All pairs so many links apart, in random order. */
static rwa_status join_apart(struct laying *l, uint32_t hops, rwa_error *err)
{
    uint32_t nodes = l->b->nodes, *pair = NULL;
    size_t count = 0, room = 0;
    uint64_t random = hops;
    bool joined;
    rwa_status st = RWA_OK;
    for (uint32_t i = 0; i < nodes * nodes; i++)
        if (distances_hops(l->d, i / nodes, i % nodes) == hops)
            TRY(base_append(pair, count, room, err, i));
    base_shuffle(pair, (uint32_t)count, &random);
    for (size_t i = 0; i < count && l->b->count < BYPASS_LIGHTPATHS; i++)
        TRY(join(l, pair[i] / nodes, pair[i] % nodes, &joined, err));
done:
    free(pair);
    return st;
}

static rwa_status join_neighbours(struct laying *l, uint32_t times, rwa_error *err)
{
    const rwa_network *net = l->d->net;
    bool joined;
    for (uint32_t k = 0; k < times; k++)
        for (uint32_t i = 0; i < net->link_count; i++)
            MUST(join(l, net->links[i].from, net->links[i].to, &joined, err));
    return RWA_OK;
}

rwa_status bypass_open(struct bypass *out, const struct distances *d, uint32_t length, rwa_error *err)
{
    uint32_t nodes = d->net->nodes, channels = rwa_network_channels(d->net);
    struct arena scratch = {.err = err};
    struct laying l = {.b = out, .d = d, .words = (uint32_t)ceil_div(channels, 64)};
    rwa_status st = RWA_OK;
    *out = (struct bypass){.nodes = nodes, .lanes = 1, .memory = {.err = err}};
    if (channels < 2 || channels > BYPASS_CHANNELS)
        return RWA_OK;
    arena_new(&out->memory, out->link, BYPASS_LIGHTPATHS);
    arena_new(&out->memory, out->channel, BYPASS_LIGHTPATHS);
    arena_new(&out->memory, out->path, BYPASS_LIGHTPATHS + 1);
    arena_new(&scratch, l.free, (size_t)d->net->link_count * l.words);
    arena_new(&scratch, l.route, (size_t)length + 1);
    arena_new(&scratch, l.over, length);
    TRY(arena_status(&out->memory));
    TRY(arena_status(&scratch));
    for (uint32_t i = 0; i < d->net->link_count; i++)
        for (uint32_t c = 0; c < channels; c++)
            l.free[(size_t)i * l.words + c / 64] |= (uint64_t)1 << c % 64;
    TRY(join_neighbours(&l, 1, err));
    for (uint32_t hops = length; hops > 1; hops--)
        TRY(join_apart(&l, hops, err));
    TRY(join_neighbours(&l, channels, err));
    st = list_out(out, NULL, err);
done:
    arena_free(&scratch);
    return st;
}

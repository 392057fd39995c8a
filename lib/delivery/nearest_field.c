/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/nearest_field.h"

#include "network/network.h"

#include <stdlib.h>
#include <string.h>

static void close_channel(struct nearest_field *f, uint32_t link, uint32_t channel)
{
    f->open[link * f->words + channel / 64] &= ~(UINT64_C(1) << channel % 64);
}

/* Of parallel links a path names only the lowest. */
static void open_link(struct nearest_field *f, uint32_t link)
{
    rwa_link l = rwa_network_link(f->net, link);
    uint32_t channels = l.fibers * f->wavelengths;
    if (rwa_network_is_failed(f->net, link) || rwa_network_find_link(f->net, l.from, l.to) != link)
        return;
    for (uint32_t c = 0; c < channels; c++)
        if (!rwa_network_is_closed(f->net, c))
            f->open[link * f->words + c / 64] |= UINT64_C(1) << c % 64;
}

static void open_channels(struct nearest_field *f)
{
    const rwa_reserved *list = NULL;
    size_t reserved = rwa_network_reserved(f->net, &list);
    for (uint32_t l = 0; l < f->links; l++)
        open_link(f, l);
    for (size_t i = 0; i < reserved; i++)
        close_channel(f, list[i].link, list[i].fiber * f->wavelengths + list[i].wavelength);
    for (size_t i = 0; i < f->links * f->words && rwa_network_is_paired(f->net); i++) { /* links 2e and 2e + 1 */
        size_t back = (i / f->words ^ 1) * f->words + i % f->words;
        f->open[i] &= f->open[back];
        f->open[back] = f->open[i];
    }
}

static void index_links(struct nearest_field *f)
{
    for (uint32_t l = 0; l < f->links; l++) {
        f->from[l] = rwa_network_link(f->net, l).from;
        f->in_first[rwa_network_link(f->net, l).to + 1]++;
    }
    for (uint32_t v = 0; v < f->nodes; v++)
        f->in_first[v + 1] += f->in_first[v];
    for (uint32_t l = f->links; l-- > 0;) /* each node's begin moves back to where it was */
        f->in[--f->in_first[rwa_network_link(f->net, l).to + 1]] = l;
    memmove(f->in_first, f->in_first + 1, f->nodes * sizeof *f->in_first);
    f->in_first[f->nodes] = f->links;
}

rwa_status nearest_open(struct nearest_field *f, const rwa_network *net, uint64_t blocks, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), links = rwa_network_links(net), fibers = network_most_fibers(net);
    rwa_status st = base_fits_memory((double)nodes * (double)blocks, "who holds what", err);
    *f = (struct nearest_field){.net = net, .nodes = nodes, .links = links, .wavelengths = rwa_network_wavelengths(net),
                                .blocks = blocks, .err = err};
    if (st != RWA_OK)
        return st;
    f->words = ((size_t)fibers * f->wavelengths + 63) / 64;
    f->from = base_array(links, sizeof *f->from, err);
    f->in = base_array(links, sizeof *f->in, err);
    f->in_first = base_array((size_t)nodes + 2, sizeof *f->in_first, err);
    f->open = base_array(links * f->words, sizeof *f->open, err);
    f->free = base_array(links * f->words, sizeof *f->free, err);
    f->state = base_array((size_t)(nodes * blocks), 1, err);
    f->in_left = base_array(nodes, sizeof *f->in_left, err);
    f->may_send = base_array(nodes, sizeof *f->may_send, err);
    f->may_receive = base_array(nodes, sizeof *f->may_receive, err);
    f->slot = base_array(nodes, sizeof *f->slot, err);
    f->stamp = base_array(nodes, sizeof *f->stamp, err);
    f->seen = base_array(nodes * f->words, sizeof *f->seen, err);
    if (!f->from || !f->in || !f->in_first || !f->open || !f->free || !f->state || !f->in_left || !f->may_send ||
        !f->may_receive || !f->slot || !f->stamp || !f->seen)
        return RWA_NOMEM;
    index_links(f);
    open_channels(f);
    return RWA_OK;
}

void deliveries_free(struct deliveries *d)
{
    free(d->list);
    free(d->path);
    free(d->path_first);
    memset(d, 0, sizeof *d);
}

void nearest_free(struct nearest_field *f)
{
    deliveries_free(&f->sent);
    free(f->from);
    free(f->in);
    free(f->in_first);
    free(f->open);
    free(f->free);
    free(f->state);
    free(f->in_left);
    free(f->may_send);
    free(f->may_receive);
    free(f->slot);
    free(f->stamp);
    free(f->seen);
    free(f->met);
    free(f->bits);
    memset(f, 0, sizeof *f);
}

void nearest_reset(struct nearest_field *f)
{
    memset(f->state, NODE_LACKS, (size_t)(f->nodes * f->blocks));
    f->sent.count = 0;
    f->sent.steps = 0;
}

void nearest_begin_step(struct nearest_field *f)
{
    uint32_t ports = rwa_network_ports(f->net);
    memcpy(f->free, f->open, f->links * f->words * sizeof *f->free);
    f->sent.steps++;
    for (uint32_t v = 0; v < f->nodes; v++) {
        f->may_send[v] = f->may_receive[v] = ports > 0 ? ports : UINT32_MAX;
        f->in_left[v] = 0;
        for (uint32_t i = f->in_first[v]; i < f->in_first[v + 1]; i++)
            for (size_t w = 0; w < f->words; w++)
                f->in_left[v] += (uint32_t)__builtin_popcountll(f->open[f->in[i] * f->words + w]);
    }
}

void nearest_end_step(struct nearest_field *f)
{
    for (size_t i = f->sent.count; i > 0 && f->sent.list[i - 1].step == f->sent.steps; i--)
        *nearest_at(f, f->sent.list[i - 1].dst, f->sent.list[i - 1].block) = NODE_HOLDS;
}

/* ---- the search, backwards from who is to be served ---- */

/* The entry of a node in the level that begins at `level`, made if there is none. */
static rwa_status entry_of(struct nearest_field *f, uint32_t node, size_t level, size_t *count, size_t *entry)
{
    rwa_status st = RWA_OK;
    if (f->stamp[node] != f->token) {
        f->stamp[node] = f->token;
        memset(f->seen + node * f->words, 0, f->words * sizeof *f->seen);
    } else if (f->slot[node] >= level) {
        *entry = f->slot[node];
        return RWA_OK;
    }
    TRY(base_grow((void **)&f->met, &f->met_room, *count + 1, sizeof *f->met, f->err));
    TRY(base_grow((void **)&f->bits, &f->bits_room, (*count + 1) * f->words, sizeof *f->bits, f->err));
    memset(f->bits + *count * f->words, 0, f->words * sizeof *f->bits);
    f->met[*count] = node;
    f->slot[node] = (uint32_t)*count;
    *entry = (*count)++;
done:
    return st;
}

/* The channels of an entry that lead on over a link to where they have not been; whether there are any. */
static bool leads_on(const struct nearest_field *f, size_t entry, uint32_t link)
{
    uint32_t node = f->from[link];
    const uint64_t *seen = f->seen + node * f->words;
    bool known = f->stamp[node] == f->token;
    uint64_t any = 0;
    for (size_t w = 0; w < f->words; w++)
        any |= f->bits[entry * f->words + w] & f->free[link * f->words + w] & (known ? ~seen[w] : UINT64_MAX);
    return any != 0;
}

/* One link further away: from the entries first … end - 1 to those from end on. */
static rwa_status widen(struct nearest_field *f, size_t first, size_t end, size_t *count)
{
    rwa_status st = RWA_OK;
    for (size_t e = first; e < end; e++)
        for (uint32_t i = f->in_first[f->met[e]]; i < f->in_first[f->met[e] + 1]; i++) {
            uint32_t link = f->in[i], node = f->from[link];
            size_t to = 0;
            if (!leads_on(f, e, link))
                continue;
            TRY(entry_of(f, node, end, count, &to));
            for (size_t w = 0; w < f->words; w++) {
                uint64_t fresh = f->bits[e * f->words + w] & f->free[link * f->words + w] & ~f->seen[node * f->words + w];
                f->bits[to * f->words + w] |= fresh;
                f->seen[node * f->words + w] |= fresh;
            }
        }
done:
    return st;
}

static uint32_t lowest_channel(const struct nearest_field *f, size_t entry)
{
    const uint64_t *bits = f->bits + entry * f->words;
    uint32_t w = 0;
    while (bits[w] == 0)
        w++;
    return w * 64 + (uint32_t)__builtin_ctzll(bits[w]);
}

/* The holder among the entries that may send, with the lowest channel; `count` when there is none. */
static size_t choose_holder(const struct nearest_field *f, size_t first, size_t count, uint64_t block, uint32_t *channel)
{
    size_t best = count;
    for (size_t e = first; e < count; e++) {
        if (*nearest_at(f, f->met[e], block) != NODE_HOLDS || f->may_send[f->met[e]] == 0)
            continue;
        uint32_t c = lowest_channel(f, e);
        if (best == count || c < *channel) {
            best = e;
            *channel = c;
        }
    }
    return best;
}

static bool has_channel(const uint64_t *row, uint32_t channel)
{
    return row[channel / 64] >> channel % 64 & 1;
}

/* The link from a node to a node of the level before, free on the channel; there is one. */
static uint32_t link_on(const struct nearest_field *f, uint32_t node, size_t first, size_t end, uint32_t channel, uint32_t *next)
{
    for (size_t e = first; e < end; e++)
        for (uint32_t i = f->in_first[f->met[e]];
             i < f->in_first[f->met[e] + 1] && has_channel(f->bits + e * f->words, channel); i++)
            if (f->from[f->in[i]] == node && has_channel(f->free + f->in[i] * f->words, channel)) {
                *next = f->met[e];
                return f->in[i];
            }
    return RWA_NO_LINK;
}

enum { MOST_LEVELS = 4096 };

/* Level d of the search: the entries level[d] … level[d + 1] - 1. */
static rwa_status deliver(struct nearest_field *f, const size_t *level, uint32_t hops, uint32_t src, uint64_t block,
                          uint32_t channel)
{
    struct deliveries *d = &f->sent;
    rwa_status st = RWA_OK;
    uint32_t at = src;
    TRY(base_grow((void **)&d->list, &d->list_room, d->count + 1, sizeof *d->list, f->err));
    TRY(base_grow((void **)&d->path_first, &d->first_room, d->count + 2, sizeof *d->path_first, f->err));
    size_t place = d->count > 0 ? d->path_first[d->count] : 0;
    TRY(base_grow((void **)&d->path, &d->path_room, place + hops + 1, sizeof *d->path, f->err));
    d->path_first[d->count] = place;
    d->path[place++] = src;
    for (uint32_t h = hops; h-- > 0;) {
        uint32_t link = link_on(f, at, level[h], level[h + 1], channel, &at);
        f->free[link * f->words + channel / 64] &= ~(UINT64_C(1) << channel % 64);
        f->in_left[at]--;
        d->path[place++] = at;
    }
    d->path_first[d->count + 1] = place;
    d->list[d->count++] = (rwa_lightpath){.step = d->steps, .src = src, .dst = at, .fiber = channel / f->wavelengths,
                                          .wavelength = channel % f->wavelengths, .orbit = 1, .block = block};
    *nearest_at(f, at, block) = NODE_GETS;
    f->may_send[src]--;
    f->may_receive[at]--;
done:
    return st;
}

rwa_status nearest_serve(struct nearest_field *f, uint32_t node, uint64_t block, uint32_t reach, enum nearest_answer *answer)
{
    rwa_status st = RWA_OK;
    size_t level[MOST_LEVELS + 2], count = 0, start = 0;
    uint32_t channel = 0;
    *answer = NEAREST_CUT_OFF;
    if (f->in_left[node] == 0 || f->may_receive[node] == 0)
        return RWA_OK;
    f->token++;
    TRY(entry_of(f, node, 0, &count, &start));
    memset(f->bits, 0xff, f->words * sizeof *f->bits);
    memset(f->seen + node * f->words, 0xff, f->words * sizeof *f->seen);
    level[0] = 0;
    level[1] = 1;
    for (uint32_t d = 0; d < reach && d < MOST_LEVELS && level[d] < level[d + 1]; d++) {
        TRY(widen(f, level[d], level[d + 1], &count));
        level[d + 2] = count;
        size_t holder = choose_holder(f, level[d + 1], count, block, &channel);
        if (holder < count) {
            *answer = NEAREST_SENT;
            return deliver(f, level, d + 1, f->met[holder], block, channel);
        }
        if (d + 1 == reach && level[d + 1] < count)
            *answer = NEAREST_TOO_FAR;
    }
done:
    return st;
}

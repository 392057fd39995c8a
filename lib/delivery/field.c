/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/field.h"

#include "collective/needs.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *row(const struct field *f, uint64_t *rows, rwa_direction dir, uint32_t link)
{
    return rows + ((size_t)(dir == RWA_CCW) * f->links + link) * f->words;
}

static void set_up_rows(struct field *f, uint64_t *rows, bool healthy)
{
    uint32_t channels = rwa_network_channels(f->net);
    for (uint32_t k = 0; k < 2 * f->links; k++)
        for (uint32_t c = 0; c < channels; c++)
            if (!rwa_network_is_closed(f->net, c) && (healthy || !rwa_network_is_failed(f->net, k)))
                rows[k * f->words + c / 64] |= (uint64_t)1 << (c % 64);
}

static void place(struct field *f, const rwa_collective *coll)
{
    for (uint64_t b = 0; b < f->blocks; b++)
        *field_at(f, collective_source(coll, b), b) = FIELD_HOLDS;
}

rwa_status field_open(struct field *f, const rwa_network *net, const rwa_collective *coll, rwa_error *err)
{
    uint32_t links = rwa_network_links(net);
    rwa_status st = base_fits_memory((double)coll->nodes * (double)coll->blocks, "this state", err);
    *f = (struct field){.net = net, .nodes = coll->nodes, .links = links, .wavelengths = rwa_network_wavelengths(net),
                        .blocks = coll->blocks, .words = (rwa_network_channels(net) + 63) / 64, .err = err};
    if (st != RWA_OK)
        return st;
    f->state = base_array((size_t)(coll->nodes * coll->blocks), 1, err);
    f->open = base_array((size_t)4 * links * f->words, sizeof *f->open, err);
    f->free = base_array((size_t)2 * links * f->words, sizeof *f->free, err);
    f->may_send = base_array(coll->nodes, sizeof *f->may_send, err);
    f->may_receive = base_array(coll->nodes, sizeof *f->may_receive, err);
    if (!f->state || !f->open || !f->free || !f->may_send || !f->may_receive)
        return RWA_NOMEM;
    set_up_rows(f, f->open, true);
    set_up_rows(f, f->open + (size_t)2 * links * f->words, false);
    place(f, coll);
    return RWA_OK;
}

void field_close(struct field *f)
{
    free(f->state);
    free(f->open);
    free(f->free);
    free(f->may_send);
    free(f->may_receive);
    free(f->sent);
    memset(f, 0, sizeof *f);
}

void field_begin(struct field *f, bool healthy)
{
    size_t size = (size_t)2 * f->links * f->words;
    uint32_t ports = rwa_network_ports(f->net);
    for (uint32_t v = 0; v < f->nodes; v++)
        f->may_send[v] = f->may_receive[v] = ports > 0 ? ports : UINT32_MAX;
    memcpy(f->free, f->open + (healthy ? 0 : size), size * sizeof *f->free);
    f->step++;
}

/** The link that a lightpath crosses after k others. */
static uint32_t link_after(const struct field *f, const rwa_lightpath *lp, uint32_t k)
{
    if (lp->direction == RWA_CW)
        return (lp->src + k) % f->links;
    return (lp->src + 2 * f->links - 1 - k) % f->links; /* k < links; on a line src > k */
}

static rwa_status take(struct field *f, const rwa_lightpath *lp, uint32_t hops)
{
    uint32_t channel = lp->fiber * f->wavelengths + lp->wavelength;
    rwa_status st = base_grow((void **)&f->sent, &f->room, f->count + 1, sizeof *f->sent, f->err);
    if (st != RWA_OK)
        return st;
    for (uint32_t k = 0; k < hops; k++)
        row(f, f->free, lp->direction, link_after(f, lp, k))[channel / 64] &= ~((uint64_t)1 << (channel % 64));
    f->sent[f->count] = *lp;
    f->sent[f->count].step = f->step;
    f->sent[f->count++].orbit = 1;
    *field_at(f, lp->dst, lp->block) = FIELD_GETS;
    f->may_send[lp->src]--;
    f->may_receive[lp->dst]--;
    return RWA_OK;
}

rwa_status field_send(struct field *f, const rwa_lightpath *lp, bool *sent)
{
    uint32_t channel = lp->fiber * f->wavelengths + lp->wavelength;
    uint32_t hops = rwa_network_hops(f->net, lp->src, lp->dst, lp->direction);
    *sent = false;
    if (*field_at(f, lp->src, lp->block) != FIELD_HOLDS || *field_at(f, lp->dst, lp->block) != FIELD_WITHOUT ||
        f->may_send[lp->src] == 0 || f->may_receive[lp->dst] == 0)
        return RWA_OK;
    for (uint32_t k = 0; k < hops; k++)
        if (!(row(f, f->free, lp->direction, link_after(f, lp, k))[channel / 64] >> (channel % 64) & 1))
            return RWA_OK;
    *sent = true;
    return take(f, lp, hops);
}

/** A way back from a node against a direction, and the channels free on all of it. */
struct way {
    rwa_direction dir;
    uint32_t node;
    bool open;
    uint64_t *common;
};

/** One link further back; closed at the end of a line or where no channel is left. */
static void step_back(const struct field *f, struct way *w)
{
    uint64_t any = 0, *here;
    bool line = f->links + 1 == f->nodes;
    if (line && w->node == (w->dir == RWA_CW ? 0 : f->nodes - 1)) {
        w->open = false;
        return;
    }
    w->node = w->dir == RWA_CW ? (w->node == 0 ? f->nodes - 1 : w->node - 1) : (w->node + 1 == f->nodes ? 0 : w->node + 1);
    here = row(f, f->free, w->dir, w->dir == RWA_CW ? w->node : (w->node == 0 ? f->links - 1 : w->node - 1));
    for (size_t i = 0; i < f->words; i++)
        any |= w->common[i] &= here[i];
    w->open = any != 0;
}

static uint32_t first_channel(const uint64_t *common)
{
    uint32_t word = 0;
    while (common[word] == 0)
        word++;
    return word * 64 + (uint32_t)__builtin_ctzll(common[word]);
}

rwa_status field_serve(struct field *f, uint32_t node, uint64_t block, uint32_t reach, bool *sent)
{
    enum { STACK_WORDS = 64 };
    uint64_t stack[2 * STACK_WORDS], *common = stack;
    rwa_status st = RWA_OK;
    *sent = false;
    if (f->may_receive[node] == 0)
        return RWA_OK;
    if (f->words > STACK_WORDS)
        common = base_array(2 * f->words, sizeof *common, f->err);
    if (!common)
        return RWA_NOMEM;
    memset(common, 0xff, 2 * f->words * sizeof *common);
    struct way ways[2] = {{RWA_CW, node, true, common}, {RWA_CCW, node, true, common + f->words}};
    for (uint32_t d = 1; d <= reach && !*sent && (ways[0].open || ways[1].open); d++)
        for (size_t k = 0; k < 2 && !*sent; k++) {
            struct way *w = &ways[(k + node + block) % 2]; /* both directions are as near: take turns */
            if (!w->open)
                continue;
            step_back(f, w);
            if (!w->open || *field_at(f, w->node, block) != FIELD_HOLDS || f->may_send[w->node] == 0)
                continue;
            uint32_t channel = first_channel(w->common);
            rwa_lightpath lp = {.src = w->node, .dst = node, .fiber = channel / f->wavelengths,
                                .wavelength = channel % f->wavelengths, .direction = w->dir, .block = block};
            *sent = true;
            st = take(f, &lp, d);
        }
    if (common != stack)
        free(common);
    return st;
}

void field_end(struct field *f)
{
    for (size_t i = f->count; i > 0 && f->sent[i - 1].step == f->step; i--)
        *field_at(f, f->sent[i - 1].dst, f->sent[i - 1].block) = FIELD_HOLDS;
}

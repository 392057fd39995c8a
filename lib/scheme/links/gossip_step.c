/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Blocks that spread between neighbours, rare ones first, so that narrow links carry something new in nearly every step. */
#include "scheme/links/gossip.h"

#include "base/bins.h"

/** Blocks that fewer nodes hold come first: of so many classes, as near as can be equally large. */
enum { CLASSES = GOSSIP_CLASSES };

rwa_status gossip_open(struct gossip *g, const rwa_network *net, const struct way *way, bool keep, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net), blocks = nodes * way->parts;
    *g = (struct gossip){.net = net, .way = *way, .nodes = nodes, .links = net->link_count, .blocks = blocks,
                         .channels = rwa_network_channels(net), .words = ceil_div(blocks, 64), .random = 1, .keep = keep,
                         .missing = (size_t)(nodes - 1) * blocks, .memory = {.err = err}};
    arena_new(&g->memory, g->has, nodes * g->words);
    arena_new(&g->memory, g->offers, nodes * g->words);
    arena_new(&g->memory, g->sent, g->links * g->words);
    arena_new(&g->memory, g->rare, CLASSES * g->words);
    arena_new(&g->memory, g->holders, blocks);
    arena_new(&g->memory, g->sorted, blocks);
    arena_new(&g->memory, g->order, g->links);
    arena_new(&g->memory, g->spent, g->links);
    MUST(arena_status(&g->memory));
    for (uint32_t b = 0; b < blocks; b++) {
        g->has[b / way->parts * g->words + b / 64] |= (uint64_t)1 << b % 64;
        g->holders[b] = 1;
    }
    for (uint32_t l = 0; l < g->links; l++)
        g->order[l] = l;
    return RWA_OK;
}

void gossip_close(struct gossip *g)
{
    arena_free(&g->memory);
    free_all(g->count, g->load, g->sequence);
}

/** Sort blocks by holders, and divide them into classes. */
static rwa_status find_classes(struct gossip *g, rwa_error *err)
{
    struct bins by = {0};
    rwa_status st = bins_open(&by, g->nodes + 1, err);
    TRY(st);
    for (uint32_t b = 0; b < g->blocks; b++)
        bins_count(&by, g->holders[b]);
    TRY(bins_divide(&by, g->nodes + 1, err));
    for (uint32_t b = 0; b < g->blocks; b++)
        g->sorted[bins_place(&by, g->holders[b])] = b;
    memset(g->rare, 0, CLASSES * g->words * sizeof *g->rare);
    for (uint32_t i = 0; i < g->blocks; i++)
        g->rare[(uint64_t)i * CLASSES / g->blocks * g->words + g->sorted[i] / 64] |= (uint64_t)1 << g->sorted[i] % 64;
done:
    bins_free(&by);
    return st;
}

/** Send up to `wanted` blocks of a class over a link, from one on and round; returns how many. */
static uint32_t send_class(struct gossip *g, uint32_t link, const uint64_t *class, uint32_t begin, uint32_t wanted)
{
    const uint64_t *offers = g->offers + g->net->links[link].from * g->words;
    uint64_t *has = g->has + g->net->links[link].to * g->words, *sent = g->sent + link * g->words;
    uint64_t later = ~(uint64_t)0 << begin % 64;
    uint32_t found = 0;
    for (size_t i = 0, word = begin / 64; i <= g->words && found < wanted; i++, word = word + 1 < g->words ? word + 1 : 0) {
        uint64_t rest = offers[word] & ~has[word] & class[word];
        for (rest &= i == 0 ? later : i == g->words ? ~later : ~(uint64_t)0; rest && found < wanted; rest &= rest - 1, found++) {
            has[word] |= rest & -rest;
            sent[word] |= rest & -rest;
            g->holders[64 * word + (uint32_t)__builtin_ctzll(rest)]++;
        }
    }
    return found;
}

/** One block more for each lightpath of a link, as far as there are any. */
static void send_round(struct gossip *g, uint32_t link)
{
    uint32_t begin = (uint32_t)base_random_below(&g->random, g->blocks), found = 0;
    for (size_t class = 0; class < CLASSES && found < g->channels; class++)
        found += send_class(g, link, g->rare + class * g->words, begin, g->channels - found);
    g->count[(size_t)g->steps * g->links + link] += found;
    g->missing -= found;
    g->spent[link] = found < g->channels;
}

/** Note which blocks the links carried. */
static rwa_status keep_sent(struct gossip *g, rwa_error *err)
{
    for (uint32_t link = 0; link < g->links; link++)
        for (size_t word = 0; word < g->words; word++)
            for (uint64_t rest = g->sent[link * g->words + word]; rest; rest &= rest - 1)
                MUST(base_append(g->sequence, g->sequence_count, g->sequence_room, err,
                                 (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(rest)));
    return RWA_OK;
}

static rwa_status begin_step(struct gossip *g, rwa_error *err)
{
    size_t before = (size_t)g->steps * g->links;
    MUST(find_classes(g, err));
    MUST(base_grow((void **)&g->count, &g->count_room, before + g->links, sizeof *g->count, err));
    MUST(base_grow((void **)&g->load, &g->load_room, g->steps + 1, sizeof *g->load, err));
    memset(g->count + before, 0, g->links * sizeof *g->count);
    memcpy(g->offers, g->has, g->nodes * g->words * sizeof *g->has);
    memset(g->sent, 0, g->links * g->words * sizeof *g->sent);
    memset(g->spent, 0, g->links * sizeof *g->spent);
    return RWA_OK;
}

/* In each round every lightpath takes one block more, in another order; the step ends when none does. */
rwa_status gossip_step(bool *some, struct gossip *g, struct budget *budget, rwa_error *err)
{
    uint32_t round = 0;
    bool more = true;
    MUST(begin_step(g, err));
    for (; round < g->way.most && more; round += more) {
        size_t before = g->missing;
        base_shuffle(g->order, g->links, &g->random);
        for (uint32_t i = 0; i < g->links; i++)
            if (!g->spent[g->order[i]])
                send_round(g, g->order[i]);
        more = g->missing < before;
        if (base_must_stop(budget, "passing on blocks", -1))
            return base_fail(err, RWA_CANCELLED, "planning was stopped");
    }
    *some = round > 0;
    if (!*some)
        return RWA_OK;
    if (g->keep)
        MUST(keep_sent(g, err));
    g->load[g->steps++] = round;
    return RWA_OK;
}

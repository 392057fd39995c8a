/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the cycles of a network whose nodes form a group, and assign channels to the offsets along them.  An offset is
 * a circuit that every node has (standing.h).  The channels of a cycle are divided into periods of equally many; the
 * lightpath of an offset takes as many places in a period as it has links, and its slot tells its channel at every
 * node. */
#include "scheme/circuits/standing.h"

void standing_network_close(struct standing_network *s)
{
    arena_free(&s->memory);
    *s = (struct standing_network){0};
}

/* ---- cycles ---- */

/** Append a cycle to s->cycle: it leads from node `from` over node 0 to node `to`, and on by the same translation.
 * Its tables have an entry for every node of the network, also for those on translations of the cycle. */
static rwa_status walk_cycle(struct standing_network *s, uint32_t to, uint32_t from)
{
    struct link_cycle *c = &s->cycle[s->cycles];
    MUST(arena_arrays(&s->memory, s->nodes, c->next, c->before, c->place));
    for (uint32_t v = 0; v < s->nodes; v++) {
        MUST(circuits_go_on_at(s->budget, v, s->memory.err));
        c->next[v] = translations_add(&s->group, v, to);
        c->before[v] = translations_add(&s->group, v, from);
        c->place[v] = UINT32_MAX;
    }
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t at = v, place = 0; c->place[at] == UINT32_MAX; at = c->next[at])
            c->place[at] = place++;
    for (uint32_t v = c->next[0]; v != 0; v = c->next[v])
        c->order++;
    c->order++;
    s->cycles++;
    return RWA_OK;
}

/** Find the cycles through node 0, one for each pair of links that lead from node 0 to the next and the previous node
 * of a cycle. s->cycles becomes 0 if a link is in no such pair, or if there are too many cycles. */
static rwa_status walk_links(struct standing_network *s)
{
    const rwa_network *net = s->net;
    for (uint32_t k = net->first[0]; k < net->first[1]; k++) {
        uint32_t to = net->links[net->out[k]].to, from = translations_move(&s->group, 0, to, 0);
        bool paired = rwa_network_find_link(net, 0, from) != RWA_NONE;
        if (!paired || s->cycles == CYCLES_MOST) {
            s->cycles = 0;
            return RWA_OK;
        }
        if (to <= from)
            MUST(walk_cycle(s, to, from));
    }
    return RWA_OK;
}

static bool adds_up(struct standing_network *s)
{
    bool plain = !network_has_reserved(s->net) && rwa_network_ports(s->net) == 0;
    return plain && network_is_uniform(s->net) && !network_is_one_hop(s->net) && translations_of(&s->group, s->net) &&
           (network_has_arcs(s->net) || (!network_has_parallel_links(s->net) && rwa_network_is_paired(s->net)));
}

rwa_status standing_network_open(struct standing_network *out, const rwa_network *net, uint32_t max_hops,
                                 struct budget *budget, rwa_error *err)
{
    *out = (struct standing_network){.net = net, .nodes = rwa_network_nodes(net), .channels = rwa_network_channels(net),
                                     .max_hops = max_hops > 0 ? max_hops : UINT32_MAX, .budget = budget,
                                     .memory = {.err = err}};
    if (!adds_up(out))
        return RWA_OK;
    MUST(arena_arrays(&out->memory, out->channels, out->left));
    return network_has_arcs(net) ? walk_cycle(out, 1, out->nodes - 1) : walk_links(out);
}

/* ---- channels ---- */

/** Return the number of channels in a period on a cycle of `order` nodes.  It is at least `longest`, divides `order`,
 * and is chosen so that the periods that fit into the channels use the most of them; 0: there is none. */
static uint32_t best_period(uint32_t order, uint32_t longest, uint32_t channels)
{
    uint32_t best = 0, used = 0;
    for (uint32_t p = longest; p <= order && p <= channels; p++)
        if (order % p == 0 && channels / p * p >= used) {
            best = p;
            used = channels / p * p;
        }
    return best;
}

/** Return the number of links of the i-th shortest offset of `choice`, where i counts from 0. */
static uint32_t links_of(const struct offset_choice *choice, size_t i)
{
    return choice->ratio > 1 ? (uint32_t)lround(pow(choice->ratio, (double)i)) : (uint32_t)i + 1;
}

static uint32_t copies_of(uint32_t links, uint32_t scale)
{
    uint32_t copies = (uint32_t)(scale / sqrt(links));
    return copies > 0 ? copies : 1;
}

/**
 * Give every lightpath of the `count` shortest offsets a slot: the last free places of the first period that has
 * enough.  `slot` receives the slots, those of the longest offset first.  `scale` determines the number of lightpaths
 * of each offset (copies_of()).
 * @param period  the number of channels of a period
 * @return whether all fit
 */
static bool fill_periods(uint32_t *slot, const struct standing_network *s, uint32_t period,
                         const struct offset_choice *choice, size_t count, uint32_t scale)
{
    uint32_t periods = s->channels / period;
    size_t at = 0;
    for (uint32_t p = 0; p < periods; p++)
        s->left[p] = period;
    for (size_t i = count; i-- > 0;) {
        uint32_t links = links_of(choice, i), copies = copies_of(links, scale);
        for (uint32_t p = 0, copy = 0; copy < copies; copy++) {
            while (p < periods && s->left[p] < links)
                p++;
            if (p == periods)
                return false;
            slot[at++] = p * period + s->left[p] % period; /* on one channel they begin where the ones before end */
            s->left[p] -= links;
        }
    }
    return true;
}

/** Return how many different lengths offsets have on cycle c: the lengths of `choice`, from the shortest on, that
 * exceed neither the hop limit nor half the cycle. */
static size_t lengths_on(const struct standing_network *s, const struct link_cycle *c,
                         const struct offset_choice *choice)
{
    size_t count = 0;
    for (; count < choice->lengths; count++) {
        uint32_t links = links_of(choice, count);
        if (links > s->max_hops || (links > 1 && 2 * links > c->order))
            break;
    }
    return count;
}

static void add_offset(struct offsets *out, struct offset offset, bool symmetric)
{
    offset.inverse = (uint32_t)out->count;
    out->list[out->count++] = offset;
    if (symmetric)
        return;
    offset.back = true;
    out->list[out->count - 1].inverse = (uint32_t)out->count;
    offset.inverse = (uint32_t)out->count - 1;
    out->list[out->count++] = offset;
}

/** Return the largest scale with which the lightpaths of the `count` shortest offsets fit; 0: not even one for each
 * fits.  The number of lightpaths of each offset grows with the scale (copies_of()).  A period has `period` channels;
 * `slot` is scratch. */
static uint32_t largest_scale(uint32_t *slot, const struct standing_network *s, uint32_t period,
                              const struct offset_choice *choice, size_t count)
{
    uint32_t low = 0, high = RWA_CHANNELS_MAX;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (fill_periods(slot, s, period, choice, count, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool choose_on_cycle(struct offsets *out, const struct standing_network *s, size_t cycle,
                            const struct offset_choice *choice)
{
    const struct link_cycle *c = &s->cycle[cycle];
    size_t count = lengths_on(s, c, choice), first = cycle * s->channels;
    if (count == 0 || out->count + 2 * count > OFFSETS_MOST)
        return false;
    /* one link in each direction: both lightpaths have the same channel */
    bool pair = c->order == 2 && !network_has_arcs(s->net);
    uint32_t period = pair ? 1 : best_period(c->order, links_of(choice, count - 1), s->channels);
    uint32_t scale = period > 0 ? largest_scale(out->slot + first, s, period, choice, count) : 0;
    if (scale == 0)
        return false;
    out->period[cycle] = period;
    bool fits = fill_periods(out->slot + first, s, period, choice, count, scale);
    assert(fits);
    (void)fits;
    for (size_t i = count; i-- > 0;) {
        struct offset offset = {.cycle = (uint32_t)cycle, .links = links_of(choice, i), .first = first};
        offset.lightpaths = copies_of(offset.links, scale);
        add_offset(out, offset, pair);
        first += offset.lightpaths;
    }
    return true;
}

void offsets_choose(struct offsets *out, const struct standing_network *s, const struct offset_choice *choice)
{
    bool fits = choice->lengths <= LENGTHS_MOST;
    out->count = 0;
    for (size_t c = 0; c < s->cycles && fits; c++)
        fits = choose_on_cycle(out, s, c, choice);
    if (!fits)
        out->count = 0;
}

uint32_t offset_end(const struct standing_network *s, const struct offset *offset, uint32_t node)
{
    const struct link_cycle *c = &s->cycle[offset->cycle];
    for (uint32_t i = 0; i < offset->links; i++)
        node = offset->back ? c->before[node] : c->next[node];
    return node;
}

uint32_t offset_channel(const struct standing_network *s, const struct offsets *offsets, const struct offset *offset,
                        uint32_t k, uint32_t node)
{
    const struct link_cycle *c = &s->cycle[offset->cycle];
    uint32_t period = offsets->period[offset->cycle], slot = offsets->slot[offset->first + k], place = c->place[node];
    assert(k < offset->lightpaths);
    if (offset->back) /* where its links begin */
        place = (place + c->order - offset->links) % c->order;
    return slot - slot % period + (slot + place) % period;
}

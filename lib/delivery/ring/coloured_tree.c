/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths of a template tree.  In c->order the deliveries (the offsets that receive) are sorted by slot (a step and
 * a direction) and in a slot by offset.  Deliveries of one sender in a slot may share a lightpath, which has several
 * receivers then. */
#include "delivery/ring/coloured_tree.h"

#include "delivery/ring/periodic_colouring.h"

static const struct delivery *delivery_of(const struct coloured_tree *c, uint32_t i)
{
    assert(i < c->tree.nodes - 1);
    return &c->tree.at[c->order[i]];
}

/** Return receiver i of lightpath k, the nearest to the sender first.  The receivers stand in c->order by rising
 * offset, so on a counterclockwise lightpath the farthest one comes first there. */
uint32_t coloured_tree_reader(const struct coloured_tree *c, uint32_t k, uint32_t i)
{
    bool up = delivery_of(c, c->lightpath[k])->way % 2 == 0;
    assert(i < coloured_tree_readers(c, k));
    return c->order[up ? c->lightpath[k] + i : c->lightpath[k + 1] - 1 - i];
}

uint32_t coloured_tree_end(const struct coloured_tree *c, uint32_t k)
{
    return coloured_tree_reader(c, k, coloured_tree_readers(c, k) - 1);
}

/** Return the index in c->order behind the deliveries that begin at index `at` and have the same sender; at most
 * `end`. */
static uint32_t end_of_run(const struct coloured_tree *c, uint32_t at, uint32_t end)
{
    const struct delivery *head = delivery_of(c, at);
    while (at < end && delivery_of(c, at)->from == head->from)
        at++;
    return at;
}

/** Divide the deliveries at … end - 1 of c->order, all from one sender, among the fewest lightpaths of at most `most`
 * deliveries each.  If one lightpath gets fewer, it is that of the nearest receivers.  Store in c->lightpath where each
 * lightpath begins, from number `next` on; return the number after the last one. */
static uint32_t cut_run(struct coloured_tree *c, uint32_t next, uint32_t at, uint32_t end, uint32_t most)
{
    uint32_t over = (end - at) % most;
    bool near_first = delivery_of(c, at)->way % 2 == 0 && over > 0;
    for (uint32_t size = near_first ? over : most; at < end; at += size, size = most)
        c->lightpath[next++] = at;
    return next;
}

rwa_status coloured_tree_cut(struct coloured_tree *c, uint32_t most, rwa_error *err)
{
    struct bins bins = {0};
    uint32_t next = 0, at = 0;
    rwa_status st = RWA_OK;
    assert(most >= 1 && c->tree.trees == 1 && !c->order);
    size_t slots = coloured_tree_slots(c);
    MUST(base_new(c->lightpath, (size_t)c->tree.nodes + 1, err));
    MUST(base_new(c->first, slots + 1, err));
    MUST(base_new(c->colouring, slots, err));
    TRY(delivery_tree_list(&bins, &c->tree, true, err));
    c->order = bins.number;
    bins.number = NULL;
    for (size_t slot = 0; slot < slots; slot++) {
        c->first[slot] = next;
        for (uint32_t end = (uint32_t)bins.first[slot + 1], stop; at < end; at = stop) {
            stop = end_of_run(c, at, end);
            next = cut_run(c, next, at, stop, most);
        }
    }
    assert(at == c->tree.nodes - 1);
    c->first[slots] = next;
    c->lightpath[next] = at;
done:
    bins_free(&bins);
    return st;
}

rwa_status coloured_tree_colour(struct coloured_tree *c, bool *fits, uint64_t *load, uint32_t channels,
                                struct budget *budget, rwa_error *err)
{
    enum { POLL_SLOTS = 1 << 14 };
    rwa_status st = RWA_OK;
    uint32_t *length;
    MUST(base_new(length, c->tree.nodes, err));
    *fits = true;
    for (size_t slot = 0; slot < coloured_tree_slots(c); slot++) {
        uint32_t count = c->first[slot + 1] - c->first[slot];
        uint64_t sum = 0;
        if (slot % POLL_SLOTS == POLL_SLOTS - 1 && base_must_stop(budget, "wavelengths", -1) && budget->cancelled)
            TRY(base_fail(err, RWA_CANCELLED, "planning was stopped at the wavelengths of a tree"));
        for (uint32_t k = 0; k < count; k++)
            sum += length[k] = c->tree.at[coloured_tree_end(c, c->first[slot] + k)].links;
        load[slot] = sum;
        TRY(colouring_find(&c->colouring[slot], length, count, c->tree.nodes, channels, err));
        *fits = *fits && (count == 0 || c->colouring[slot].size > 0);
    }
done:
    free(length);
    return st;
}

void coloured_tree_free(struct coloured_tree *c)
{
    for (size_t slot = 0; c->colouring && slot < coloured_tree_slots(c); slot++)
        colouring_free(&c->colouring[slot]);
    free_all(c->colouring, c->order, c->lightpath, c->first);
    delivery_tree_free(&c->tree);
    memset(c, 0, sizeof *c);
}

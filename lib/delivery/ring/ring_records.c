/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Records for the copies of a template tree at all owners.  The tree may be that of a larger ring, where wavelengths
 * were found: then the ring's nodes from nodes-1 on are one node of the network, its last one, and lightpaths between
 * them vanish. */
#include "delivery/ring/ring_records.h"

#include "delivery/ring/periodic_colouring.h"

/** The owner, sender and receiver of a delivery, on a ring that may have more nodes than the network. */
struct endpoints {
    uint32_t owner, src, dst;
};

/** The channel of the first lightpath of an orbit.  It rises by one with each node, modulo the period. */
struct channel_run {
    uint32_t channel, orbit, period;
};

/** The sink for the records, and what is needed to write them. */
struct record_writer {
    struct schedule_sink *sink;
    const struct coloured_tree *coloured;
    uint32_t nodes;
    uint32_t *first_informed;   /* NULL, or of each owner: of the nodes taken for one, the one that receives first */
    uint32_t *list;             /* scratch: readers of one lightpath */
};

static uint32_t real(uint32_t node, uint32_t nodes)
{
    return node < nodes ? node : nodes - 1;
}

static rwa_status push_record(const struct record_writer *to, const struct delivery *d, const struct endpoints *at,
                              const struct channel_run *run, const rwa_lists *lists)
{
    rwa_lightpath lp = {
        .step = d->step,
        .src = real(at->src, to->nodes),
        .dst = real(at->dst, to->nodes),
        .direction = (rwa_direction)d->way,
        .block = at->owner,
        .wavelength = run->channel,
        .orbit = run->orbit,
        .period = run->period,
    };
    assert(lp.src != lp.dst);
    return sink_lightpath(to->sink, &lp, lists);
}

/* ---- one block a lightpath, perhaps on a larger ring ---- */

/** If the tree is that of a larger ring, its nodes from number to->nodes - 1 on are all the last node of the network.
 * Set to->first_informed[owner], for each owner, to the one of these nodes that receives the owner's block first. */
static rwa_status list_first_informed(struct record_writer *to)
{
    const struct delivery_tree *t = &to->coloured->tree;
    if (t->nodes == to->nodes)
        return RWA_OK;
    MUST(base_new(to->first_informed, to->nodes, to->sink->err));
    for (uint32_t owner = 0; owner < to->nodes; owner++) {
        uint32_t best = to->nodes - 1;
        for (uint32_t node = best; node < t->nodes; node++)
            if (t->at[node - owner].step < t->at[best - owner].step)
                best = node;
        to->first_informed[owner] = best;
    }
    return RWA_OK;
}

/** Return owner, sender and receiver of one copy of the template delivery to `offset`: the copy whose route begins, in
 * clockwise order, at node `lowest`. */
static struct endpoints endpoints_of(const struct delivery_tree *t, uint32_t offset, uint32_t lowest)
{
    const struct delivery *d = &t->at[offset];
    uint32_t owner = (lowest + t->nodes - (d->way == RWA_CW ? d->from : offset)) % t->nodes;
    return (struct endpoints){owner, (owner + d->from) % t->nodes, (owner + offset) % t->nodes};
}

/** Return for how many successive owners, from at->owner on, the copies of a lightpath are translations of each other
 * in the network, so that they can be one orbit.  UINT32_MAX: all of them, since the network is the ring itself. */
static uint32_t alike(const struct record_writer *to, uint32_t lightpath, const struct endpoints *at)
{
    uint32_t ring = to->coloured->tree.nodes, last = to->nodes - 1, farthest = at->src, left = to->nodes - at->owner;
    if (!to->first_informed)
        return UINT32_MAX;
    if (at->owner > last)
        return ring - at->owner;
    for (uint32_t i = 0; i < coloured_tree_readers(to->coloured, lightpath); i++) {
        uint32_t node = (at->owner + coloured_tree_reader(to->coloured, lightpath, i)) % ring;
        RAISE(farthest, node);
    }
    if (farthest >= last)
        return 1;
    return last - farthest < left ? last - farthest : left;
}

/** Tell whether the network needs the delivery of an owner's block to a node of the larger ring.  It does not if the
 * owner is no node of the network.  Several nodes of the ring stand for the last node of the network; of these it needs
 * only the one that is informed first. */
static bool is_real(const struct record_writer *to, uint32_t owner, uint32_t node)
{
    uint32_t last = to->nodes - 1;
    return !to->first_informed || (owner <= last && (node < last || node == to->first_informed[owner]));
}

/** List in to->list the receivers of an owner's block on a lightpath, the nearest first: nodes of the network that need
 * the delivery (is_real()).  *end is set to the last one, as a node of the larger ring.  Returns their number. */
static uint32_t list_readers(struct record_writer *to, uint32_t *end, uint32_t lightpath, uint32_t owner)
{
    const struct coloured_tree *c = to->coloured;
    uint32_t count = 0;
    for (uint32_t i = 0; i < coloured_tree_readers(c, lightpath); i++) {
        uint32_t node = (owner + coloured_tree_reader(c, lightpath, i)) % c->tree.nodes;
        if (!is_real(to, owner, node))
            continue;
        *end = node;
        to->list[count++] = real(node, to->nodes);
    }
    return count;
}

/** Push the copies of a template lightpath, which is one of this slot, for all owners, in as few orbits as the channels
 * allow. */
static rwa_status push_lightpath(struct record_writer *to, uint32_t lightpath, size_t slot)
{
    const struct coloured_tree *c = to->coloured;
    const struct colouring *colouring = &c->colouring[slot];
    struct channel_run run;
    uint32_t offset = coloured_tree_end(c, lightpath), count;
    for (uint32_t node = 0; node < colouring->nodes; node += run.orbit) {
        struct endpoints at = endpoints_of(&c->tree, offset, node);
        uint32_t same = alike(to, lightpath, &at);
        run.channel = colouring_channel(colouring, lightpath - c->first[slot], node, &run.orbit, &run.period);
        LOWER(run.orbit, same);
        count = list_readers(to, &at.dst, lightpath, at.owner);
        if (count > 0)
            MUST(push_record(to, &c->tree.at[offset], &at, &run,
                             &(rwa_lists){.taps = to->list, .tap_count = count - 1}));
    }
    return RWA_OK;
}

rwa_status push_coloured_tree(struct schedule_sink *sink, const struct coloured_tree *c)
{
    struct record_writer to = {.sink = sink, .coloured = c, .nodes = c->nodes};
    rwa_status st = list_first_informed(&to);
    if (st == RWA_OK)
        st = base_new(to.list, c->tree.nodes, sink->err);
    for (size_t slot = 0; slot < coloured_tree_slots(c); slot++)
        for (uint32_t k = c->first[slot]; st == RWA_OK && k < c->first[slot + 1]; k++)
            st = push_lightpath(&to, k, slot);
    free_all(to.list, to.first_informed);
    return st;
}

/* ---- a tree for each owner ---- */

rwa_status push_owner_trees(struct schedule_sink *sink, const struct delivery_tree *t)
{
    struct record_writer to = {.sink = sink, .nodes = t->nodes};
    struct bins steps = {0};
    rwa_status st = RWA_OK;
    TRY(delivery_tree_list(&steps, t, false, sink->err));
    for (size_t i = 0; i < steps.first[t->steps]; i++) {
        uint32_t owner = steps.number[i] / t->nodes, offset = steps.number[i] % t->nodes;
        const struct delivery *d = &t->at[steps.number[i]];
        struct endpoints at = {owner, (owner + d->from) % t->nodes, (owner + offset) % t->nodes};
        TRY(push_record(&to, d, &at, &(struct channel_run){d->channel, 1, 0}, NULL));
    }
done:
    bins_free(&steps);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bound/bound.h"

#include "network/network.h"

#include <string.h>

/** One row: value 0 says that the bound does not apply. */
struct bound_entry {
    const char *name;
    const char *unit;
    const char *statement;
    const char *source;
    rwa_status (*compute)(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err);
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/** Lightpaths over the middle link of a line, per direction, when every node sends to every other. */
static uint64_t quarter_square(uint32_t nodes)
{
    return (uint64_t)nodes * nodes / 4;
}

/** One lightpath from every node to every other: an exchange of one block per (ordered) pair. */
static bool is_full_exchange(const struct bound_case *c)
{
    if (c->coll->kind == RWA_ALL_GATHER)
        return c->coll->blocks == c->nodes;
    return c->coll->kind == RWA_ALL_TO_ALL && c->coll->blocks == (uint64_t)c->nodes * c->nodes;
}

static rwa_status line_exchange(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)holds, (void)err;
    if (c->kind == RWA_LINE && is_full_exchange(c))
        *value = quarter_square(c->nodes);
    return RWA_OK;
}

static rwa_status ring_printed(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (c->kind == RWA_RING && is_full_exchange(c))
        *value = divide_up((uint64_t)c->nodes * c->nodes, 8);
    *holds = c->nodes % 2 == 0;
    return RWA_OK;
}

static rwa_status ring_exact(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)holds, (void)err;
    if (c->kind == RWA_RING && is_full_exchange(c))
        *value = divide_up(quarter_square(c->nodes), 2);
    return RWA_OK;
}

static rwa_status load(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)holds, (void)err;
    if (is_full_exchange(c))
        *value = divide_up(quarter_square(c->nodes), (c->kind == RWA_RING ? 2 : 1) * (uint64_t)c->fibers);
    return RWA_OK;
}

/** Some node (on a line: the last one) owns only floor(blocks / nodes) of the blocks and must receive the others. */
static rwa_status receive(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)holds, (void)err;
    if (c->coll->kind == RWA_ALL_GATHER)
        *value = divide_up(c->coll->blocks - c->coll->blocks / c->nodes,
                           (c->kind == RWA_RING ? 2 : 1) * (uint64_t)c->channels);
    return RWA_OK;
}

static rwa_status broadcast_tree(uint64_t *value, int *holds, const struct bound_case *c, rwa_error *err)
{
    (void)holds;
    return c->coll->kind == RWA_ALL_GATHER ? bound_tree(value, c, err) : RWA_OK;
}

static const struct bound_entry entries[] = {
    {"lemma1-line", "wavelengths",
     "a one-stage exchange on a line needs at least floor(N^2/4) wavelengths (over all fibres), the lightpaths over its "
     "middle link", "OpTree, Lemma 1", line_exchange},
    {"lemma1-ring", "wavelengths",
     "a one-stage exchange on a ring needs ceil(N^2/8) wavelengths (over all fibres) as printed; for odd N one fewer "
     "suffices, so it is no lower bound there", "OpTree, Lemma 1", ring_printed},
    {"ring-alltoall-exact", "wavelengths",
     "a one-stage exchange on a ring needs exactly ceil(floor(N^2/4)/2) wavelengths (over all fibres): the shortest "
     "routes add up to N floor(N^2/4) hops on 2N directed links", "counting of shortest routes", ring_exact},
    {"line-alltoall-exact", "wavelengths",
     "a one-stage exchange on a line needs exactly floor(N^2/4) wavelengths (over all fibres): routes on a line are "
     "intervals, which never need more than the load", "OpTree, Lemma 1; colouring of interval graphs", line_exchange},
    {"load", "wavelengths",
     "a one-stage exchange needs, per fibre, at least the lightpaths over the fullest directed link divided by the "
     "fibres (on a ring: all shortest routes spread evenly over both directions)", "counting of link loads", load},
    {"receive", "steps",
     "a node takes in at most one block per incoming channel and step, and must receive all the blocks it does not own",
     "counting at a node", receive},
    {"broadcast-tree", "steps",
     "every block needs a tree of lightpaths that reaches all nodes in time, and the cheapest trees of all blocks must "
     "fit the channels of all links and steps", "own bound; exact recurrence over the gaps between holders",
     broadcast_tree},
};

size_t rwa_bound_count(void)
{
    return sizeof entries / sizeof entries[0];
}

void rwa_bound_options_init_sized(rwa_bound_options *opts, size_t size)
{
    rwa_bound_options defaults = {.struct_size = sizeof defaults};
    memcpy(opts, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opts->struct_size = size;
}

rwa_status rwa_bounds(rwa_bound *list, size_t capacity, size_t *count, const rwa_network *net,
                      const rwa_collective *coll, const rwa_bound_options *opts, rwa_error *err)
{
    rwa_bound_options o;
    rwa_status st = RWA_OK;
    *count = 0;
    rwa_bound_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "bound options", err));
    TRY(network_needs_arcs(net, "the table of bounds", err));
    if (capacity < rwa_bound_count())
        return base_fail(err, RWA_BADARG, "room for %zu bounds: expected at least %zu", capacity, rwa_bound_count());
    if (coll->nodes != rwa_network_nodes(net))
        return base_fail(err, RWA_BADARG, "a collective on %u nodes does not fit a network of %u", coll->nodes,
                         rwa_network_nodes(net));
    struct watch watch = base_watch(0, o.poll, o.poll_data);
    struct bound_case c = {rwa_network_get_kind(net), coll->nodes, rwa_network_fibers(net), rwa_network_channels(net),
                           o.max_hops, coll, &watch};
    for (size_t i = 0; i < rwa_bound_count(); i++) {
        const struct bound_entry *e = &entries[i];
        rwa_bound found = {e->name, 0, e->unit, e->statement, e->source, 1};
        TRY(e->compute(&found.value, &found.holds, &c, err));
        if (found.value > 0)
            list[(*count)++] = found;
    }
done:
    return st;
}

rwa_status rwa_bound_best(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, rwa_error *err)
{
    rwa_bound list[sizeof entries / sizeof entries[0]];
    size_t count = 0;
    *out = (rwa_bound){"none", 0, "steps", "no bound in steps applies", "", 1};
    rwa_status st = rwa_bounds(list, sizeof list / sizeof list[0], &count, net, coll, opts, err);
    for (size_t i = 0; st == RWA_OK && i < count; i++)
        if (list[i].holds && strcmp(list[i].unit, "steps") == 0 && list[i].value > out->value)
            *out = list[i];
    return st;
}

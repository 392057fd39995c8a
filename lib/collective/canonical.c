/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collective/canonical.h"

#include "collective/needs.h"
#include "network/network.h"
#include "network/translations.h"

/** Number the participants in ascending order of their places on the canonical network (network_canonical()).  Set
 *  t->members, t->participant and t->coll.root accordingly.  `members` lists the nodes of the participants (NULL: all);
 *  `rank` is scratch with an entry for each node of `net`. */
static void number_places(struct canonical_task *t, uint32_t *rank, const rwa_network *net, const uint32_t *members)
{
    uint32_t nodes = rwa_network_nodes(net), root = t->coll.root, found = 0;
    memset(rank, 0xff, nodes * sizeof *rank);
    for (uint32_t r = 0; r < t->coll.nodes; r++)
        rank[network_canonical_place(net, base_mapped(members, r))] = r;
    for (uint32_t place = 0; place < nodes; place++) {
        if (rank[place] == UINT32_MAX)
            continue;
        if (t->members)
            t->members[found] = place;
        if (rank[place] == root)
            t->coll.root = found;
        t->participant[found++] = rank[place];
    }
    assert(found == t->coll.nodes);
}

/** Tell whether the nodes can be renumbered without a change in how many blocks each owns: blocks have no owners, or
 *  all nodes own equally many. */
static bool can_move(const rwa_collective *coll)
{
    return !collective_has_owners(coll->kind) || coll->blocks % coll->nodes == 0;
}

bool canonical_applies(const rwa_network *net, const rwa_collective *coll)
{
    return !network_canonical_nodes(net) || can_move(coll);
}

rwa_status canonical_open(struct canonical_task *t, const rwa_network *net, const rwa_collective *coll,
                          const uint32_t *members, rwa_error *err)
{
    uint32_t *rank;
    bool applies = canonical_applies(net, coll);
    *t = (struct canonical_task){.net = applies ? network_canonical(net) : net, .coll = *coll};
    if (members)
        MUST(base_new(t->members, coll->nodes, err));
    if (!network_canonical_nodes(net) || !applies) {
        if (members)
            memcpy(t->members, members, coll->nodes * sizeof *members);
        return RWA_OK;
    }
    MUST(base_new(t->participant, coll->nodes, err));
    MUST(base_new(rank, rwa_network_nodes(net), err));
    number_places(t, rank, net, members);
    free(rank);
    return RWA_OK;
}

/** Describe a network as a grid; return false if it is not a grid.  A line counts as a mesh of one dimension: `nodes`
 *  points to its number of nodes, and *grid borrows it. */
static bool take_grid(struct network_grid *grid, const rwa_network *net, const uint32_t *nodes)
{
    if (network_has_arcs(net) && (network_capabilities(net) & NETWORK_PATH)) {
        *grid = (struct network_grid){nodes, 1, false};
        return true;
    }
    return network_grid(grid, net);
}

/** Return the node to which a symmetry of the grid takes `node`: on a torus the translation that takes node 0 to the
 *  root; on a mesh the reflection of every dimension in which the root lies beyond the middle. */
static uint32_t move_node(const struct network_grid *grid, uint32_t node, uint32_t root)
{
    uint32_t moved = 0, stride = 1;
    for (size_t d = grid->dimensions; d-- > 0;) {
        uint32_t size = grid->size[d], at = node % size, to = root % size;
        moved += (grid->cyclic ? (at + to) % size : 2 * to + 1 > size ? size - 1 - at : at) * stride;
        stride *= size;
        node /= size;
        root /= size;
    }
    return moved;
}

rwa_status canonical_move_root(struct canonical_task *t, const rwa_network *real, rwa_error *err)
{
    struct network_grid grid;
    uint32_t root = t->coll.root, nodes = rwa_network_nodes(t->net), place = 0;
    bool plain = rwa_collective_has_root(t->coll.kind) && can_move(&t->coll) && !t->members &&
                 network_is_uniform(t->net) && take_grid(&grid, t->net, &nodes);
    while (plain && move_node(&grid, place, root) != root)
        place++;
    if (!plain || place == root)
        return RWA_OK;
    free(t->participant);
    MUST(base_new(t->participant, nodes, err));
    MUST(base_new(t->node, nodes, err));
    for (uint32_t v = 0; v < nodes; v++)
        t->node[v] = t->participant[v] = network_canonical_node(real, move_node(&grid, v, root));
    t->coll.root = place;
    return RWA_OK;
}

void canonical_close(struct canonical_task *t)
{
    free_all(t->members, t->participant, t->node);
}

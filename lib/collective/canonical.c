/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collective/canonical.h"

#include "collective/needs.h"
#include "network/network.h"
#include "network/translations.h"

/** Number the participants by their places: those in places that take part, in ascending order. */
static void number_places(struct canonical_task *t, uint32_t *rank, const rwa_network *net, const uint32_t *members)
{
    uint32_t nodes = rwa_network_nodes(net), root = t->coll.root, found = 0;
    memset(rank, 0xff, nodes * sizeof *rank);
    for (uint32_t r = 0; r < t->coll.nodes; r++)
        rank[network_canonical_place(net, members ? members[r] : r)] = r;
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

bool canonical_applies(const rwa_network *net, const rwa_collective *coll)
{
    return !network_canonical_nodes(net) || !collective_has_owners(coll->kind) || coll->blocks % coll->nodes == 0;
}

rwa_status canonical_open(struct canonical_task *t, const rwa_network *net, const rwa_collective *coll,
                          const uint32_t *members, rwa_error *err)
{
    uint32_t *rank = NULL;
    rwa_status st = RWA_NOMEM;
    bool applies = canonical_applies(net, coll);
    *t = (struct canonical_task){.net = applies ? network_canonical(net) : net, .coll = *coll};
    if (members && !(t->members = base_array(coll->nodes, sizeof *t->members, err)))
        return RWA_NOMEM;
    if (!network_canonical_nodes(net) || !applies) {
        if (members)
            memcpy(t->members, members, coll->nodes * sizeof *members);
        return RWA_OK;
    }
    t->participant = base_array(coll->nodes, sizeof *t->participant, err);
    rank = base_array(rwa_network_nodes(net), sizeof *rank, err);
    if (t->participant && rank) {
        number_places(t, rank, net, members);
        st = RWA_OK;
    }
    free(rank);
    return st;
}

void canonical_close(struct canonical_task *t)
{
    free_all(t->members, t->participant);
}

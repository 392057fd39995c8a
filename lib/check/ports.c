/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ports: how many transmissions and receptions a node has in a step, and what its ports are set to. */
#include "check/judge.h"
#include "network/network.h"

#include <stdlib.h>

rwa_status ports_open(struct judge *j)
{
    if (rwa_network_ports(j->net) == 0)
        return RWA_OK;
    j->sends = base_array(j->nodes, sizeof *j->sends, j->err);
    j->receptions = base_array(j->nodes, sizeof *j->receptions, j->err);
    return j->sends && j->receptions ? RWA_OK : RWA_NOMEM;
}

/** One more of the node's; the first beyond its ports is accused. */
static rwa_status count_one(struct judge *j, uint32_t *counts, uint32_t node, const char *what)
{
    uint32_t ports = rwa_network_ports(j->net);
    rwa_status st = RWA_OK;
    if (!counts)
        return RWA_OK;
    TRY(base_grow((void **)&j->counted, &j->counted_room, j->counted_count + 1, sizeof *j->counted, j->err));
    j->counted[j->counted_count++] = node;
    if (++counts[node] == ports + 1)
        ACCUSE(j, RWA_VIOLATION_PORTS, "step %u: node %u has more than %u %s at the same time", j->step, node, ports, what);
done:
    return st;
}

rwa_status ports_send(struct judge *j, uint32_t node)
{
    return count_one(j, j->sends, node, "transmissions");
}

rwa_status ports_receive(struct judge *j, uint32_t node)
{
    return count_one(j, j->receptions, node, "receptions");
}

rwa_status ports_see(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists, uint32_t i)
{
    rwa_status st = RWA_OK;
    if (!j->sends || network_is_full(j->net)) /* there a transmission may have several lightpaths */
        return RWA_OK;
    TRY(ports_send(j, (record->src + i) % j->nodes));
    TRY(ports_receive(j, (record->dst + i) % j->nodes));
    for (uint32_t t = 0; t < lists->tap_count; t++)
        TRY(ports_receive(j, (lists->taps[t] + i) % j->nodes));
done:
    return st;
}

void ports_end_step(struct judge *j)
{
    for (size_t i = 0; i < j->counted_count; i++)
        j->sends[j->counted[i]] = j->receptions[j->counted[i]] = 0;
    j->counted_count = 0;
    j->tuning_rounds += j->tuned;
    j->tuned = false;
}

void ports_close(struct judge *j)
{
    free(j->sends);
    free(j->receptions);
    free(j->counted);
    free(j->senders.ports);
    free(j->receivers.ports);
}

rwa_status bank_open(struct judge *j, struct port_bank *bank, uint32_t each)
{
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)j->nodes * each * sizeof *bank->ports, "checking this schedule", j->err));
    bank->each = each;
    bank->ports = base_array((size_t)j->nodes * each, sizeof *bank->ports, j->err);
    st = bank->ports ? RWA_OK : RWA_NOMEM;
done:
    return st;
}

enum tuning bank_use(struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t step, uint32_t *rested)
{
    struct port *ports = bank->ports + (size_t)node * bank->each, *oldest = ports;
    for (struct port *p = ports; p < ports + bank->each; p++) {
        if (p->set_to == set_to + 1 && p->used != step) {
            p->used = step;
            return PORT_KEPT;
        }
        oldest = p->used < oldest->used ? p : oldest;
    }
    if (oldest->used == step)
        return PORT_NONE;
    *rested = oldest->used;
    *oldest = (struct port){set_to + 1, step};
    return PORT_TUNED;
}

bool bank_in_use(const struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t step)
{
    const struct port *ports = bank->ports + (size_t)node * bank->each;
    for (const struct port *p = ports; p < ports + bank->each; p++)
        if (p->set_to == set_to + 1 && p->used == step)
            return true;
    return false;
}

void count_tuning(struct judge *j)
{
    j->verdict->tunings++;
    j->tuned = true;
}

uint32_t one_hop_route(struct judge *j, const rwa_lightpath *lp, const rwa_lists *l)
{
    bool straight = l->path_nodes == 0 || (l->path_nodes == 2 && l->path[0] == lp->src && l->path[1] == lp->dst);
    if (straight && l->tap_count == 0 && lp->src != lp->dst)
        return 1;
    accuse(j, RWA_VIOLATION_CONTINUITY, RWA_NO_INDEX, lp->wavelength,
           "step %u: lightpath %u to %u: expected two nodes and its path to be just these", j->step, lp->src, lp->dst);
    return 0;
}

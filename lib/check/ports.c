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
    if (!j->sends || network_is_one_hop(j->net)) /* there a transmission may have several lightpaths */
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

static void bank_close(struct port_bank *bank, uint32_t nodes)
{
    for (uint32_t v = 0; bank->of && v < nodes; v++)
        free(bank->of[v].list);
    free(bank->of);
}

void ports_close(struct judge *j)
{
    free(j->sends);
    free(j->receptions);
    free(j->counted);
    bank_close(&j->senders, j->nodes);
    bank_close(&j->receivers, j->nodes);
}

rwa_status bank_open(struct judge *j, struct port_bank *bank, uint32_t each)
{
    bank->each = each;
    bank->of = base_array(j->nodes, sizeof *bank->of, j->err);
    return bank->of ? RWA_OK : RWA_NOMEM;
}

/** The port to use: kept as it is, or to be set anew; never used ones are not in the list, and go before those that are. */
static struct port *choose_port(const struct port_set *set, uint32_t set_to, uint32_t step)
{
    struct port *oldest = set->list;
    for (struct port *p = set->list; p < set->list + set->count; p++) {
        if (p->set_to == set_to && p->used != step)
            return p;
        oldest = p->used < oldest->used ? p : oldest;
    }
    return oldest;
}

rwa_status bank_use(enum tuning *use, struct judge *j, struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t *rested)
{
    struct port_set *set = &bank->of[node];
    struct port *port = choose_port(set, set_to, j->step);
    rwa_status st = RWA_OK;
    *rested = 0;
    *use = PORT_KEPT;
    if (port && port->set_to == set_to && port->used != j->step) {
        port->used = j->step;
    } else if (set->count < bank->each) {
        *use = PORT_TUNED;
        TRY(base_grow((void **)&set->list, &set->room, set->count + 1, sizeof *set->list, j->err));
        set->list[set->count++] = (struct port){set_to, j->step};
    } else if (port->used == j->step) {
        *use = PORT_NONE;
    } else {
        *use = PORT_TUNED;
        *rested = port->used;
        *port = (struct port){set_to, j->step};
    }
done:
    return st;
}

bool bank_in_use(const struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t step)
{
    const struct port_set *set = &bank->of[node];
    for (const struct port *p = set->list; p < set->list + set->count; p++)
        if (p->set_to == set_to && p->used == step)
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

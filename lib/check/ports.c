/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ports: how many transmissions and receptions a node has in a step, and the settings of its ports. */
#include "check/checker.h"
#include "network/network.h"

#include <assert.h>
#include <stdlib.h>

rwa_status ports_open(struct checker *chk)
{
    if (rwa_network_ports(chk->net) == 0)
        return RWA_OK;
    arena_new(&chk->memory, chk->sends, chk->nodes);
    arena_new(&chk->memory, chk->receptions, chk->nodes);
    return arena_status(&chk->memory);
}

/** Count one more use of the node; report the first one beyond its ports. */
static rwa_status count_one(struct checker *chk, uint32_t *counts, uint32_t node, const char *unit)
{
    uint32_t ports = rwa_network_ports(chk->net);
    rwa_status st = RWA_OK;
    assert(node < chk->nodes);
    if (!counts)
        return RWA_OK;
    TRY(base_grow((void **)&chk->counted, &chk->counted_capacity, chk->counted_count + 1, sizeof *chk->counted, chk->err));
    chk->counted[chk->counted_count++] = node;
    if (++counts[node] == ports + 1)
        REPORT(chk, RWA_VIOLATION_PORTS, "step %u: node %u has more than %u %s at the same time", chk->step, node, ports, unit);
done:
    return st;
}

rwa_status ports_send(struct checker *chk, uint32_t node)
{
    return count_one(chk, chk->sends, node, "transmissions");
}

rwa_status ports_receive(struct checker *chk, uint32_t node)
{
    return count_one(chk, chk->receptions, node, "receptions");
}

rwa_status ports_use(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t i)
{
    rwa_status st = RWA_OK;
    if (!chk->sends || network_is_one_hop(chk->net)) /* one transmission may have several lightpaths there */
        return RWA_OK;
    TRY(ports_send(chk, (record->src + i) % chk->nodes));
    TRY(ports_receive(chk, (record->dst + i) % chk->nodes));
    for (uint32_t t = 0; t < lists->tap_count; t++)
        TRY(ports_receive(chk, (lists->taps[t] + i) % chk->nodes));
done:
    return st;
}

void ports_end_step(struct checker *chk)
{
    for (size_t i = 0; i < chk->counted_count; i++)
        chk->sends[chk->counted[i]] = chk->receptions[chk->counted[i]] = 0;
    chk->counted_count = 0;
    chk->tuning_rounds += chk->tuned;
    chk->tuned = false;
}

static void bank_close(struct port_bank *bank, uint32_t nodes)
{
    for (uint32_t v = 0; bank->of && v < nodes; v++)
        free(bank->of[v].list);
}

void ports_close(struct checker *chk)
{
    free(chk->counted);
    free(chk->air_runs);
    bank_close(&chk->senders, chk->nodes);
    bank_close(&chk->receivers, chk->nodes);
}

rwa_status bank_open(struct checker *chk, struct port_bank *bank, uint32_t each)
{
    bank->each = each;
    arena_new(&chk->memory, bank->of, chk->nodes);
    return arena_status(&chk->memory);
}

/** A free port with this setting, else the port that has been idle longest; NULL when the node has used none. */
static struct port *choose_port(const struct port_set *set, uint32_t setting, uint32_t step)
{
    struct port *oldest = set->list;
    for (struct port *p = set->list; p < set->list + set->count; p++) {
        if (p->setting == setting && p->used != step)
            return p;
        oldest = p->used < oldest->used ? p : oldest;
    }
    return oldest;
}

rwa_status bank_use(enum tuning *use, struct checker *chk, struct port_bank *bank, uint32_t node, uint32_t setting,
                    uint32_t *last_used)
{
    assert(bank->of && node < chk->nodes && bank->of[node].count <= bank->each);
    struct port_set *set = &bank->of[node];
    struct port *port = choose_port(set, setting, chk->step);
    rwa_status st = RWA_OK;
    *last_used = 0;
    *use = PORT_KEPT;
    if (port && port->setting == setting && port->used != chk->step) {
        port->used = chk->step;
    } else if (set->count < bank->each) {
        *use = PORT_TUNED;
        TRY(base_grow((void **)&set->list, &set->capacity, set->count + 1, sizeof *set->list, chk->err));
        set->list[set->count++] = (struct port){setting, chk->step};
    } else if (port->used == chk->step) {
        *use = PORT_NONE;
    } else {
        *use = PORT_TUNED;
        *last_used = port->used;
        *port = (struct port){setting, chk->step};
    }
done:
    return st;
}

bool bank_in_use(const struct port_bank *bank, uint32_t node, uint32_t setting, uint32_t step)
{
    const struct port_set *set = &bank->of[node];
    for (const struct port *p = set->list; p < set->list + set->count; p++)
        if (p->setting == setting && p->used == step)
            return true;
    return false;
}

void count_tuning(struct checker *chk)
{
    chk->report->tunings++;
    chk->tuned = true;
}

uint32_t one_hop_route(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *l)
{
    bool straight = l->path_nodes == 0 || (l->path_nodes == 2 && l->path[0] == lp->src && l->path[1] == lp->dst);
    if (straight && l->tap_count == 0 && lp->src != lp->dst)
        return 1;
    report_lightpath(chk, RWA_VIOLATION_CONTINUITY, lp, RWA_NO_INDEX, "does not join two different nodes in one hop");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ports: the transmissions and receptions of each node in a step, and the settings of its ports. */
#include "check/checker.h"

rwa_status ports_open(struct checker *chk)
{
    if (rwa_network_ports(chk->net) == 0)
        return RWA_OK;
    return arena_arrays(&chk->memory, chk->nodes, chk->sends, chk->receptions);
}

rwa_status ports_count(struct checker *chk, uint32_t node, bool sends)
{
    uint32_t ports = rwa_network_ports(chk->net), *counts = sends ? chk->sends : chk->receptions;
    assert(node < chk->nodes);
    if (!counts)
        return RWA_OK;
    MUST(base_append(chk->counted, chk->counted_count, chk->err, node));
    if (++counts[node] == ports + 1)
        REPORT(chk, RWA_VIOLATION_PORTS, "step %u: node %u has more than %u %s at the same time", chk->step, node,
               ports, sends ? "transmissions" : "receptions");
    return RWA_OK;
}

rwa_status ports_use(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists)
{
    if (!chk->sends || network_is_one_hop(chk->net)) /* on these networks several lightpaths may belong to one
                                                        transmission */
        return RWA_OK;
    MUST(ports_count(chk, lp->src, true));
    MUST(ports_count(chk, lp->dst, false));
    for (uint32_t t = 0; t < lists->tap_count; t++)
        MUST(ports_count(chk, lists->taps[t], false));
    return RWA_OK;
}

/* ---- retuning ---- */

COMPARATOR(by_setting, struct retuning, UP(node) UP(setting) UP(record))

/** Return the port, not in use in this step, that has been idle longest (among equals the one with the smallest
 *  setting).  NULL: all are in use. */
static struct port *idle_longest(const struct port_set *set, uint32_t step)
{
    struct port *oldest = NULL;
    for (size_t i = 0; i < set->count; i++) {
        struct port *p = &set->list[i];
        if (p->used != step &&
            (!oldest || p->used < oldest->used || (p->used == oldest->used && p->setting < oldest->setting)))
            oldest = p;
    }
    return oldest;
}

/** Count in the report the retuning `wanted` of a port on a reconfigurable optical network (ron).  `last_used`: the
 *  last step that used the port.  Report a violation if fewer steps than a retuning takes lie between it and the
 *  current step. */
static void check_rest(struct checker *chk, const struct retuning *wanted, uint32_t last_used)
{
    uint32_t tuning_steps = rwa_network_tuning(chk->net);
    uint64_t record = chk->record;
    count_tuning(chk);
    chk->record = wanted->record;
    if (chk->step - last_used - 1 < tuning_steps)
        REPORT(chk, RWA_VIOLATION_PORTS,
               "step %u: node %u retunes a port to node %u that was in use in step %u: expected %u steps between",
               chk->step, wanted->node, wanted->setting, last_used, tuning_steps);
    chk->record = record;
}

static rwa_status retune(struct checker *chk, const struct port_bank *bank, const struct retuning *wanted)
{
    struct port_set *set = &bank->of[wanted->node];
    struct port *port = idle_longest(set, chk->step);
    assert(set->count <= bank->each);
    if (set->count < bank->each)
        return base_append(set->list, set->count, chk->err,
                           (struct port){wanted->setting, chk->step});
    if (!port) /* the node has too many transmissions, which has been reported */
        return RWA_OK;
    if (bank->rests)
        check_rest(chk, wanted, port->used);
    *port = (struct port){wanted->setting, chk->step};
    return RWA_OK;
}

static rwa_status retune_bank(struct checker *chk, struct port_bank *bank)
{
    base_sort(bank->wanted, bank->wanted_count, by_setting);
    for (size_t i = 0; i < bank->wanted_count; i++)
        MUST(retune(chk, bank, &bank->wanted[i]));
    bank->wanted_count = 0;
    return RWA_OK;
}

rwa_status ports_end_step(struct checker *chk)
{
    MUST(retune_bank(chk, &chk->senders));
    MUST(retune_bank(chk, &chk->receivers));
    for (size_t i = 0; i < chk->counted_count; i++)
        chk->sends[chk->counted[i]] = chk->receptions[chk->counted[i]] = 0;
    chk->counted_count = 0;
    chk->tuning_rounds += chk->tuned;
    chk->tuned = false;
    free(chk->claimed.slot);
    chk->claimed = (struct number_set){0};
    return RWA_OK;
}

static void bank_close(struct port_bank *bank, uint32_t nodes)
{
    for (uint32_t v = 0; bank->of && v < nodes; v++)
        free(bank->of[v].list);
    free(bank->wanted);
}

void ports_close(struct checker *chk)
{
    free_all(chk->counted, chk->air_runs, chk->claimed.slot);
    bank_close(&chk->senders, chk->nodes);
    bank_close(&chk->receivers, chk->nodes);
}

rwa_status bank_open(struct checker *chk, struct port_bank *bank, uint32_t each)
{
    bank->each = each;
    return arena_arrays(&chk->memory, chk->nodes, bank->of);
}

rwa_status bank_use(bool *tuned, struct checker *chk, struct port_bank *bank, uint32_t node, uint32_t setting)
{
    assert(bank->of && node < chk->nodes && bank->of[node].count <= bank->each);
    struct port_set *set = &bank->of[node];
    *tuned = false;
    for (size_t i = 0; i < set->count; i++)
        if (set->list[i].setting == setting && set->list[i].used != chk->step) {
            set->list[i].used = chk->step;
            return RWA_OK;
        }
    /* when the step ends, so that the order of its lightpaths does not matter */
    *tuned = true;
    return base_append(bank->wanted, bank->wanted_count, chk->err,
                       (struct retuning){node, setting, chk->record});
}

void count_tuning(struct checker *chk)
{
    chk->report->tunings++;
    chk->tuned = true;
}

rwa_status claim_hop(bool *fresh, struct checker *chk, const rwa_lightpath *lp)
{
    return note_number(fresh, chk, &chk->claimed, mix(mix(mix(0, lp->src), lp->dst), channel_of(chk, lp)));
}

uint32_t one_hop_route(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *l)
{
    bool straight = l->path_nodes == 0 || (l->path_nodes == 2 && l->path[0] == lp->src && l->path[1] == lp->dst);
    if (straight && l->tap_count == 0 && lp->src != lp->dst)
        return 1;
    report_lightpath(chk, RWA_VIOLATION_CONTINUITY, lp, RWA_NO_INDEX, "does not join two different nodes in one hop");
    return 0;
}

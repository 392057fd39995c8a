/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Failures of links, nodes and risk groups, and the condition of lightpaths after them.  An element is what can fail:
 *  carrier c has number c, node v carriers + v, risk group g carriers + nodes + g. */
#include "state/state.h"

uint32_t state_elements(const struct rwa_state *s)
{
    return s->carriers + s->nodes + (uint32_t)rwa_network_risk_groups(s->net);
}

uint32_t state_element(const struct rwa_state *s, rwa_failure kind, uint32_t number)
{
    if (kind == RWA_FAILURE_LINK && number < s->links)
        return s->carrier[number];
    if (kind == RWA_FAILURE_NODE && number < s->nodes)
        return s->carriers + number;
    if (kind == RWA_FAILURE_GROUP && number < rwa_network_risk_groups(s->net))
        return s->carriers + s->nodes + number;
    return state_elements(s);
}

rwa_failure state_kind(const struct rwa_state *s, uint32_t element, uint32_t *number)
{
    assert(element < state_elements(s));
    *number = element;
    if (element < s->carriers) {
        for (*number = 0; s->carrier[*number] != element;)
            ++*number;
        return RWA_FAILURE_LINK;
    }
    *number = element - s->carriers;
    if (*number < s->nodes)
        return RWA_FAILURE_NODE;
    *number -= s->nodes;
    return RWA_FAILURE_GROUP;
}

static void count_cause(struct rwa_state *s, uint32_t carrier, bool failed)
{
    assert(failed || s->causes[carrier] > 0);
    s->causes[carrier] += failed ? 1 : UINT32_MAX;  /* modulo 2^32 */
    s->failed[carrier] = s->causes[carrier] > 0;
}

void state_end_trial(struct rwa_state *s)
{
    for (uint32_t c = 0; c < s->carriers; c++)
        s->failed[c] = s->causes[c] > 0;
    s->routes.stale = true;
}

void state_fail(struct rwa_state *s, uint32_t element, bool failed)
{
    const uint32_t *links = NULL;
    uint32_t number = 0;
    if (s->marked[element] == failed)
        return;
    s->marked[element] = failed;
    s->routes.stale = true;
    if (element < s->carriers) {
        count_cause(s, element, failed);
    } else if (state_kind(s, element, &number) == RWA_FAILURE_GROUP) {
        for (size_t k = rwa_network_risk_group(&links, s->net, number); k-- > 0;)
            count_cause(s, s->carrier[links[k]], failed);
    } else {
        for (uint32_t a = 0; a < s->links; a++)
            if (rwa_network_link(s->net, a).from == number || rwa_network_link(s->net, a).to == number)
                count_cause(s, s->carrier[a], failed);
    }
}

static rwa_status set_failed(struct rwa_state *s, rwa_failure kind, uint32_t number, bool failed, rwa_error *err)
{
    uint32_t element = state_element(s, kind, number);
    if (kind > RWA_FAILURE_GROUP)
        return base_refuse(err, "no rwa_failure %d: expected RWA_FAILURE_LINK, _NODE or _GROUP", (int)kind);
    if (element == state_elements(s))
        return base_refuse(err, "no %s %u: the network has %u directed links, %u nodes and %zu risk groups, from 0 on",
                           kind == RWA_FAILURE_LINK ? "link" : kind == RWA_FAILURE_NODE ? "node" : "risk group", number,
                           s->links, s->nodes, rwa_network_risk_groups(s->net));
    if (s->marked[element] == failed)
        return RWA_OK;
    MUST(switching_prepare(s, NO_SLOT, err));
    state_fail(s, element, failed);
    switching_update(s);
    return history_add(s, (struct event){.operation = failed ? FAILED : REPAIRED, .subject = element}, err);
}

rwa_status rwa_state_fail(rwa_state *state, rwa_failure kind, uint32_t number, rwa_error *err)
{
    BEGIN(err, state);
    return set_failed(state, kind, number, true, err);
}

rwa_status rwa_state_repair(rwa_state *state, rwa_failure kind, uint32_t number, rwa_error *err)
{
    BEGIN(err, state);
    return set_failed(state, kind, number, false, err);
}

int rwa_state_is_failed(const rwa_state *s, rwa_failure kind, uint32_t number)
{
    uint32_t element = state_element(s, kind, number);
    if (element == state_elements(s))
        return 0;
    return s->marked[element] ? 1 : element < s->carriers && s->failed[element] ? 2 : 0;
}

/* ---- conditions ---- */

static rwa_condition condition_of(const struct rwa_state *s, uint32_t slot)
{
    uint32_t backup = slot_at(s, slot)->other;
    if (!is_whole(s, slot))
        return switching_carries(s, slot) ? RWA_CONDITION_ON_BACKUP : RWA_CONDITION_DOWN;
    if (slot_at(s, slot)->requested == RWA_PROTECTION_NONE)
        return RWA_CONDITION_UNPROTECTED;
    bool works = backup != NO_SLOT && is_whole(s, backup) && !switching_is_taken(s, backup);
    return works ? RWA_CONDITION_PROTECTED : RWA_CONDITION_EXPOSED;
}

int rwa_state_condition(const rwa_state *s, uint64_t id)
{
    uint32_t slot = slots_find(&s->slots, id);
    return slot == NO_SLOT ? 0 : (int)condition_of(s, slot);
}

static bool has_tag(const struct slot *one, const char *tag)
{
    return one->tag && strcmp(one->tag, tag) == 0;
}

uint64_t rwa_state_next_in(const rwa_state *s, uint64_t id, int conditions, const char *tag)
{
    uint32_t slot = slots_above(&s->slots, id);
    while (slot != NO_SLOT && ((conditions && !((int)condition_of(s, slot) & conditions)) ||
                               (tag && !has_tag(slot_at(s, slot), tag))))
        slot = slot_at(s, slot)->after;
    return slot == NO_SLOT ? RWA_NO_LIGHTPATH : slot_at(s, slot)->id;
}

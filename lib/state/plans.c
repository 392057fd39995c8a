/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Gives plans the network that a state leaves, and takes their channels. */
#include "state/state.h"

#include "assignment/assignment.h"
#include "schedule/schedule.h"
#include "solvers/runs.h"

/** The lists of a network that is being built: of the carriers of a state, which become its links or fibre pairs. */
struct remains {
    struct arena arena;
    rwa_link *links;        /* of each carrier, its lowest link */
    uint32_t *lowest;       /* of each carrier, the number of that link */
    rwa_reserved *reserved; /* not of the arena: it grows */
    size_t reserved_count;
    rwa_risk_group *groups;
    size_t group_count;
    rwa_faults faults;
};

static rwa_status list_carriers(struct remains *r, const struct rwa_state *s)
{
    MUST(arena_arrays(&r->arena, s->carriers, r->links, r->lowest));
    for (uint32_t a = s->links; a-- > 0;) {
        r->links[s->carrier[a]] = rwa_network_link(s->net, a);
        r->lowest[s->carrier[a]] = a;
    }
    return RWA_OK;
}

/** List in r->reserved the channels of each carrier that a plan may not use there, because they are taken or reserved.
 *  Channels that are reserved on all links are left out. */
static rwa_status list_taken(struct remains *r, const struct rwa_state *s)
{
    for (uint32_t c = 0; c < s->carriers; c++)
        for (uint32_t channel = 0; channel < s->channels; channel++) {
            rwa_reserved one = {c, fiber_of(s, channel), wavelength_of(s, channel)};
            if (!is_free(s, c, channel) && one.fiber < r->links[c].fibers &&
                !rwa_network_is_reserved_everywhere(s->net, one.fiber * s->net->wavelengths + one.wavelength))
                MUST(base_append(r->reserved, r->reserved_count, r->arena.err, one));
        }
    return RWA_OK;
}

static rwa_status list_groups(struct remains *r, const struct rwa_state *s)
{
    r->group_count = rwa_network_risk_groups(s->net);
    arena_new(&r->arena, r->groups, r->group_count);
    for (size_t g = 0; r->groups && g < r->group_count; g++) {
        const uint32_t *links;
        uint32_t *carriers;
        size_t count = rwa_network_risk_group(&links, s->net, g);
        arena_new(&r->arena, carriers, count);
        for (size_t k = 0; carriers && k < count; k++)
            if (r->lowest[s->carrier[links[k]]] == links[k])
                carriers[r->groups[g].count++] = s->carrier[links[k]];
        r->groups[g].links = carriers;
    }
    return arena_status(&r->arena);
}

/** List in r->faults the failed links, numbered as in the network that is being built, and the channels that are
 *  reserved on all links.  RWA_NOMEM. */
static rwa_status list_faults(struct remains *r, const struct rwa_state *s)
{
    uint32_t each = s->model == RWA_UNDIRECTED ? 2 : 1, *links;
    r->faults = network_faults(s->net);
    r->faults.link_count = 0;
    MUST(arena_arrays(&r->arena, (size_t)s->carriers * each, links));
    for (uint32_t i = 0; i < s->carriers * each; i++)
        if (s->failed[i / each])
            links[r->faults.link_count++] = i;
    r->faults.links = links;
    return RWA_OK;
}

/** Build the network of kind RWA_GRAPH from the lists in r. */
static rwa_status build(rwa_network **out, const struct remains *r, const struct rwa_state *s, rwa_error *err)
{
    rwa_network_options o = network_options_like(s->net);
    rwa_network *whole = NULL;
    o.both_ways = s->model == RWA_UNDIRECTED;
    o.node_names = (const char *const *)s->net->names;
    o.positions = s->net->positions;
    o.reserved = r->reserved;
    o.reserved_count = r->reserved_count;
    o.risk_groups = r->groups;
    o.risk_group_count = r->group_count;
    MUST(rwa_network_create_graph(&whole, s->nodes, r->links, s->carriers, &o, err));
    rwa_status st = rwa_network_with_faults(out, whole, &r->faults, err);
    rwa_network_free(whole);
    return st;
}

rwa_status rwa_state_residual(rwa_network **out, const rwa_state *state, rwa_error *err)
{
    BEGIN_NEW(out, err, state);
    struct remains r = {.arena = {.err = err}};
    rwa_status st = RWA_OK;
    TRY(list_carriers(&r, state));
    TRY(list_taken(&r, state));
    if (r.reserved_count == 0) {
        TRY(routes_network(out, &state->routes, state->model, err));
        goto done;
    }
    TRY(list_groups(&r, state));
    TRY(list_faults(&r, state));
    TRY(build(out, &r, state, err));
done:
    free(r.reserved);
    arena_free(&r.arena);
    return st;
}

/* ---- channels of plans ---- */

/** The channels of a schedule that a state is to hold. */
struct hold {
    struct rwa_state *state;
    const rwa_schedule *sched;
    const char *tag;
    struct arena arena;
    uint32_t *map;          /* from links of the schedule's network to those of the state */
    uint64_t *taken;        /* carriers * words, as state->free */
    rwa_error *err;
};

bool state_is_held(const struct rwa_state *s, uint32_t slot)
{
    const char *tag = slot_at(s, slot)->tag;
    return tag && strncmp(tag, RWA_HOLD_TAG, sizeof RWA_HOLD_TAG - 1) == 0;
}

static rwa_status take_channel(struct hold *h, const rwa_lightpath *lp, uint32_t link)
{
    struct rwa_state *s = h->state;
    uint32_t carrier = s->carrier[h->map[link]], channel = channel_of(s, lp->fiber, lp->wavelength);
    if (lp->fiber >= s->fibers || lp->wavelength >= s->net->wavelengths)
        return base_refuse(h->err, "step %u: fibre %u, wavelength %u is not in the network of the state", lp->step,
                           lp->fiber, lp->wavelength);
    if (s->failed[carrier])
        return RWA_OK;  /* only steps that are over cross it */
    if (!is_free(s, carrier, channel))
        return base_refuse(h->err,
                           "step %u, from node %u to node %u: fibre %u, wavelength %u of link %u is not free; plan on "
                           "the network of rwa_state_residual(), or release what holds it",
                           lp->step, lp->src, lp->dst, lp->fiber, lp->wavelength, h->map[link]);
    set_bit(h->taken + (size_t)carrier * s->words, channel);
    return RWA_OK;
}

/** Add to h->taken the channels of all lightpaths of steps `first` to `last`, on every link of their routes.
 *  RWA_BADARG: one of them is not free. */
static rwa_status take_steps(struct hold *h, uint32_t first, uint32_t last)
{
    for (uint32_t step = first; step <= last; step++)
        for (struct walk w = walk_step(h->sched, step); walk_next(&w);) {
            uint32_t hops = walk_hops(&w);
            for (uint32_t k = 0; k < hops; k++)
                MUST(take_channel(h, &w.lp, walk_hop_link(&w, k)));
        }
    return RWA_OK;
}

static rwa_status hold_block(struct hold *h, uint32_t link, uint32_t fiber, uint32_t wavelength, uint32_t width)
{
    struct rwa_state *s = h->state;
    rwa_link ends = rwa_network_link(s->net, link);
    struct request request = {
        .asked = {.src = ends.from, .dst = ends.to, .width = width, .tag = h->tag}, .span = width, .random = s->random};
    struct choice choice = {&link, 1, channel_of(s, fiber, wavelength)};
    uint32_t slot = NO_SLOT;
    MUST(state_set_up(s, &request, &choice, &slot, h->err));
    return history_add(s, (struct event){.operation = ADDED, .subject = slot}, h->err);
}

/** Hold the channels that h->taken has on a link of the state: set up a lightpath over this link alone for each run of
 *  neighbouring wavelengths on a fibre.  Then clear these channels in h->taken. */
static rwa_status hold_link(struct hold *h, uint32_t link)
{
    const struct rwa_state *s = h->state;
    uint64_t *taken = h->taken + (size_t)s->carrier[link] * s->words;
    for (uint32_t f = 0; f < s->fibers; f++)
        for (uint32_t w = 0, width; w < s->net->wavelengths; w += width + 1) {
            for (width = 0; runs_have(taken, s->words, channel_of(s, f, w + width));)
                width++;
            if (width > 0)
                MUST(hold_block(h, link, f, w, width));
        }
    /* or the opposite link would hold them again: in the undirected model both are the same carrier */
    memset(taken, 0, s->words * sizeof *taken);
    return RWA_OK;
}

rwa_status rwa_state_hold(rwa_state *state, const rwa_schedule *sched, uint32_t step, const char *tag, rwa_error *err)
{
    BEGIN(err, state, sched, tag);
    struct hold h = {.state = state, .sched = sched, .tag = tag, .arena = {.err = err}, .err = err};
    uint32_t steps = rwa_schedule_steps(sched);
    uint64_t mark = rwa_state_mark(state);
    rwa_status st = RWA_OK;
    if (step > steps)
        return base_refuse(err, "step %u: the schedule has steps 1 to %u, and 0 stands for all", step, steps);
    if (strncmp(tag, RWA_HOLD_TAG, sizeof RWA_HOLD_TAG - 1) != 0 || !assignment_is_tag(tag))
        return base_refuse(err, "tag \"%.40s\": expected one that begins with " RWA_HOLD_TAG, tag);
    arena_new(&h.arena, h.taken, (size_t)state->carriers * state->words);
    TRY(arena_arrays(&h.arena, state->links, h.map));
    TRY(state_match_links(h.map, state, rwa_schedule_network(sched), err));
    TRY(take_steps(&h, step > 0 ? step : 1, step > 0 ? step : steps));
    for (uint32_t a = 0; a < state->links && st == RWA_OK; a++)
        st = hold_link(&h, a);
    if (st != RWA_OK)
        rwa_state_rollback(state, mark, NULL);
done:
    arena_free(&h.arena);
    return st;
}

rwa_status rwa_state_release_tag(rwa_state *state, const char *tag, rwa_error *err)
{
    BEGIN(err, state, tag);
    uint64_t id = rwa_state_next_in(state, RWA_NO_LIGHTPATH, 0, tag);
    if (id == RWA_NO_LIGHTPATH)
        return base_refuse(err, "no lightpath has the tag \"%.40s\"", tag);
    for (uint64_t next; id != RWA_NO_LIGHTPATH; id = next) {
        next = rwa_state_next_in(state, id, 0, tag);
        MUST(rwa_state_release(state, id, err));
    }
    return RWA_OK;
}

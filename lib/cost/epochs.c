/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * When lightpaths must be set up: a lightpath stays up until another user needs one of its resources
 * (docs/reference/formats.md, "Time").
 *
 * The users of a resource, such as a channel of a link or the ports of a node, are the lightpaths that need it.  Step i
 * conflicts with a later step s if some resource has more users in the steps i … s than its capacity.  A resource of
 * capacity 1 remembers its last user and the last step of any other user; the ports of a node remember one user more
 * than there are ports.  When a user of step s displaces another, step s conflicts with the step in which the other
 * needed the resource last, and with all before it.
 *
 * Suppose that all records are orbits of all nodes (lightpaths translated by every node) whose periods divide the
 * length of one cycle.  Then translating every lightpath by one node along that cycle, and its channel by one, changes
 * nothing.  So the links and ports of node 0 stand for those of all nodes, and only they are examined.  If the periods
 * differ, as many nodes are examined as their least common multiple.
 */
#include "cost/cost.h"

#include "base/arithmetic.h"
#include "network/network.h"

/** The user that holds a resource of capacity 1, its last step, and the last step of any other user; 0: none. */
struct epoch_use {
    uint64_t user;
    uint32_t last, other;
};

/** A user of a node's ports, and its last step. */
struct epoch_port {
    uint64_t user;
    uint32_t last;
};

enum channel_model { ARCS, LINKS, STAR, SWITCHES, PORTS_ONLY };

struct tuner {
    const rwa_schedule *sched;
    const rwa_network *net;
    enum channel_model model;
    uint64_t channels, links;
    uint32_t nodes, ports;          /* ports 0: no limit */
    uint32_t alike;                 /* number of nodes along the cycle to examine; 0: every lightpath is examined */
    size_t dimension;               /* of that cycle */
    struct epoch_use *use;                /* by (channel, link), channel, or (end, switch, node) */
    struct epoch_port *sent, *received;   /* ports + 1 for each node, the latest first; NULL: not counted */
    uint32_t step, conflict;        /* conflict: the last step that does not fit together with the steps up to this
                                       one */
    rwa_lightpath raises;           /* the lightpath that last raised the conflict */
    uint64_t shape, user;           /* of the current record and lightpath */
};

/* ---- orbits ---- */

/** Tell whether record i is an orbit of all nodes, and the period of its channels divides the length of the dimension
 *  of the network along which they advance from lightpath to lightpath.  Set *dimension to that dimension.  If false,
 *  the lightpaths of the record must be examined one by one. */
static bool is_regular(size_t *dimension, const rwa_schedule *sched, uint64_t i)
{
    const struct translations *group = &sched->group;
    if (sched->orbit[i] != group->nodes || group->nodes == 1)
        return false;
    *dimension = translations_dimension(group, sched->src[i], sched->dst[i]);
    return group->radix[*dimension] % sched->period[i] == 0;
}

/** Set *cycle to the dimension of the network along which the channels of orbits advance.  Return how many consecutive
 *  nodes along it must be examined so that their links and ports stand for those of all nodes.  Return 0 if every
 *  lightpath must be examined. */
static uint32_t alike_nodes(size_t *cycle, const rwa_schedule *sched)
{
    uint64_t multiple = 1, count = rwa_schedule_records(sched);
    bool fixed = false, equal = true;
    *cycle = 0;
    for (uint64_t i = 0; i < count && sched->orbit; i++) {
        size_t dimension = 0;
        uint32_t period = sched->orbit[i] > 1 ? sched->period[i] : 0;
        if (!is_regular(&dimension, sched, i) || (fixed && period > 1 && dimension != *cycle))
            return 0;
        *cycle = period > 1 ? dimension : *cycle;
        fixed = fixed || period > 1;
        equal = equal && period == sched->period[0];
        multiple = multiple / common_divisor(multiple, period) * period;
    }
    return !sched->orbit || count == 0 ? 0 : equal ? 1 : (uint32_t)multiple;
}

/* ---- users ---- */

static uint64_t mix(uint64_t sum, uint64_t next)
{
    uint64_t state = sum ^ next;
    return base_random(&state) + sum;
}

/** Return the number that `node` gets by the translation that takes the source of its record to node 0; `node` itself
 *  if the schedule has no orbits.  Corresponding nodes of all lightpaths of an orbit get the same number. */
static uint64_t seen_from_source(const struct tuner *t, uint64_t record, uint32_t node)
{
    const rwa_schedule *s = t->sched;
    return s->orbit ? translations_move(&s->group, node, s->src[record], 0) : node;
}

/** Return a hash of a record's taps and route (on arcs only its direction; user_of() adds its ends), with nodes as seen
 * from its source if the schedule has orbits: the same for all lightpaths of an orbit.  lists: those of the record. */
static uint64_t shape_of(const struct tuner *t, uint64_t record, const rwa_lists *lists)
{
    uint64_t sum = t->model == ARCS && (t->sched->flags[record] & RECORD_CCW);
    for (uint32_t h = 0; h < lists->path_nodes; h++)
        sum = mix(sum, seen_from_source(t, record, lists->path[h]));
    for (uint32_t i = 0; i < lists->tap_count; i++)
        sum = mix(sum, (uint64_t)1 << 32 | seen_from_source(t, record, lists->taps[i]));
    return sum;
}

/** Return a number above 0 that identifies the user of the channel of a lightpath.  That user is the lightpath itself,
 *  by its nodes, channel, route and receivers (t->shape); on switches the circuit, by switch, source and destination;
 *  on a star the source. */
static uint64_t user_of(const struct tuner *t, const rwa_lightpath *lp)
{
    if (t->model == SWITCHES)
        return ((uint64_t)lp->fiber * t->nodes + lp->src) * t->nodes + lp->dst + 1;
    if (t->model == STAR)
        return lp->src + 1;
    uint64_t user = mix(mix(t->shape, (uint64_t)lp->src << 32 | lp->dst), lightpath_channel(t->net, lp));
    return user > 0 ? user : 1;
}

/** Return a number above 0 that identifies what a port of a lightpath is tuned to: on a star its channel, on a ron its
 *  receiver, on other networks the lightpath (t->user). */
static uint64_t port_user_of(const struct tuner *t, const rwa_lightpath *lp)
{
    return t->model == STAR ? lightpath_channel(t->net, lp) + 1 : t->model == PORTS_ONLY ? lp->dst + 1 : t->user;
}

/* ---- resources ---- */

static void note(struct tuner *t, const rwa_lightpath *lp, uint32_t step)
{
    if (step <= t->conflict)
        return;
    t->conflict = step;
    t->raises = *lp;
}

static void use(struct tuner *t, const rwa_lightpath *lp, uint64_t place)
{
    struct epoch_use *u = &t->use[place];
    if (u->user != t->user)
        *u = (struct epoch_use){t->user, 0, u->last};
    u->last = t->step;
    note(t, lp, u->other);
}

/* ---- a lightpath, or of an orbit those at the nodes that stand for all ---- */

/** Return the node that is `place` nodes behind node 0 along the dimension t->dimension of the network. */
static uint32_t alike_node(const struct tuner *t, uint32_t place)
{
    const struct translations *group = &t->sched->group;
    for (size_t d = t->dimension + 1; d < group->digits; d++)
        place *= group->radix[d];
    return place;
}

/** Set w->lp to that lightpath of the record's orbit which has node `at` where the record has `node`, and t->user to
 *  its user (user_of()).  Do nothing if t->alike is 0: then every lightpath is examined by itself. */
static void turn_to(struct tuner *t, struct walk *w, uint32_t node, uint32_t at)
{
    if (t->alike == 0)
        return;
    w->turn = translations_move(&t->sched->group, 0, node, at);
    rwa_lightpath_of_orbit(&w->lp, &w->whole, w->turn, t->net, rwa_schedule_collective(t->sched));
    t->user = user_of(t, &w->lp);
}

static void use_port(struct tuner *t, struct walk *w, struct epoch_port *ports, uint32_t node, uint32_t at)
{
    uint32_t k = 0;
    if (!ports)
        return;
    turn_to(t, w, node, at);
    struct epoch_port *of = ports + (size_t)walk_node(w, node) * (t->ports + 1);
    uint64_t user = port_user_of(t, &w->lp);
    while (k < t->ports && of[k].user != user && of[k].user != 0)
        k++;
    memmove(of + 1, of, k * sizeof *of);
    of[0] = (struct epoch_port){user, t->step};
    note(t, &w->lp, of[t->ports].last);
}

static void use_ports(struct tuner *t, struct walk *w, uint32_t at)
{
    use_port(t, w, t->sent, w->whole.src, at);
    use_port(t, w, t->received, w->whole.dst, at);
    for (uint32_t i = 0; i < w->lists.tap_count; i++)
        use_port(t, w, t->received, w->lists.taps[i], at);
}

/** Return the node that is h hops behind the source on the route of the walk's record. */
static uint32_t node_of_route(const struct tuner *t, const struct walk *w, uint32_t h)
{
    bool cw = w->whole.direction == RWA_CW;
    return t->model == LINKS ? w->lists.path[h]
                             : (uint32_t)(((uint64_t)w->whole.src + (cw ? h : t->nodes - h)) % t->nodes);
}

/** Let the lightpaths of a record's orbit use their channels on the links that begin at node `at`; of the
 *  counter-clockwise links of a ring or line, on those that end there.  If t->alike is 0, every lightpath is examined
 *  by itself: let w->lp use its channel on all its links. */
static void use_links(struct tuner *t, struct walk *w, uint32_t at)
{
    bool ccw = t->model == ARCS && w->whole.direction == RWA_CCW;
    uint32_t hops = walk_hops(w);
    for (uint32_t h = 0; h < hops; h++) {
        /* one lightpath of the orbit for each hop: the one whose hop h is at this node */
        turn_to(t, w, node_of_route(t, w, ccw ? h + 1 : h), at);
        use(t, &w->lp, lightpath_channel(t->net, &w->lp) * t->links + walk_hop_link(w, h));
    }
}

static void use_resources(struct tuner *t, struct walk *w, uint32_t at)
{
    uint64_t end = (uint64_t)w->lp.fiber * t->nodes;
    switch (t->model) {
    case ARCS:
    case LINKS:
        use_links(t, w, at);
        break;
    case STAR:
        use(t, &w->lp, lightpath_channel(t->net, &w->lp));
        break;
    case SWITCHES:
        use(t, &w->lp, end + w->lp.src);
        use(t, &w->lp, end + w->lp.dst + t->links);
        break;
    case PORTS_ONLY:
        break;
    }
    use_ports(t, w, at);
}

/* ---- steps ---- */

/**
 * Let all lightpaths of a step use their resources (channels, ports), and find the last earlier step that conflicts
 * with this one: the lightpaths of the steps from that one to this cannot all be up at once.
 * @param conflict  NULL: t->conflict becomes that step.  Else conflict[record], for each record of the step, becomes
 *                  the last earlier step that conflicts because of the record's own resources; 0: none
 */
static void use_step(struct tuner *t, uint32_t step, uint32_t *conflict)
{
    uint64_t record = UINT64_MAX;
    for (struct walk w = walk_step(t->sched, step); walk_next(&w);) {
        if (w.record != record) {
            record = w.record;
            t->shape = shape_of(t, record, &w.lists);
            t->conflict = conflict ? 0 : t->conflict;
        }
        t->user = user_of(t, &w.lp);
        for (uint32_t place = 0; place == 0 || place < t->alike; place++)
            use_resources(t, &w, alike_node(t, place));
        w.turn = t->alike == 0 ? w.turn : w.whole.orbit - 1;
        if (conflict)
            conflict[record] = t->conflict;
    }
}

static uint64_t records_of(const rwa_schedule *sched, uint32_t step)
{
    return rwa_schedule_first(sched, step + 1) - rwa_schedule_first(sched, step);
}

static bool same_words(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/** Tell whether two records stand for the same lightpaths, orbits included; their blocks may differ. */
static bool same_record(const rwa_schedule *s, uint64_t a, uint64_t b)
{
    bool same = s->src[a] == s->src[b] && s->dst[a] == s->dst[b] && s->channel[a] == s->channel[b] &&
                !((s->flags[a] ^ s->flags[b]) & RECORD_CCW);
    if (!same || (s->orbit && (s->orbit[a] != s->orbit[b] || (s->orbit[a] > 1 && s->period[a] != s->period[b]))))
        return false;
    rwa_lists la = schedule_lists(s, a), lb = schedule_lists(s, b);
    return la.path_nodes == lb.path_nodes && la.tap_count == lb.tap_count &&
           same_words(la.path, lb.path, la.path_nodes) && same_words(la.taps, lb.taps, la.tap_count);
}

bool cost_repeats(const rwa_schedule *sched, uint32_t step)
{
    uint64_t before = rwa_schedule_first(sched, step - 1), now = rwa_schedule_first(sched, step), i = 0,
             count = records_of(sched, step);
    if (count > now - before)
        return false;
    while (i < count && same_record(sched, now + i, before + i))
        i++;
    return i == count;
}

/** Tell whether a step changes nothing: the step before uses all its lightpaths too, and the next step uses the same
 *  ones again. */
static bool stands_between_equals(const rwa_schedule *sched, uint32_t step)
{
    return step > 1 && step < rwa_schedule_steps(sched) && records_of(sched, step) == records_of(sched, step + 1) &&
           cost_repeats(sched, step) && cost_repeats(sched, step + 1);
}

static enum channel_model model_of(const rwa_network *net)
{
    switch (rwa_network_topology(net)) {
    case RWA_STAR: return STAR;
    case RWA_RON: return PORTS_ONLY;
    case RWA_OCS: return SWITCHES;
    default: return network_has_arcs(net) ? ARCS : LINKS;
    }
}

static uint64_t places(const struct tuner *t)
{
    switch (t->model) {
    case ARCS:
    case LINKS: return t->channels * t->links;
    case STAR: return t->channels;
    case SWITCHES: return 2 * t->links;
    case PORTS_ONLY: break;
    }
    return 0;
}

static rwa_status tuner_open(struct tuner *t, const rwa_schedule *sched, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    *t = (struct tuner){.sched = sched, .net = net, .model = model_of(net), .nodes = rwa_network_nodes(net)};
    t->ports = rwa_network_ports(net);
    t->channels = (uint64_t)sched->fibers * rwa_network_wavelengths(net);
    t->links = t->model == SWITCHES ? (uint64_t)sched->fibers * t->nodes : rwa_network_links(net);
    t->alike = t->model == ARCS || t->model == LINKS ? alike_nodes(&t->dimension, sched) : 0;
    uint64_t ports = t->ports > 0 ? (uint64_t)t->nodes * (t->ports + 1) : 0;
    MUST(base_fits_memory((double)places(t) * sizeof *t->use + 2 * (double)ports * sizeof *t->sent,
                          "the time of this schedule", err));
    MUST(base_new(t->use, places(t) + 1, err));
    if (ports > 0)
        MUST(base_new(t->sent, ports, err));
    if (ports > 0 && t->model != PORTS_ONLY)
        MUST(base_new(t->received, ports, err));
    return RWA_OK;
}

rwa_status cost_conflicts(uint32_t *last, rwa_lightpath *raises, const rwa_schedule *sched, rwa_error *err)
{
    struct tuner t;
    rwa_status st = tuner_open(&t, sched, err);
    TRY(st);
    for (t.step = 1; t.step <= rwa_schedule_steps(sched); t.step++) {
        if (!stands_between_equals(sched, t.step))
            use_step(&t, t.step, NULL);
        /* a step may exceed a capacity by itself: then the checker refuses it */
        last[t.step - 1] = lesser(t.conflict, t.step - 1);
        if (raises)
            raises[t.step - 1] = t.raises;
    }
done:
    free_all(t.use, t.sent, t.received);
    return st;
}

/** For each record (a lightpath, or an orbit of lightpaths), set next[record] to the first later step that cannot share
 *  an epoch with the record's step because other lightpaths use its channels or ports; 0 if there is none. */
static rwa_status find_next_conflicts(uint32_t *next, const rwa_schedule *sched, rwa_error *err)
{
    struct tuner t;
    uint32_t steps = rwa_schedule_steps(sched);
    rwa_status st = tuner_open(&t, sched, err);
    TRY(st);
    for (uint32_t step = steps; step > 0; step--) {     /* backwards in time the next conflict becomes the last one */
        uint64_t first = rwa_schedule_first(sched, step), end = rwa_schedule_first(sched, step + 1);
        t.step = steps + 1 - step;
        if (stands_between_equals(sched, step)) {
            memcpy(next + first, next + end, (size_t)(end - first) * sizeof *next);
            continue;
        }
        use_step(&t, step, NULL);       /* first note all users of the step, so that their order does not matter */
        use_step(&t, step, next);
        for (uint64_t i = first; i < end; i++)
            next[i] = next[i] > 0 ? steps + 1 - next[i] : 0;
    }
done:
    free_all(t.use, t.sent, t.received);
    return st;
}

/* ---- failures ---- */

/** Set fresh[step] to true for each step, from 1 on, that uses some lightpath for the first time. */
static rwa_status find_fresh(bool *fresh, const rwa_schedule *sched, rwa_error *err)
{
    struct tuner t = {.sched = sched, .net = rwa_schedule_network(sched)};
    uint64_t *seen, places = 1;
    while (places <= 2 * rwa_schedule_lightpaths(sched))
        places *= 2;
    MUST(base_new(seen, places, err));
    t.model = model_of(t.net);
    t.nodes = rwa_network_nodes(t.net);
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++)
        for (struct walk w = walk_step(sched, step); walk_next(&w);) {
            t.shape = shape_of(&t, w.record, &w.lists);
            uint64_t user = user_of(&t, &w.lp), at = user % places;
            while (seen[at] != 0 && seen[at] != user)
                at = (at + 1) % places;
            fresh[step] = fresh[step] || seen[at] == 0;
            seen[at] = user;
        }
    free(seen);
    return RWA_OK;
}

/** Let each step from `from` on conflict with step `conflict`, so that no epoch holds both: raise last[step - 1], the
 *  last earlier step that conflicts, to at least `conflict`. */
static void cut(uint32_t *last, uint32_t from, uint32_t conflict, uint32_t steps)
{
    for (uint32_t step = from; step <= steps && last[step - 1] < conflict; step++)  /* last[] never decreases */
        last[step - 1] = conflict;
}

/** Raise last[] for a link that fails in step `from`.  Let `first` be the first step from there on that uses a new
 *  lightpath, one that no earlier step uses (fresh[first]).  Step from - 1 conflicts with all steps from `first` on;
 *  with at_once, with all steps from `from` on.  Without such a step change nothing. */
static void cut_at_failure(uint32_t *last, const bool *fresh, uint32_t from, uint32_t steps, bool at_once)
{
    uint32_t first = from;
    while (first <= steps && !fresh[first])
        first++;
    if (first <= steps)
        cut(last, at_once ? from : first, from - 1, steps);
}

static rwa_status cut_at_failures(uint32_t *last, const rwa_schedule *sched, bool at_once, rwa_error *err)
{
    rwa_faults faults = network_faults(rwa_schedule_network(sched));
    uint32_t steps = rwa_schedule_steps(sched);
    bool *fresh = NULL;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < faults.link_count; i++) {
        uint64_t from = network_failed_from(rwa_schedule_network(sched), faults.links[i]);
        if (from < 2 || from > steps)
            continue;
        if (!fresh) {
            MUST(base_new(fresh, (size_t)steps + 1, err));
            TRY(find_fresh(fresh, sched, err));
        }
        cut_at_failure(last, fresh, (uint32_t)from, steps, at_once);
    }
done:
    free(fresh);
    return st;
}

/* ---- epochs ---- */

/** Raise last[] for the cuts between the schedule's epochs (rwa_schedule_cut_epochs()).  The step before a cut
 *  conflicts with all steps after the cut, so that no lightpath stays up across it. */
static void cut_for_power(uint32_t *last, const rwa_schedule *sched)
{
    for (size_t i = 0; i < sched->cut_count; i++)
        cut(last, sched->cuts[i], sched->cuts[i] - 1, sched->steps);
}

rwa_status cost_tuned_after(uint32_t *last, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err)
{
    if (model == RWA_COST_PAPER) {
        for (uint32_t step = 1; step <= sched->steps; step++)
            last[step - 1] = step - 1;
        return RWA_OK;
    }
    MUST(cost_conflicts(last, NULL, sched, err));
    cut_for_power(last, sched);
    return cut_at_failures(last, sched, model == RWA_COST_CIRCUIT, err);
}

bool cost_begins_epoch(uint32_t *first, const uint32_t *last, uint32_t step)
{
    bool begins = step == 1 || last[step - 1] >= *first;
    *first = begins ? step : *first;
    return begins;
}

/* ---- holds ---- */

/** Set hold[i] for each record i so that its lightpaths are up in every step of their epoch.  `last` is from
 *  cost_tuned_after(). */
static void hold_epochs(rwa_hold *hold, const rwa_schedule *sched, const uint32_t *last)
{
    uint32_t first = 0, end, steps = rwa_schedule_steps(sched);
    for (uint32_t step = 1; step <= steps; step = end) {
        cost_begins_epoch(&first, last, step);
        for (end = step + 1; end <= steps && last[end - 1] < first; end++)
            ;
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, end); i++)
            hold[i] = (rwa_hold){step, end - 1};
    }
}

/** Return the last step before the first epoch cut that follows `step`; the last step of the schedule if no cut
 *  follows. */
static uint32_t end_before_cut(const rwa_schedule *sched, uint32_t step)
{
    size_t i = 0;
    while (i < sched->cut_count && sched->cuts[i] <= step)
        i++;
    return i < sched->cut_count ? sched->cuts[i] - 1 : sched->steps;
}

/** Set hold[i] for each record i so that its lightpaths stay up until other lightpaths that need their resources are
 *  set up, but not across a cut between epochs.  `last` is from cost_tuned_after(). */
static rwa_status hold_until_taken(rwa_hold *hold, const rwa_schedule *sched, const uint32_t *last, rwa_error *err)
{
    uint32_t steps = rwa_schedule_steps(sched), *next = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(next, (size_t)rwa_schedule_records(sched) + 1, err));
    TRY(find_next_conflicts(next, sched, err));
    for (uint32_t step = 1; step <= steps; step++) {
        uint32_t end = end_before_cut(sched, step);
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
            uint32_t to = next[i] > 0 ? lesser(last[next[i] - 1], end) : end;
            hold[i] = (rwa_hold){last[step - 1] + 1, to > step ? to : step};
        }
    }
done:
    free(next);
    return st;
}

rwa_status cost_holds(rwa_hold *hold, const rwa_schedule *sched, rwa_cost_model model, rwa_error *err)
{
    uint32_t *last = NULL;
    rwa_status st = RWA_OK;
    TRY(base_new(last, (size_t)rwa_schedule_steps(sched) + 1, err));
    TRY(cost_tuned_after(last, sched, model, err));
    if (model == RWA_COST_OVERLAP)
        st = hold_until_taken(hold, sched, last, err);
    else
        hold_epochs(hold, sched, last);
done:
    free(last);
    return st;
}

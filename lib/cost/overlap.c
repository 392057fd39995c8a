/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The model `overlap`: the channels of a new lightpath retune while others carry data (docs/formats.md, "Time").
 *
 * `last` holds for every channel of every link the last record that used it; later steps have later records.  A kept lightpath used
 * all its channels in the step before, so that only lightpaths whose channels were in use then have to be compared, and none after the
 * first new one.
 *
 * Where all records are whole orbits of one period p, everything looks the same from a node p further on: p links and the first p
 * lightpaths of each orbit stand for all.
 */
#include "cost/cost.h"

#include "network/network.h"
#include "network/translations.h"

enum { LOOKS_MOST = 16, ORBIT_PAIRS = 1 << 18 };

/** The channel model: the resources that a lightpath occupies besides the ports of its ends. */
enum channel_model { ARCS, LINKS, STAR, SWITCHES, PORTS_ONLY };

struct clock {
    const rwa_schedule *sched;
    const rwa_network *net;
    enum channel_model model;
    uint64_t channels, links;
    uint32_t turns;             /* of an orbit, that stand for it; as many links */
    uint32_t *last;             /* plus 1, by channel and link, or as slots_of(); 0: not used so far */
    uint32_t *sent, *received;  /* likewise by node; NULL: the network does not count ports, or (received) only senders retune */
    uint32_t *peer;             /* switches: plus 1, to which a node's circuit led last */
    double *end;                /* of each step; end[0] = 0 */
    struct circuits before;     /* the step before, once asked for */
    uint32_t filled;            /* with the lightpaths of this step; 0: none */
    uint32_t step;
    uint64_t before_first;      /* the first record of the step before */
    uint32_t noted;             /* steps whose uses are noted in last, sent, received and peer */
    uint32_t looks;             /* how many lightpaths of a step to look at before; one after a step where that was in vain */
    bool meets;                 /* two lightpaths of the last of them use one channel: one does not give the other */
};

static enum channel_model model_of(const rwa_network *net)
{
    switch (rwa_network_topology(net)) {
    case RWA_STAR: return STAR;
    case RWA_RON: return PORTS_ONLY;
    case RWA_OCS: return SWITCHES;
    default: return network_has_arcs(net) ? ARCS : LINKS;
    }
}

/** The period of all records, if it is one and they are whole orbits; else, or where ports count, all nodes. */
static uint32_t common_period(const rwa_schedule *sched, const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net), period = sched->orbit && rwa_schedule_records(sched) > 0 ? sched->period[0] : 0;
    if (!network_is_cycle(net) || rwa_network_ports(net) > 0 || period == 0 || nodes % period != 0)
        return nodes;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        if (sched->orbit[i] != nodes || sched->period[i] != period)
            return nodes;
    return period;
}

static uint64_t slots_of(const struct clock *c)
{
    switch (c->model) {
    case ARCS: return 2 * c->channels * c->links;
    case LINKS: return c->channels * c->links;
    case STAR: return c->channels;
    case SWITCHES: return 2 * (uint64_t)rwa_network_fibers(c->net) * rwa_network_nodes(c->net);
    case PORTS_ONLY: break;
    }
    return 0;
}

static rwa_status clock_open(struct clock *c, const rwa_schedule *sched, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched));
    *c = (struct clock){.sched = sched, .net = rwa_schedule_network(sched), .before.sched = sched};
    c->model = model_of(c->net);
    c->looks = c->model == ARCS || c->model == LINKS ? LOOKS_MOST : 0;
    c->channels = (uint64_t)network_most_fibers(c->net) * rwa_network_wavelengths(c->net);
    c->turns = common_period(sched, c->net);
    c->links = network_is_one_hop(c->net) ? 0 : c->turns < nodes ? c->turns : network_links_each_way(c->net);
    if (rwa_schedule_records(sched) >= UINT32_MAX)
        return base_fail(err, RWA_BADARG, "the time of %llu records: expected fewer than %lu",
                         (unsigned long long)rwa_schedule_records(sched), (unsigned long)UINT32_MAX);
    MUST(base_fits_memory(4.0 * (double)slots_of(c), "the time of this schedule", err));
    bool ports = rwa_network_ports(c->net) > 0;
    c->last = base_array(slots_of(c) + 1, sizeof *c->last, err);
    c->end = base_array((size_t)rwa_schedule_steps(sched) + 1, sizeof *c->end, err);
    c->sent = ports ? base_array(nodes, sizeof *c->sent, err) : NULL;
    c->received = ports && c->model != PORTS_ONLY ? base_array(nodes, sizeof *c->received, err) : NULL;
    c->peer = c->model == SWITCHES ? base_array(slots_of(c) / 2, sizeof *c->peer, err) : NULL;
    bool complete = c->last && c->end && (c->sent || !ports) && (c->received || !ports || c->model == PORTS_ONLY) &&
                    (c->peer || c->model != SWITCHES);
    return complete ? RWA_OK : RWA_NOMEM;
}

/* ---- the channels of one lightpath ---- */

static inline uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** The last user of slots; user > 0: it is the last one from now on. */
static uint32_t visit_run(struct clock *c, uint64_t from, uint64_t count, uint32_t user)
{
    uint32_t found = 0;
    for (uint32_t *last = c->last + from; last < c->last + from + count; last++) {
        found = later(found, *last);
        *last = user > 0 ? user : *last;
    }
    return found;
}

/** The first link of an arc, by number. */
static uint32_t arc_start(const rwa_lightpath *lp)
{
    return lp->direction == RWA_CCW ? lp->dst : lp->src;
}

/** A link as those that stand for all number it; nearly always by itself, which saves the division. */
static inline uint64_t turned_link(const struct clock *c, uint64_t link)
{
    return link < c->links ? link : link % c->links;
}

static uint32_t visit_arc(struct clock *c, const rwa_lightpath *lp, uint64_t channel, uint32_t user)
{
    uint64_t hops = network_hops(c->net, lp->src, lp->dst, lp->direction), first = turned_link(c, arc_start(lp));
    hops = hops < c->links ? hops : c->links;
    uint64_t row = ((lp->direction == RWA_CCW ? c->channels : 0) + channel) * c->links;
    uint64_t ahead = hops < c->links - first ? hops : c->links - first;
    uint32_t found = visit_run(c, row + first, ahead, user);
    return later(found, visit_run(c, row, hops - ahead, user));
}

static uint32_t visit_path(struct clock *c, const struct walk *at, const rwa_lists *lists, uint64_t channel, uint32_t user)
{
    uint32_t found = 0;
    for (uint32_t h = 0; h + 1 < lists->path_nodes; h++) {
        uint32_t link = rwa_network_find_link(c->net, walk_node(at, lists->path[h]), walk_node(at, lists->path[h + 1]));
        assert(link != RWA_NO_LINK);
        found = later(found, visit_run(c, link * c->channels + channel, 1, user));
    }
    return found;
}

static uint64_t switch_end(const struct clock *c, const rwa_lightpath *lp, uint32_t node)
{
    return (uint64_t)lp->fiber * rwa_network_nodes(c->net) + node;
}

static uint32_t visit_switch(struct clock *c, const rwa_lightpath *lp, uint32_t user)
{
    uint64_t half = slots_of(c) / 2;
    uint32_t found = visit_run(c, switch_end(c, lp, lp->src), 1, user);
    if (user > 0)
        c->peer[switch_end(c, lp, lp->src)] = lp->dst + 1;
    return later(found, visit_run(c, half + switch_end(c, lp, lp->dst), 1, user));
}

static uint32_t visit_port(uint32_t *ports, uint32_t node, uint32_t user)
{
    uint32_t found = ports ? ports[node] : 0;
    if (ports && user > 0)
        ports[node] = user;
    return found;
}

/** The last user of what the lightpath takes besides ports; user > 0: it is the last one from now on. */
static uint32_t visit_slots(struct clock *c, const struct walk *at, const rwa_lists *lists, uint32_t user)
{
    uint64_t channel = (uint64_t)at->lp.fiber * rwa_network_wavelengths(c->net) + at->lp.wavelength;
    switch (c->model) {
    case ARCS: return visit_arc(c, &at->lp, channel, user);
    case LINKS: return visit_path(c, at, lists, channel, user);
    case STAR: return visit_run(c, channel, 1, user);
    case SWITCHES: return visit_switch(c, &at->lp, user);
    case PORTS_ONLY: break;
    }
    return 0;
}

/** The same of its ports. */
static uint32_t visit_ports(struct clock *c, const struct walk *at, const rwa_lists *lists, uint32_t user)
{
    assert(c->sent);
    uint32_t found = later(visit_port(c->sent, at->lp.src, user), visit_port(c->received, at->lp.dst, user));
    for (uint32_t k = 0; k < lists->tap_count; k++)
        found = later(found, visit_port(c->received, walk_node(at, lists->taps[k]), user));
    return found;
}

static uint32_t last_user(struct clock *c, const struct walk *at)
{
    rwa_lists lists = schedule_lists(c->sched, at->record);
    return later(visit_slots(c, at, &lists, 0), c->sent ? visit_ports(c, at, &lists, 0) : 0);
}

/** The next lightpath of a step; of an orbit only those that stand for it. */
static bool next_turn(const struct clock *c, struct walk *w)
{
    if (w->whole.orbit > c->turns && w->turn + 1 == c->turns)
        w->turn = w->whole.orbit - 1;
    return walk_next(w);
}

/** Note the use of channels and ports by the lightpaths of a step. */
static void note_step(struct clock *c, uint32_t step)
{
    uint64_t first = rwa_schedule_first(c->sched, step);
    rwa_lists lists;
    c->meets = false;
    for (struct walk w = walk_step(c->sched, step); next_turn(c, &w);) {
        uint32_t user = (uint32_t)w.record + 1;
        rwa_schedule_lists(&lists, c->sched, w.record);
        c->meets |= visit_slots(c, &w, &lists, user) > first;
        if (c->sent)
            visit_ports(c, &w, &lists, user);
    }
}

/* ---- steps ---- */

/** Whether the next step uses all that a step uses. */
static bool is_repeated(const rwa_schedule *sched, uint32_t step)
{
    uint64_t now = rwa_schedule_first(sched, step), next = rwa_schedule_first(sched, step + 1);
    return rwa_schedule_first(sched, step + 2) - next == next - now && cost_repeats(sched, step + 1);
}

/** Note all steps before this one but those that are repeated at once. */
static void note_steps_before(struct clock *c)
{
    while (++c->noted < c->step)
        if (c->noted + 1 == c->step || !is_repeated(c->sched, c->noted))
            note_step(c, c->noted);
    c->noted = c->step - 1;
}

/** Links in a row of one ring: of a cycle, or of the lines along a dimension of a torus. */
struct stretch {
    uint64_t ring, first, links;    /* nodes of the ring; by lowest number */
    uint32_t way;                   /* dimension and direction */
};

static struct stretch stretch_of_arc(const struct clock *c, const rwa_lightpath *lp)
{
    return (struct stretch){rwa_network_nodes(c->net), arc_start(lp), network_hops(c->net, lp->src, lp->dst, lp->direction),
                            lp->direction};
}

/** That of a path along one dimension; none (0 links) of others, and where no translations are known. */
static struct stretch stretch_of_path(const struct clock *c, const rwa_lists *lists)
{
    struct translations group;
    const uint32_t *path = lists->path;
    if (!translations_of(&group, c->net) || lists->path_nodes < 2)
        return (struct stretch){.links = 0};
    size_t d = translations_dimension(&group, path[0], path[1]);
    uint32_t ring = group.radix[d], from = translations_digit(&group, path[0], d);
    uint32_t up = (translations_digit(&group, path[1], d) + ring - from) % ring, links = lists->path_nodes - 1;
    for (uint32_t i = 1; i < lists->path_nodes; i++)
        if (translations_move(&group, path[i - 1], path[0], path[1]) != path[i])
            return (struct stretch){.links = 0};
    bool straight = up == 1 || up + 1 == ring;
    uint64_t first = up == 1 ? from : (from + ring - links % ring) % ring;
    return (struct stretch){ring, first, straight ? links : 0, (uint32_t)(2 * d) + (up != 1)};
}

/** Whether a lightpath and a record share a channel of a link.  The lightpaths of a whole orbit on one channel start a period apart; of
 *  other orbits the answer is no, because it is not known. */
static bool shares_stretch(const struct clock *c, const rwa_lightpath *lp, struct stretch at, const rwa_lightpath *record,
                           struct stretch before)
{
    uint64_t width = rwa_network_wavelengths(c->net), nodes = rwa_network_nodes(c->net);
    uint64_t channel = lp->fiber * width + lp->wavelength, first = record->fiber * width + record->wavelength;
    uint64_t apart = record->orbit == 1 ? at.ring : record->period;
    if (at.links == 0 || before.links == 0 || at.way != before.way || (record->orbit == 1 && channel != first))
        return false;
    if (record->orbit > 1 && (record->orbit != nodes || at.ring % apart != 0 || channel / apart != first / apart))
        return false;
    uint64_t start = before.first + (record->orbit == 1 ? 0 : channel + apart - first);
    uint64_t ahead = (start + at.ring - at.first) % apart;
    return ahead < at.links || apart - ahead < before.links;
}

static bool shares_path(const rwa_lists *a, const rwa_lists *b)
{
    for (uint32_t i = 1; i < a->path_nodes; i++)
        for (uint32_t k = 1; k < b->path_nodes; k++)
            if (a->path[i - 1] == b->path[k - 1] && a->path[i] == b->path[k])
                return true;
    return false;
}

static bool shares_channel(const struct clock *c, const rwa_lightpath *lp, uint64_t now, uint64_t i)
{
    rwa_lightpath record;
    rwa_lists a, b;
    schedule_get_in_step(&record, c->sched, i, c->step - 1);
    if (c->model == ARCS)
        return shares_stretch(c, lp, stretch_of_arc(c, lp), &record, stretch_of_arc(c, &record));
    rwa_schedule_lists(&a, c->sched, now);
    rwa_schedule_lists(&b, c->sched, i);
    if (record.orbit > 1)
        return shares_stretch(c, lp, stretch_of_path(c, &a), &record, stretch_of_path(c, &b));
    if (lp->fiber != record.fiber || lp->wavelength != record.wavelength)
        return false;
    return shares_path(&a, &b);
}

/** Whether the first lightpath of a record is new and takes a channel that the step before uses. */
static bool takes_over(const struct clock *c, uint64_t now)
{
    const rwa_schedule *s = c->sched;
    rwa_lightpath lp;
    bool shares = false;
    schedule_get_in_step(&lp, s, now, c->step);
    for (uint64_t i = rwa_schedule_first(s, c->step - 1), end = rwa_schedule_first(s, c->step); i < end; i++) {
        if (!s->orbit && s->channel[i] != s->channel[now])
            continue; /* nearly all of a large step */
        if ((s->orbit || s->src[i] == lp.src) && cost_presence_in(s, c->step - 1, i, &lp, now) != ABSENT)
            return false;
        shares = shares || shares_channel(c, &lp, now, i);
    }
    return shares;
}

/** Some records spread over the step mostly tell that it has to wait for the end of the step before; nothing has to be noted then.
 *  Orbits stand for many lightpaths, of which nearly all may be kept: it pays to look at all. */
static bool waits_for_step_before(struct clock *c)
{
    uint64_t before = rwa_schedule_first(c->sched, c->step - 1), first = rwa_schedule_first(c->sched, c->step);
    uint64_t count = rwa_schedule_first(c->sched, c->step + 1) - first, looks = c->looks;
    if (c->sched->orbit && c->model == LINKS && (first - before) * count <= ORBIT_PAIRS)
        looks = count;
    bool waits = false;
    for (uint64_t k = 0; k < looks && k < count && !waits; k++)
        waits = takes_over(c, count > looks ? first + k * (count / looks) : first + k);
    c->looks = waits ? LOOKS_MOST : c->looks > 0 ? 1 : 0;
    return waits;
}

static bool in_step_before(const struct clock *c, uint32_t user)
{
    return user > c->before_first;
}

/** The slot of the first link of a lightpath's route. */
static uint64_t first_slot(const struct clock *c, const struct walk *at)
{
    const rwa_lightpath *lp = &at->lp;
    uint64_t channel = (uint64_t)lp->fiber * rwa_network_wavelengths(c->net) + lp->wavelength;
    if (c->model == ARCS && lp->direction == RWA_CW)
        return channel * c->links + turned_link(c, lp->src);
    if (c->model == ARCS)
        return (c->channels + channel) * c->links + turned_link(c, lp->src + c->links - 1);
    rwa_lists lists = schedule_lists(c->sched, at->record);
    assert(c->model == LINKS && lists.path_nodes > 1);
    return rwa_network_find_link(c->net, walk_node(at, lists.path[0]), walk_node(at, lists.path[1])) * c->channels + channel;
}

/** Find the lightpath in a hash table of the step before. */
static rwa_status look_up(bool *kept, struct clock *c, const struct walk *at, rwa_error *err)
{
    if (c->filled != c->step - 1)
        MUST(circuits_fill(&c->before, c->step - 1, err));
    c->filled = c->step - 1;
    *kept = circuits_have(&c->before, at);
    return RWA_OK;
}

/** Whether the step before had this lightpath.  Where lightpaths share no channel, the user of its first link then answers. */
static rwa_status find_presence(enum presence *out, struct clock *c, const struct walk *at, rwa_error *err)
{
    bool kept = false;
    if ((c->model == ARCS || c->model == LINKS) && !c->meets) {
        uint32_t user = c->last[first_slot(c, at)];
        *out = in_step_before(c, user) ? cost_presence_in(c->sched, c->step - 1, user - 1, &at->lp, at->record) : ABSENT;
        return RWA_OK;
    }
    if (c->model == SWITCHES) {
        uint64_t from = switch_end(c, &at->lp, at->lp.src);
        kept = in_step_before(c, c->last[from]) && c->peer[from] == at->lp.dst + 1;
    } else {
        MUST(look_up(&kept, c, at, err));
    }
    *out = kept ? FIRST_PRESENT : ABSENT;
    return RWA_OK;
}

/** The last user before this step of a channel of a new lightpath of it; 0: none, or no lightpath is new. */
static rwa_status find_last_user(uint32_t *latest, struct clock *c, rwa_error *err)
{
    *latest = 0;
    note_steps_before(c);
    c->before_first = rwa_schedule_first(c->sched, c->step - 1);
    for (struct walk w = walk_step(c->sched, c->step); !in_step_before(c, *latest) && next_turn(c, &w);) {
        enum presence presence = ABSENT;
        uint32_t user = last_user(c, &w);
        if (in_step_before(c, user))
            MUST(find_presence(&presence, c, &w, err));
        if (presence == ALL_PRESENT && w.turn == 0)
            w.turn = w.whole.orbit - 1;
        else if (presence == ABSENT)
            *latest = later(*latest, user);
    }
    return RWA_OK;
}

/** The last step before this one that used a channel of a new lightpath of it; 0: none did, or no lightpath is new. */
static rwa_status last_use(uint32_t *step, struct clock *c, rwa_error *err)
{
    rwa_lightpath record;
    uint32_t user = 0;
    *step = 0;
    if (c->step == 1 || cost_repeats(c->sched, c->step))
        return RWA_OK;
    *step = c->step - 1;
    if (waits_for_step_before(c))
        return RWA_OK;
    MUST(find_last_user(&user, c, err));
    if (user > 0)
        rwa_schedule_get(&record, c->sched, user - 1);
    *step = user > 0 ? record.step : 0;
    return RWA_OK;
}

rwa_status cost_overlap(double *seconds, double *begin_s, double *end_s, const rwa_schedule *sched, double rate_bps,
                        const rwa_cost_options *o, cost_step_time transfer, rwa_error *err)
{
    struct clock c;
    uint32_t steps = rwa_schedule_steps(sched), latest = 0;
    rwa_status st = clock_open(&c, sched, err);
    assert(st != RWA_OK || c.end);
    for (c.step = 1; st == RWA_OK && c.step <= steps; c.step++) {
        TRY(last_use(&latest, &c, err));
        double tuned = c.end[latest] + o->reconfig_s, begin = c.end[c.step - 1] + o->alpha_s;
        if (latest > 0 || c.step == 1)
            begin = tuned > begin ? tuned : begin;
        c.end[c.step] = begin + transfer(sched, rate_bps, o, c.step);
        if (begin_s)
            begin_s[c.step - 1] = begin;
        if (end_s)
            end_s[c.step - 1] = c.end[c.step];
    }
    *seconds = st == RWA_OK ? c.end[steps] : 0;
done:
    free_all(c.last, c.sent, c.received, c.peer, c.end);
    circuits_close(&c.before);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random schedules written out, and their epochs and times straight from the definition in docs/reference/formats.md
 *  ("Time"): by sets of users of each resource between each pair of steps. */
#pragma once

#include "tests/support/random.h"

enum { NODES_MOST = 24, HOPS_MOST = 8, STEPS_MOST = 48, MOST = 3000, USES_MOST = 20000, LINKS_MOST = 64 };

struct one {
    uint32_t step, node[HOPS_MOST + 1], hops, channel, tap[HOPS_MOST], tap_count, blocks;
};

struct failure {
    uint32_t from, to, step;
};

/* A schedule written out. */
struct story {
    const rwa_network *net;
    struct one at[MOST];
    size_t count;
    uint32_t steps;
    uint32_t cut[STEPS_MOST];
    size_t cut_count;
    struct failure failed[4];
    size_t failure_count;
};

/* Every pair of nodes is one hop apart. */
static inline bool is_without_links(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

static inline bool has_arcs(const rwa_network *net)
{
    return rwa_network_topology(net) == RWA_RING || rwa_network_topology(net) == RWA_LINE;
}

/* ---- the second judge ---- */

/* A lightpath uses a resource that has place for `fits` users. */
struct use {
    uint64_t place, user;
    uint32_t step, fits;
    size_t user_number, place_number;
    size_t record;          /* of the story's lightpaths */
};

struct judge {
    const struct story *story;
    struct use use[USES_MOST];
    size_t count;
    size_t seen[USES_MOST],
        users[USES_MOST]; /* by number of a user of a place, and of a place: of the window at hand */
    size_t window;
    size_t id[MOST];                            /* of each lightpath: the first that is the same */
    size_t now;                                 /* the lightpath whose uses are added */
};

static inline bool is_same(const struct one *a, const struct one *b)
{
    return a->hops == b->hops && a->channel == b->channel && a->tap_count == b->tap_count &&
           memcmp(a->node, b->node, (a->hops + 1) * sizeof *a->node) == 0 &&
           memcmp(a->tap, b->tap, a->tap_count * sizeof *a->tap) == 0;
}

enum { LINK, OUT, IN };

static inline void add_use(struct judge *j, uint32_t step, uint32_t kind, uint64_t a, uint64_t b, uint64_t c,
                           uint32_t fits, uint64_t user)
{
    uint64_t place = ((kind * 1000 + a) * 1000 + b) * 1000 + c;
    if (j->count == USES_MOST || a >= 1000 || b >= 1000 || c >= 1000)
        CU_FAIL_FATAL("no room for a use");
    if (fits > 0)
        j->use[j->count++] = (struct use){place, user, step, fits, 0, 0, j->now};
}

static inline void add_uses(struct judge *j, const struct one *o, size_t id)
{
    const rwa_network *net = j->story->net;
    uint32_t ports = rwa_network_ports(net), src = o->node[0], dst = o->node[o->hops];
    uint32_t fiber = o->channel / rwa_network_wavelengths(net);
    uint64_t circuit = (src * 1000 + dst) * 1000 + fiber;
    switch (rwa_network_topology(net)) {
    case RWA_STAR:
        add_use(j, o->step, LINK, o->channel, 0, 0, 1, src);
        add_use(j, o->step, OUT, src, 0, 0, ports, o->channel);
        add_use(j, o->step, IN, dst, 0, 0, ports, o->channel);
        break;
    case RWA_RON:
        add_use(j, o->step, OUT, src, 0, 0, ports, dst);
        break;
    case RWA_OCS:
        add_use(j, o->step, LINK, 0, src, fiber, 1, circuit);
        add_use(j, o->step, LINK, 1, dst, fiber, 1, circuit);
        add_use(j, o->step, OUT, src, 0, 0, ports, circuit);
        add_use(j, o->step, IN, dst, 0, 0, ports, circuit);
        break;
    default:
        for (uint32_t h = 0; h < o->hops; h++)
            add_use(j, o->step, LINK, o->node[h], o->node[h + 1], o->channel, 1, id);
        add_use(j, o->step, OUT, src, 0, 0, ports, id);
        add_use(j, o->step, IN, dst, 0, 0, ports, id);
        for (uint32_t k = 0; k < o->tap_count; k++)
            add_use(j, o->step, IN, o->tap[k], 0, 0, ports, id);
    }
}

COMPARATOR(by_user, struct use, UP(place) UP(user))
COMPARATOR(by_step, struct use, UP(step))

static inline void judge_open(struct judge *j, const struct story *s)
{
    j->story = s;
    j->count = j->window = 0;
    memset(j->seen, 0, sizeof j->seen);
    for (size_t i = 0; i < s->count; i++) {
        for (j->id[i] = 0; !is_same(&s->at[j->id[i]], &s->at[i]);)
            j->id[i]++;
        j->now = i;
        add_uses(j, &s->at[i], j->id[i]);
    }
    base_sort(j->use, j->count, by_user);
    for (size_t i = 1; i < j->count; i++) {
        struct use *u = &j->use[i];
        u->place_number = u[-1].place_number + (u->place != u[-1].place);
        u->user_number = u[-1].user_number + (by_user(u, u - 1) != 0);
    }
    base_sort(j->use, j->count, by_step);
}

/* The last step i such that steps i … step do not fit; 0: all fit. */
static inline uint32_t unfit(struct judge *j, uint32_t step)
{
    size_t end = j->count;
    j->window++;
    memset(j->users, 0, sizeof j->users);
    while (end > 0 && j->use[end - 1].step > step)
        end--;
    for (; end > 0; end--) {
        struct use *u = &j->use[end - 1];
        if (j->seen[u->user_number] == j->window)
            continue;
        j->seen[u->user_number] = j->window;
        if (++j->users[u->place_number] > u->fits)
            return u->step;
    }
    return 0;
}

/* Whether a lightpath of step `at` (0: of any from `failure` on) was not used in the steps before. */
static inline bool is_fresh(const struct judge *j, uint32_t at, uint32_t failure)
{
    const struct story *s = j->story;
    for (size_t i = 0; i < s->count; i++)
        if ((at > 0 ? s->at[i].step == at : s->at[i].step >= failure) &&
            s->at[j->id[i]].step >= (at > 0 ? at : failure))
            return true;
    return false;
}

static inline bool must_end_before(const struct judge *j, uint32_t step)
{
    const struct story *s = j->story;
    for (size_t c = 0; c < s->cut_count; c++)
        if (s->cut[c] == step)
            return true;
    for (size_t f = 0; f < s->failure_count; f++)
        if (s->failed[f].step == step && step >= 2 && is_fresh(j, 0, step))
            return true;
    return false;
}

/* A step whose fullest lightpath carries b blocks of 1000 bytes, b <= 3: 200 ns each, and 8 packets of 4 flits of 1 ns.
 */
static inline double transfer_s(const struct story *s, uint32_t step)
{
    uint32_t blocks = 1;
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].step == step && s->at[i].blocks > blocks)
            blocks = s->at[i].blocks;
    return blocks * 232e-9;
}

/* Whether an epoch begins with a step, where the one before it begins with `first`. */
static inline bool begins_epoch(struct judge *j, uint32_t step, uint32_t first)
{
    return step == 1 || must_end_before(j, step) || unfit(j, step) >= first;
}

/* The last step that does not fit with those up to this one, or that a cut or a failure keeps apart from it. */
static inline uint32_t apart(struct judge *j, uint32_t step)
{
    const struct story *s = j->story;
    uint32_t last = unfit(j, step);
    for (size_t c = 0; c < s->cut_count; c++)
        if (s->cut[c] <= step && s->cut[c] - 1 > last)
            last = s->cut[c] - 1;
    for (size_t f = 0; f < s->failure_count; f++)
        for (uint32_t t = s->failed[f].step; t <= step; t++)
            if (s->failed[f].step >= 2 && s->failed[f].step - 1 > last && is_fresh(j, t, 0))
                last = s->failed[f].step - 1;
    return last;
}

/* Of a step, in seconds from the beginning; entry 0 of a list is the beginning. */
struct step_times {
    double tune_s, begin_s, end_s;
    uint32_t epoch;
};

static inline void define_times(struct step_times *t, struct judge *j, const rwa_cost_options *o)
{
    bool paper = o->model == RWA_COST_PAPER, overlap = o->model == RWA_COST_OVERLAP;
    t[0] = (struct step_times){0};
    for (uint32_t step = 1, first = 1; step <= j->story->steps; step++) {
        bool begins = paper || begins_epoch(j, step, first);
        first = begins ? step : first;
        double ready_s = t[step - 1].end_s + (paper ? 0 : o->alpha_s),
               tune_s = t[overlap ? apart(j, step) : first - 1].end_s,
               begin_s = overlap ? fmax(ready_s, tune_s + o->reconfig_s) : ready_s + (begins ? o->reconfig_s : 0);
        t[step] =
            (struct step_times){tune_s, begin_s, begin_s + transfer_s(j->story, step), t[step - 1].epoch + begins};
    }
}

static inline double by_definition(const struct story *s, const rwa_cost_options *o)
{
    static struct judge j;
    struct step_times t[STEPS_MOST + 1];
    judge_open(&j, s);
    define_times(t, &j, o);
    return t[s->steps].end_s;
}

/* ---- random schedules, lightpath by lightpath ---- */

static inline uint32_t random_neighbour(const rwa_network *net, uint32_t node)
{
    rwa_link link;
    do
        link = rwa_network_link(net, any(rwa_network_links(net)));
    while (link.from != node);
    return link.to;
}

static inline void random_walk(struct one *o, const rwa_network *net)
{
    uint32_t n = rwa_network_nodes(net), hops = 1 + any(4);
    bool up = any(2);
    o->node[0] = any(n);
    for (o->hops = 0; o->hops < hops;) {
        uint32_t at = o->node[o->hops], next = (at + (up ? 1 : n - 1)) % n;
        bool right = true;
        if (is_without_links(net))
            next = (at + 1 + any(n - 1)) % n;
        else if (!has_arcs(net))
            next = random_neighbour(net, at);
        else if (rwa_network_topology(net) == RWA_LINE)
            right = up ? at + 1 < n : at > 0;
        for (uint32_t h = 0; h <= o->hops; h++)
            right = right && o->node[h] != next;
        if (right)
            o->node[++o->hops] = next;
        if (!right || is_without_links(net))
            break;
    }
}

static inline struct one random_lightpath(const rwa_network *net, uint32_t step)
{
    bool hop = is_without_links(net), star = rwa_network_topology(net) == RWA_STAR;
    struct one o = {.step = step, .blocks = star ? 3 : 1 + any(3)};
    do {
        random_walk(&o, net);
    } while (o.hops == 0);
    o.channel = any(rwa_network_channels(net));
    for (uint32_t h = 1; h < o.hops && !hop; h++)
        if (any(3) == 0)
            o.tap[o.tap_count++] = o.node[h];
    return o;
}

static inline bool is_failed(const struct story *s, const struct one *o)
{
    for (size_t f = 0; f < s->failure_count; f++)
        for (uint32_t h = 0; h < o->hops; h++)
            if (s->failed[f].from == o->node[h] && s->failed[f].to == o->node[h + 1] && s->failed[f].step <= o->step)
                return true;
    return false;
}

static inline bool share_link(const struct one *a, const struct one *b)
{
    for (uint32_t g = 0; g < a->hops; g++)
        for (uint32_t h = 0; h < b->hops; h++)
            if (a->node[g] == b->node[h] && a->node[g + 1] == b->node[h + 1] && a->channel == b->channel)
                return true;
    return false;
}

static inline bool receives(const struct one *o, uint32_t node)
{
    bool found = o->node[o->hops] == node;
    for (uint32_t k = 0; k < o->tap_count; k++)
        found = found || o->tap[k] == node;
    return found;
}

/* Whether two lightpaths can be in one step. */
static inline bool agree(const rwa_network *net, const struct one *a, const struct one *b)
{
    bool same_src = a->node[0] == b->node[0], same_dst = a->node[a->hops] == b->node[b->hops];
    uint32_t w = rwa_network_wavelengths(net);
    if (is_same(a, b) || share_link(a, b))
        return false;
    switch (rwa_network_topology(net)) {
    case RWA_STAR: return a->channel != b->channel || same_src;
    case RWA_OCS: return a->channel / w != b->channel / w || same_src == same_dst;
    default: return true;
    }
}

static inline bool add_one(struct story *s, const struct one *o)
{
    uint32_t ports = rwa_network_ports(s->net), sent = 0, got[HOPS_MOST + 1] = {0};
    if (is_failed(s, o))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct one *other = &s->at[i];
        if (other->step != o->step)
            continue;
        if (!agree(s->net, other, o))
            return false;
        sent += other->node[0] == o->node[0];
        for (uint32_t h = 0; h <= o->hops; h++)
            got[h] += receives(o, o->node[h]) && receives(other, o->node[h]);
    }
    for (uint32_t h = 0; h <= o->hops && ports > 0; h++)
        if (got[h] >= ports || sent >= ports)
            return false;
    if (s->count == MOST)
        CU_FAIL_FATAL("no room for a lightpath");
    s->at[s->count++] = *o;
    return true;
}

/* A broadcast from node 0 along a tree, one lightpath a step: then every node has all blocks to send. */
static inline uint32_t flood(struct story *s, uint32_t step)
{
    uint32_t n = rwa_network_nodes(s->net), reached = 1;
    bool knows[NODES_MOST] = {true};
    while (reached < n)
        for (uint32_t from = 0; from < n; from++)
            for (uint32_t to = 0; to < n; to++) {
                bool linked = is_without_links(s->net) || (has_arcs(s->net) ? to == from + 1
                                                             : rwa_network_find_link(s->net, from, to) != RWA_NONE);
                struct one o = {.step = step, .node = {from, to}, .hops = 1, .blocks = 3};
                if (!knows[from] || knows[to] || !linked)
                    continue;
                CU_ASSERT_TRUE_FATAL(add_one(s, &o));
                knows[to] = true;
                reached++;
                step++;
            }
    return step;
}

static inline void fail_some_links(struct story *s, uint32_t first)
{
    uint32_t n = rwa_network_nodes(s->net);
    for (s->failure_count = 1 + any(2); !is_without_links(s->net);) {
        for (size_t f = 0; f < s->failure_count; f++) {
            uint32_t node = any(n - 1),
                     step = first + any(8);
            rwa_link link = {.from = node, .to = node + 1};
            if (!has_arcs(s->net))
                link = rwa_network_link(s->net, any(rwa_network_links(s->net)));
            s->failed[f] = (struct failure){link.from, link.to, step};
        }
        if (s->failure_count < 2 || s->failed[0].from != s->failed[1].from || s->failed[0].to != s->failed[1].to)
            return;
    }
    s->failure_count = 0;
}

static inline void cut(struct story *s)
{
    for (uint32_t step = 2; step <= s->steps; step++)
        if (any(4) == 0)
            s->cut[s->cut_count++] = step;
}

/* Half of the lightpaths are those of an earlier step. */
static inline void random_story(struct story *s, const rwa_network *net, bool fails)
{
    bool idles = rwa_network_topology(net) == RWA_RON;
    uint32_t step = idles ? 1 + any(3) : 1;
    s->net = net;
    s->count = s->cut_count = s->failure_count = 0;
    step = flood(s, step);
    if (fails)
        fail_some_links(s, step);
    for (uint32_t last = step + 1 + any(10); step < last; step++)
        for (uint64_t k = 0, count = 1 + any(5), tries = 0; k < count && tries < 200; tries++) {
            struct one o = random_lightpath(net, step);
            if (any(4) > 0)
                o = s->at[s->count - 1 - any(s->count < 12 ? s->count : 12)];
            o.step = step;
            if (idles && k == 0 && any(4) == 0 && step + 1 < last)
                break;
            k += add_one(s, &o);
        }
    s->steps = s->at[s->count - 1].step;
}

static inline bool is_ccw(const struct story *s, const struct one *o)
{
    return has_arcs(s->net) && (o->node[0] + 1) % rwa_network_nodes(s->net) != o->node[1];
}

static inline rwa_lightpath lightpath_in(const struct story *s, const struct one *o)
{
    uint32_t w = rwa_network_wavelengths(s->net);
    return (rwa_lightpath){.step = o->step,
                           .src = o->node[0],
                           .dst = o->node[o->hops],
                           .fiber = o->channel / w,
                           .wavelength = o->channel % w,
                           .orbit = 1,
                           .direction = is_ccw(s, o) ? RWA_CCW : RWA_CW};
}

/* @param net  the story's, with its failures */
static inline rwa_schedule *schedule_of(const struct story *s, const rwa_network *net)
{
    static const uint32_t blocks[] = {0, 1, 2};
    rwa_schedule *sched = empty_for(on_network(net, request_of("net broadcast bytes=3000 blocks=3")));
    for (size_t i = 0; i < s->count; i++) {
        const struct one *o = &s->at[i];
        rwa_lightpath lp = lightpath_in(s, o);
        rwa_lists lists = {.blocks = blocks, .block_count = o->blocks, .taps = o->tap, .tap_count = o->tap_count};
        if (!has_arcs(s->net) && !is_without_links(s->net)) {
            lists.path = o->node;
            lists.path_nodes = o->hops + 1;
        }
        OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    }
    OK(rwa_schedule_cut_epochs(sched, s->cut, s->cut_count, NULL));
    return sched;
}

/* The lightpaths of a schedule, orbits written out. */
static inline void story_of(struct story *s, const rwa_schedule *sched)
{
    const rwa_schedule *all = expanded(sched);
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t n = rwa_network_nodes(net);
    const uint32_t *cuts;
    s->cut_count = rwa_schedule_epoch_cuts(&cuts, sched);
    if (cuts)
        memcpy(s->cut, cuts, s->cut_count * sizeof *cuts);
    s->net = net;
    s->failure_count = 0;
    s->steps = rwa_schedule_steps(sched);
    CU_ASSERT_TRUE_FATAL(s->steps <= STEPS_MOST && rwa_schedule_records(all) <= MOST);
    for (s->count = 0; s->count < rwa_schedule_records(all); s->count++) {
        rwa_lightpath lp = lightpath_of(all, s->count);
        rwa_lists lists = lists_of(all, s->count);
        struct one o = {
            .step = lp.step, .node = {lp.src}, .channel = lp.wavelength, .tap_count = lists.tap_count, .blocks = 1};
        for (; o.node[o.hops] != lp.dst; o.hops++) {
            uint32_t next = lp.direction == RWA_CW ? o.node[o.hops] + 1 : o.node[o.hops] + n - 1;
            o.node[o.hops + 1] = has_arcs(net) ? next % n : lists.path[o.hops + 1];
        }
        for (uint32_t k = 0; k < lists.tap_count; k++)
            o.tap[k] = lists.taps[k];
        s->at[s->count] = o;
    }
}

static const char *const kinds[] = {
    "ring:6", "ring:9", "line:6", "torus:3x3", "mesh:2x4", "circulant:7:1,2", "star:6", "ron:6", "ocs:6x2"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static inline rwa_network *random_network(const char *spec)
{
    bool single = strchr(spec, 'x') || strncmp(spec, "ron", 3) == 0;
    return network_on("%s w=%u f=%u ports=%u", spec, 1 + any(3), single ? 1 : 1 + any(2), any(4));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that the checker finds, against a second judge: straight from the definition in docs/formats.md ("Time"), by sets of users of
 * each resource between each pair of steps, on lightpaths written out.  The checker keeps the last users of each resource instead, and
 * times whole orbits by the links of a few nodes.
 */
#include "rwa.h"

#include "base/base.h"
#include "network/network.h"

#include "tests/support/suite.h"

#include <string.h>

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

/* ---- the second judge ---- */

/* A lightpath uses a resource that has place for `fits` users. */
struct use {
    uint64_t place, user;
    uint32_t step, fits;
    size_t user_number, place_number;
};

struct judge {
    const struct story *story;
    struct use use[USES_MOST];
    size_t count;
    size_t seen[USES_MOST], users[USES_MOST];   /* by number of a user of a place, and of a place: of the window at hand */
    size_t window;
    size_t id[MOST];                            /* of each lightpath: the first that is the same */
};

static bool is_same(const struct one *a, const struct one *b)
{
    return a->hops == b->hops && a->channel == b->channel && a->tap_count == b->tap_count &&
           memcmp(a->node, b->node, (a->hops + 1) * sizeof *a->node) == 0 && memcmp(a->tap, b->tap, a->tap_count * sizeof *a->tap) == 0;
}

enum { LINK, OUT, IN };

static void add_use(struct judge *j, uint32_t step, uint32_t kind, uint64_t a, uint64_t b, uint64_t c, uint32_t fits, uint64_t user)
{
    uint64_t place = ((kind * 1000 + a) * 1000 + b) * 1000 + c;
    CU_ASSERT_TRUE_FATAL(j->count < USES_MOST && a < 1000 && b < 1000 && c < 1000);
    if (fits > 0)
        j->use[j->count++] = (struct use){place, user, step, fits, 0, 0};
}

static void add_uses(struct judge *j, const struct one *o, size_t id)
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

static void judge_open(struct judge *j, const struct story *s)
{
    j->story = s;
    j->count = j->window = 0;
    memset(j->seen, 0, sizeof j->seen);
    for (size_t i = 0; i < s->count; i++) {
        for (j->id[i] = 0; !is_same(&s->at[j->id[i]], &s->at[i]);)
            j->id[i]++;
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
static uint32_t unfit(struct judge *j, uint32_t step)
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
static bool is_fresh(const struct judge *j, uint32_t at, uint32_t failure)
{
    const struct story *s = j->story;
    for (size_t i = 0; i < s->count; i++)
        if ((at > 0 ? s->at[i].step == at : s->at[i].step >= failure) && s->at[j->id[i]].step >= (at > 0 ? at : failure))
            return true;
    return false;
}

static bool must_end_before(const struct judge *j, uint32_t step)
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

/* A step whose fullest lightpath carries b blocks of 1000 bytes, b <= 3: 200 ns each, and 8 packets of 4 flits of 1 ns. */
static double transfer_s(const struct story *s, uint32_t step)
{
    uint32_t blocks = 1;
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].step == step && s->at[i].blocks > blocks)
            blocks = s->at[i].blocks;
    return blocks * 232e-9;
}

static double circuit_s(struct judge *j, const rwa_cost_options *o)
{
    double sum = 0;
    uint32_t first = 0;
    for (uint32_t step = 1; step <= j->story->steps; step++) {
        if (step == 1 || must_end_before(j, step) || unfit(j, step) >= first) {
            first = step;
            sum += o->reconfig_s;
        }
        sum += o->alpha_s + transfer_s(j->story, step);
    }
    return sum;
}

static double overlap_s(struct judge *j, const rwa_cost_options *o)
{
    const struct story *s = j->story;
    double end[STEPS_MOST + 1] = {0};
    for (uint32_t step = 1; step <= s->steps; step++) {
        uint32_t last = unfit(j, step);
        for (size_t c = 0; c < s->cut_count; c++)
            if (s->cut[c] <= step && s->cut[c] - 1 > last)
                last = s->cut[c] - 1;
        double begin = fmax(end[step - 1] + o->alpha_s, end[last] + o->reconfig_s);
        for (size_t f = 0; f < s->failure_count; f++)
            if (s->failed[f].step >= 2 && s->failed[f].step <= step && is_fresh(j, step, 0))
                begin = fmax(begin, end[s->failed[f].step - 1] + o->reconfig_s);
        end[step] = begin + transfer_s(s, step);
    }
    return end[s->steps];
}

static double by_definition(const struct story *s, const rwa_cost_options *o)
{
    static struct judge j;
    judge_open(&j, s);
    if (o->model == RWA_COST_CIRCUIT)
        return circuit_s(&j, o);
    if (o->model == RWA_COST_OVERLAP)
        return overlap_s(&j, o);
    double sum = 0;
    for (uint32_t step = 1; step <= s->steps; step++)
        sum += o->reconfig_s + transfer_s(s, step);
    return sum;
}

/* ---- the checker ---- */

static double checked(const rwa_schedule *sched, const rwa_cost_options *cost)
{
    rwa_check_options opts;
    rwa_check *check = NULL;
    rwa_check_options_init(&opts);
    opts.cost = cost;
    CU_ASSERT_EQUAL_FATAL(rwa_check_schedule(&check, sched, &opts, NULL), RWA_OK);
    const rwa_check_report *report = rwa_check_summary(check);
    if (!report->ok)
        fprintf(stderr, "%s\n", report->first[0].text);
    CU_ASSERT_TRUE_FATAL(report->ok);
    double seconds = report->time_s;
    rwa_check_free(check);
    return seconds;
}

static void agrees(const rwa_schedule *sched, const struct story *s, uint64_t *state)
{
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    cost.alpha_s = base_random_below(state, 2) ? 1e-6 : 1e-7;
    cost.reconfig_s = base_random_below(state, 2) ? 25e-6 : 1e-6;
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        CU_ASSERT_DOUBLE_EQUAL_FATAL(checked(sched, &cost), by_definition(s, &cost), 1e-12);
    }
}

/* ---- random schedules, lightpath by lightpath ---- */

static void random_walk(struct one *o, const rwa_network *net, uint64_t *state)
{
    uint32_t n = rwa_network_nodes(net), hops = 1 + (uint32_t)base_random_below(state, 4);
    bool up = base_random_below(state, 2);
    o->node[0] = (uint32_t)base_random_below(state, n);
    for (o->hops = 0; o->hops < hops;) {
        uint32_t at = o->node[o->hops], next = (at + (up ? 1 : n - 1)) % n;
        bool right = true;
        if (network_is_one_hop(net))
            next = (at + 1 + (uint32_t)base_random_below(state, n - 1)) % n;
        else if (!network_has_arcs(net))
            next = rwa_network_link(net, net->out[net->first[at] + base_random_below(state, net->first[at + 1] - net->first[at])]).to;
        else if (rwa_network_topology(net) == RWA_LINE)
            right = up ? at + 1 < n : at > 0;
        for (uint32_t h = 0; h <= o->hops; h++)
            right = right && o->node[h] != next;
        if (right)
            o->node[++o->hops] = next;
        if (!right || network_is_one_hop(net))
            break;
    }
}

static struct one random_lightpath(const rwa_network *net, uint32_t step, uint64_t *state)
{
    bool hop = network_is_one_hop(net), star = rwa_network_topology(net) == RWA_STAR;
    struct one o = {.step = step, .blocks = star ? 3 : 1 + (uint32_t)base_random_below(state, 3)};
    do {
        random_walk(&o, net, state);
    } while (o.hops == 0);
    o.channel = (uint32_t)base_random_below(state, rwa_network_channels(net));
    for (uint32_t h = 1; h < o.hops && !hop; h++)
        if (base_random_below(state, 3) == 0)
            o.tap[o.tap_count++] = o.node[h];
    return o;
}

static bool is_failed(const struct story *s, const struct one *o)
{
    for (size_t f = 0; f < s->failure_count; f++)
        for (uint32_t h = 0; h < o->hops; h++)
            if (s->failed[f].from == o->node[h] && s->failed[f].to == o->node[h + 1] && s->failed[f].step <= o->step)
                return true;
    return false;
}

static bool share_link(const struct one *a, const struct one *b)
{
    for (uint32_t g = 0; g < a->hops; g++)
        for (uint32_t h = 0; h < b->hops; h++)
            if (a->node[g] == b->node[h] && a->node[g + 1] == b->node[h + 1] && a->channel == b->channel)
                return true;
    return false;
}

static bool receives(const struct one *o, uint32_t node)
{
    bool found = o->node[o->hops] == node;
    for (uint32_t k = 0; k < o->tap_count; k++)
        found = found || o->tap[k] == node;
    return found;
}

/* Whether two lightpaths can be in one step. */
static bool agree(const rwa_network *net, const struct one *a, const struct one *b)
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

static bool add_one(struct story *s, const struct one *o)
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
    CU_ASSERT_TRUE_FATAL(s->count < MOST);
    s->at[s->count++] = *o;
    return true;
}

/* A broadcast from node 0 along a tree, one lightpath a step: then every node has all blocks to send. */
static uint32_t flood(struct story *s, uint32_t step)
{
    uint32_t n = rwa_network_nodes(s->net), reached = 1;
    bool knows[NODES_MOST] = {true};
    while (reached < n)
        for (uint32_t from = 0; from < n; from++)
            for (uint32_t to = 0; to < n; to++) {
                bool linked = network_is_one_hop(s->net) || (network_has_arcs(s->net) ? to == from + 1
                                                             : rwa_network_find_link(s->net, from, to) != RWA_NO_LINK);
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

static void fail_links(struct story *s, uint32_t first, uint64_t *state)
{
    uint32_t n = rwa_network_nodes(s->net);
    for (s->failure_count = 1 + base_random_below(state, 2); !network_is_one_hop(s->net);) {
        for (size_t f = 0; f < s->failure_count; f++) {
            uint32_t node = (uint32_t)base_random_below(state, n - 1), step = first + (uint32_t)base_random_below(state, 8);
            rwa_link link = {.from = node, .to = node + 1};
            if (!network_has_arcs(s->net))
                link = rwa_network_link(s->net, (uint32_t)base_random_below(state, rwa_network_links(s->net)));
            s->failed[f] = (struct failure){link.from, link.to, step};
        }
        if (s->failure_count < 2 || s->failed[0].from != s->failed[1].from || s->failed[0].to != s->failed[1].to)
            return;
    }
    s->failure_count = 0;
}

static void cut(struct story *s, uint64_t *state)
{
    for (uint32_t step = 2; step <= s->steps; step++)
        if (base_random_below(state, 4) == 0)
            s->cut[s->cut_count++] = step;
}

/* Half of the lightpaths are those of an earlier step. */
static void random_story(struct story *s, const rwa_network *net, bool fails, uint64_t *state)
{
    bool idles = rwa_network_topology(net) == RWA_RON;
    uint32_t step = idles ? 1 + (uint32_t)base_random_below(state, 3) : 1;
    s->net = net;
    s->count = s->cut_count = s->failure_count = 0;
    step = flood(s, step);
    if (fails)
        fail_links(s, step, state);
    for (uint32_t last = step + 1 + (uint32_t)base_random_below(state, 10); step < last; step++)
        for (uint64_t k = 0, count = 1 + base_random_below(state, 5), tries = 0; k < count && tries < 200; tries++) {
            struct one o = random_lightpath(net, step, state);
            if (base_random_below(state, 4) > 0)
                o = s->at[s->count - 1 - base_random_below(state, s->count < 12 ? s->count : 12)];
            o.step = step;
            if (idles && k == 0 && base_random_below(state, 4) == 0 && step + 1 < last)
                break;
            k += add_one(s, &o);
        }
    s->steps = s->at[s->count - 1].step;
}

static bool is_ccw(const struct story *s, const struct one *o)
{
    return network_has_arcs(s->net) && (o->node[0] + 1) % rwa_network_nodes(s->net) != o->node[1];
}

static rwa_network *with_failures(const struct story *s)
{
    rwa_network *net = NULL;
    uint32_t links[4], from[4];
    for (size_t f = 0; f < s->failure_count; f++) {
        links[f] = network_has_arcs(s->net) ? s->failed[f].from : rwa_network_find_link(s->net, s->failed[f].from, s->failed[f].to);
        from[f] = s->failed[f].step;
    }
    rwa_faults faults = {.links = links, .link_count = s->failure_count};
    CU_ASSERT_EQUAL_FATAL(network_with_failures(&net, s->net, &faults, from, NULL), RWA_OK);
    return net;
}

static rwa_schedule *schedule_of(const struct story *s)
{
    static const uint32_t blocks[] = {0, 1, 2};
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_network *net = with_failures(s);
    uint32_t w = rwa_network_wavelengths(s->net);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, rwa_network_nodes(s->net), 0, 3000, 3, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (size_t i = 0; i < s->count; i++) {
        const struct one *o = &s->at[i];
        rwa_lightpath lp = {.step = o->step, .src = o->node[0], .dst = o->node[o->hops], .fiber = o->channel / w,
                            .wavelength = o->channel % w, .orbit = 1, .direction = is_ccw(s, o) ? RWA_CCW : RWA_CW};
        rwa_lists lists = {.blocks = blocks, .block_count = o->blocks, .taps = o->tap, .tap_count = o->tap_count};
        if (!network_has_arcs(s->net) && !network_is_one_hop(s->net)) {
            lists.path = o->node;
            lists.path_nodes = o->hops + 1;
        }
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_lists(sched, &lp, &lists, NULL), RWA_OK);
    }
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_cut_epochs(sched, s->cut, s->cut_count, NULL), RWA_OK);
    rwa_network_free(net);
    return sched;
}

static const char *const kinds[] = {"ring:6", "ring:9", "line:6", "torus:3x3", "mesh:2x4", "circulant:7:1,2", "star:6", "ron:6", "ocs:6x2"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static rwa_network *random_network(const char *spec, uint64_t *state)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = 1 + (uint32_t)base_random_below(state, 3);
    if (!strchr(spec, 'x') && strncmp(spec, "ron", 3) != 0)
        o.fibers = 1 + (uint32_t)base_random_below(state, 2);
    o.ports = (uint32_t)base_random_below(state, 4);
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &o, NULL), RWA_OK);
    return net;
}

static void random_schedules_take_the_time_of_the_definition(void)
{
    static struct story s;
    uint64_t state = 7;
    for (uint32_t trial = 0; trial < 2700; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS], &state);
        random_story(&s, net, trial / KINDS % 3 == 1, &state);
        if (base_random_below(&state, 4) == 0)
            cut(&s, &state);
        rwa_schedule *sched = schedule_of(&s);
        agrees(sched, &s, &state);
        rwa_schedule_free(sched);
        rwa_network_free(net);
    }
}

/* ---- what follows from the definition ---- */

static double time_of(const struct story *s, rwa_cost_model model, double alpha_s, double reconfig_s)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = model;
    o.alpha_s = alpha_s;
    o.reconfig_s = reconfig_s;
    return by_definition(s, &o);
}

static void turn_back(struct story *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->at[i].step = s->steps + 1 - s->at[i].step;
}

/* Steps first … last, from step 1 on. */
static void take_part(struct story *s, uint32_t first, uint32_t last)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].step >= first && s->at[i].step <= last) {
            s->at[kept] = s->at[i];
            s->at[kept++].step -= first - 1;
        }
    s->count = kept;
    s->steps = last - first + 1;
}

static void leave_out(struct story *s, uint64_t *state)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (base_random_below(state, 3) > 0)
            s->at[kept++] = s->at[i];
    s->count = kept;
}

/* The users of a resource in a part of the steps, or of the lightpaths, are some of those in all; the models are the same backwards in
 * time since the steps that fit are. */
static void the_models_are_ordered_and_monotone(void)
{
    static struct story s, other;
    uint64_t state = 8;
    double slack = 1e-12;
    for (uint32_t trial = 0; trial < 900; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS], &state);
        double alpha_s = base_random_below(&state, 2) ? 1e-6 : 0, r_s = base_random_below(&state, 2) ? 25e-6 : 1e-6, time_s[3];
        random_story(&s, net, false, &state);
        time_s[RWA_COST_PAPER] = time_of(&s, RWA_COST_PAPER, 0, alpha_s + r_s);
        time_s[RWA_COST_CIRCUIT] = time_of(&s, RWA_COST_CIRCUIT, alpha_s, r_s);
        time_s[RWA_COST_OVERLAP] = time_of(&s, RWA_COST_OVERLAP, alpha_s, r_s);
        CU_ASSERT_TRUE(time_s[RWA_COST_OVERLAP] <= time_s[RWA_COST_CIRCUIT] + slack);
        CU_ASSERT_TRUE(time_s[RWA_COST_CIRCUIT] <= time_s[RWA_COST_PAPER] + slack);
        for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++) {
            uint32_t first = 1 + (uint32_t)base_random_below(&state, s.steps);
            other = s;
            turn_back(&other);
            CU_ASSERT_DOUBLE_EQUAL(time_of(&other, (rwa_cost_model)model, alpha_s, r_s), time_s[model], slack);
            other = s;
            take_part(&other, first, first + (uint32_t)base_random_below(&state, s.steps - first + 1));
            CU_ASSERT_TRUE(time_of(&other, (rwa_cost_model)model, alpha_s, r_s) <= time_s[model] + slack);
            other = s;
            leave_out(&other, &state);
            CU_ASSERT_TRUE(time_of(&other, (rwa_cost_model)model, alpha_s, r_s) <= time_s[model] + slack);
        }
        rwa_network_free(net);
    }
}

/* ---- orbits ---- */

/* The node next to another along a dimension of a shape of two, or of a ring. */
static uint32_t beside(const uint32_t shape[2], uint32_t node, uint32_t dimension, bool up)
{
    uint32_t at[2] = {node / shape[1], node % shape[1]};
    at[dimension] = (at[dimension] + (up ? 1 : shape[dimension] - 1)) % shape[dimension];
    return at[0] * shape[1] + at[1];
}

/* Records that are mostly whole orbits of one period, straight along a dimension; `strange` of ten are of another kind. */
static void random_record(rwa_lightpath *lp, struct one *o, const rwa_network *net, const uint32_t shape[2], uint32_t period,
                          uint32_t strange, uint64_t *state)
{
    uint32_t n = shape[0] * shape[1], channels = rwa_network_channels(net);
    uint32_t dimension = shape[0] > 1 ? (uint32_t)base_random_below(state, 2) : 1;
    bool odd = base_random_below(state, 10) < strange, up = base_random_below(state, 2), arcs = network_has_arcs(net);
    uint32_t turn = odd && !arcs ? 1 + (uint32_t)base_random_below(state, 2) : HOPS_MOST, hops = 1 + (uint32_t)base_random_below(state, 3);
    *o = (struct one){.node = {(uint32_t)base_random_below(state, n)}};
    for (; o->hops < hops && o->hops + 1 < shape[dimension]; o->hops++) {
        dimension = o->hops == turn ? 1 - dimension : dimension;
        o->node[o->hops + 1] = beside(shape, o->node[o->hops], dimension, up);
    }
    for (uint32_t h = 1; h < o->hops; h++)
        if (base_random_below(state, 3) == 0)
            o->tap[o->tap_count++] = o->node[h];
    *lp = (rwa_lightpath){.src = o->node[0], .dst = o->node[o->hops], .orbit = n, .period = period, .direction = up ? RWA_CW : RWA_CCW};
    if (odd && base_random_below(state, 2))
        lp->period = 1 + (uint32_t)base_random_below(state, channels);
    if (odd && base_random_below(state, 3) == 0)
        lp->orbit = arcs ? 1 + (uint32_t)base_random_below(state, n) : 1;
    lp->wavelength = (uint32_t)base_random_below(state, arcs ? lp->period : channels / lp->period * lp->period);
    lp->block = lp->src;
}

/* Take the channels of all lightpaths of a record in the step; false: some are taken, and none is then. */
static bool claim(bool busy[][NODES_MOST][NODES_MOST], const rwa_lightpath *lp, const struct one *o, const rwa_network *net,
                  const rwa_collective *coll)
{
    static bool before[NODES_MOST][NODES_MOST][NODES_MOST];
    memcpy(before, busy, sizeof before);
    for (uint32_t i = 0; i < lp->orbit; i++) {
        rwa_lightpath one;
        rwa_lightpath_of_orbit(&one, lp, i, net, coll);
        for (uint32_t h = 0; h < o->hops; h++) {
            uint32_t from = rwa_node_of_orbit(o->node[h], i, net), to = rwa_node_of_orbit(o->node[h + 1], i, net);
            if (busy[one.wavelength][from][to]) {
                memcpy(busy, before, sizeof before);
                return false;
            }
            busy[one.wavelength][from][to] = true;
        }
    }
    return true;
}

static rwa_status add_record(rwa_schedule *sched, const rwa_lightpath *lp, const struct one *o)
{
    rwa_lists lists = {.taps = o->tap, .tap_count = o->tap_count};
    if (!network_has_arcs(rwa_schedule_network(sched))) {
        lists.path = o->node;
        lists.path_nodes = o->hops + 1;
    }
    return rwa_schedule_add_lists(sched, lp, &lists, NULL);
}

/* An all-gather by whole orbits of period 1 between neighbours, one block a step: first along the rows, then along the columns. */
static uint32_t gather(rwa_schedule *sched, const uint32_t shape[2], uint32_t step, uint32_t period)
{
    uint32_t row = shape[1], columns = shape[0];
    for (uint32_t k = 0; k < (row - 1) + (columns - 1) * row; k++, step++) {
        bool first = k + 1 < row;
        uint32_t c = first ? k : k - (row - 1), down = first ? 0 : c / row, dimension = first ? 1 : 0;
        uint32_t owner = first ? (row - c) % row : (columns - down) % columns * row + c % row;
        struct one o = {.node = {0, beside(shape, 0, dimension, true)}, .hops = 1};
        rwa_lightpath lp = {.step = step, .dst = o.node[1], .block = owner, .orbit = shape[0] * row, .period = period};
        CU_ASSERT_EQUAL_FATAL(add_record(sched, &lp, &o), RWA_OK);
    }
    return step - 1;
}

static void story_of(struct story *s, const rwa_schedule *sched)
{
    rwa_schedule *all = NULL;
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t n = rwa_network_nodes(net);
    const uint32_t *cuts = rwa_schedule_epoch_cuts(&s->cut_count, sched);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&all, sched, NULL), RWA_OK);
    if (cuts)
        memcpy(s->cut, cuts, s->cut_count * sizeof *cuts);
    s->net = net;
    s->failure_count = 0;
    s->steps = rwa_schedule_steps(sched);
    CU_ASSERT_TRUE_FATAL(s->steps <= STEPS_MOST && rwa_schedule_records(all) <= MOST);
    for (s->count = 0; s->count < rwa_schedule_records(all); s->count++) {
        rwa_lightpath lp;
        rwa_lists lists;
        rwa_schedule_get(&lp, all, s->count);
        rwa_schedule_lists(&lists, all, s->count);
        struct one o = {.step = lp.step, .node = {lp.src}, .channel = lp.wavelength, .tap_count = lists.tap_count, .blocks = 1};
        for (; o.node[o.hops] != lp.dst; o.hops++) {
            uint32_t next = lp.direction == RWA_CW ? o.node[o.hops] + 1 : o.node[o.hops] + n - 1;
            o.node[o.hops + 1] = network_has_arcs(net) ? next % n : lists.path[o.hops + 1];
        }
        for (uint32_t k = 0; k < lists.tap_count; k++)
            o.tap[k] = lists.taps[k];
        s->at[s->count] = o;
    }
    rwa_schedule_free(all);
}

/* A record again, as it is seen from another of its lightpaths: a whole orbit whose period divides the cycle is the same orbit. */
static void see_from(rwa_lightpath *lp, struct one *o, uint32_t turn, const rwa_network *net, const rwa_collective *coll)
{
    rwa_lightpath first;
    rwa_lightpath_of_orbit(&first, lp, turn, net, coll);
    lp->src = first.src;
    lp->dst = first.dst;
    lp->wavelength = first.wavelength;
    lp->block = lp->src;
    for (uint32_t h = 0; h <= o->hops; h++)
        o->node[h] = rwa_node_of_orbit(o->node[h], turn, net);
    for (uint32_t k = 0; k < o->tap_count; k++)
        o->tap[k] = rwa_node_of_orbit(o->tap[k], turn, net);
}

static void random_orbits(const rwa_network *net, const uint32_t shape[2], uint32_t strange, uint64_t *state)
{
    static struct story s;
    static bool busy[NODES_MOST][NODES_MOST][NODES_MOST];
    static const uint32_t divisors[] = {1, 2, 4, 6, 3, 5};
    rwa_collective coll;
    rwa_schedule *sched = NULL, *plain = NULL;
    rwa_lightpath last = {0};
    struct one route = {0};
    uint32_t n = shape[0] * shape[1], step = 1, steps = 1 + (uint32_t)base_random_below(state, 9);
    uint32_t kinds_of_periods = base_random_below(state, 2) ? 1 : 3, offset = (uint32_t)base_random_below(state, 4);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, n, 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (; step <= steps; step++) {
        memset(busy, 0, sizeof busy);
        uint32_t period = divisors[offset + base_random_below(state, kinds_of_periods)];
        for (uint32_t k = 0, tries = 0, count = 1 + (uint32_t)base_random_below(state, 4); k < count && (tries < 20 || k == 0); tries++) {
            if (step == 1 || k > 0 || tries > 3 || base_random_below(state, 2))
                random_record(&last, &route, net, shape, period, strange, state);
            else if (last.orbit == n)
                see_from(&last, &route, (uint32_t)base_random_below(state, n), net, &coll);
            last.step = step;
            if (claim(busy, &last, &route, net, &coll)) {
                CU_ASSERT_EQUAL_FATAL(add_record(sched, &last, &route), RWA_OK);
                k++;
            }
        }
    }
    gather(sched, shape, step, divisors[offset]);
    story_of(&s, sched);
    if (base_random_below(state, 4) == 0)
        cut(&s, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_cut_epochs(sched, s.cut, s.cut_count, NULL), RWA_OK);
    agrees(sched, &s, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    agrees(plain, &s, state);
    rwa_schedule_free(plain);
    rwa_schedule_free(sched);
}

/* Periods 1 to 6 on cycles of 3 to 12 nodes: some divide the cycle, several meet, and on tori paths bend. */
static void random_orbits_take_the_time_of_their_lightpaths(void)
{
    static const uint32_t shapes[][2] = {{1, 12}, {1, 10}, {1, 6}, {2, 6}, {4, 4}, {3, 4}, {4, 3}};
    uint64_t state = 16;
    for (uint32_t trial = 0; trial < 840; trial++) {
        const uint32_t *shape = shapes[trial % 7];
        bool ring = shape[0] == 1;
        rwa_network *net = NULL;
        rwa_network_options o;
        rwa_network_options_init(&o);
        o.wavelengths = 6;
        CU_ASSERT_EQUAL_FATAL(rwa_network_create_shape(&net, ring ? RWA_RING : RWA_TORUS, shape + ring, ring ? 1 : 2, &o, NULL), RWA_OK);
        random_orbits(net, shape, trial / 7 % 3 * 2, &state);
        rwa_network_free(net);
    }
}

/* 131,072 orbits of 1024 lightpaths: the checker must not look at each of 134 million lightpaths.  The times are of the definition:
 * nothing is tuned after the first step, which repeats. */
static void a_large_schedule_of_orbits_takes_little_work(void)
{
    enum { MANY = 1024, W = 64, HALF = MANY / 2 };
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_cost_options cost;
    rwa_network_options_init(&o);
    o.wavelengths = W;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RING, MANY, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, MANY, 0, W * 1000, W * MANY, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    for (uint32_t step = 1; step < MANY; step++)
        for (uint32_t c = 0; c < W; c++) {
            rwa_lightpath lp = {.step = step, .dst = 1, .wavelength = c, .block = (uint64_t)(MANY - step + 1) % MANY * W + c, .orbit = MANY,
                                .period = W};
            CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
        }
    rwa_cost_options_init(&cost);
    cost.alpha_s = 1e-6;
    for (int model = RWA_COST_CIRCUIT; model <= RWA_COST_OVERLAP; model++) {
        cost.model = (rwa_cost_model)model;
        double first_s = model == RWA_COST_CIRCUIT ? cost.alpha_s + cost.reconfig_s : cost.reconfig_s;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), first_s + (MANY - 2) * cost.alpha_s + (MANY - 1) * 232e-9, 1e-12);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

static rwa_schedule *broadcast_after_a_pause(const rwa_network *net)
{
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_lightpath first = {.step = 2, .src = 0, .dst = 1, .orbit = 1}, second = {.step = 3, .src = 1, .dst = 2, .orbit = 1};
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_BROADCAST, 3, 0, 1000, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &first, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &second, NULL), RWA_OK);
    return sched;
}

/* docs/formats.md, "Time": step 1 begins at max(alpha, r) in `overlap` and alpha + r in `circuit`, also when it is empty.  Nothing is
   in use before steps 2 and 3, which retune meanwhile in `overlap`. */
static void an_empty_first_step_begins_like_any_first_step(void)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_cost_options cost;
    rwa_network_options_init(&o);
    o.wavelengths = o.ports = o.tuning = 1;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create(&net, RWA_RON, 3, &o, NULL), RWA_OK);
    rwa_schedule *sched = broadcast_after_a_pause(net);
    double send_s = 8 * 1000 / rwa_network_rate_bps(net) + 8 * 4e-9;
    rwa_cost_options_init(&cost);
    cost.reconfig_s = 25e-6;
    for (int slow = 0; slow <= 1; slow++) {
        double begin_s[3], end_s[3], later_s = slow ? 40e-6 : cost.reconfig_s;
        cost.alpha_s = slow ? 40e-6 : 1e-6;
        cost.model = RWA_COST_OVERLAP;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), later_s + 2 * cost.alpha_s + 3 * send_s, 1e-15);
        CU_ASSERT_EQUAL_FATAL(rwa_cost_step_times(begin_s, end_s, sched, rwa_network_rate_bps(net), &cost, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL(begin_s[0], later_s, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(end_s[2], later_s + 2 * cost.alpha_s + 3 * send_s, 1e-15);
        cost.model = RWA_COST_CIRCUIT;
        CU_ASSERT_DOUBLE_EQUAL(checked(sched, &cost), 3 * (cost.alpha_s + cost.reconfig_s + send_s), 1e-15);
    }
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(random_schedules_take_the_time_of_the_definition), TEST(the_models_are_ordered_and_monotone),
                                        TEST(random_orbits_take_the_time_of_their_lightpaths),
                                        TEST(a_large_schedule_of_orbits_takes_little_work),
                                        TEST(an_empty_first_step_begins_like_any_first_step), {NULL, NULL}};
    return run_tests("timing", tests);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds, and what nodes tune for them, against the definition in docs/reference/formats.md ("Time"), taken word by word.  The
 * times of whole schedules are compared with it in tests/check/timing_test.c. */
#include "rwa/cost.h"
#include "rwa/settings.h"

#include "base/base.h"
#include "cost/cost.h"

#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 7, ROUTE = 16 };

static rwa_network *network(const char *spec, uint32_t fibers, uint32_t wavelengths, uint32_t ports)
{
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.fibers = fibers;
    o.wavelengths = wavelengths;
    o.ports = ports;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, spec, &o, NULL), RWA_OK);
    return net;
}

static rwa_schedule *schedule(const rwa_network *net)
{
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1000, 0, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_create(&sched, net, &coll, "test", NULL), RWA_OK);
    return sched;
}

static rwa_cost_options options(rwa_cost_model model, double alpha_s, double reconfig_s)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = model;
    o.alpha_s = alpha_s;
    o.reconfig_s = reconfig_s;
    return o;
}

static double seconds_of(const rwa_schedule *sched, const rwa_cost_options *o)
{
    double seconds = 0;
    CU_ASSERT_EQUAL_FATAL(rwa_cost_schedule(&seconds, sched, o, NULL), RWA_OK);
    return seconds;
}

/* ---- the definition ---- */

static bool is_one_of(const rwa_network *net, rwa_topology kind)
{
    return rwa_network_topology(net) == kind;
}

static bool is_arc(const rwa_network *net)
{
    return is_one_of(net, RWA_RING) || is_one_of(net, RWA_LINE);
}

/* The directed link from node to node as a number, whatever the network calls it. */
static uint32_t link_between(const rwa_network *net, uint32_t from, uint32_t to)
{
    return from * rwa_network_nodes(net) + to;
}

/* The nodes of record i's route; returns how many. */
static uint32_t route_of(uint32_t *route, const rwa_schedule *sched, uint64_t i)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), count = 0;
    rwa_lightpath lp;
    rwa_schedule_get(&lp, sched, i);
    if (is_arc(net)) {
        for (uint32_t at = lp.src; at != lp.dst; at = (at + (lp.direction == RWA_CW ? 1 : nodes - 1)) % nodes)
            route[count++] = at;
        route[count++] = lp.dst;
        return count;
    }
    const uint32_t *path = rwa_schedule_path(&count, sched, i);
    for (uint32_t h = 0; h < count; h++)
        route[h] = path[h];
    return count;
}

static bool same(const rwa_schedule *sched, uint64_t i, uint64_t k)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t p[ROUTE], q[ROUTE], count;
    rwa_lists at_i, at_k;
    rwa_lightpath a, b;
    rwa_schedule_get(&a, sched, i);
    rwa_schedule_get(&b, sched, k);
    rwa_schedule_lists(&at_i, sched, i);
    rwa_schedule_lists(&at_k, sched, k);
    if (a.src != b.src || a.dst != b.dst || a.fiber != b.fiber || (a.wavelength != b.wavelength && !is_one_of(net, RWA_OCS)))
        return false;
    if (at_i.tap_count != at_k.tap_count || (at_i.tap_count > 0 && memcmp(at_i.taps, at_k.taps, at_i.tap_count * sizeof *at_i.taps) != 0))
        return false;
    count = route_of(p, sched, i);
    return count == route_of(q, sched, k) && memcmp(p, q, count * sizeof *p) == 0;
}

/* A resource that a lightpath uses, and who uses it there. */
struct claim {
    uint32_t resource, capacity, user;
};

enum { SENDER = 1 << 20, RECEIVER = 1 << 21, USERS_MOST = 8 };

static uint32_t add_claim(struct claim *list, uint32_t count, uint32_t resource, uint32_t capacity, uint32_t user)
{
    list[count] = (struct claim){resource, capacity, user};
    return count + 1;
}

/* All that record i uses; first: the first record that is the same lightpath, or circuit. */
static uint32_t claims_of(struct claim *list, const rwa_schedule *sched, uint64_t i, uint32_t first)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t route[ROUTE], count = 0, ports = rwa_network_ports(net), nodes = rwa_network_nodes(net);
    rwa_lists lists;
    rwa_lightpath lp;
    rwa_schedule_get(&lp, sched, i);
    rwa_schedule_lists(&lists, sched, i);
    uint32_t channel = lp.fiber * rwa_network_wavelengths(net) + lp.wavelength, channels = rwa_network_channels(net);
    uint32_t user = is_one_of(net, RWA_STAR) ? channel : is_one_of(net, RWA_RON) ? lp.dst : first;
    if (ports > 0)
        count = add_claim(list, count, SENDER + lp.src, ports, user);
    if (ports > 0 && !is_one_of(net, RWA_RON)) {
        count = add_claim(list, count, RECEIVER + lp.dst, ports, user);
        for (uint32_t k = 0; k < lists.tap_count; k++)
            count = add_claim(list, count, RECEIVER + lists.taps[k], ports, user);
    }
    if (is_one_of(net, RWA_STAR))
        return add_claim(list, count, channel, 1, lp.src);
    if (is_one_of(net, RWA_RON))
        return count;
    if (is_one_of(net, RWA_OCS)) {
        count = add_claim(list, count, 2 * lp.fiber * nodes + lp.src, 1, first);
        return add_claim(list, count, (2 * lp.fiber + 1) * nodes + lp.dst, 1, first);
    }
    for (uint32_t h = 1, hops = route_of(route, sched, i); h < hops; h++)
        count = add_claim(list, count, link_between(net, route[h - 1], route[h]) * channels + channel, 1, first);
    return count;
}

/* The users of each resource in some steps. */
struct users {
    uint32_t resource, count, user[USERS_MOST];
};

/* @return whether there are more than the resource's capacity */
static bool add_user(struct users *all, size_t *count, const struct claim *claim)
{
    size_t k = 0;
    uint32_t n = 0;
    while (k < *count && all[k].resource != claim->resource)
        k++;
    if (k == *count)
        all[(*count)++] = (struct users){.resource = claim->resource};
    while (n < all[k].count && all[k].user[n] != claim->user)
        n++;
    if (n == all[k].count)
        all[k].user[all[k].count++] = claim->user;
    return all[k].count > claim->capacity;
}

struct claims {
    struct claim list[ROUTE + 8];
    uint32_t count;
};

/* The first step of the last cut up to a step; 1: there is none. */
static uint32_t cut_before(const rwa_schedule *sched, uint32_t step)
{
    size_t count = 0;
    const uint32_t *cuts;
    count = rwa_schedule_epoch_cuts(&cuts, sched);
    while (count > 0 && cuts[count - 1] > step)
        count--;
    return count > 0 ? cuts[count - 1] : 1;
}

/* The last step i before `step` such that the steps i … step do not fit, or a cut is between them; 0: all fit. */
static uint32_t conflict_of(const rwa_schedule *sched, const struct claims *claims, struct users *users, uint32_t step)
{
    size_t count = 0;
    for (uint32_t i = step; i >= cut_before(sched, step); i--)
        for (uint64_t k = rwa_schedule_first(sched, i); k < rwa_schedule_first(sched, i + 1); k++)
            for (uint32_t c = 0; c < claims[k].count; c++)
                if (add_user(users, &count, &claims[k].list[c]))
                    return i < step ? i : step - 1; /* a step that breaks a capacity alone */
    return cut_before(sched, step) - 1;
}

/* Of all records, without orbits; *resources: of all together. */
static struct claims *all_claims(uint64_t *resources, const rwa_schedule *sched)
{
    uint64_t records = rwa_schedule_records(sched);
    struct claims *claims = calloc(records, sizeof *claims);
    *resources = 0;
    for (uint64_t i = 0; i < records; i++) {
        uint64_t first = 0;
        while (first < i && !same(sched, first, i))
            first++;
        claims[i].count = claims_of(claims[i].list, sched, i, (uint32_t)first);
        *resources += claims[i].count;
    }
    return claims;
}

/* ---- random schedules ---- */

/* Whether the step has another circuit from or to a node, which the switch could not join. */
static bool meets_circuit(const rwa_schedule *sched, const rwa_lightpath *lp)
{
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath other;
        rwa_schedule_get(&other, sched, i);
        if (other.step == lp->step && other.fiber == lp->fiber && (other.src == lp->src) != (other.dst == lp->dst))
            return true;
    }
    return false;
}

/* Some lightpath; few different ones, so that steps share channels and keep lightpaths. */
static void add_random(rwa_schedule *sched, uint32_t step, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), hops = (uint32_t)base_random_below(state, 2) + 1;
    rwa_lightpath lp = {.step = step, .src = (uint32_t)base_random_below(state, nodes - 2), .orbit = 1, .period = 1,
                        .fiber = (uint32_t)base_random_below(state, rwa_network_fibers(net)),
                        .wavelength = (uint32_t)base_random_below(state, rwa_network_wavelengths(net)),
                        .direction = base_random_below(state, 2) && is_one_of(net, RWA_RING) ? RWA_CCW : RWA_CW};
    lp.dst = (lp.src + (lp.direction == RWA_CW ? hops : nodes - hops)) % nodes;
    if (is_one_of(net, RWA_RING) && base_random_below(state, 3) == 0) {
        lp.fiber = 0;
        lp.orbit = (uint32_t)base_random_below(state, nodes) + 1;
        lp.period = lp.wavelength + 1;
    }
    uint32_t path[] = {lp.src, lp.src + 1, lp.dst};
    if (hops == 1)
        path[1] = lp.dst;
    bool listed = is_one_of(net, RWA_GRAPH);
    if (listed && base_random_below(state, 2))
        lp.direction = RWA_CCW; /* says nothing here */
    if (is_one_of(net, RWA_OCS) && meets_circuit(sched, &lp))
        return;
    rwa_status st = listed ? rwa_schedule_add_path(sched, &lp, path, hops + 1, NULL) : rwa_schedule_add(sched, &lp, NULL);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
}

/* A lightpath from every node, on the channels of a period; some long enough to meet others of its own. */
static void add_whole(rwa_schedule *sched, uint32_t step, uint32_t period, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t nodes = rwa_network_nodes(net), channel = (uint32_t)base_random_below(state, period);
    rwa_lightpath lp = {.step = step, .src = (uint32_t)base_random_below(state, nodes), .orbit = nodes, .period = period,
                        .fiber = channel / rwa_network_wavelengths(net), .wavelength = channel % rwa_network_wavelengths(net),
                        .direction = base_random_below(state, 2) ? RWA_CCW : RWA_CW};
    uint32_t hops = 1 + (uint32_t)base_random_below(state, period < nodes && base_random_below(state, 4) ? period : nodes - 1);
    lp.dst = (lp.src + (lp.direction == RWA_CW ? hops : nodes - hops)) % nodes;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
}

/* The same on a torus, along one dimension. */
static void add_straight(rwa_schedule *sched, uint32_t step, uint32_t period, uint64_t *state)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const uint32_t *shape = NULL;
    uint32_t nodes = rwa_network_nodes(net), channel = (uint32_t)base_random_below(state, period), path[8], stride = 1;
    size_t dimensions = rwa_network_shape(&shape, net), d = base_random_below(state, dimensions);
    for (size_t e = dimensions; e-- > d + 1;)
        stride *= shape[e];
    uint32_t size = shape[d], hops = 1 + (uint32_t)base_random_below(state, size - 1), up = base_random_below(state, 2) ? 1 : size - 1;
    path[0] = (uint32_t)base_random_below(state, nodes);
    for (uint32_t k = 0; k < hops; k++) {
        uint32_t at = path[k] / stride % size;
        path[k + 1] = path[k] - at * stride + (at + up) % size * stride;
    }
    rwa_lightpath lp = {.step = step, .src = path[0], .dst = path[hops], .orbit = nodes, .period = period,
                        .fiber = channel / rwa_network_wavelengths(net), .wavelength = channel % rwa_network_wavelengths(net)};
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_add_path(sched, &lp, path, hops + 1, NULL), RWA_OK);
}

/* Nodes in a row and a chord between every second: paths of one and two links between the same ends. */
static rwa_network *chords(void)
{
    static const rwa_link links[] = {{.from = 0, .to = 1, .fibers = 1}, {.from = 1, .to = 2, .fibers = 1},
                                     {.from = 2, .to = 3, .fibers = 1}, {.from = 0, .to = 2, .fibers = 1},
                                     {.from = 1, .to = 3, .fibers = 1}};
    rwa_network *net = NULL;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = 2;
    CU_ASSERT_EQUAL_FATAL(rwa_network_create_graph(&net, 4, links, sizeof links / sizeof *links, &o, NULL), RWA_OK);
    return net;
}

static void cut_at_random(rwa_schedule *sched, uint64_t *state)
{
    uint32_t cuts[STEPS], count = 0;
    for (uint32_t step = 2; step <= rwa_schedule_steps(sched); step++)
        if (base_random_below(state, 8) == 0)
            cuts[count++] = step;
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_cut_epochs(sched, cuts, count, NULL), RWA_OK);
}

/* @param period  0, or of the records, which are whole orbits then; other: of some of them */
static void fill(rwa_schedule *sched, uint32_t period, uint32_t other, uint64_t *state)
{
    bool straight = is_one_of(rwa_schedule_network(sched), RWA_TORUS);
    for (uint32_t step = 1; step <= STEPS; step++)
        for (uint64_t k = base_random_below(state, 4) + 1; k > 0; k--)
            if (period > 0)
                (straight ? add_straight : add_whole)(sched, step, base_random_below(state, 2) ? other : period, state);
            else
                add_random(sched, step, state);
    cut_at_random(sched, state);
}

/* ---- holds ---- */

static rwa_hold *holds_of(const rwa_schedule *sched, rwa_cost_model model)
{
    const rwa_cost_options o = options(model, 0, 1e-6);
    rwa_hold *hold = calloc(rwa_schedule_records(sched) + 1, sizeof *hold);
    CU_ASSERT_EQUAL_FATAL(rwa_cost_holds(hold, sched, &o, NULL), RWA_OK);
    return hold;
}

/* The first step that has, with those from the record's on, more users of one of the record's resources than its capacity; 0: none. */
static uint32_t taken_at(const rwa_schedule *sched, const struct claims *claims, uint64_t record, uint32_t step)
{
    for (uint32_t q = step; q <= rwa_schedule_steps(sched); q++)
        for (uint32_t c = 0; c < claims[record].count; c++) {
            struct users one = {0};
            size_t count = 0;
            bool over = false;
            for (uint64_t k = rwa_schedule_first(sched, step); k < rwa_schedule_first(sched, q + 1); k++)
                for (uint32_t d = 0; d < claims[k].count; d++)
                    over = over || (claims[k].list[d].resource == claims[record].list[c].resource && one.count < USERS_MOST &&
                                    add_user(&one, &count, &claims[k].list[d]));
            if (over)
                return q;
        }
    return 0;
}

/* Of a schedule without orbits. */
static void holds_agree_with_definition(const rwa_schedule *sched)
{
    uint64_t resources = 0;
    struct claims *claims = all_claims(&resources, sched);
    struct users *users = calloc(resources + 1, sizeof *users);
    rwa_hold *circuit = holds_of(sched, RWA_COST_CIRCUIT), *overlap = holds_of(sched, RWA_COST_OVERLAP);
    uint32_t conflict[STEPS + 1] = {0}, epoch[STEPS + 2] = {0}, steps = rwa_schedule_steps(sched);
    for (uint32_t step = 1, first = 1; step <= steps; step++) {
        conflict[step] = conflict_of(sched, claims, users, step);
        first = conflict[step] >= first ? step : first;
        epoch[step] = first;
    }
    for (uint32_t step = 1; step <= steps; step++)
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
            uint32_t q = taken_at(sched, claims, i, step), to = q > 0 ? conflict[q] : steps;
            for (uint32_t k = steps; k > step; k--)
                to = cut_before(sched, k) == k && to >= k ? k - 1 : to;
            CU_ASSERT_EQUAL(circuit[i].from, epoch[step]);
            CU_ASSERT(epoch[circuit[i].to] == epoch[step] && epoch[circuit[i].to + 1] != epoch[step]);
            CU_ASSERT_EQUAL(overlap[i].from, conflict[step] + 1);
            CU_ASSERT_EQUAL(overlap[i].to, to > step ? to : step);
        }
    free(circuit);
    free(overlap);
    free(claims);
    free(users);
}

/* An orbit is held as long as all of its lightpaths may be. */
static void orbits_are_held_together(const rwa_schedule *sched, const rwa_schedule *plain, rwa_cost_model model)
{
    rwa_hold *orbits = holds_of(sched, model), *each = holds_of(plain, model);
    uint64_t at = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp;
        uint32_t least = UINT32_MAX;
        rwa_schedule_get(&lp, sched, i);
        for (uint32_t k = 0; k < lp.orbit; k++, at++) {
            CU_ASSERT_EQUAL(each[at].from, orbits[i].from);
            least = each[at].to < least ? each[at].to : least;
        }
        CU_ASSERT_EQUAL(orbits[i].to, least);
    }
    free(orbits);
    free(each);
}

/* Whether a record of its step, before it, has its channel too: a channel carries one lightpath in a step. */
static bool shares_channel(const rwa_schedule *sched, uint64_t i, uint32_t step)
{
    rwa_lightpath lp, other;
    rwa_schedule_get(&lp, sched, i);
    for (uint64_t k = rwa_schedule_first(sched, step); k < i; k++) {
        rwa_schedule_get(&other, sched, k);
        bool one = other.fiber == lp.fiber && other.wavelength == lp.wavelength;
        if (one && (is_one_of(rwa_schedule_network(sched), RWA_STAR) || same(sched, k, i)))
            return true;
    }
    return false;
}

/* The lightpaths of a step that fit together, in the order of the schedule. */
static rwa_schedule *without_clashes(const rwa_schedule *sched)
{
    size_t cut_count = 0;
    uint64_t resources = 0;
    struct claims *claims = all_claims(&resources, sched);
    struct users *users = calloc(resources + 1, sizeof *users), *tried = calloc(resources + 1, sizeof *users);
    rwa_schedule *out = schedule(rwa_schedule_network(sched));
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        size_t count = 0;
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
            size_t now = count;
            bool over = shares_channel(sched, i, step);
            memcpy(tried, users, count * sizeof *users);
            for (uint32_t c = 0; c < claims[i].count; c++)
                over = add_user(tried, &now, &claims[i].list[c]) || over;
            if (over)
                continue;
            rwa_lightpath lp;
            uint32_t nodes = 0;
            rwa_schedule_get(&lp, sched, i);
            const uint32_t *path = rwa_schedule_path(&nodes, sched, i);
            rwa_status st = path ? rwa_schedule_add_path(out, &lp, path, nodes, NULL) : rwa_schedule_add(out, &lp, NULL);
            CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
            memcpy(users, tried, now * sizeof *users);
            count = now;
        }
    }
    const uint32_t *cuts;
    cut_count = rwa_schedule_epoch_cuts(&cuts, sched);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_cut_epochs(out, cuts, cut_count, NULL), RWA_OK);
    free(claims);
    free(users);
    free(tried);
    return out;
}

/* In no step is more up than fits. */
static void all_that_is_up_fits(const rwa_schedule *sched, const rwa_hold *hold)
{
    uint64_t resources = 0;
    struct claims *claims = all_claims(&resources, sched);
    struct users *users = calloc(resources + 1, sizeof *users);
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        size_t count = 0;
        for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
            for (uint32_t c = 0; c < claims[i].count && hold[i].from <= step && step <= hold[i].to; c++)
                CU_ASSERT(!add_user(users, &count, &claims[i].list[c]));
    }
    free(claims);
    free(users);
}

/* The rings of all nodes: what is set, and since the beginning of which step. */
struct rings {
    struct {
        rwa_setting setting;
        uint32_t since;
    } at[512];
    size_t count;
};

static bool same_setting(const rwa_setting *a, const rwa_setting *b)
{
    return a->node == b->node && a->in_link == b->in_link && a->out_link == b->out_link && a->fiber == b->fiber &&
           a->wavelength == b->wavelength && a->use == b->use;
}

/* What a controller pushes before the step.  @return how many changes */
static size_t push(struct rings *rings, const rwa_schedule *sched, uint32_t step, const rwa_hold *hold)
{
    rwa_settings *settings = NULL;
    const rwa_setting *list = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_settings_make(&settings, sched, step, RWA_NONE, hold, NULL), RWA_OK);
    size_t count = rwa_settings_list(&list, settings), changes = rwa_settings_changes(settings);
    for (size_t i = 0; i < count; i++)
        if (list[i].change == RWA_CHANGE_CLEAR) {
            size_t k = 0;
            while (k < rings->count && !same_setting(&rings->at[k].setting, &list[i]))
                k++;
            CU_ASSERT_FATAL(k < rings->count);
            rings->at[k] = rings->at[--rings->count];
        }
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < rings->count && !same_setting(&rings->at[k].setting, &list[i]))
            k++;
        CU_ASSERT(list[i].change == RWA_CHANGE_CLEAR || (list[i].change == RWA_CHANGE_KEEP) == (k < rings->count));
        if (list[i].change == RWA_CHANGE_SET) {
            rings->at[k].since = step;
            rings->count++;
        }
        if (list[i].change != RWA_CHANGE_CLEAR)
            rings->at[k].setting = list[i];
    }
    rwa_settings_free(settings);
    return changes;
}

static bool leads(const rwa_network *net, uint32_t link, uint32_t from, uint32_t to)
{
    return link != RWA_NONE && rwa_network_link(net, link).from == from && rwa_network_link(net, link).to == to;
}

/* The lightpath finds its ring set at node k of its route, long enough before `begin_s`. */
static void finds_ring(const struct rings *rings, const rwa_network *net, const rwa_lightpath *lp, const uint32_t *route, uint32_t k,
                       uint32_t hops, const double *end_s, double begin_s, double reconfig_s)
{
    unsigned use = k == 0 ? RWA_USE_ADD : k == hops ? RWA_USE_DROP : RWA_USE_PASS;
    bool found = false;
    for (size_t i = 0; i < rings->count; i++) {
        const rwa_setting *s = &rings->at[i].setting;
        if (s->node != route[k] || s->fiber != lp->fiber || s->wavelength != lp->wavelength || s->use != use)
            continue;
        if ((k > 0 && !leads(net, s->in_link, route[k - 1], route[k])) || (k < hops && !leads(net, s->out_link, route[k], route[k + 1])))
            continue;
        CU_ASSERT_EQUAL(s->held, 0);
        CU_ASSERT(begin_s >= end_s[rings->at[i].since - 1] + reconfig_s - 1e-15);
        found = true;
    }
    CU_ASSERT(found);
}

static bool has_fibers(const rwa_network *net)
{
    return !is_one_of(net, RWA_STAR) && !is_one_of(net, RWA_OCS) && !is_one_of(net, RWA_RON);
}

/* No fibre leads one wavelength to two places in a node, or from two. */
static void rings_are_apart(const struct rings *rings, const rwa_network *net)
{
    bool apart = true;
    for (size_t i = 0; i < rings->count && has_fibers(net); i++)
        for (size_t k = 0; k < i; k++) {
            const rwa_setting *a = &rings->at[i].setting, *b = &rings->at[k].setting;
            bool meet = (a->in_link == b->in_link && a->in_link != RWA_NONE) ||
                        (a->out_link == b->out_link && a->out_link != RWA_NONE);
            apart = apart && (a->node != b->node || a->fiber != b->fiber || a->wavelength != b->wavelength || !meet);
        }
    CU_ASSERT(apart);
}

/* Play a schedule without orbits: a ring that is set at the end of a step is tuned a reconfiguration later. */
static void played_times_are_true(const rwa_schedule *sched, rwa_cost_model model)
{
    const rwa_cost_options o = options(model, 1e-7, 1e-6);
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_hold *hold = holds_of(sched, model);
    double begin_s[STEPS], end_s[STEPS + 1] = {0};
    uint32_t epoch[STEPS], route[ROUTE], steps = rwa_schedule_steps(sched);
    struct rings rings = {.count = 0};
    CU_ASSERT_EQUAL_FATAL(rwa_cost_step_times(begin_s, end_s + 1, sched, 0, &o, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_cost_epochs(epoch, sched, &o, NULL), RWA_OK);
    all_that_is_up_fits(sched, hold);
    for (uint32_t step = 1; step <= steps; step++) {
        size_t changes = push(&rings, sched, step, hold);
        CU_ASSERT(model != RWA_COST_CIRCUIT || changes == 0 || step == 1 || epoch[step - 1] > epoch[step - 2]);
        rings_are_apart(&rings, net);
        for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
            rwa_lightpath lp;
            rwa_schedule_get(&lp, sched, i);
            uint32_t hops = has_fibers(net) ? route_of(route, sched, i) - 1 : 1;
            route[0] = lp.src;
            route[hops] = lp.dst;
            for (uint32_t k = 0; k <= hops; k++)
                finds_ring(&rings, net, &lp, route, k, hops, end_s, begin_s[step - 1], 1e-6);
        }
    }
    push(&rings, sched, steps + 1, hold);
    CU_ASSERT_EQUAL(rings.count, 0);
    free(hold);
}

static uint64_t record_of(const rwa_schedule *sched, uint32_t step, const rwa_lightpath *lp)
{
    for (uint64_t i = rwa_schedule_first(sched, step); i < rwa_schedule_first(sched, step + 1); i++) {
        rwa_lightpath other;
        rwa_schedule_get(&other, sched, i);
        if (other.src == lp->src && other.dst == lp->dst && other.fiber == lp->fiber && other.wavelength == lp->wavelength &&
            (other.direction == lp->direction || !is_arc(rwa_schedule_network(sched))))
            return i;
    }
    CU_FAIL("the step has this lightpath");
    return rwa_schedule_first(sched, step);
}

/* The lightpath that raises the last step that does not fit needs a resource that another user had in that step. */
static void conflicts_are_true(const rwa_schedule *sched)
{
    uint64_t resources = 0;
    struct claims *claims = all_claims(&resources, sched);
    struct users *users = calloc(resources + 1, sizeof *users);
    uint32_t last[STEPS], most = 0;
    rwa_lightpath raises[STEPS];
    CU_ASSERT_EQUAL_FATAL(cost_conflicts(last, raises, sched, NULL), RWA_OK);
    for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
        uint32_t conflict = conflict_of(sched, claims, users, step);
        bool shared = conflict <= most, cut = cut_before(sched, step) > conflict;
        most = conflict > most ? conflict : most;
        CU_ASSERT(cut || last[step - 1] == most);
        if (last[step - 1] == 0 || (step > 1 && last[step - 1] == last[step - 2]))
            continue;
        uint64_t i = record_of(sched, step, &raises[step - 1]), k = rwa_schedule_first(sched, last[step - 1]);
        for (; k < rwa_schedule_first(sched, last[step - 1] + 1); k++)
            for (uint32_t c = 0; c < claims[i].count; c++)
                for (uint32_t d = 0; d < claims[k].count; d++)
                    shared = shared || (claims[i].list[c].resource == claims[k].list[d].resource &&
                                        claims[i].list[c].user != claims[k].list[d].user);
        CU_ASSERT(shared);
    }
    free(claims);
    free(users);
}

static void holds_of_random(const rwa_network *net, uint32_t period, uint32_t other, uint64_t *state)
{
    rwa_schedule *sched = schedule(net), *plain = NULL;
    fill(sched, period, other, state);
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_expand(&plain, sched, NULL), RWA_OK);
    rwa_schedule *clean = without_clashes(plain);
    holds_agree_with_definition(clean);
    conflicts_are_true(clean);
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++) {
        orbits_are_held_together(sched, plain, (rwa_cost_model)model);
        played_times_are_true(clean, (rwa_cost_model)model);
    }
    rwa_schedule_free(plain);
    rwa_schedule_free(clean);
    rwa_schedule_free(sched);
}

static void held_settings_make_times_true(void)
{
    static const struct { const char *spec; uint32_t fibers, wavelengths, ports, period; } cases[] = {
        {"ring:5", 1, 2, 0, 0}, {"ring:5", 2, 2, 2, 0}, {"line:5", 1, 3, 1, 0}, {"star:4", 1, 3, 0, 0}, {"star:4", 1, 3, 2, 0},
        {"ocs:4x2", 2, 2, 0, 0}, {"ron:4", 1, 2, 2, 0}, {"ring:8", 1, 4, 2, 4}, {"ring:8", 2, 2, 0, 2}, {"torus:3x3", 1, 3, 1, 3}};
    uint64_t state = 13;
    rwa_network *graph = chords();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rwa_network *net = network(cases[i].spec, cases[i].fibers, cases[i].wavelengths, cases[i].ports);
        for (int round = 0; round < 40; round++)
            holds_of_random(net, cases[i].period, cases[i].period, &state);
        rwa_network_free(net);
    }
    for (int round = 0; round < 40; round++)
        holds_of_random(graph, 0, 0, &state);
    rwa_network_free(graph);
}

/* ---- closed forms ---- */

/* A chain round a ring, one lightpath a step.  On one wavelength the steps use different links, so all but the first are tuned when
 * they start; so are they through the whole ring, where the second round uses links for the second time. */
static void chain_pays_for_one_reconfiguration(void)
{
    rwa_network *net = network("ring:30", 1, 1, 0);
    const rwa_cost_options o = options(RWA_COST_OVERLAP, 1e-6, 25e-6);
    rwa_schedule *sched = schedule(net);
    for (uint32_t step = 1; step <= 30; step++) {
        rwa_lightpath lp = {.step = step, .src = step - 1, .dst = step % 30, .orbit = 1};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &lp, NULL), RWA_OK);
    }
    CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, &o), 25e-6 + 29 * 1e-6 + 30 * 232e-9, 1e-15);
    rwa_schedule_free(sched);
    rwa_network_free(net);
}

/* Two lightpaths that cross one link: on one wavelength the second waits for a whole reconfiguration, on two only for its start-up. */
static void second_wavelength_hides_tuning(void)
{
    rwa_network *net = network("line:4", 1, 2, 0);
    const rwa_cost_options o = options(RWA_COST_OVERLAP, 1e-6, 25e-6);
    for (uint32_t wavelength = 0; wavelength < 2; wavelength++) {
        rwa_schedule *sched = schedule(net);
        rwa_lightpath first = {.step = 1, .src = 0, .dst = 2, .orbit = 1};
        rwa_lightpath second = {.step = 2, .src = 1, .dst = 3, .orbit = 1, .wavelength = wavelength};
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &first, NULL), RWA_OK);
        CU_ASSERT_EQUAL_FATAL(rwa_schedule_add(sched, &second, NULL), RWA_OK);
        CU_ASSERT_DOUBLE_EQUAL(seconds_of(sched, &o), 25e-6 + (wavelength ? 1e-6 : 25e-6) + 2 * 232e-9, 1e-15);
        rwa_schedule_free(sched);
    }
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(held_settings_make_times_true),
                                        TEST(chain_pays_for_one_reconfiguration),
                                        TEST(second_wavelength_hides_tuning),
                                        {0}};
    return run_tests("epochs", tests);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds, and what nodes tune for them, against the definition in docs/reference/formats.md ("Time"), by the users of
 * each resource (tests/support/epochs.h).  The checker's times are compared with it in tests/check/timing_test.c. */
#include "cost/cost.h"

#include "tests/support/orbits.h"

static rwa_cost_options options(rwa_cost_model model)
{
    rwa_cost_options o;
    rwa_cost_options_init(&o);
    o.model = model;
    o.alpha_s = 1e-7;
    o.reconfig_s = 1e-6;
    return o;
}

/* ---- holds ---- */

static rwa_hold *holds_of(const rwa_schedule *sched, rwa_cost_model model)
{
    const rwa_cost_options o = options(model);
    rwa_hold *hold = calloc(rwa_schedule_records(sched) + 1, sizeof *hold);
    OK(rwa_cost_holds(hold, sched, &o, NULL));
    return hold;
}

/* The first step that has, with those from `step` on, more users of a place than it has room for; UINT32_MAX: none. */
static uint32_t taken_at(struct judge *j, const struct use *place, uint32_t step)
{
    uint32_t users = 0;
    j->window++;
    for (size_t i = 0; i < j->count; i++) {
        const struct use *u = &j->use[i];
        if (u->place_number != place->place_number || u->step < step || j->seen[u->user_number] == j->window)
            continue;
        j->seen[u->user_number] = j->window;
        if (++users > u->fits)
            return u->step;
    }
    return UINT32_MAX;
}

static void holds_agree_with_definition(struct judge *j, const rwa_schedule *sched)
{
    const struct story *s = j->story;
    rwa_hold *circuit = holds_of(sched, RWA_COST_CIRCUIT), *overlap = holds_of(sched, RWA_COST_OVERLAP);
    uint32_t conflict[STEPS_MOST + 1] = {0}, epoch[STEPS_MOST + 2] = {0}, to[MOST];
    for (uint32_t step = 1, first = 1; step <= s->steps; step++) {
        conflict[step] = apart(j, step);
        first = begins_epoch(j, step, first) ? step : first;
        epoch[step] = first;
    }
    for (size_t i = 0; i < s->count; i++)
        to[i] = s->steps;
    for (size_t i = 0; i < j->count; i++) {
        const struct use *u = &j->use[i];
        uint32_t taken = taken_at(j, u, u->step);
        if (taken <= s->steps && conflict[taken] < to[u->record])
            to[u->record] = conflict[taken];
    }
    for (size_t i = 0; i < s->count; i++) {
        uint32_t step = s->at[i].step;
        for (size_t c = s->cut_count; c-- > 0;)
            to[i] = s->cut[c] > step && to[i] >= s->cut[c] ? s->cut[c] - 1 : to[i];
        CU_ASSERT_EQUAL(circuit[i].from, epoch[step]);
        CU_ASSERT(epoch[circuit[i].to] == epoch[step] && epoch[circuit[i].to + 1] != epoch[step]);
        CU_ASSERT_EQUAL(overlap[i].from, conflict[step] + 1);
        CU_ASSERT_EQUAL(overlap[i].to, to[i] > step ? to[i] : step);
    }
    free(circuit);
    free(overlap);
}

/* An orbit is held as long as all of its lightpaths may be. */
static void orbits_are_held_together(const rwa_schedule *sched, const rwa_schedule *plain, rwa_cost_model model)
{
    rwa_hold *orbits = holds_of(sched, model), *each = holds_of(plain, model);
    uint64_t at = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp = lightpath_of(sched, i);
        uint32_t least = UINT32_MAX;
        for (uint32_t k = 0; k < lp.orbit; k++, at++) {
            CU_ASSERT_EQUAL(each[at].from, orbits[i].from);
            least = each[at].to < least ? each[at].to : least;
        }
        CU_ASSERT_EQUAL(orbits[i].to, least);
    }
    free(orbits);
    free(each);
}

/* In no step is more up than fits. */
static void all_that_is_up_fits(struct judge *j, const rwa_hold *hold)
{
    for (uint32_t step = 1; step <= j->story->steps; step++) {
        bool fits = true;
        j->window++;
        memset(j->users, 0, sizeof j->users);
        for (size_t i = 0; i < j->count; i++) {
            const struct use *u = &j->use[i];
            if (hold[u->record].from > step || step > hold[u->record].to || j->seen[u->user_number] == j->window)
                continue;
            j->seen[u->user_number] = j->window;
            fits = fits && ++j->users[u->place_number] <= u->fits;
        }
        CU_ASSERT(fits);
    }
}

/* The lightpath that raises the last step that does not fit needs a place that another user had in that step; no cuts
 * count. */
static void conflicts_are_true(struct judge *j, const rwa_schedule *sched)
{
    uint32_t last[STEPS_MOST], most = 0;
    rwa_lightpath raises[STEPS_MOST];
    OK(cost_conflicts(last, raises, sched, NULL));
    for (uint32_t step = 1; step <= j->story->steps; step++) {
        uint32_t conflict = unfit(j, step);
        const rwa_lightpath *lp = &raises[step - 1];
        bool shared = conflict <= most;
        most = conflict > most ? conflict : most;
        CU_ASSERT_EQUAL(last[step - 1], most);
        for (size_t i = 0; i < j->count && !shared; i++) {
            const struct one *o = &j->story->at[j->use[i].record];
            uint32_t channel = lp->fiber * rwa_network_wavelengths(j->story->net) + lp->wavelength;
            bool raising =
                o->step == step && o->node[0] == lp->src && o->node[o->hops] == lp->dst && o->channel == channel;
            for (size_t k = 0; k < j->count && raising; k++)
                shared = shared || (j->use[k].step == most && j->use[k].place_number == j->use[i].place_number &&
                                    j->use[k].user_number != j->use[i].user_number);
        }
        CU_ASSERT(shared);
    }
}

/* ---- what nodes tune ---- */

/* The rings of all nodes: what is set, and since the beginning of which step. */
struct rings {
    struct {
        rwa_setting setting;
        uint32_t since;
    } at[2048];
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
    OK(rwa_settings_make(&settings, sched, step, RWA_NONE, hold, NULL));
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

/* The lightpath finds its ring set at node k of its route for so long. */
static void finds_ring(const struct rings *rings, const rwa_network *net, const struct one *o, uint32_t k,
                       const double *end_s, double begin_s)
{
    unsigned use = k == 0         ? RWA_USE_ADD
                   : k == o->hops ? RWA_USE_DROP
                                  : RWA_USE_PASS | (receives(o, o->node[k]) ? RWA_USE_DROP : 0);
    bool found = false;
    for (size_t i = 0; i < rings->count; i++) {
        const rwa_setting *s = &rings->at[i].setting;
        if (s->node != o->node[k] || s->fiber * rwa_network_wavelengths(net) + s->wavelength != o->channel ||
            s->use != use)
            continue;
        if ((k > 0 && !leads(net, s->in_link, o->node[k - 1], o->node[k])) ||
            (k < o->hops && !leads(net, s->out_link, o->node[k], o->node[k + 1])))
            continue;
        CU_ASSERT_EQUAL(s->held, 0);
        CU_ASSERT(begin_s >= end_s[rings->at[i].since - 1] + options(RWA_COST_PAPER).reconfig_s - 1e-15);
        found = true;
    }
    CU_ASSERT(found);
}

/* No fibre leads one wavelength to two places in a node, or from two. */
static void rings_are_apart(const struct rings *rings, const rwa_network *net)
{
    bool apart = true;
    for (size_t i = 0; i < rings->count && !is_without_links(net); i++)
        for (size_t k = 0; k < i; k++) {
            const rwa_setting *a = &rings->at[i].setting, *b = &rings->at[k].setting;
            bool meet = (a->in_link == b->in_link && a->in_link != RWA_NONE) ||
                        (a->out_link == b->out_link && a->out_link != RWA_NONE);
            apart = apart && (a->node != b->node || a->fiber != b->fiber || a->wavelength != b->wavelength || !meet);
        }
    CU_ASSERT(apart);
}

/* Play a schedule without orbits: a ring that is set at the end of a step is tuned a reconfiguration later. */
static void played_times_are_true(struct judge *j, const rwa_schedule *sched, rwa_cost_model model)
{
    static struct rings rings;
    const struct story *s = j->story;
    const rwa_cost_options o = options(model);
    rwa_hold *hold = holds_of(sched, model);
    double tune_s[STEPS_MOST], begin_s[STEPS_MOST], end_s[STEPS_MOST + 1] = {0};
    struct step_times defined[STEPS_MOST + 1];
    uint32_t epoch[STEPS_MOST];
    OK(rwa_cost_step_times(tune_s, begin_s, end_s + 1, sched, 0, &o, NULL));
    OK(rwa_cost_epochs(epoch, sched, &o, NULL));
    define_times(defined, j, &o);
    all_that_is_up_fits(j, hold);
    rings.count = 0;
    for (uint32_t step = 1; step <= s->steps; step++) {
        const struct step_times *t = &defined[step];
        CU_ASSERT(fabs(tune_s[step - 1] - t->tune_s) < 1e-15 && fabs(begin_s[step - 1] - t->begin_s) < 1e-15 &&
                  fabs(end_s[step] - t->end_s) < 1e-15);
        CU_ASSERT(model == RWA_COST_OVERLAP || epoch[step - 1] == t->epoch);
        size_t changes = push(&rings, sched, step, hold);
        CU_ASSERT(model != RWA_COST_CIRCUIT || changes == 0 || step == 1 || epoch[step - 1] > epoch[step - 2]);
        rings_are_apart(&rings, s->net);
        for (size_t i = 0; i < s->count; i++)
            for (uint32_t k = 0; s->at[i].step == step && k <= s->at[i].hops; k++)
                finds_ring(&rings, s->net, &s->at[i], k, end_s, begin_s[step - 1]);
    }
    push(&rings, sched, s->steps + 1, hold);
    CU_ASSERT_EQUAL(rings.count, 0);
    free(hold);
}

/* A schedule without orbits. */
static void expect_true(const struct story *s, const rwa_schedule *sched)
{
    static struct judge j;
    judge_open(&j, s);
    holds_agree_with_definition(&j, sched);
    conflicts_are_true(&j, sched);
    for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++)
        played_times_are_true(&j, sched, (rwa_cost_model)model);
}

static void held_settings_make_times_true(void)
{
    static struct story s;
    seed = 13;
    for (uint32_t trial = 0; trial < 40 * KINDS; trial++) {
        rwa_network *net = random_network(kinds[trial % KINDS]);
        random_story(&s, net, false);
        if (any(4) == 0)
            cut(&s);
        expect_true(&s, schedule_of(&s, net));
    }
}

static void orbits_are_held_as_their_lightpaths(void)
{
    static struct story s;
    seed = 17;
    for (uint32_t trial = 0; trial < 20 * ORBIT_SHAPES; trial++) {
        const uint32_t *shape = orbit_shapes[trial % ORBIT_SHAPES];
        rwa_network *net = orbit_network(shape);
        rwa_schedule *sched = random_orbits(net, shape, RWA_ALL_GATHER, trial / ORBIT_SHAPES % 3 * 2, false),
                     *plain = expanded(sched);
        story_of(&s, sched);
        expect_true(&s, plain);
        for (int model = RWA_COST_PAPER; model <= RWA_COST_OVERLAP; model++)
            orbits_are_held_together(sched, plain, (rwa_cost_model)model);
    }
}

TESTS("epochs", held_settings_make_times_true, orbits_are_held_as_their_lightpaths)

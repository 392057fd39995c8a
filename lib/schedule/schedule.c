/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The schedule in memory: records are checked when they are added, and each member of a record has an array. */
#include "schedule/schedule.h"

#include "network/network.h"

/** Most consecutive steps without a lightpath. */
enum { SKIP_MAX = 1 << 24 };

rwa_status members_refuse(const struct rwa_network *net, const uint32_t *members, uint32_t count, rwa_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (members[i] >= net->nodes)
            return base_refuse(err, "member %u: expected a node below %u", members[i], net->nodes);
        if (i > 0 && members[i] <= members[i - 1])
            return base_refuse(err, "member %u after %u: expected ascending nodes", members[i], members[i - 1]);
    }
    return RWA_OK;
}

static uint32_t *copy_members(const uint32_t *members, uint32_t count, rwa_error *err)
{
    uint32_t *copy = base_array(count, sizeof *copy, err);
    if (copy)
        memcpy(copy, members, count * sizeof *copy);
    return copy;
}

rwa_status rwa_schedule_create_among(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                                     const uint32_t *members, const char *scheme, rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll);
    rwa_schedule *s = NULL;
    rwa_status st = RWA_OK;
    if (coll->nodes > net->nodes || (coll->nodes < net->nodes && !members))
        return base_refuse(err, "a collective on %u nodes does not fit a network of %u", coll->nodes, net->nodes);
    if (members)
        TRY(members_refuse(net, members, coll->nodes, err));
    st = RWA_NOMEM;
    s = base_array(1, sizeof *s, err);
    if (!s)
        goto done;
    s->coll = *coll;
    s->needs_path = !network_has_arcs(net) && !network_is_one_hop(net);
    s->fibers = network_most_fibers(net);
    s->slots = 1;
    s->drops = 1;
    s->net = network_copy(net, err);
    s->scheme = base_copy_text(scheme ? scheme : "", err);
    s->first = base_array(1, sizeof *s->first, err);
    if (coll->nodes < net->nodes)
        s->members = copy_members(members, coll->nodes, err);
    if (!s->net || !s->scheme || !s->first || (coll->nodes < net->nodes && !s->members))
        goto done;
    translations_of(&s->group, s->net);
    *out = s;
    s = NULL;
    st = RWA_OK;
done:
    rwa_schedule_free(s);
    return st;
}

rwa_status rwa_schedule_create(rwa_schedule **out, const rwa_network *net, const rwa_collective *coll,
                               const char *scheme, rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll);
    return rwa_schedule_create_among(out, net, coll, NULL, scheme, err);
}

void rwa_schedule_free(rwa_schedule *s)
{
    if (!s)
        return;
    rwa_network_free(s->net);
    free_all(s->members, s->scheme, s->cuts, s->src, s->dst, s->block, s->channel, s->flags, s->orbit, s->period,
             s->lists, s->pool.words, s->first, s->step_blocks, s->line, s);
}

rwa_status schedule_keep(rwa_schedule **sched, rwa_status st)
{
    if (st != RWA_OK) {
        rwa_schedule_free(*sched);
        *sched = NULL;
    }
    return st;
}

static rwa_status set_capacity(rwa_schedule *s, size_t capacity, rwa_error *err)
{
    uint32_t **columns[] = {&s->src, &s->dst, &s->block, &s->channel, &s->orbit, &s->period};
    assert(capacity >= s->count);
    for (size_t i = 0; i < (s->orbit ? 6 : 4); i++)
        MUST(base_resize((void **)columns[i], capacity, sizeof **columns[i], err));
    MUST(base_resize((void **)&s->flags, capacity, sizeof *s->flags, err));
    if (s->lists)
        MUST(base_resize((void **)&s->lists, capacity, sizeof *s->lists, err));
    s->capacity = capacity;
    return RWA_OK;
}

rwa_status schedule_reserve(struct rwa_schedule *s, size_t records, rwa_error *err)
{
    assert(s);
    return s->count + records > s->capacity ? set_capacity(s, s->count + records, err) : RWA_OK;
}

/** Create the arrays for orbits, if there are none yet.  All records so far are single lightpaths. */
static rwa_status need_orbits(rwa_schedule *s, rwa_error *err)
{
    if (s->orbit)
        return RWA_OK;
    uint32_t *orbit = base_array(s->capacity, sizeof *orbit, err);
    uint32_t *period = base_array(s->capacity, sizeof *period, err);
    if (!orbit || !period) {
        free_all(orbit, period);
        return RWA_NOMEM;
    }
    for (size_t i = 0; i < s->count; i++)
        orbit[i] = 1;
    s->orbit = orbit;
    s->period = period;
    return RWA_OK;
}

/** Create the array for the positions of lists, if there is none yet.  No record so far has lists. */
static rwa_status need_lists(rwa_schedule *s, rwa_error *err)
{
    return s->lists ? RWA_OK : base_new(s->lists, s->capacity, err);
}

static rwa_status refuse_orbit(const rwa_schedule *s, const rwa_lightpath *lp, rwa_error *err)
{
    uint32_t channels = rwa_network_channels(s->net);
    if (lp->orbit == 1)
        return RWA_OK;
    if (s->members)
        return base_refuse(err, "orbit %u: expected none where only some nodes take part", lp->orbit);
    if (lp->orbit == 0 || lp->orbit > s->net->nodes || !network_has_orbits(s->net))
        return base_refuse(err, "orbit %u: expected 1 to the number of nodes, on a ring, torus or hypercube",
                           lp->orbit);
    if (s->needs_path && lp->orbit != s->net->nodes)
        return base_refuse(err, "orbit %u: expected 1 or all %u nodes where records have a path", lp->orbit,
                           s->net->nodes);
    if (s->coll.blocks % s->coll.nodes != 0)
        return base_refuse(err, "orbit %u: expected blocks to be a multiple of nodes", lp->orbit);
    if (lp->period == 0 || record_top(s->net, lp) > channels)
        return base_refuse(err, "period %u: expected channels from a multiple of it on, below %u", lp->period,
                           channels);
    return RWA_OK;
}

static rwa_status refuse_record(const rwa_schedule *s, const rwa_lightpath *lp, rwa_error *err)
{
    if (lp->step == 0 || lp->step < s->steps)
        return base_refuse(err, "step %u after step %u: expected steps from 1 that do not go down", lp->step, s->steps);
    /* On a ron steps without transmissions are for reconfiguration; there must not be more than SKIP_MAX in a row. */
    uint32_t skip = network_capabilities(s->net) == NETWORK_PORTS ? SKIP_MAX : 0;
    if (lp->step - s->steps > skip + 1)
        return base_refuse(err, "step %u after step %u: expected at most %u to be skipped", lp->step, s->steps, skip);
    if (lp->src >= s->net->nodes || lp->dst >= s->net->nodes)
        return base_refuse(err, "lightpath %u to %u: expected nodes 0 to %u", lp->src, lp->dst, s->net->nodes - 1);
    if (lp->src == lp->dst || (network_has_arcs(s->net) && network_hops(s->net, lp->src, lp->dst, lp->direction) == 0))
        return base_refuse(err, "lightpath %u to %u: no such route in its direction", lp->src, lp->dst);
    if (lp->fiber >= s->fibers || lp->wavelength >= s->net->wavelengths)
        return base_refuse(err, "fiber %u, wavelength %u: expected below %u and %u", lp->fiber, lp->wavelength,
                           s->fibers, s->net->wavelengths);
    if (lp->block >= s->coll.blocks)
        return base_refuse(err, "block %" PRIu64 ": expected below %" PRIu64, lp->block, s->coll.blocks);
    if (lp->op == RWA_REDUCE && !rwa_collective_is_reduction(s->coll.kind))
        return base_refuse(err, "a reduction: expected only copies in %s", rwa_collective_name(s->coll.kind));
    return refuse_orbit(s, lp, err);
}

/** Remove lists that say no more than the record: a single block, which becomes lp->block, and the path from source to
 * destination on networks of one hop. */
static void settle_lists(const rwa_schedule *s, rwa_lightpath *lp, rwa_lists *l)
{
    if (l->path_nodes == 2 && network_is_one_hop(s->net) && l->path[0] == lp->src && l->path[1] == lp->dst)
        l->path_nodes = 0;
    if (l->block_count > 0)
        lp->block = l->runs ? l->runs[0].first : l->blocks[0];
    if (l->block_count == 1) {
        l->blocks = NULL;
        l->runs = NULL;
        l->block_count = l->run_count = 0;
    }
}

/** Reserve space in s->first, the first record of each step, for all steps up to `step`. */
static rwa_status reserve_steps(rwa_schedule *s, uint32_t step, rwa_error *err)
{
    if (step < base_capacity(s->first))
        return RWA_OK;
    MUST(base_fits_memory((double)step * sizeof *s->first, "a schedule of so many steps", err));
    return base_reserve(s->first, (size_t)step + 1, err);
}

/** Raise s->step_blocks[step - 1], the largest number of blocks of a record in the step, to `blocks` if that is
 * more. */
static rwa_status note_step_blocks(rwa_schedule *s, uint32_t step, uint32_t blocks, rwa_error *err)
{
    size_t had = base_capacity(s->step_blocks);
    MUST(base_reserve(s->step_blocks, step, err));
    memset(s->step_blocks + had, 0, (base_capacity(s->step_blocks) - had) * sizeof *s->step_blocks);
    if (blocks > s->step_blocks[step - 1])
        s->step_blocks[step - 1] = blocks;
    return RWA_OK;
}

static void set_record(rwa_schedule *s, size_t i, const rwa_lightpath *lp)
{
    assert(i < s->capacity && (lp->orbit == 1 || s->orbit));
    s->src[i] = lp->src;
    s->dst[i] = lp->dst;
    s->block[i] = (uint32_t)lp->block;
    s->channel[i] = lightpath_channel(s->net, lp);
    s->banks = s->banks || (lp->orbit > 1 && s->channel[i] >= lp->period);
    s->flags[i] = (uint8_t)((lp->direction == RWA_CCW ? RECORD_CCW : 0) | (lp->op == RWA_REDUCE ? RECORD_REDUCE : 0));
    if (s->orbit) {
        s->orbit[i] = lp->orbit;
        s->period[i] = lp->orbit > 1 ? lp->period : 0;
    }
}

/** In debug builds, schedule_check_last() asserts the invariants of the last record.  O(1). */
#ifdef NDEBUG
static void schedule_check_last(const rwa_schedule *s)
{
    (void)s;
}

void schedule_check(const rwa_schedule *s)
{
    (void)s;
}
#else
static void check_record(const rwa_schedule *s, size_t i)
{
    rwa_lists lists;
    assert(s->src[i] < s->net->nodes && s->dst[i] < s->net->nodes && s->src[i] != s->dst[i]);
    assert(s->block[i] < s->coll.blocks && s->channel[i] < s->fibers * s->net->wavelengths);
    assert(!s->orbit || s->orbit[i] >= 1);
    assert(!s->lists || s->lists[i] < s->pool.used);
    rwa_schedule_lists(&lists, s, i);
    assert(lists.block_count <= s->slots && lists.tap_count < s->drops && lists.run_count <= lists.block_count);
    assert(lists.run_count == 0 || lists.runs[0].first == s->block[i]);
}

static void schedule_check_last(const rwa_schedule *s)
{
    assert(s->count > 0 && s->count <= s->capacity && s->steps > 0 && s->steps < base_capacity(s->first));
    assert(s->lightpaths >= s->count);
    assert(s->first[s->steps - 1] < s->count && s->first[s->steps] == s->count);
    assert(rwa_schedule_step_blocks(s, s->steps) <= s->slots);
    check_record(s, s->count - 1);
}

void schedule_check(const rwa_schedule *s)
{
    uint64_t lightpaths = 0;
    assert(s->slots >= 1 && s->drops >= 1 && s->pool.used <= base_capacity(s->pool.words));
    for (uint32_t step = 1; step <= s->steps; step++)
        assert(s->first[step - 1] <= s->first[step]);
    for (size_t i = 0; i < s->count; i++) {
        check_record(s, i);
        lightpaths += s->orbit ? s->orbit[i] : 1;
    }
    assert(lightpaths == s->lightpaths && s->first[s->steps] == s->count);
}
#endif

/** Reserve space for another record, for its orbit and for its step. */
static rwa_status make_space(rwa_schedule *s, const rwa_lightpath *lp, rwa_error *err)
{
    if (s->count == s->capacity)
        MUST(set_capacity(s, s->count < 16 ? 16 : s->count * 2, err));
    if (lp->orbit > 1)
        MUST(need_orbits(s, err));
    return lp->step > s->steps ? reserve_steps(s, lp->step, err) : RWA_OK;
}

/** Append the lists of the record that is added next; at least one list is not empty. */
static rwa_status put_lists(rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    uint64_t place = 0;
    uint32_t runs = 0;
    MUST(need_lists(s, err));
    MUST(pool_put(&s->pool, l, &place, &runs, err));
    if (l->block_count > 1)
        MUST(note_step_blocks(s, lp->step, l->block_count, err));
    s->lists[s->count] = place + 1;
    s->merged = s->merged || l->block_count || l->tap_count;
    s->runs = s->runs || lists_are_runs(&(rwa_lists){.block_count = l->block_count, .run_count = runs});
    RAISE(s->slots, l->block_count);
    RAISE(s->drops, l->tap_count + 1);
    return RWA_OK;
}

/** Check a record and append it.  An empty list has count 0. */
static rwa_status add_record(rwa_schedule *s, const rwa_lightpath *lp, const rwa_lists *l, rwa_error *err)
{
    MUST(refuse_record(s, lp, err));
    MUST(lists_refuse(s, lp, l, err));
    MUST(make_space(s, lp, err));
    if (l->path_nodes || l->block_count || l->tap_count)
        MUST(put_lists(s, lp, l, err));
    else if (s->lists)
        s->lists[s->count] = 0;
    while (s->steps < lp->step)
        s->first[s->steps++] = s->count;
    set_record(s, s->count, lp);
    s->count++;
    s->first[s->steps] = s->count;
    s->lightpaths += lp->orbit;
    schedule_check_last(s);
    return RWA_OK;
}

rwa_status rwa_schedule_add(rwa_schedule *sched, const rwa_lightpath *lightpath, rwa_error *err)
{
    BEGIN(err, sched, lightpath);
    static const rwa_lists none;
    return add_record(sched, lightpath, &none, err);
}

rwa_status rwa_schedule_add_lists(rwa_schedule *sched, const rwa_lightpath *lightpath, const rwa_lists *lists,
                                  rwa_error *err)
{
    BEGIN(err, sched, lightpath);
    if (!lists)
        return rwa_schedule_add(sched, lightpath, err);
    rwa_lightpath lp = *lightpath;
    rwa_lists l = *lists;
    settle_lists(sched, &lp, &l);
    return add_record(sched, &lp, &l, err);
}

rwa_status rwa_schedule_add_path(rwa_schedule *sched, const rwa_lightpath *lightpath, const uint32_t *path,
                                 uint32_t path_nodes, rwa_error *err)
{
    BEGIN(err, sched, lightpath, !path_nodes || path);
    rwa_lists lists = {.path = path, .path_nodes = path_nodes};
    return rwa_schedule_add_lists(sched, lightpath, &lists, err);
}

unsigned schedule_version(const struct rwa_schedule *s)
{
    bool parts = s->coll.kind == RWA_ALL_TO_ALL && s->coll.blocks > (uint64_t)s->coll.nodes * s->coll.nodes;
    bool fourth = s->orbit && (s->needs_path || s->banks || parts || rwa_collective_has_root(s->coll.kind));
    return fourth ? 4 : s->runs ? 3 : s->merged ? 2 : 1;
}

GETTER(uint32_t, rwa_schedule_lightpath_blocks, rwa_schedule, slots)

uint32_t rwa_schedule_step_blocks(const rwa_schedule *s, uint32_t step)
{
    assert(step >= 1 && step <= s->steps);
    return step <= base_capacity(s->step_blocks) && s->step_blocks[step - 1] > 1 ? s->step_blocks[step - 1] : 1;
}

uint64_t rwa_schedule_block_times(const rwa_schedule *s)
{
    uint64_t sum = 0;
    for (uint32_t step = 1; step <= s->steps; step++)
        sum += rwa_schedule_step_blocks(s, step);
    return sum;
}

GETTER(uint32_t, rwa_schedule_receivers, rwa_schedule, drops)
GETTER(const rwa_network *, rwa_schedule_network, rwa_schedule, net)

GETTER_ADDRESS(rwa_collective, rwa_schedule_collective, rwa_schedule, coll)

GETTER(const uint32_t *, rwa_schedule_members, rwa_schedule, members)

bool cuts_are_valid(const uint32_t *steps, size_t count, uint32_t last)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i] < 2 || steps[i] > last || (i > 0 && steps[i] <= steps[i - 1]))
            return false;
    return true;
}

rwa_status rwa_schedule_cut_epochs(rwa_schedule *sched, const uint32_t *steps, size_t count, rwa_error *err)
{
    BEGIN(err, sched, !count || steps);
    uint32_t *copy = NULL;
    if (!cuts_are_valid(steps, count, sched->steps))
        return base_refuse(err, "cuts of epochs: expected ascending steps from 2 to %u", sched->steps);
    if (count > 0) {
        MUST(base_new(copy, count, err));
        memcpy(copy, steps, count * sizeof *copy);
    }
    free(sched->cuts);
    sched->cuts = copy;
    sched->cut_count = count;
    return RWA_OK;
}

size_t rwa_schedule_epoch_cuts(const uint32_t **steps, const rwa_schedule *sched)
{
    *steps = sched->cuts;
    return sched->cut_count;
}

rwa_status schedule_keep_cuts(rwa_schedule *sched, const rwa_schedule *from, uint32_t end, rwa_error *err)
{
    size_t kept = 0;
    while (kept < from->cut_count && from->cuts[kept] < end)
        kept++;
    return rwa_schedule_cut_epochs(sched, from->cuts, kept, err);
}

GETTER(const char *, rwa_schedule_scheme, rwa_schedule, scheme)
GETTER(uint32_t, rwa_schedule_steps, rwa_schedule, steps)
GETTER(uint64_t, rwa_schedule_records, rwa_schedule, count)
GETTER(uint64_t, rwa_schedule_lightpaths, rwa_schedule, lightpaths)

uint64_t rwa_schedule_first(const rwa_schedule *s, uint32_t step)
{
    return first_of_step(s, step);
}

/** Return the step to which record i belongs, by bisection. */
static uint32_t step_of(const rwa_schedule *s, uint64_t i)
{
    uint32_t low = 0, high = s->steps;
    assert(i < s->count);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (s->first[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

void rwa_schedule_get(rwa_lightpath *out, const rwa_schedule *s, uint64_t i)
{
    *out = record_in_step(s, i, step_of(s, i));
}

void rwa_schedule_lists(rwa_lists *out, const rwa_schedule *s, uint64_t i)
{
    *out = (rwa_lists){0};
    if (s->lists && s->lists[i])
        pool_get(&s->pool, s->lists[i] - 1, out);
}

const uint32_t *rwa_schedule_path(uint32_t *nodes, const rwa_schedule *s, uint64_t i)
{
    rwa_lists lists = schedule_lists(s, i);
    *nodes = lists.path_nodes;
    return lists.path;
}

void rwa_schedule_columns_sized(rwa_columns *out, size_t size, const rwa_schedule *s)
{
    rwa_columns all = {.records = s->count,
                       .src = s->src,
                       .dst = s->dst,
                       .block = s->block,
                       .channel = s->channel,
                       .flags = s->flags,
                       .orbit = s->orbit,
                       .period = s->period};
    base_give_answer(out, size, &all, sizeof all);
}

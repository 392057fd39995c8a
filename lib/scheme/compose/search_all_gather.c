/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-gathers by dynamic programming: a subproblem is known by how many participants there are, how far apart, and what they hold. */
#include "scheme/compose/search.h"

double exchange_most(const struct composing *c)
{
    return network_has_arcs(c->request->net) ? 131072 : 32768;
}

/* ---- sizes worth a try ---- */

static size_t add_size(uint32_t *size, size_t count, uint64_t value, uint32_t most)
{
    if (value < 2 || value > most || count == SIZES)
        return count;
    for (size_t i = 0; i < count; i++)
        if (size[i] == value)
            return count;
    size[count] = (uint32_t)value;
    return count + 1;
}

size_t segment_sizes(uint32_t size[SIZES], const struct search *s, uint32_t most)
{
    uint32_t reach = 2 * rwa_network_channels(s->c->request->net) + 1;
    size_t count = 0;
    count = add_size(size, count, 3, most);
    count = add_size(size, count, reach, most);
    count = add_size(size, count, most, most);
    for (uint64_t g = 2; g <= most; g *= 2)
        count = add_size(size, count, g, most);
    for (uint64_t g = 5; g <= most; g = 2 * g - 1)
        count = add_size(size, count, g, most);
    count = add_size(size, count, (most + 2) / 3, most);
    return count;
}

size_t divisors(uint32_t size[SIZES], uint32_t of)
{
    size_t count = 0;
    uint32_t middle = (uint32_t)sqrt((double)of);
    for (uint32_t g = middle; g > 1; g--)
        if (of % g == 0) {
            count = add_size(size, count, g, of);
            count = add_size(size, count, of / g, of - 1);
        }
    return count;
}

/* ---- all-gathers ---- */

double held_by(const struct parties *parties, size_t group)
{
    uint64_t held = 0;
    for (size_t i = parties->first[group]; i < parties->first[group + 1]; i++)
        held += parties->party[i].holds.count;
    return (double)held;
}

double least_carried(const struct search *s, const struct parties *parties, double blocks)
{
    return s->p.prices.kept_s + s->p.prices.hop_s * blocks * parties->times.least;
}

/** At least one step, in which the links into a node bring it what it lacks, and all links what all lack; of sums, each receives as much as
 *  it holds. */
static double least_time(const struct search *s, const struct parties *parties, bool sums)
{
    double all = 0, first = held_by(parties, 0) - (double)parties->party[0].holds.count;
    for (size_t g = 0; g < parties->groups; g++)
        all += held_by(parties, g) * (double)(sums ? parties_of(parties, g) > 1 : parties_of(parties, g) - 1);
    double one_s = s->p.prices.block_s * first / (double)s->widest, all_s = least_carried(s, parties, all);
    return sums ? all_s : fmax(s->p.prices.step_s + one_s, all_s);
}

/** The leaders of segments inform all others, which lack all but their own blocks. */
static double least_to_inform(const struct search *s, const struct parties *parties, uint32_t size)
{
    double blocks = 0;
    for (size_t g = 0; g < parties->groups; g++)
        blocks += held_by(parties, g) * (double)(parties_of(parties, g) - segments_of(parties_of(parties, g), size) - 1);
    return least_carried(s, parties, blocks > 0 ? blocks : 0);
}

/** An all-gather among those at one place of segments, and one within the segments; or sums, of which each receives what it holds. */
static void least_of_positions(double *far_s, double *near_s, const struct search *s, const struct parties *parties, uint32_t size,
                               bool sums)
{
    double far = 0, near = 0;
    for (size_t g = 0; g < parties->groups; g++) {
        double held = held_by(parties, g), segments = (double)parties_of(parties, g) / size;
        far += held * (sums && segments > 1 ? 1 : segments - 1);
        near += held * (sums ? 1 : segments * (size - 1));
    }
    *far_s = far > 0 ? least_carried(s, parties, far) : 0;
    *near_s = least_carried(s, parties, near);
}

bool is_near_least(double time_s, const struct search *s, const struct parties *parties)
{
    const double nearly = 1.01;
    return time_s <= nearly * least_time(s, parties, false);
}

struct key key_of(const struct parties *parties, unsigned depth, bool sums)
{
    return (struct key){.sums = sums, .count = parties->count, .groups = parties->groups, .depth = depth,
                        .holds = parties->party[0].holds.count,
                        .stride = parties_of(parties, 0) > 1 ? parties->party[1].node - parties->party[0].node : 0,
                        .cycle = parties->cycle};
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->count == b->count && a->groups == b->groups && a->stride == b->stride && a->holds == b->holds && a->cycle == b->cycle &&
           a->depth == b->depth && a->sums == b->sums;
}

rwa_status remember(struct search *s, const struct key *key, struct choice *choice, double limit_s)
{
    struct memory *at = s->memory;
    if (choice->composition.nodes == 0)
        choice->time_s = INFINITY;
    while (at < s->memory + s->known && !same_key(&at->key, key))
        at++;
    if (at == s->memory + s->known) {
        MUST(base_grow((void **)&s->memory, &s->capacity, s->known + 1, sizeof *s->memory, s->c->err));
        at = &s->memory[s->known++];
    }
    *at = (struct memory){*key, *choice, limit_s};
    return RWA_OK;
}

void keep_choice(struct choice *best, const struct term *head, const struct choice *a, const struct choice *b, double time_s)
{
    struct choice next = {.time_s = time_s};
    if (time_s < best->time_s && term_join(&next.composition, head, a ? &a->composition : NULL, b ? &b->composition : NULL))
        *best = next;
}

static rwa_status try_direct(struct choice *best, struct search *s, const struct parties *parties)
{
    size_t n = parties_of(parties, 0);
    double time_s;
    rwa_status st = RWA_OK;
    if (parties->times.mean * (double)(parties->count * (n - 1)) > exchange_most(s->c))
        return RWA_OK;
    TIMED(time_s, best->time_s, phase_direct(&s->p, parties));
    keep_choice(best, &(struct term){.phase = PHASE_DIRECT}, NULL, NULL, time_s);
done:
    return st;
}

/** Steps in which lightpaths stay: nothing takes less than one setting. */
static double least_of_steps(const struct search *s, uint32_t steps)
{
    return s->p.prices.step_s + (steps - 1) * s->p.prices.kept_s;
}

static rwa_status try_steps(struct choice *best, struct search *s, const struct parties *parties)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), neighbours = n / 2; /* in so many steps each sends to its neighbours only */
    bool circle = parties->cycle || (!network_is_cycle(s->c->request->net) && n <= CIRCLE_MOST); /* rows of a torus are circles, too */
    double time_s;
    rwa_status st = RWA_OK;
    for (uint32_t t = 2; circle && t <= neighbours; t = t < neighbours && t + 1 + t / 5 > neighbours ? neighbours : t + 1 + t / 5) {
        if (t * s->p.prices.step_s >= best->time_s)
            t = neighbours;
        if (least_of_steps(s, t) >= best->time_s)
            break;
        TIMED(time_s, best->time_s, phase_steps(&s->p, parties, t));
        keep_choice(best, &(struct term){.phase = PHASE_STEPS, .number = {t}, .numbers = 1}, NULL, NULL, time_s);
    }
done:
    return st;
}

static rwa_status try_segments(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth)
{
    struct parties leaders = {0};
    struct choice among;
    double gather_s, inform_s, limit_s = best->time_s - least_to_inform(s, parties, size);
    double among_s = size < parties_of(parties, 0) ? s->p.prices.step_s : 0;
    rwa_status st = RWA_OK;
    if (limit_s <= among_s)
        return RWA_OK;
    TIMED(gather_s, limit_s - among_s, phase_gather(&s->p, &leaders, parties, size));
    if (gather_s >= limit_s - among_s)
        goto done;
    TRY(best_all_gather(&among, s, &leaders, depth - 1, limit_s - gather_s));
    if (gather_s + among.time_s >= best->time_s)
        goto done;
    TIMED(inform_s, best->time_s, phase_inform(&s->p, parties, size));
    keep_choice(best, &(struct term){.phase = PHASE_LEADERS, .number = {size}, .numbers = 1}, &among, NULL,
                gather_s + among.time_s + inform_s);
done:
    parties_free(&leaders);
    return st;
}

rwa_status try_positions(struct choice *best, struct search *s, const struct parties *parties, uint32_t size, unsigned depth,
                         best_term *best_of, parties_divide *segments)
{
    struct parties part = {0};
    struct choice far, near;
    double far_s, near_s;
    rwa_status st = RWA_OK;
    least_of_positions(&far_s, &near_s, s, parties, size, segments == parties_by_segments);
    if (far_s + near_s >= best->time_s)
        return RWA_OK;
    TRY(parties_at_places(&part, parties, size, s->c->err));
    TRY(parties_fold(&part, &s->p));
    TRY(best_of(&far, s, &part, depth - 1, best->time_s - near_s));
    if (far.time_s + near_s >= best->time_s)
        goto done;
    parties_free(&part);
    TRY(segments(&part, parties, size, s->c->err));
    TRY(parties_fold(&part, &s->p));
    TRY(best_of(&near, s, &part, depth - 1, best->time_s - far.time_s));
    keep_choice(best, &(struct term){.phase = PHASE_POSITIONS, .number = {size}, .numbers = 1}, &far, &near, far.time_s + near.time_s);
done:
    parties_free(&part);
    return st;
}

bool divides_all(const struct parties *parties, uint32_t size)
{
    for (size_t g = 0; g < parties->groups; g++)
        if (parties_of(parties, g) % size != 0)
            return false;
    return true;
}

/** The segments of n participants that lie along one dimension of a grid, or along what all dimensions have in common where those of each
 *  turn lie in another one; 0: all n do, or there is no grid. */
static uint32_t segment_of_grid(const struct search *s, uint32_t n)
{
    struct network_grid grid;
    uint64_t all = 1;
    if (s->p.members || network_has_arcs(s->c->request->net) || !network_grid(&grid, s->c->request->net))
        return 0;
    uint32_t common = s->rotated ? orders_common_size(&grid) : 1;
    for (size_t d = 0; d < grid.dimensions && common > 1; d++)
        all *= grid.size[d] / common;
    for (size_t d = 0; d < grid.dimensions; d++) {
        uint32_t size = common > 1 ? common : grid.size[d];
        all *= size;
        if (all == n && all > size && size > 1)
            return size;
    }
    return 0;
}

/** One dimension of a grid after the other. */
static rwa_status best_by_dimensions(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s)
{
    uint32_t size = segment_of_grid(s, (uint32_t)parties_of(parties, 0));
    if (size == 0 || size == parties_of(parties, 0))
        return best_all_gather(out, s, parties, 0, limit_s);
    *out = (struct choice){.time_s = limit_s};
    MUST(try_positions(out, s, parties, size, depth, best_by_dimensions, parties_in_segments));
    out->time_s = out->composition.nodes > 0 ? out->time_s : INFINITY;
    return RWA_OK;
}

/** These take little work, and their best time limits the searches of others. */
static rwa_status try_dimensions(struct choice *best, struct search *s, const struct parties *parties)
{
    const double work = s->p.work;
    struct choice found;
    s->p.work = 0;
    MUST(best_by_dimensions(&found, s, parties, DEPTH, best->time_s));
    s->p.work = work;
    *best = found.time_s < best->time_s ? found : *best;
    return RWA_OK;
}

static rwa_status try_all(struct choice *best, struct search *s, const struct parties *parties, unsigned depth)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    if (depth == 1 && s->depth == 1 && !s->clusters && n == s->c->request->coll->nodes && segment_of_grid(s, n) > 0)
        MUST(try_dimensions(best, s, parties));
    MUST(try_direct(best, s, parties));
    MUST(try_steps(best, s, parties));
    if (depth == 0 || n < 4 || is_near_least(best->time_s, s, parties))
        return RWA_OK;
    size_t sizes = divisors(size, n);
    for (size_t i = 0; i < sizes; i++)
        if (divides_all(parties, size[i]))
            MUST(try_positions(best, s, parties, size[i], depth, best_all_gather, parties_in_segments));
    sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < sizes; i++)
        MUST(try_segments(best, s, parties, size[i], depth));
    if (base_must_stop(&s->budget, "choosing a composition", -1))
        return base_fail(s->c->err, RWA_CANCELLED, "planning was stopped while compositions were compared");
    return RWA_OK;
}

bool is_known_choice(struct choice *out, const struct search *s, const struct parties *parties, const struct key *key, double limit_s)
{
    *out = (struct choice){.time_s = INFINITY};
    if (parties_of(parties, 0) == 1) {
        out->time_s = 0;
        out->composition = (struct composition){.node = {{.phase = PHASE_DIRECT}}, .nodes = 1, .parts = 1};
        return true;
    }
    for (size_t i = 0; i < s->known; i++)
        if (same_key(&s->memory[i].key, key)) {
            *out = s->memory[i].choice;
            return out->time_s < NEVER_S || limit_s <= s->memory[i].limit_s;
        }
    return least_time(s, parties, key->sums) >= limit_s;
}

rwa_status best_all_gather(struct choice *out, struct search *s, const struct parties *parties, unsigned depth, double limit_s)
{
    struct key key = key_of(parties, depth, false);
    if (is_known_choice(out, s, parties, &key, limit_s))
        return RWA_OK;
    if (out->time_s >= limit_s)
        *out = (struct choice){.time_s = limit_s};
    MUST(try_all(out, s, parties, depth));
    return remember(s, &key, out, limit_s);
}

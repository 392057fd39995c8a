/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Terms by dynamic programming: the time of a term is that of its own exchanges and of its subterms, which depends only
 * on how many participants there are, how far apart, in how many groups, and how much each holds.  A subproblem is
 * known by these numbers; what they do not say is timed exactly once a term is chosen.
 */
#include "scheme/compose/search.h"

#include "base/arithmetic.h"
#include "lattice/spheres.h"

/* ---- sizes worth a try ---- */

static size_t add_size(uint32_t *size, size_t count, uint64_t value, uint32_t most)
{
    for (size_t i = 0; i < count; i++)
        if (size[i] == value)
            return count;
    if (value >= 2 && value <= most && count < SIZES)
        size[count++] = (uint32_t)value;
    return count;
}

/** The least size of a segment (consecutive participants with a leader): the leader and one node on each side. */
enum { SEGMENT_LEAST = 3 };

/** List in `size` the sizes of segments to try, at most `most`: powers of 2 and one more than these, 2 W + 1 (a leader
 * and the nodes it reaches in a step over W channels on each side), a third of `most`, and `most`.  Returns the number
 * of sizes. */
static size_t segment_sizes(uint32_t size[SIZES], const struct compose_search *s, uint32_t most)
{
    size_t count = add_size(size, 0, SEGMENT_LEAST, most);
    count = add_size(size, count, 2 * rwa_network_channels(s->c->request->net) + 1, most);
    count = add_size(size, count, most, most);
    for (uint64_t g = 2; g <= most; g *= 2) {
        count = add_size(size, count, g, most);
        count = add_size(size, count, 2 * g + 1, most);
    }
    return add_size(size, count, ceil_div(most, SEGMENT_LEAST), most);
}

/** List in `size` divisors of the number `of` as sizes to try: first the sizes of a grid's dimensions, then divisors
 * near the square root.  Returns the number of sizes. */
static size_t divisors(uint32_t size[SIZES], const struct compose_search *s, uint32_t of)
{
    struct network_grid grid;
    size_t count = 0;
    bool gridded = !s->c->request->opts->members && !network_has_arcs(s->c->request->net) &&
                   network_grid(&grid, s->c->request->net);
    for (size_t d = 0; gridded && d < grid.dimensions; d++)
        count = of % grid.size[d] == 0 ? add_size(size, count, grid.size[d], of - 1) : count;
    for (uint32_t g = (uint32_t)sqrt((double)of); g > 1; g--)
        if (of % g == 0) {
            count = add_size(size, count, g, of);
            count = add_size(size, count, of / g, of - 1);
        }
    return count;
}

static struct key key_of(const struct compose_search *s, const struct parties *parties, unsigned depth)
{
    const struct party *first = parties->party;
    uint64_t flags = ((uint64_t)parties->payload << 1 | parties->sums) << 2 | parties->cycle << 1 | s->rotated;
    uint32_t stride = parties_of(parties, 0) > 1 ? first[1].node - first[0].node : 0;
    return (struct key){
        {parties->count, parties->groups, stride, first->holds.count, first->needs.count, flags, depth}};
}

/** The subterms of a term whose time is being computed. */
struct subterms {
    struct compose_search *search;
    unsigned depth;
    struct compose_choice choice[2];
    uint8_t subs;
};

/** Find the quickest composition for subterm `sub` of a term.  Keep it in the struct subterms to which `data` points,
 * and add its time to that of the program. */
static rwa_status find_sub(void *data, struct program *p, const struct parties *parties, unsigned sub)
{
    struct subterms *t = data;
    struct parties group = *parties;
    if (parties_apart(parties, p->distances->net, t->search->rotated)) { /* one group takes as long as all */
        group.count = parties_of(parties, 0);
        group.groups = 1;
    }
    t->subs++;
    MUST(best_term(&t->choice[sub], t->search, &group, t->depth - 1, p->limit_s - p->time_s));
    p->time_s += t->choice[sub].time_s;
    return RWA_OK;
}

rwa_status try_term(struct compose_choice *best, struct compose_search *s, const struct parties *parties, struct term t,
                    unsigned depth)
{
    struct program *p = &s->p;
    /* sums stand for an exchange backwards and one forwards, each of which counts half of their time */
    const double time_s = p->time_s, limit_s = p->limit_s, times = t.phase == PHASE_SUMS ? 2 : 1;
    struct subterms subs = {.search = s, .depth = depth};
    struct compose_choice next;
    if (times * best->time_s <= p->routed.step_s) /* an exchange takes longer */
        return RWA_OK;
    program_restart(p, times * best->time_s);
    p->alike = s->alike;
    MUST(phase_run(p, parties, &t, find_sub, &subs));
    next.time_s = p->time_s / times;
    const struct composition *const sub[] = {&subs.choice[0].composition, &subs.choice[1].composition};
    if (next.time_s < best->time_s && term_join(&next.composition, &t, sub, subs.subs))
        *best = next;
    program_restart(p, limit_s);
    p->time_s = time_s;
    p->alike = s->alike;
    return RWA_OK;
}

struct term term_of(enum phase phase, uint8_t numbers, uint32_t first, uint32_t second)
{
    return (struct term){.phase = phase, .number = {first, second}, .numbers = numbers};
}

/** Try the term `direct` (every participant sends to every other one), unless there are too many transfers to count
 * their loads one by one.  The limit is lower on listed links, where a transfer takes more work; there is none if node
 * 0 stands for all nodes. */
static rwa_status try_direct(struct compose_choice *best, struct compose_search *s, const struct parties *parties)
{
    enum { ARC_TRANSFERS = 1 << 17, TRANSFERS = 1 << 15 };     /* whose loads are counted one by one */
    double most = network_has_arcs(s->c->request->net) ? ARC_TRANSFERS : TRANSFERS;
    double transfers = (double)parties->count * (double)(parties_of(parties, 0) - 1);
    return transfers > most && !s->alike ? RWA_OK : try_term(best, s, parties, term_of(PHASE_DIRECT, 0, 0, 0), 0);
}

/** Try the terms `steps` (a broadcast tree for every node) with different numbers of steps.  Stop at a number of steps
 * that takes too long even if lightpaths are set up only in the first step. */
static rwa_status try_steps(struct compose_choice *best, struct compose_search *s, const struct parties *parties)
{
    const double step_s = s->p.routed.step_s;
    /* in so many steps each sends to its neighbours only */
    uint32_t n = (uint32_t)parties_of(parties, 0), neighbours = n / 2;
    /* rows of a torus are circles, too */
    bool circle = parties->cycle || (!network_is_cycle(s->c->request->net) && n <= CIRCLE_MOST);
    for (uint32_t t = 2; circle && t <= neighbours;
         t = t < neighbours && larger_number(t) > neighbours ? neighbours : larger_number(t)) {
        if (t * step_s >= best->time_s)
            t = neighbours;
        if (step_s + (t - 1) * s->p.kept_s >= best->time_s)
            break;
        MUST(try_term(best, s, parties, term_of(PHASE_STEPS, 1, t, 0), 0));
    }
    return RWA_OK;
}

static rwa_status try_single(struct compose_choice *best, struct compose_search *s, const struct parties *parties)
{
    uint32_t n = (uint32_t)parties_of(parties, 0);
    MUST(try_direct(best, s, parties));
    if (parties->payload == PAYLOAD_SPLIT && n > 2 && n <= CIRCLE_MOST && n / 2 * s->p.kept_s < best->time_s)
        return try_term(best, s, parties, term_of(PHASE_STEPS, 1, n / 2, 0), 0);
    return parties->payload == PAYLOAD_COPY ? try_steps(best, s, parties) : RWA_OK;
}

/** Besides the quickest term with few roots, those whose distance divides the ring are built if their estimates are
 * within this factor: loads do not tell exactly whether the lightpaths of all trees have a colouring. */
#define NEAR 1.25
/** Plans take up to about so much longer than their estimates where the distance does not divide the ring. */
#define UNEVEN 1.1

/** Insert a term of the phase `roots` into s->roots, the list of the quickest such terms, if it is quick enough. */
static void note_roots(struct compose_search *s, const struct compose_choice *tried)
{
    size_t at = PARAMETER_SETS;
    for (; at > 0 && tried->time_s < s->roots[at - 1].time_s; at--)
        if (at < PARAMETER_SETS)
            s->roots[at] = s->roots[at - 1];
    if (at < PARAMETER_SETS && tried->composition.nodes > 0)
        s->roots[at] = *tried;
}

/** Try terms in which only some nodes are roots of a broadcast tree.  For each number of steps, the distances of roots
 * begin with the smallest for which the channels suffice, and end where the blocks of a segment take too long.  More
 * than twice the smallest must divide the ring. */
rwa_status try_roots(struct compose_choice *best, struct compose_search *s, const struct parties *parties)
{
    enum { FINENESS = 16, ALL_STEPS = 32 };  /* ALL_STEPS: up to so many each number of steps is tried */
    uint32_t n = (uint32_t)parties_of(parties, 0), channels = rwa_network_channels(s->c->request->net);
    for (uint32_t steps = 1; parties->cycle && steps <= n && steps * s->p.routed.step_s < best->time_s;
         steps += 1 + steps / ALL_STEPS) {
        uint64_t least = ceil_div(spheres_cost(spheres_of(steps, 1), n), (uint64_t)2 * steps * channels);
        for (uint64_t size = least > 1 ? least : 2; size <= n; size += 1 + (least - 1) / FINENESS)
            if ((size <= 2 * least || n % size == 0) &&
                steps * routed_step_s(&s->p.routed, size * parties->party->holds.count) < best->time_s) {
                struct compose_choice next = {.time_s = NEAR * best->time_s};
                MUST(try_term(&next, s, parties, term_of(PHASE_ROOTS, 2, (uint32_t)size, steps), 0));
                if (n % size == 0)
                    note_roots(s, &next);
                else
                    next.time_s *= UNEVEN;
                *best = next.time_s < best->time_s ? next : *best;
            }
    }
    return RWA_OK;
}

/** Try terms that have subterms, at most `depth` levels of them: positions and leaders in turn, with several sizes of
 * segments.  Few leaders come first, since their subterms take the least work. */
static rwa_status try_levels(struct compose_choice *best, struct compose_search *s, const struct parties *parties,
                             unsigned depth)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), divisor[SIZES], size[SIZES];
    if (n <= 2 || best->time_s <= 2 * s->p.routed.step_s) /* two exchanges at least */
        return RWA_OK;
    size_t divides = divisors(divisor, s, n), sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i < divides || i < sizes; i++) {
        if (i < divides)
            MUST(try_term(best, s, parties, term_of(PHASE_POSITIONS, 1, divisor[i], 0), depth));
        if (i < sizes)
            MUST(try_term(best, s, parties, term_of(PHASE_LEADERS, 1, size[sizes - 1 - i], 0), depth));
    }
    if (base_must_stop(&s->budget, "choosing a composition", -1))
        return base_fail(s->c->err, RWA_CANCELLED, "planning was stopped while compositions were compared");
    return RWA_OK;
}

rwa_status best_term(struct compose_choice *out, struct compose_search *s, const struct parties *parties,
                     unsigned depth, double limit_s)
{
    struct key key = key_of(s, parties, depth);
    const struct known *known = memo_find(&s->memo, &key, sizeof key);
    *out = known ? known->choice : (struct compose_choice){.time_s = INFINITY};
    if (parties_of(parties, 0) == 1) {
        *out = (struct compose_choice){.composition = {.nodes = 1}};
        return RWA_OK;
    }
    if (out->composition.nodes > 0 || (known && limit_s <= known->limit_s))
        return RWA_OK;
    if (depth > 0)
        MUST(best_term(out, s, parties, depth - 1, limit_s));
    if (out->time_s >= limit_s)
        *out = (struct compose_choice){.time_s = limit_s};
    if (depth > 0)
        MUST(try_levels(out, s, parties, depth));
    else
        MUST(try_single(out, s, parties));
    if (parties->sums)
        MUST(try_term(out, s, parties, term_of(PHASE_SUMS, 0, 0, 0), depth + 1));
    if (out->composition.nodes == 0)
        out->time_s = INFINITY;
    return memo_keep(&s->memo, &key, sizeof key, &(struct known){*out, limit_s}, sizeof *known, s->c->err);
}

/* ---- trees ---- */

/** Try balanced trees of each depth, and trees whose first level has another number of branches. */
rwa_status try_trees(struct compose_choice *best, struct compose_search *s, const struct parties *parties)
{
    uint32_t n = (uint32_t)parties_of(parties, 0), size[SIZES];
    enum { LEVELS = 10, SEGMENT_LEVELS = 4 };  /* 10 levels of a binary tree hold 1024 nodes */
    size_t sizes = segment_sizes(size, s, n);
    for (size_t i = 0; i <= sizes; i++) {
        uint32_t rest = i < sizes ? (uint32_t)ceil_div(n, size[i]) : n;
        for (unsigned levels = 1; levels <= (i < sizes ? SEGMENT_LEVELS : LEVELS); levels++) {
            uint32_t fan = (uint32_t)fmax(2, ceil(pow(rest, 1.0 / levels) - 1e-9));
            struct term t = i < sizes ? term_of(PHASE_TREE, 2, size[i], fan) : term_of(PHASE_TREE, 1, fan, 0);
            MUST(try_term(best, s, parties, t, 0));
        }
    }
    return RWA_OK;
}

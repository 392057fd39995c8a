/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on tori of equal even dimensions, directed, in closed form.
 *
 * Directed links. Let each of D >= 2 dimensions have 2m >= 4 nodes. All pairs get N·2m/8 colours, N = (2m)^D, as many
 * as the total length of the shortest routes over all links demands: in each dimension the pairs are m/2 links apart
 * on average, and a dimension has 2N links.
 *
 * A lightpath makes i_d steps, 0 <= i_d <= m, in direction s_d along dimension d; i_d = 0 or m leaves s_d open. Fix
 * the directions. The *phase* of a node x is Σ s_d x_d mod m; a step raises it by 1. Let all nodes of phase c send
 * lightpaths of steps i, first dimension first, and all of phase c + Σ i_d those of steps m - i (*partners*), last
 * dimension first. *Each link in directions s is used exactly once.* Proof: each line along d, of 2m nodes, has two
 * nodes of each phase, m apart; so it suffices that on every line the two kinds together begin at each phase once. The
 * first kind begins dimension d at the phases c + i_1 + … + i_{d-1}, hence covers i_d phases from there. The second
 * kind begins it at c + Σ i + Σ_{e>d} (m - i_e) = c + i_1 + … + i_d mod m and covers the m - i_d that follow. And a
 * line has such nodes at all: the other coordinates do not matter, since the two nodes of a phase exist on every line.
 * ∎ Steps that are their own partners, i = m/2, go first dimension first from the phases c and c + m/2.
 *
 * So m colours serve all lightpaths of a pair of partners and directions s (m/2 of one that is its own partner), and
 * at the same time those of directions -s, over other links. An offset of the ends belongs to one choice of directions
 * where 0 < i_d < m, and these directions and their opposites share colours; with z of the i_d in {0, m}, z < D, there
 * are 2^z (m-1)^(D-z) / 2 pairs of partners for each choice of the z dimensions and 2^(D-z-1) pairs of directions,
 * together 2^(D-2) (m-1)^(D-z) m colours. With z = D the directions are open: of the 2^(D-1) pairs of partners, m
 * phases each, two phases share a colour, one in positive and one in negative directions: 2^(D-2) m. The sum over z of
 * C(D,z) (m-1)^(D-z) is m^D; total 2^(D-2) m^(D+1) = N·2m/8. ∎
 */
#include "assign/torus.h"

/** The rule for all lightpaths with the same offset between their ends. */
struct offset_rule {
    uint32_t colour;    /* the colour of phase 0 */
    uint32_t period;    /* phases that have colours of their own: m, or m / 2 for steps that are their own partners */
    uint32_t shift;     /* phase at which they start when their partners start at phase 0; below m */
    bool known, last_first;
    bool reversed;      /* steps of m go in negative direction */
    bool corner;        /* all steps are 0 or m: two phases share a colour, one in each direction */
};

static uint32_t steps_of(const struct torus *t, uint32_t offset, uint32_t d)
{
    uint32_t ahead = torus_digit(t, offset, d);
    return ahead <= t->half ? ahead : t->size - ahead;
}

static bool is_ambiguous(const struct torus *t, uint32_t offset, uint32_t d)
{
    return torus_digit(t, offset, d) % t->half == 0;
}

/* If `partner`, return the partner of an offset, with m - i steps instead of i in each dimension.  Otherwise return the
 * offset in the opposite direction along each dimension with 0 < i < m steps. */
static uint32_t change(const struct torus *t, uint32_t offset, bool partner)
{
    uint32_t changed = 0;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint32_t ahead = torus_digit(t, offset, d), now;
        if (partner)
            now = ahead <= t->half ? t->half - ahead : 3 * t->half - ahead;
        else
            now = is_ambiguous(t, offset, d) ? ahead : t->size - ahead;
        changed = changed * t->size + now % t->size;
    }
    return changed;
}

static uint32_t total_steps(const struct torus *t, uint32_t offset)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        sum += steps_of(t, offset, d);
    return sum % t->half;
}

static bool is_corner(const struct torus *t, uint32_t offset)
{
    for (uint32_t d = 0; d < t->dimensions; d++)
        if (!is_ambiguous(t, offset, d))
            return false;
    return true;
}

/* Write to t->rule how lightpaths of an offset, and those of its partner, get directions and colours.  Offset and
 * partner share the colours t->colours … t->colours + t->rule[offset].period - 1.  reversed: go down along dimensions
 * with 0 or m steps. */
static void rule_pair(struct torus *t, uint32_t offset, bool reversed)
{
    uint32_t partner = change(t, offset, true);
    struct offset_rule rule = {.colour = t->colours,
                               .period = partner == offset ? t->half / 2 : t->half,
                               .reversed = reversed,
                               .known = true,
                               .corner = is_corner(t, offset)};
    t->rule[offset] = rule;
    rule.shift = total_steps(t, offset);
    rule.last_first = true;
    if (partner != offset)
        t->rule[partner] = rule;
}

static void make_rules(struct torus *t)
{
    uint32_t phases = 0, first;
    for (uint32_t offset = 0; offset < t->nodes; offset++) {
        if (t->rule[offset].known || is_corner(t, offset))
            continue;
        rule_pair(t, offset, false);
        rule_pair(t, change(t, offset, false), true);
        t->colours += t->rule[offset].period;
    }
    first = t->colours;
    for (uint32_t offset = 0; offset < t->nodes; offset++) {
        if (t->rule[offset].known)
            continue;
        t->colours = phases; /* corners counted phases; two phases share a colour */
        rule_pair(t, offset, false);
        phases += t->half;
    }
    for (uint32_t offset = 0; offset < t->nodes; offset++)
        t->rule[offset].colour += t->rule[offset].corner ? 2 * first : 0;
    t->colours = first + (phases + 1) / 2;
}

static bool even_fits(const struct torus *t, rwa_model model)
{
    return model == RWA_DIRECTED && torus_is_regular(t) && t->size % 2 == 0 && t->size >= 4;
}

static rwa_status prepare_even(struct torus *t)
{
    MUST(arena_arrays(&t->arena, t->nodes, t->rule));
    make_rules(t);
    return RWA_OK;
}

/* ---- lightpaths ---- */

/* Whether lightpaths of an offset go up along dimension d.  With 0 or m steps both directions are possible: up, unless
 * `reversed`. */
static bool goes_up(const struct torus *t, uint32_t offset, uint32_t d, bool reversed)
{
    return is_ambiguous(t, offset, d) ? !reversed : torus_digit(t, offset, d) < t->half;
}

static uint32_t phase_of(const struct torus *t, uint32_t place, uint32_t offset, bool reversed)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < t->dimensions; d++) {
        uint32_t at = torus_digit(t, place, d);
        sum += goes_up(t, offset, d, reversed) ? at : t->size - at;
    }
    return sum % t->half;
}

static uint32_t colour_of(const struct torus *t, uint32_t place, uint32_t offset, bool *reversed)
{
    const struct offset_rule *rule = &t->rule[offset];
    uint32_t phase = phase_of(t, place, offset, rule->reversed) + t->half - rule->shift;
    *reversed = rule->reversed;
    if (!rule->corner)
        return rule->colour + phase % t->half % rule->period;
    uint32_t number = rule->colour + phase % t->half;
    *reversed = number % 2 == 1;
    return number / 2;
}

static uint32_t write_path(const struct torus *t, uint32_t place, uint32_t offset, bool reversed)
{
    uint32_t hops = 0;
    bool last_first = t->rule[offset].last_first;
    for (uint32_t k = 0; k < t->dimensions; k++) {
        uint32_t d = last_first ? t->dimensions - 1 - k : k;
        place = torus_go(t, &hops, place, d, goes_up(t, offset, d, reversed), steps_of(t, offset, d));
    }
    return hops;
}

static uint32_t offset_between(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t offset = 0;
    for (uint32_t d = 0; d < t->dimensions; d++)
        offset = offset * t->size + torus_ahead(t, from, to, d);
    return offset;
}

static uint32_t even_route(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to)
{
    bool reversed;
    uint32_t offset = offset_between(t, from, to), colour = colour_of(t, from, offset, &reversed);
    route->hops = write_path(t, from, offset, reversed);
    return colour;
}

const struct torus_form even_torus = {.fits = even_fits, .prepare = prepare_even, .route = even_route};

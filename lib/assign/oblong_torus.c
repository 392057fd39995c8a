/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on a torus of two unequal dimensions, directed, in closed form: as many wavelengths as the lightpaths along the longer
 * dimension demand.  The construction and its proof are in docs/bounds.md, with the names used here.
 *
 * A row has q nodes, a column p < q; h is half of p.  Columns count modulo 2M, as if one were missing where q is odd.  The arcs of a
 * row in one direction alternate between leading ones, of i <= M / 2 steps, and following ones, of M - i; a tile is such an i.  The
 * leading arcs of a row begin (forward) or end (backward) in the columns c - f(row) modulo M, for a phase c.  A group of a tile says
 * how far its lightpaths go along columns, and has M colours, one for each phase.
 */
#include "assign/torus.h"

#include "routing/exchange.h"

/** A lightpath between two nodes. */
struct crossing {
    uint32_t column, to_column, row, to_row;
    uint32_t steps;         /* of its arc of a row among 2M columns; over the missing one: of the part that counts */
    bool antipodal;         /* M steps, q even */
    bool forward, leads;    /* its arc */
    bool up;                /* along its column, `by` steps */
    bool column_first;
    uint32_t by;
};

/** Where its colour is: group `group` of all tiles, phase `phase`, which need not be below M. */
struct spot {
    uint32_t group, phase;
};

static void go_up(const struct torus *t, struct crossing *c, bool up)
{
    if (c->up != up && c->by > 0)
        c->by = t->size - c->by;
    c->up = up;
}

static struct crossing crossing_of(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t q = t->sizes[t->longer], p = t->size, places = 2 * t->phases;
    struct crossing c = {.column = torus_digit(t, from, t->longer), .to_column = torus_digit(t, to, t->longer),
                         .row = torus_digit(t, from, 1 - t->longer), .to_row = torus_digit(t, to, 1 - t->longer), .up = true};
    uint32_t ahead = (c.to_column + places - c.column) % places;
    bool half_round = ahead == t->phases;
    c.by = (c.to_row + p - c.row) % p;
    go_up(t, &c, c.by <= t->half);
    c.antipodal = half_round && q == places;
    c.forward = half_round ? c.column > c.to_column : ahead < t->phases;
    c.steps = c.forward ? ahead : places - ahead;
    if (half_round && !c.antipodal)
        c.steps = q - (c.forward ? c.column : c.to_column);
    c.leads = 2 * c.steps < t->phases;
    c.column_first = c.forward;
    return c;
}

/* The row of its arc, and the column at the other end of its way along a column. */
static uint32_t arc_row(const struct crossing *c)
{
    return c->column_first ? c->to_row : c->row;
}

static uint32_t turning_column(const struct crossing *c)
{
    return c->column_first ? c->column : c->to_column;
}

/* The first group of a tile, where each has p. */
static uint32_t tile(const struct torus *t, uint32_t steps)
{
    assert(steps > 0 && steps < t->phases);
    return ((steps < t->phases - steps ? steps : t->phases - steps) - 1) * t->size;
}

static bool is_middle(const struct torus *t, const struct crossing *c)
{
    return 2 * c->steps == t->phases;
}

/* Groups of all tiles but that of the antipodal lightpaths. */
static uint32_t inner_groups(const struct torus *t)
{
    return t->size * (t->phases - 1) / 2;
}

/* q odd: along a column that no row begins an arc in; the first `usable` groups of each tile have such a phase. */
static struct spot spare_column(const struct torus *t, struct crossing *c, uint32_t usable, uint32_t unused)
{
    rwa_direction way;
    uint32_t number;
    exchange_assign(t->size, 1, c->row, c->to_row, 0, &way, &number);
    go_up(t, c, way == RWA_CW);
    uint32_t steps = number / usable + 1;
    return (struct spot){tile(t, steps) + number % usable, c->column + unused + (c->up ? 0 : t->phases - steps)};
}

/* ---- p even: rows h apart begin their arcs in the same columns ---- */

static uint32_t even_group(const struct torus *t, const struct crossing *c)
{
    uint32_t h = t->half, one = !c->up;
    if (c->forward)
        return (c->leads == c->up ? 0 : h) + c->by - one;
    return (c->leads == c->up ? h : 2 * h) - c->by - one;
}

static struct spot even_spot(const struct torus *t, struct crossing *c)
{
    uint32_t h = t->half, above = c->up ? c->by : 2 * h - c->by, group;
    if (c->steps == 0 && t->sizes[t->longer] % 2 == 1)
        return spare_column(t, c, h, h);
    if (c->steps == 0) {
        c->column_first = c->up;
        group = inner_groups(t) + h - c->by - !c->up;
    } else if (c->antipodal) {
        c->forward = c->column_first = above >= h;
        go_up(t, c, above < h);
        group = inner_groups(t) + c->by - !c->up;
    } else {
        go_up(t, c, c->forward ? above < h : above > 0 && above <= h);
        c->leads = is_middle(t, c) ? c->up : c->leads;
        group = tile(t, c->steps) + even_group(t, c);
    }
    bool follows = !c->leads && !c->antipodal;
    return (struct spot){group, turning_column(c) + arc_row(c) % h + (follows ? c->steps : 0)};
}

/* ---- p and q odd: pairs of rows h apart, but one row ---- */

static struct spot odd_spot(const struct torus *t, struct crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1;
    if (c->steps == 0)
        return spare_column(t, c, h + 1, h + 1);
    uint32_t first = tile(t, c->steps), order = (p - arc_row(c)) * 2 % p, pair = order / 2, shift = pair;
    if (is_middle(t, c) && c->by == 0)
        return (struct spot){first + h, c->column % (t->phases / 2)};
    c->leads = is_middle(t, c) ? !c->up : c->leads;
    uint32_t amount = c->forward ? c->by : h - c->by, group = amount;
    if (c->by > 0 && c->leads != c->up) {
        amount = amount == 0 ? h : amount;
        group = (is_middle(t, c) ? 0 : h + 1) + (amount - 1 + 2 * h - pair) % h;
        shift = amount == h && order % 2 == 1 ? h + 1 : pair;
    }
    return (struct spot){first + group, turning_column(c) + shift + (c->leads ? 0 : c->steps)};
}

/* ---- p odd, q even: the role of a row is its number less that of the group, modulo p ---- */

static struct spot role_spot(const struct torus *t, const struct crossing *c, uint32_t first, uint32_t role)
{
    uint32_t h = t->half, p = 2 * h + 1;
    assert(role < p);
    return (struct spot){first + (arc_row(c) + p - role) % p, turning_column(c) + (role < h ? role : role - h)};
}

static struct spot mixed_inner(const struct torus *t, struct crossing *c)
{
    uint32_t h = t->half, role;
    c->column_first = c->leads == c->forward;
    if (c->by == 0)
        role = c->leads ? 2 * h : 0;
    else if (c->up != c->forward)
        role = 2 * h - c->by;
    else
        role = c->leads ? c->by - 1 : c->by < h ? c->by : 2 * h;
    return role_spot(t, c, tile(t, c->steps), role);
}

/* M even: lightpaths of M / 2 and of M steps share groups; those that stay in their row are where that row is alone. */
static struct spot mixed_middle(const struct torus *t, struct crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1, m = t->phases, first = tile(t, m / 2), column = c->column % m;
    if (c->by == 0) {
        uint32_t group = first + (c->row + 1) % p;
        c->forward = c->antipodal ? column % 2 == 0 : c->forward;
        return (struct spot){group, c->antipodal ? (m + column) / 2 : column % (m / 2)};
    }
    c->forward = c->antipodal ? !c->up : c->forward;
    c->column_first = !c->antipodal && c->up == c->forward;
    if (c->antipodal)
        return role_spot(t, c, first, c->up ? c->by - 1 : h + c->by - 1);
    return role_spot(t, c, first, c->forward ? c->by - 1 : 2 * h - c->by);
}

/* M odd: the antipodal lightpaths have groups of their own, and half of one for those that stay in their row. */
static struct spot mixed_antipodal(const struct torus *t, struct crossing *c)
{
    uint32_t h = t->half, first = inner_groups(t), column = c->column % t->phases;
    c->forward = c->by == 0 ? column % 2 == 0 : c->up;
    c->column_first = false;
    if (c->by == 0)
        return (struct spot){first + h, column / 2};
    return (struct spot){first + c->by - 1, c->column + (c->row < h ? c->row : c->row - h)};
}

/* Above the row that is alone in its column, as far as the next lightpath there, fit `by` steps and (h + 1) - by. */
static struct spot mixed_upright(const struct torus *t, const struct crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1, low = c->up ? c->row : c->to_row, high = c->up ? c->to_row : c->row;
    bool lower = 2 * c->by <= h + 1;
    uint32_t row = lower ? low + p - h : high;
    return (struct spot){tile(t, lower ? c->by : h + 1 - c->by) + (row + 1) % p, c->column + h};
}

static struct spot mixed_spot(const struct torus *t, struct crossing *c)
{
    if (c->steps == 0)
        return mixed_upright(t, c);
    if (is_middle(t, c) || (c->antipodal && t->phases % 2 == 0))
        return mixed_middle(t, c);
    return c->antipodal ? mixed_antipodal(t, c) : mixed_inner(t, c);
}

/* ---- lightpaths ---- */

static bool oblong_fits(const struct torus *t, rwa_model model)
{
    return model == RWA_DIRECTED && t->dimensions == 2 && !torus_is_regular(t) && t->size >= 3;
}

static rwa_status prepare_oblong(struct torus *t)
{
    uint32_t q = t->sizes[t->longer];
    t->phases = q / 2 + q % 2;
    t->colours = (t->size * (q * q / 4) + 1) / 2;
    return RWA_OK;
}

static uint32_t write_route(const struct torus *t, uint32_t place, const struct crossing *c)
{
    uint32_t q = t->sizes[t->longer], hops = 0;
    uint32_t along = (c->forward ? c->to_column + q - c->column : c->column + q - c->to_column) % q;
    for (int part = 0; part < 2; part++) {
        bool in_column = (part == 0) == c->column_first;
        for (uint32_t steps = in_column ? c->by : along; steps > 0; steps--)
            place = torus_go(t, place, in_column ? 1 - t->longer : t->longer, in_column ? c->up : c->forward, &t->arc[hops++]);
    }
    return hops;
}

static uint32_t oblong_route(const struct torus *t, uint32_t *colour, uint32_t from, uint32_t to)
{
    assert(from != to && t->sizes[t->longer] > t->size);
    struct crossing c = crossing_of(t, from, to);
    bool even = t->size % 2 == 0, rounds = t->sizes[t->longer] % 2 == 0;
    struct spot spot = even ? even_spot(t, &c) : rounds ? mixed_spot(t, &c) : odd_spot(t, &c);
    *colour = spot.group * t->phases + spot.phase % t->phases;
    assert(*colour < t->colours);
    return write_route(t, from, &c);
}

const struct torus_form oblong_torus = {.fits = oblong_fits, .prepare = prepare_oblong, .route = oblong_route};

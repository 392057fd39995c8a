/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on a torus of two unequal dimensions, directed, in closed form.
 *
 * Directed links. Rows have q nodes, columns p < q; p >= 3. All pairs get ceil(p floor(q²/4) / 2) colours, as many as
 * the links along rows demand: p nodes in each of q columns send p lightpaths as far as a row demands, over 2pq links.
 * A lightpath is an *arc* of a row and a way along one column: at the arc's begin, from the source (*column first*, in
 * the row of the destination), or at its end (in the row of the source).
 *
 * Let M = ceil(q/2), h = floor(p/2). Number the columns modulo 2M; if q is odd, column 2M - 1 is missing. Take a
 * *tile*, that is 1 <= i <= M/2, and for every row w a column f(w) modulo M. In a colour of phase c, every row w has
 * forward arcs of i steps (*leading*) from the columns P = c - f(w) modulo M and of M - i steps (*following*) from the
 * columns Q = P + i, and backward arcs of i steps that end at P, and of M - i steps that end at Q: all links of rows
 * are taken once. A *group* says how far, up or down, each of these arcs goes along a column; it has M colours, c = 0
 * … M - 1. With p groups a tile serves the lightpaths of i and of M - i steps, both directions, if each kind of arc
 * goes each of the p ways in one of them, for every row. It is left to keep ways apart in the columns, where the arcs
 * that turn there are those of the rows w with the same f(w).
 *
 * *The missing column.* If forward arcs go column first and backward arcs column last, an arc's way lies where it
 * begins forward or ends backward. Then remove column 2M - 1 with the lightpaths from and to it. Two forward arcs that
 * meet there, of i and M - i steps, become one of M columns, M - 1 = floor(q/2) steps in the ring of q, which keeps
 * the way of the first of them; backward that of the second. The first arc has any length from 1 to M - 1 and any of
 * the p ways, each once in a row: so these are the lightpaths between columns u and u + M, in the direction over the
 * missing column, and no arc is longer than half the ring. There are no others of M steps.
 *
 * *p even.* Let f(w) = w mod h, so that two rows h apart turn in a column. All forward arcs go column first, all
 * backward arcs column last. In the groups t = 0 … h - 1 the leading arcs arrive t up (forward) and leave h - t up
 * (backward): together they take h links up from each of two rows h apart, downwards t and upwards h - t, so all
 * differ; following arcs arrive t + 1 down and leave h - t - 1 down. In the groups h + t up and down change: leading
 * arcs t + 1 and h - t - 1 down, following ones t and h - t up. So each kind goes 0 … h - 1 up and 1 … h down, or 1 …
 * h up and 0 … h - 1 down: all p ways. If i = M/2, leading and following arcs are of one kind and the first h groups
 * are enough. For q even the lightpaths of M steps are left, and those within a column. Group t = 0 … h - 1 of theirs
 * has forward arcs of M steps that arrive t + 1 down and backward ones that leave t up, and within columns, at the
 * same node, h - t up to it and h - t - 1 down from it. Altogether these are p (M-1)/2 + h groups or, q odd, p
 * (M-1)/2, of M colours: p floor(q²/4) / 2. For q odd the lightpaths within columns have room in columns with c - x =
 * h (up) or c - x + i = h modulo M (down) in the groups t < h, where no row turns, as h < M: colours of h (M-1) / 2
 * groups at least, and ceil(h²/2) are enough (the ring's construction, docs/reference/bounds.md).
 *
 * *p odd, q even.* M >= h + 1. Group g turns the rows: row w has the *role* r = w - g mod p, f = r for r < h, r - h
 * for h <= r < 2h, and h for r = 2h, which is alone in its columns. Leading arcs forward and following ones backward
 * go column first, the others column last, so that all turn at P. The roles r < h and r + h go
 *
 * | | leading, forward | following, backward | following, forward | leading, backward |
 * |---|---|---|---|---|
 * | role r < h | arrives r + 1 up | arrives r down | leaves r up | leaves r + 1 down |
 * | role r + h | arrives h - r down | arrives h - r up | leaves h - r down | leaves h - r up |
 * | role 2h | - | arrives h down | leaves h up | - |
 *
 * An arrival up and a departure down take links below the row, the others above it. From role r to r + h there are h
 * links, of which these take r and h - r in each direction; from r + h on to r there are h + 1, taken by h - r and r +
 * 1. Over all g every row has every role, so each column of the table goes all p ways. The lightpaths of M steps that
 * turn leave v up (forward) or v down (backward) in group v of h further groups; those within a row take (M + 1)/2
 * colours, M odd: the forward ones of an even column modulo M with the backward ones of the next. Together (p M² + 1)
 * / 2. If M is even, the tile M/2 and the lightpaths of M steps share p groups: role r < h has forward arcs of M/2
 * steps that arrive r + 1 up or leave r + 1 down, and backward ones of M steps that leave r + 1 up; role r + h has
 * backward arcs of M/2 steps that arrive h - r down or leave h - r up, and forward ones of M steps that leave r + 1
 * down; role 2h those within its row, of M/2 steps in half of the colours and of M in the others. Together p M²/2. The
 * lightpaths within columns are left. Above role 2h, alone in its column, h + 1 links are free in each direction after
 * the first h; tile i serves i and h + 1 - i up and down there, and (h + 1)/2 <= M/2.
 *
 * *p odd, q odd.* M >= h + 2, as p <= q - 2. All forward arcs go column first, all backward arcs column last. Order
 * the rows 0, h, 2h, … modulo p; two after two are pairs, the last row is alone. In group a = 0 … h of a tile leading
 * arcs arrive a up and leave h - a up, following ones arrive a down and leave h - a down; a pair has one f, and f
 * takes h + 1 values. The rows of a pair are h and h + 1 links apart, so all differ. In group n = 0 … h - 1 of the
 * others leading arcs of pair k go a = (n + k mod h) + 1 down and h - a down, following ones so far up; but for a = h,
 * both go h, and both rows of that pair have an f of their own. Only one pair has, so f takes h + 2 <= M values. All
 * kinds go 0 … h one way and 1 … h the other. If i = M/2, the second kind of groups serves all ways but none, and M/2
 * colours the lightpaths within rows. Lightpaths within columns have room in columns with c - x = h + 1 (up) or c - x
 * + i = h + 1 modulo M (down) in the first h + 1 groups of each tile i < M/2: these are at least (h+1) h/2 colours, as
 * many as the ring needs. ∎
 */
#include "assign/torus.h"

#include "routing/exchange.h"

/** A lightpath between two nodes. */
struct torus_crossing {
    uint32_t column, to_column, row, to_row;
    uint32_t steps;         /* of its arc of a row of 2M columns; over the missing column: of the part of the arc
                               that determines the colour */
    bool antipodal;         /* M steps, q even */
    bool forward, leads;    /* its arc */
    bool up;                /* along its column, `by` steps */
    bool column_first;
    uint32_t by;
};

/** A colour: group `group` of all tiles, phase `phase`, which need not be below M. */
struct colour {
    uint32_t group, phase;
};

static void go_up(const struct torus *t, struct torus_crossing *c, bool up)
{
    if (c->up != up && c->by > 0)
        c->by = t->size - c->by;
    c->up = up;
}

static struct torus_crossing crossing_of(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t q = t->sizes[t->longer], p = t->size, places = 2 * t->phases;
    struct torus_crossing c = {.column = torus_digit(t, from, t->longer),
                               .to_column = torus_digit(t, to, t->longer),
                               .row = torus_digit(t, from, 1 - t->longer),
                               .to_row = torus_digit(t, to, 1 - t->longer),
                               .up = true};
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

/* arc_row() returns the row along which a lightpath travels, turning_column() the column along which it changes
 * rows. */
static uint32_t arc_row(const struct torus_crossing *c)
{
    return c->column_first ? c->to_row : c->row;
}

static uint32_t turning_column(const struct torus_crossing *c)
{
    return c->column_first ? c->column : c->to_column;
}

/* Return the first group of the tile that serves arcs of this many steps along a row.  Tiles and groups are explained
 * at the top of the file; a tile has t->size groups of colours. */
static uint32_t tile(const struct torus *t, uint32_t steps)
{
    assert(steps > 0 && steps < t->phases);
    return ((steps < t->phases - steps ? steps : t->phases - steps) - 1) * t->size;
}

static bool is_middle(const struct torus *t, const struct torus_crossing *c)
{
    return 2 * c->steps == t->phases;
}

/* Return the number of groups of colours in all tiles.  The groups of antipodal lightpaths (M steps along a row), where
 * they have their own, are numbered after these. */
static uint32_t inner_groups(const struct torus *t)
{
    return t->size * (t->phases - 1) / 2;
}

/* q odd: return the colour of a lightpath that stays in its column, and set its direction, c->up.  In this colour no
 * row begins an arc in that column: f(w) = `unused` for no row w in the first `usable` groups of each tile (see the top
 * of the file). */
static struct colour spare_column(const struct torus *t, struct torus_crossing *c, uint32_t usable, uint32_t unused)
{
    rwa_direction way;
    uint32_t number;
    exchange_assign(t->size, 1, c->row, c->to_row, 0, &way, &number);
    go_up(t, c, way == RWA_CW);
    uint32_t steps = number / usable + 1;
    return (struct colour){tile(t, steps) + number % usable, c->column + unused + (c->up ? 0 : t->phases - steps)};
}

/* ---- p even: rows h apart begin their arcs in the same columns ---- */

static uint32_t even_group(const struct torus *t, const struct torus_crossing *c)
{
    uint32_t h = t->half, one = !c->up;
    if (c->forward)
        return (c->leads == c->up ? 0 : h) + c->by - one;
    return (c->leads == c->up ? h : 2 * h) - c->by - one;
}

static struct colour even_colour(const struct torus *t, struct torus_crossing *c)
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
    return (struct colour){group, turning_column(c) + arc_row(c) % h + (follows ? c->steps : 0)};
}

/* ---- p and q odd: pairs of rows h apart, but one row ---- */

static struct colour odd_colour(const struct torus *t, struct torus_crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1;
    if (c->steps == 0)
        return spare_column(t, c, h + 1, h + 1);
    uint32_t first = tile(t, c->steps), order = (p - arc_row(c)) * 2 % p, pair = order / 2, shift = pair;
    if (is_middle(t, c) && c->by == 0)
        return (struct colour){first + h, c->column % (t->phases / 2)};
    c->leads = is_middle(t, c) ? !c->up : c->leads;
    uint32_t amount = c->forward ? c->by : h - c->by, group = amount;
    if (c->by > 0 && c->leads != c->up) {
        amount = amount == 0 ? h : amount;
        group = (is_middle(t, c) ? 0 : h + 1) + (amount - 1 + 2 * h - pair) % h;
        shift = amount == h && order % 2 == 1 ? h + 1 : pair;
    }
    return (struct colour){first + group, turning_column(c) + shift + (c->leads ? 0 : c->steps)};
}

/* ---- p odd, q even: the role of a row is its number less that of the group, modulo p ---- */

static struct colour role_colour(const struct torus *t, const struct torus_crossing *c, uint32_t first, uint32_t role)
{
    uint32_t h = t->half, p = 2 * h + 1;
    assert(role < p);
    return (struct colour){first + (arc_row(c) + p - role) % p, turning_column(c) + (role < h ? role : role - h)};
}

static struct colour mixed_inner(const struct torus *t, struct torus_crossing *c)
{
    uint32_t h = t->half, role;
    c->column_first = c->leads == c->forward;
    if (c->by == 0)
        role = c->leads ? 2 * h : 0;
    else if (c->up != c->forward)
        role = 2 * h - c->by;
    else
        role = c->leads ? c->by - 1 : c->by < h ? c->by : 2 * h;
    return role_colour(t, c, tile(t, c->steps), role);
}

/* M even: return the colour of a lightpath of M / 2 or of M steps along a row, and set c->forward and c->column_first.
 * Both kinds use the groups of one tile.  A lightpath that stays in its row takes the group in which the row has role
 * 2h, and so shares its columns with no other row. */
static struct colour mixed_middle(const struct torus *t, struct torus_crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1, m = t->phases, first = tile(t, m / 2), column = c->column % m;
    if (c->by == 0) {
        uint32_t group = first + (c->row + 1) % p;
        c->forward = c->antipodal ? column % 2 == 0 : c->forward;
        return (struct colour){group, c->antipodal ? (m + column) / 2 : column % (m / 2)};
    }
    c->forward = c->antipodal ? !c->up : c->forward;
    c->column_first = !c->antipodal && c->up == c->forward;
    if (c->antipodal)
        return role_colour(t, c, first, c->up ? c->by - 1 : h + c->by - 1);
    return role_colour(t, c, first, c->forward ? c->by - 1 : 2 * h - c->by);
}

/* M odd: return the colour of an antipodal lightpath, one of M steps along a row, and set c->forward and
 * c->column_first. Those that change rows have h groups of colours; those that stay in their row take half of one
 * further group. */
static struct colour mixed_antipodal(const struct torus *t, struct torus_crossing *c)
{
    uint32_t h = t->half, first = inner_groups(t), column = c->column % t->phases;
    c->forward = c->by == 0 ? column % 2 == 0 : c->up;
    c->column_first = false;
    if (c->by == 0)
        return (struct colour){first + h, column / 2};
    return (struct colour){first + c->by - 1, c->column + (c->row < h ? c->row : c->row - h)};
}

/* p odd, q even: return the colour of a lightpath within a column.  It uses the h + 1 links above the row of role 2h,
 * which no other lightpath takes in that colour.  `by` steps and h + 1 - by steps fit there side by side. */
static struct colour mixed_upright(const struct torus *t, const struct torus_crossing *c)
{
    uint32_t h = t->half, p = 2 * h + 1, low = c->up ? c->row : c->to_row, high = c->up ? c->to_row : c->row;
    bool lower = 2 * c->by <= h + 1;
    uint32_t row = lower ? low + p - h : high;
    return (struct colour){tile(t, lower ? c->by : h + 1 - c->by) + (row + 1) % p, c->column + h};
}

static struct colour mixed_colour(const struct torus *t, struct torus_crossing *c)
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

static uint32_t write_route(const struct torus *t, uint32_t place, const struct torus_crossing *c)
{
    uint32_t q = t->sizes[t->longer], hops = 0;
    uint32_t along = (c->forward ? c->to_column + q - c->column : c->column + q - c->to_column) % q;
    for (int part = 0; part < 2; part++) {
        bool in_column = (part == 0) == c->column_first;
        place = torus_go(t, &hops, place, in_column ? 1 - t->longer : t->longer, in_column ? c->up : c->forward,
                         in_column ? c->by : along);
    }
    return hops;
}

static uint32_t oblong_route(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to)
{
    assert(from != to && t->sizes[t->longer] > t->size);
    struct torus_crossing c = crossing_of(t, from, to);
    bool even = t->size % 2 == 0, rounds = t->sizes[t->longer] % 2 == 0;
    struct colour found = even ? even_colour(t, &c) : rounds ? mixed_colour(t, &c) : odd_colour(t, &c);
    route->hops = write_route(t, from, &c);
    return found.group * t->phases + found.phase % t->phases;
}

const struct torus_form oblong_torus = {.fits = oblong_fits, .prepare = prepare_oblong, .route = oblong_route};

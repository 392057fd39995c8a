/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Fixed arcs by column generation.  A column is a set of disjoint arcs, which one wavelength can carry.  The linear
 * program covers every arc with columns of the least total weight.  Its value, the fractional chromatic number, is a
 * lower bound, which can far exceed the load when arcs are long.  The heaviest column for given arc weights is found
 * exactly (pack() without an arc over one node, and with each of those), so any integer weights prove by integer
 * arithmetic alone
 *     wavelengths >= ceil(sum of all weights / weight of the heaviest column).
 * The linear program only proposes the weights; the bound does not depend on its precision.
 * Then columns are fixed, the fullest first, and the program is solved again for the remaining arcs.
 */
#include "lp/grow.h"
#include "solvers/solver.h"

enum { MOST_ARCS = 100000, MOST_LINKS = 1 << 16, DIVE_ROUNDS = 5 };

/* Weight of one wavelength: fine enough that rounding a dual does no harm, coarse enough for sums in 64 bits. */
static const int64_t unit = INT64_C(1) << 30;

/**
 * The arcs, grouped into kinds of equal ones, and the program.  Positions 0 … links are the nodes, the first one twice.
 * Kind k covers the links from[k] … to[k] - 1.  Kinds that pass node 0 have to[k] > links and stand behind the others.
 * Sorted by `to`, then by `from`.
 */
struct colgen {
    struct solve *run;
    uint32_t links;
    size_t paths;
    int kinds;
    int straight;           /* kinds that do not pass the node */
    uint32_t *from, *to;
    uint32_t *many;         /* arcs of each kind */
    size_t *begin;          /* the paths of kind k: member[begin[k]] … member[begin[k + 1] - 1] */
    uint32_t *member;
    int *ends;              /* straight kinds that end at position x: ends[x] … ends[x + 1] - 1 */
    int64_t *best;          /* of each position: largest weight of disjoint kinds from the window's start to it */
    int *last;              /* of each position: the kind that ends there in that set; -1: none */
    int64_t *weight;        /* of each kind */
    uint32_t *left;         /* of each kind: arcs that no fixed column covers yet */
    struct lp_grow *lp;
    int *row;               /* the kinds of the column being built */
    double *one;
    int *items;             /* column c: items[first[c]] … items[first[c + 1] - 1] */
    size_t *first;
    int columns;
    size_t *next;           /* of each kind: its next member to colour */
    uint32_t *colour;
    uint32_t used;
    bool stopped;
    struct arena arena;
};

static void colgen_free(struct colgen *g)
{
    lp_grow_close(g->lp);
    arena_free(&g->arena);
    free_all(g->items, g->first);
}

/* List in g->from and g->to the kinds, that is, the different arcs, and in g->many how many arcs are equal to each.
 * from, to: the ends of the arc of each path.  g->member has the paths sorted so that equal arcs are neighbours. */
static void gather(struct colgen *g, const uint32_t *from, const uint32_t *to)
{
    assert(g->kinds == 0);
    for (size_t i = 0; i < g->paths; i++) {
        uint32_t path = g->member[i];
        int k = g->kinds - 1;
        if (k < 0 || g->from[k] != from[path] || g->to[k] != to[path]) {
            k = g->kinds++;
            g->from[k] = from[path];
            g->to[k] = to[path];
            g->begin[k] = i;
        }
        g->many[k]++;
    }
    g->begin[g->kinds] = g->paths;
}

static void index_ends(struct colgen *g)
{
    while (g->straight < g->kinds && g->to[g->straight] <= g->links)
        g->ends[g->to[g->straight++] + 1]++;
    for (uint32_t x = 0; x <= g->links; x++)
        g->ends[x + 1] += g->ends[x];
}

static rwa_status list_kinds(struct colgen *g)
{
    const rwa_problem *p = g->run->problem;
    rwa_status st = RWA_OK;
    uint32_t *to = NULL;
    arena_arrays(&g->arena, p->paths, g->from, g->to, g->many, g->member);
    arena_new(&g->arena, g->begin, p->paths + 1);
    TRY(arena_arrays(&g->arena, (size_t)p->links + 2, g->ends));
    TRY(base_new(to, p->paths, g->run->err));
    g->links = p->links;
    g->paths = p->paths;
    for (size_t i = 0; i < p->paths; i++)
        to[i] = p->start[i] + path_length(p, i);
    TRY(sort_all_by(g->member, p->paths, p->start, p->links, g->run->err));
    TRY(sort_by(g->member, p->paths, to, 2 * p->links, g->run->err));
    gather(g, p->start, to);
    index_ends(g);
done:
    free(to);
    return st;
}

static rwa_status colgen_allocate(struct colgen *g)
{
    size_t links = (size_t)g->links + 1, kinds = (size_t)g->kinds;
    size_t most = links > kinds ? links : kinds;
    arena_arrays(&g->arena, links, g->best, g->last);
    arena_arrays(&g->arena, kinds, g->weight, g->left, g->next);
    arena_arrays(&g->arena, most, g->row, g->one);
    MUST(arena_arrays(&g->arena, g->paths, g->colour));
    for (size_t k = 0; k < most; k++)
        g->one[k] = 1;
    for (size_t k = 0; k < kinds; k++) {
        g->left[k] = g->many[k];
        g->next[k] = g->begin[k];
    }
    return base_reserve(g->first, 1, g->run->err);
}

static rwa_status open_program(struct colgen *g)
{
    struct arena arena = {.err = g->run->err};
    size_t kinds = (size_t)g->kinds;
    double *lower, *upper;
    rwa_status st = arena_arrays(&arena, kinds, lower, upper);
    for (size_t k = 0; st == RWA_OK && k < kinds; k++) {
        lower[k] = g->left[k];
        upper[k] = INFINITY;
    }
    if (st == RWA_OK)
        st = lp_grow_open(&g->lp, (int)kinds, lower, upper, g->run->err);
    arena_free(&arena);
    return st;
}

/* Append the n kinds in g->row, disjoint arcs that one wavelength can carry, to the program as a column. */
static rwa_status add_column(struct colgen *g, int n)
{
    assert(n > 0);
    size_t columns = (size_t)g->columns, at = columns ? g->first[columns] : 0;
    MUST(base_reserve(g->items, at + (size_t)n, g->run->err));
    MUST(base_reserve(g->first, columns + 2, g->run->err));
    for (int i = 0; i < n; i++)
        g->items[at + (size_t)i] = g->row[i];
    g->first[columns] = at;
    g->first[columns + 1] = at + (size_t)n;
    g->columns++;
    return lp_grow_add(g->lp, 1, n, g->row, g->one, g->run->err);
}

/* Add the first columns to the program: the arcs of each colour of the best colouring, as a good start, and each kind
 * of arc alone, so that it has a solution. */
static rwa_status first_columns(struct colgen *g)
{
    rwa_status st = RWA_OK;
    const struct solve *run = g->run;
    size_t paths = g->paths, at = 0;
    struct arena arena = {.err = run->err};
    uint32_t *order;
    int *kind;
    TRY(arena_arrays(&arena, paths, order, kind));
    for (int k = 0; k < g->kinds; k++)
        for (; at < g->begin[k + 1]; at++)
            kind[g->member[at]] = k;
    TRY(sort_all_by(order, paths, run->colour, run->found.wavelengths, run->err));
    for (size_t i = 0; i < paths;) {
        int n = 0;
        for (size_t from = i; i < paths && run->colour[order[i]] == run->colour[order[from]]; i++)
            g->row[n++] = kind[order[i]];
        TRY(add_column(g, n));
    }
    for (int k = 0; k < g->kinds; k++) {
        g->row[0] = k;
        TRY(add_column(g, 1));
    }
done:
    arena_free(&arena);
    return st;
}

/* Set the weight of each kind of arc: its dual in the program, plus a small bonus for long arcs. */
static void take_weights(struct colgen *g)
{
    for (int k = 0; k < g->kinds; k++) {
        double dual = fmax(0, fmin(1, lp_grow_dual(g->lp, k)));
        uint32_t length = g->to[k] - g->from[k];
        /* the bonus decides between kinds of equal duals */
        g->weight[k] = (int64_t)(dual * (double)unit) + 1 + (int64_t)(63 * (uint64_t)length / g->links);
    }
}

/* Raise the lower bound by the formula at the top of this file; `heaviest` is the largest weight of a column.  Call it
 * only before any column is fixed, since the weights must cover all arcs. */
static void raise_bound(struct colgen *g, int64_t heaviest)
{
    assert(heaviest > 0 && g->used == 0);
    int64_t total = 0;
    for (int k = 0; k < g->kinds; k++)
        total += g->weight[k] * (int64_t)g->many[k];
    solve_raise(g->run, (uint32_t)((total + heaviest - 1) / heaviest), "fractional");
}

/* Find the heaviest set of disjoint kinds of arcs.  With over >= 0, it contains kind `over`, which passes node 0; with
 * over = -1, it contains no arc over node 0.  Write its n kinds to g->row and return its weight.  O(links + kinds). */
static int64_t pack(struct colgen *g, int over, int *n)
{
    assert(over < g->kinds && (over < 0 || over >= g->straight));
    uint32_t low = over < 0 ? 0 : g->to[over] - g->links;
    uint32_t high = over < 0 ? g->links : g->from[over];
    g->best[low] = 0;
    for (uint32_t x = low + 1; x <= high; x++) {
        g->best[x] = g->best[x - 1];
        g->last[x] = -1;
        for (int k = g->ends[x]; k < g->ends[x + 1]; k++)
            if (g->from[k] >= low && g->best[g->from[k]] + g->weight[k] > g->best[x]) {
                g->best[x] = g->best[g->from[k]] + g->weight[k];
                g->last[x] = k;
            }
    }
    *n = 0;
    if (over >= 0)
        g->row[(*n)++] = over;
    for (uint32_t x = high; x > low; x = g->last[x] < 0 ? x - 1 : g->from[g->last[x]])
        if (g->last[x] >= 0)
            g->row[(*n)++] = g->last[x];
    return g->best[high] + (over < 0 ? 0 : g->weight[over]);
}

/* Find the heaviest column without arcs over node 0 and, for each kind of arc over node 0, the heaviest column with it.
 * Add those that improve the program; *added is their number, *heaviest the largest weight found. */
static rwa_status price(struct colgen *g, int *added, int64_t *heaviest)
{
    int n = 0;
    *added = 0;
    *heaviest = 0;
    take_weights(g);
    for (int over = -1; over < g->kinds; over = over < 0 ? g->straight : over + 1) {
        int64_t weight = pack(g, over, &n);
        RAISE(*heaviest, weight);
        if (weight <= unit + unit / 1000000)
            continue;
        MUST(add_column(g, n));
        ++*added;
    }
    return RWA_OK;
}

/* Solve the program and add columns, in turn.  Before any column is fixed: until no column improves it, or the bound
 * cannot rise.  Later: a few times, or until the program needs at most `enough` wavelengths. */
static rwa_status generate(struct colgen *g, double enough)
{
    int64_t heaviest = 0;
    int added = 1;
    for (int rounds = 0; added > 0 && (g->used == 0 || rounds < DIVE_ROUNDS); rounds++) {
        bool solved = false;
        MUST(lp_grow_solve(g->lp, &g->run->budget, &solved, g->run->err));
        g->stopped = !solved;
        if (!solved || (g->used > 0 && lp_grow_value(g->lp) <= enough + 1e-6))
            break;
        MUST(price(g, &added, &heaviest));
        if (g->used > 0)
            continue;
        raise_bound(g, heaviest);
        if (ceil(lp_grow_value(g->lp) - 1e-6) <= g->run->found.bound)
            break;
    }
    return RWA_OK;
}

/* Fix column c as one more wavelength: of each of its kinds of arcs, colour one arc that has no colour yet (g->colour),
 * if one is left. */
static void colour_column(struct colgen *g, int c)
{
    assert(c < g->columns);
    for (size_t i = g->first[c]; i < g->first[c + 1]; i++) {
        int k = g->items[i];
        if (g->left[k] == 0)
            continue;
        g->left[k]--;
        g->colour[g->member[g->next[k]++]] = g->used;
    }
    g->used++;
}

static rwa_status shrink_rows(struct colgen *g)
{
    rwa_status st = RWA_OK;
    for (int k = 0; k < g->kinds && st == RWA_OK; k++)
        st = lp_grow_set_row(g->lp, k, g->left[k], INFINITY, g->run->err);
    return st;
}

/* Fix each column with a value x >= 1 in the solution floor(x) times.  If there is none, fix the column of the largest
 * value once. */
static void round_columns(struct colgen *g)
{
    int fullest = 0;
    uint32_t before = g->used;
    for (int c = 0; c < g->columns; c++) {
        double x = lp_grow_x(g->lp, c);
        if (x > lp_grow_x(g->lp, fullest))
            fullest = c;
        for (; x > 1 - 1e-6; x--)
            colour_column(g, c);
    }
    if (g->used == before)
        colour_column(g, fullest);
}

static bool all_coloured(const struct colgen *g)
{
    for (int k = 0; k < g->kinds; k++)
        if (g->left[k] > 0)
            return false;
    return true;
}

static rwa_status dive(struct colgen *g)
{
    for (;;) {
        round_columns(g);
        if (all_coloured(g))
            break;
        if (g->used + 1 >= g->run->found.wavelengths)
            return RWA_OK; /* no better than what is known */
        MUST(shrink_rows(g));
        MUST(generate(g, (double)g->run->found.bound - g->used));
        if (g->stopped)
            return RWA_OK;
    }
    solve_keep(g->run, g->colour, g->used, "exact");
    return RWA_OK;
}

rwa_status fractional_try(struct solve *run, int most_kinds)
{
    const rwa_problem *p = run->problem;
    rwa_status st = RWA_OK;
    struct colgen g = {.run = run, .arena = {.err = run->err}};
    if (p->first || p->paths == 0 || p->paths > MOST_ARCS || p->links > MOST_LINKS)
        return RWA_OK;
    TRY(list_kinds(&g));
    if (g.kinds > most_kinds)
        goto done;
    TRY(colgen_allocate(&g));
    TRY(open_program(&g));
    TRY(first_columns(&g));
    TRY(generate(&g, 0));
    if (!g.stopped && !solve_done(run))
        TRY(dive(&g));
done:
    colgen_free(&g);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Minimise the fill of the fullest link over mixtures of spreads, one mixture for the right side of each owner (left sides
 * mirror them).  Rows: a link and step each, spreads less fill * channels <= 0; a side each, its mixture sums to 1.  The
 * dual values of the first are prices; when the least fill is at most 1 no prices will ever prove anything.
 */
#include "bound/dual_prices.h"
#include "lp/grow.h"

enum { MOST_ROUNDS = 100 };
static const double trust = 0.85; /* how much of the best prices remains in those tried next */

struct program {
    struct dual_prices *market;
    struct lp_grow *lp;
    double *dual, *tried, *value;   /* prices by the last solution; those tried; a column */
    int *row;
    size_t added;                   /* columns in this round */
    double fill;
};

static rwa_status open_program(struct program *p, rwa_error *err)
{
    const struct dual_prices *m = p->market;
    size_t rows = m->prices + m->spread.nodes - 1;
    double *lower = base_array(rows, sizeof *lower, err), *upper = base_array(rows, sizeof *upper, err);
    rwa_status st = lower && upper ? RWA_OK : RWA_NOMEM;
    TRY(st);
    p->dual = base_array(rows, sizeof *p->dual, err);
    p->tried = base_array(m->prices, sizeof *p->tried, err);
    p->value = base_array(rows, sizeof *p->value, err);
    p->row = base_array(rows, sizeof *p->row, err);
    st = p->dual && p->tried && p->value && p->row ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (size_t r = 0; r < rows; r++) {
        lower[r] = r < m->prices ? -INFINITY : 1;
        upper[r] = r < m->prices ? 0 : 1;
        p->dual[r] = r < m->prices ? 0 : INFINITY;
    }
    TRY(lp_grow_open(&p->lp, (int)rows, lower, upper, err));
    for (size_t r = 0; r < m->prices; r++) {
        p->row[r] = (int)r;
        p->value[r] = -1;
    }
    st = lp_grow_add(p->lp, 1, (int)m->prices, p->row, p->value, err);
done:
    free_all(lower, upper);
    return st;
}

static void close_program(struct program *p)
{
    lp_grow_close(p->lp);
    free_all(p->dual, p->tried, p->value, p->row);
}

/** The cheapest spread of a side at the prices tried, when it is cheaper at the program's prices than what it has. */
static rwa_status add_side(struct program *p, uint32_t owner, rwa_error *err)
{
    struct dual_prices *m = p->market;
    double cost = 0;
    int n = 0;
    memset(m->sides, 0, m->spread.nodes * sizeof *m->sides);
    m->sides[owner] = 1;
    line_spread_links(&m->spread, m->load, m->sides);
    for (size_t i = 0; i < m->prices; i++) {
        if (m->load[i] == 0)
            continue;
        p->row[n] = (int)i;
        p->value[n] = dual_prices_fill(m, i);
        cost += p->value[n++] * p->dual[i];
    }
    if (cost >= p->dual[m->prices + owner] - 1e-9)
        return RWA_OK;
    p->row[n] = (int)(m->prices + owner);
    p->value[n++] = 1;
    p->added++;
    return lp_grow_add(p->lp, 0, n, p->row, p->value, err);
}

static rwa_status add_sides(struct program *p, rwa_error *err)
{
    rwa_status st = RWA_OK;
    p->added = 0;
    for (uint32_t owner = 0; st == RWA_OK && owner + 1 < p->market->spread.nodes; owner++)
        st = add_side(p, owner, err);
    return st;
}

static rwa_status solve(struct program *p, bool *solved, struct budget *budget, rwa_error *err)
{
    const struct dual_prices *m = p->market;
    rwa_status st = lp_grow_solve(p->lp, budget, solved, err);
    if (st != RWA_OK || !*solved)
        return st;
    p->fill = lp_grow_value(p->lp);
    for (size_t r = 0; r < m->prices + m->spread.nodes - 1; r++) {
        double dual = lp_grow_dual(p->lp, (int)r);
        p->dual[r] = r >= m->prices ? dual : dual < 0 ? -dual : 0;
    }
    return RWA_OK;
}

/** Near the best prices the program's are not yet wild; where that finds no spread they are tried as they are. */
static void mix_prices(struct program *p)
{
    const struct dual_prices *m = p->market;
    double old = p->added > 0 ? trust : 0;
    for (size_t i = 0; i < m->prices; i++)
        p->tried[i] = old * m->best[i] + (1 - old) * p->dual[i];
}

rwa_status dual_prices_program(struct dual_prices *m, bool *proven, struct budget *budget, rwa_error *err)
{
    struct program p = {.market = m};
    bool solved = true, steady = false;
    rwa_status st = RWA_OK;
    TRY(open_program(&p, err));
    memcpy(p.tried, m->best, m->prices * sizeof *p.tried);
    for (int round = 0; round < MOST_ROUNDS && !*proven; round++) {
        *proven = dual_prices_try(m, p.tried);
        TRY(add_sides(&p, err));
        if (p.added > 0)
            TRY(solve(&p, &solved, budget, err));
        if (budget->cancelled)
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the link-capacity bound");
        if (st != RWA_OK || !solved || p.fill <= 1 || (p.added == 0 && steady))
            break;
        steady = p.added == 0;
        mix_prices(&p);
    }
done:
    close_program(&p);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/least_load.h"

#include "lp/lp.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many paths the integer program is not tried. */
enum { MOST_COLUMNS = 20000, MOST_PASSES = 64 };

struct loads {
    const struct least_load *run;
    uint64_t *taken;
    uint64_t *load;     /* of each link */
};

static uint32_t link_at(const struct least_load *run, size_t k)
{
    return run->roads->link[run->paths->arc[k]];
}

static uint64_t need_of(const struct loads *l, uint32_t link)
{
    uint64_t fibers = l->run->roads->fibers[link];
    return (l->load[link] + fibers - 1) / fibers;
}

static uint64_t most_needed(const struct loads *l)
{
    uint64_t most = 0;
    for (uint32_t link = 0; link < l->run->roads->links; link++)
        most = need_of(l, link) > most ? need_of(l, link) : most;
    return most;
}

/* ---- greed and exchange ---- */

static void take(struct loads *l, size_t path)
{
    l->taken[path]++;
    for (size_t k = l->run->paths->first[path]; k < l->run->paths->first[path + 1]; k++)
        l->load[link_at(l->run, k)]++;
}

static void give_back(struct loads *l, size_t path)
{
    l->taken[path]--;
    for (size_t k = l->run->paths->first[path]; k < l->run->paths->first[path + 1]; k++)
        l->load[link_at(l->run, k)]--;
}

/* What one lightpath more on a path would meet: the heaviest link first, then all of them. */
struct price {
    double most, all;
};

static struct price price_of(const struct loads *l, size_t path)
{
    struct price price = {0};
    for (size_t k = l->run->paths->first[path]; k < l->run->paths->first[path + 1]; k++) {
        uint32_t link = link_at(l->run, k);
        double here = (double)(l->load[link] + 1) / l->run->roads->fibers[link];
        price.most = fmax(price.most, here);
        price.all += here;
    }
    return price;
}

static size_t cheapest(const struct loads *l, size_t kind)
{
    const struct least_load *run = l->run;
    size_t best = run->first[kind];
    struct price least = price_of(l, best);
    for (size_t p = best + 1; p < run->first[kind + 1]; p++) {
        struct price price = price_of(l, p);
        if (price.most < least.most || (price.most <= least.most && price.all < least.all)) {
            least = price;
            best = p;
        }
    }
    return best;
}

static void start(struct loads *l)
{
    for (size_t kind = 0; kind < l->run->kinds; kind++)
        for (uint64_t i = 0; i < l->run->amount[kind]; i++)
            take(l, cheapest(l, kind));
}

/* Every lightpath is taken off and put where it meets least; whether any moved. */
static bool exchange(struct loads *l)
{
    bool moved = false;
    for (size_t kind = 0; kind < l->run->kinds; kind++)
        for (size_t p = l->run->first[kind]; p < l->run->first[kind + 1]; p++)
            for (uint64_t left = l->taken[p]; left > 0; left--) {
                give_back(l, p);
                size_t better = cheapest(l, kind);
                take(l, better);
                moved = moved || better != p;
            }
    return moved;
}

/* ---- the integer program ---- */

struct program {
    const struct least_load *run;
    struct lp_model model;
    double *cost, *lower, *upper, *value, *row_lower, *row_upper;
    int *first, *column;
    int entries;
    size_t *over_first;     /* paths over each link: over[over_first[l]] … */
    uint32_t *over;
};

static void program_free(struct program *p)
{
    free(p->cost);
    free(p->lower);
    free(p->upper);
    free(p->value);
    free(p->row_lower);
    free(p->row_upper);
    free(p->first);
    free(p->column);
    free(p->over_first);
    free(p->over);
}

static rwa_status list_crossings(struct program *p, rwa_error *err)
{
    const struct least_load *run = p->run;
    size_t hops = run->paths->first[run->paths->count];
    uint32_t links = run->roads->links;
    p->over_first = base_array((size_t)links + 2, sizeof *p->over_first, err);
    p->over = base_array(hops, sizeof *p->over, err);
    if (!p->over_first || !p->over)
        return RWA_NOMEM;
    for (size_t k = 0; k < hops; k++)
        p->over_first[link_at(run, k) + 2]++;
    for (uint32_t l = 0; l < links; l++)
        p->over_first[l + 2] += p->over_first[l + 1];
    for (size_t path = 0; path < run->paths->count; path++)
        for (size_t k = run->paths->first[path]; k < run->paths->first[path + 1]; k++)
            p->over[p->over_first[link_at(run, k) + 1]++] = (uint32_t)path;
    return RWA_OK;
}

static rwa_status make_room(struct program *p, rwa_error *err)
{
    const struct least_load *run = p->run;
    size_t columns = run->paths->count + 1, rows = run->kinds + run->roads->links;
    size_t entries = columns + run->paths->first[run->paths->count] + run->roads->links;
    p->cost = base_array(columns, sizeof *p->cost, err);
    p->lower = base_array(columns, sizeof *p->lower, err);
    p->upper = base_array(columns, sizeof *p->upper, err);
    p->value = base_array(entries, sizeof *p->value, err);
    p->column = base_array(entries, sizeof *p->column, err);
    p->first = base_array(rows + 1, sizeof *p->first, err);
    p->row_lower = base_array(rows, sizeof *p->row_lower, err);
    p->row_upper = base_array(rows, sizeof *p->row_upper, err);
    return p->cost && p->lower && p->upper && p->value && p->column && p->first && p->row_lower && p->row_upper ? RWA_OK
                                                                                                             : RWA_NOMEM;
}

static void put(struct program *p, size_t column, double value)
{
    p->column[p->entries] = (int)column;
    p->value[p->entries++] = value;
}

static void end_row(struct program *p, double lower, double upper)
{
    p->row_lower[p->model.rows] = lower;
    p->row_upper[p->model.rows] = upper;
    p->first[++p->model.rows] = p->entries;
}

/* Column 0 is the need; then how many lightpaths take each path. */
static void add_rows(struct program *p, uint64_t most)
{
    const struct least_load *run = p->run;
    p->cost[0] = 1;
    p->lower[0] = (double)run->least;
    p->upper[0] = (double)most;
    for (size_t kind = 0; kind < run->kinds; kind++) {
        for (size_t path = run->first[kind]; path < run->first[kind + 1]; path++) {
            p->upper[path + 1] = (double)run->amount[kind];
            put(p, path + 1, 1);
        }
        end_row(p, (double)run->amount[kind], (double)run->amount[kind]);
    }
    for (uint32_t l = 0; l < run->roads->links; l++) {
        if (p->over_first[l] == p->over_first[l + 1])
            continue;
        for (size_t i = p->over_first[l]; i < p->over_first[l + 1]; i++)
            put(p, (size_t)p->over[i] + 1, 1);
        put(p, 0, -(double)run->roads->fibers[l]);
        end_row(p, -INFINITY, 0);
    }
}

static rwa_status program(struct loads *l, uint64_t *bound, rwa_error *err)
{
    const struct least_load *run = l->run;
    rwa_status st = RWA_OK;
    struct program p = {.run = run};
    struct lp_result result = {0};
    TRY(make_room(&p, err));
    TRY(list_crossings(&p, err));
    add_rows(&p, most_needed(l));
    p.model = (struct lp_model){.columns = (int)run->paths->count + 1, .rows = p.model.rows, .cost = p.cost, .lower = p.lower,
                                .upper = p.upper, .first = p.first, .column = p.column, .value = p.value,
                                .row_lower = p.row_lower, .row_upper = p.row_upper};
    result.x = base_array(run->paths->count + 1, sizeof *result.x, err);
    if (!result.x) {
        st = RWA_NOMEM;
        goto done;
    }
    TRY(lp_solve(&result, &p.model, run->watch, err));
    if (result.bound > (double)*bound)
        *bound = (uint64_t)ceil(result.bound - 1e-6);
    if (!result.solved)
        goto done;
    memset(l->load, 0, run->roads->links * sizeof *l->load);
    memset(l->taken, 0, run->paths->count * sizeof *l->taken);
    for (size_t path = 0; path < run->paths->count; path++)
        for (uint64_t n = (uint64_t)floor(result.x[path + 1] + 0.5); n > 0; n--)
            take(l, path);
done:
    free(result.x);
    program_free(&p);
    return st;
}

rwa_status least_load_solve(const struct least_load *run, uint64_t *taken, uint64_t *need, uint64_t *bound, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct loads l = {.run = run, .taken = taken};
    l.load = base_array(run->roads->links, sizeof *l.load, err);
    if (!l.load)
        return RWA_NOMEM;
    *bound = run->least;
    memset(taken, 0, run->paths->count * sizeof *taken);
    start(&l);
    for (int pass = 0; pass < MOST_PASSES && most_needed(&l) > run->least && exchange(&l); pass++)
        ;
    if (most_needed(&l) > run->least && run->paths->count < MOST_COLUMNS)
        TRY(program(&l, bound, err));
    *need = most_needed(&l);
done:
    free(l.load);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "routing/least_load.h"

#include "base/bins.h"
#include "lp/lp.h"

/* Beyond MOST_COLUMNS paths the integer program is not tried. */
enum { MOST_COLUMNS = 20000, MOST_PASSES = 64, POLL_KINDS = 256 };

struct loads {
    const struct least_load *run;
    uint64_t *taken;
    uint64_t *load;     /* of each link */
};

static uint32_t link_at(const struct least_load *run, size_t k)
{
    return run->graph->link[run->paths->arc[k]];
}

static uint64_t most_needed(const struct loads *l)
{
    uint64_t most = 0;
    for (uint32_t link = 0; link < l->run->graph->links; link++) {
        uint64_t fibers = l->run->graph->fibers[link], need = (l->load[link] + fibers - 1) / fibers;
        RAISE(most, need);
    }
    return most;
}

/* ---- greed and exchange ---- */

/* Put a lightpath on a path (by = 1) or take one off (by = UINT64_MAX, which subtracts one). */
static void put(struct loads *l, size_t path, uint64_t by)
{
    l->taken[path] += by;
    for (size_t k = l->run->paths->first[path]; k < l->run->paths->first[path + 1]; k++)
        l->load[link_at(l->run, k)] += by;
}

/* The cost of one more lightpath on a path: first the load of its most loaded link, then the sum over its links. */
struct price {
    double most, all;
};

static struct price price_of(const struct loads *l, size_t path)
{
    const struct least_load *run = l->run;
    struct price price = {0};
    for (size_t k = run->paths->first[path]; k < run->paths->first[path + 1]; k++) {
        uint32_t link = link_at(run, k);
        double here = (double)(l->load[link] + 1) / run->graph->fibers[link];
        price.most = fmax(price.most, here);
        price.all += here;
    }
    return price;
}

static size_t cheapest(const struct loads *l, size_t kind)
{
    assert(l->run->first[kind] < l->run->first[kind + 1]);
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

static bool is_over(const struct loads *l, size_t kind)
{
    return kind % POLL_KINDS == 0 && base_must_stop(l->run->budget, "routes", -1);
}

static void start(struct loads *l)
{
    bool over = false;
    for (size_t kind = 0; kind < l->run->kinds; kind++) {
        over = over || is_over(l, kind);    /* from now on the first route has to do */
        for (uint64_t i = 0; i < l->run->amount[kind]; i++)
            put(l, over ? l->run->first[kind] : cheapest(l, kind), 1);
    }
}

/* Remove each lightpath that has a choice and put it on its cheapest path; returns whether some lightpath moved. */
static bool exchange(struct loads *l)
{
    const struct least_load *run = l->run;
    bool moved = false;
    for (size_t kind = 0; kind < run->kinds && !is_over(l, kind); kind++)
        for (size_t p = run->first[kind];
             p < run->first[kind + 1] && run->first[kind + 1] - run->first[kind] > 1; p++)
            for (uint64_t left = l->taken[p]; left > 0; left--) {
                put(l, p, UINT64_MAX);
                size_t better = cheapest(l, kind);
                put(l, better, 1);
                moved = moved || better != p;
            }
    return moved;
}

/* ---- the integer program ---- */

/* Add the rows of the program: each kind has all its lightpaths on its own paths, and no link carries more than the
 * largest load.  Column 0 is that load, in channels of one fibre, at most `most`; column 1 + p is the number of
 * lightpaths on path p.  over: the paths over each link. */
static void add_rows(struct lp *lp, const struct least_load *run, const struct bins *over, uint64_t most)
{
    lp->cost[0] = 1;
    lp_name_column(lp, 0, "need");
    lp->lower[0] = (double)run->least;
    lp->upper[0] = (double)most;
    for (size_t kind = 0; kind < run->kinds; kind++) {
        for (size_t path = run->first[kind]; path < run->first[kind + 1]; path++) {
            lp->upper[path + 1] = (double)run->amount[kind];
            lp_put(lp, path + 1, 1);
            lp_name_column(lp, path + 1, "x_k%zu_r%zu", kind, path - run->first[kind]);
        }
        lp_end(lp, (double)run->amount[kind], (double)run->amount[kind], "kind_k%zu", kind);
    }
    for (uint32_t l = 0; l < run->graph->links; l++) {
        if (over->first[l] == over->first[l + 1])
            continue;
        for (size_t i = over->first[l]; i < over->first[l + 1]; i++)
            lp_put(lp, (size_t)over->number[i] + 1, 1);
        lp_put(lp, 0, -(double)run->graph->fibers[l]);
        lp_end(lp, -INFINITY, 0, "link_l%u", l);
    }
}

/** Set l->taken to the choice of paths of least load, by an integer program, and raise *bound to what it proves.
 *  only_written: write the program to the files of the budget, and keep the paths chosen before. */
static rwa_status program(struct loads *l, bool only_written, uint64_t *bound, rwa_error *err)
{
    const struct least_load *run = l->run;
    size_t columns = run->paths->count + 1, links = run->graph->links;
    rwa_status st = RWA_OK;
    struct lp lp;
    struct bins over = {0};
    struct lp_result result;
    TRY(lp_open(&lp, columns, run->kinds + links, columns + run->paths->first[run->paths->count] + links, run->budget,
                err));
    TRY(bins_index(&over, links, run->paths->count, run->paths->first, run->paths->arc, run->graph->link,
                   err));
    add_rows(&lp, run, &over, most_needed(l));
    TRY(lp_solve(&result, &lp, only_written, err));
    if (result.bound > (double)*bound)
        *bound = (uint64_t)ceil(result.bound - 1e-6);
    if (!result.solved)
        goto done;
    memset(l->load, 0, run->graph->links * sizeof *l->load);
    memset(l->taken, 0, run->paths->count * sizeof *l->taken);
    for (size_t path = 0; path < run->paths->count; path++)
        for (uint64_t n = (uint64_t)floor(result.x[path + 1] + 0.5); n > 0; n--)
            put(l, path, 1);
done:
    bins_free(&over);
    lp_free(&lp);
    return st;
}

rwa_status least_load_solve(const struct least_load *run, uint64_t *taken, uint64_t *bound, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct loads l = {.run = run, .taken = taken};
    TRY(base_new(l.load, run->graph->links, err));
    *bound = run->least;
    memset(taken, 0, run->paths->count * sizeof *taken);
    start(&l);
    for (int pass = 0; pass < MOST_PASSES && most_needed(&l) > run->least && exchange(&l); pass++)
        ;
    if ((most_needed(&l) > run->least || run->budget->programs) && run->paths->count < MOST_COLUMNS)
        TRY(program(&l, most_needed(&l) <= run->least, bound, err));
done:
    free(l.load);
    return st;
}

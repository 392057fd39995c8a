/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The integer program of the circuits: maximise z subject to z T_uv / max T <= x_uv.  T_uv are the bytes from node u
 *  to node v and x_uv the circuits that carry them; at most Q = `ports` circuits leave and enter each node. */
#include "place/place.h"
#include "lp/rows.h"

static void set_columns(struct lp_rows *m, const rwa_traffic *t, uint32_t ports)
{
    for (size_t i = 0; i < t->count; i++) {
        m->lower[i] = 1;
        m->upper[i] = ports;
        lp_rows_name_column(m, i, "x_%u_%u", t->flow[i].src, t->flow[i].dst);
    }
    lp_rows_name_column(m, t->count, "z");
    m->upper[t->count] = ports;
    m->continuous[t->count] = true;
    m->cost[t->count] = -1;
}

static void set_rows(struct lp_rows *m, const rwa_traffic *t, uint32_t ports, double most)
{
    for (size_t i = 0; i < t->count; i++) {
        lp_rows_put(m, i, 1);
        lp_rows_put(m, t->count, -t->flow[i].bytes / most);
        lp_rows_name_row(m, "flow_%u_%u", t->flow[i].src, t->flow[i].dst);
        lp_rows_end(m, 0, INFINITY);
    }
    for (uint32_t v = 0; v < t->nodes; v++) {
        for (size_t i = t->row[v]; i < t->row[v + 1]; i++)
            lp_rows_put(m, i, 1);
        lp_rows_name_row(m, "out_%u", v);
        lp_rows_end(m, -INFINITY, ports);
        for (size_t i = t->column[v]; i < t->column[v + 1]; i++)
            lp_rows_put(m, t->by_dst[i], 1);
        lp_rows_name_row(m, "in_%u", v);
        lp_rows_end(m, -INFINITY, ports);
    }
}

rwa_status least_load_ilp(double *bound, uint32_t *count, const rwa_traffic *t, uint32_t ports, struct budget *budget,
                          rwa_error *err)
{
    struct lp_rows m;
    struct lp_result result;
    double most = most_bytes(t);
    rwa_status st = RWA_OK;
    TRY(lp_rows_open(&m, t->count + 1, t->count + 2 * (size_t)t->nodes, 4 * t->count, err));
    lp_rows_keep_names(&m, budget);
    set_columns(&m, t, ports);
    set_rows(&m, t, ports, most);
    TRY(lp_rows_solve(&result, &m, false, budget, err));
    if (!result.solved)
        TRY(base_fail(err, RWA_CANCELLED, "the integer program found no circuits within its limit"));
    *bound = most / -result.bound;
    for (size_t i = 0; i < t->count; i++)
        count[i] = (uint32_t)llround(result.x[i]);
done:
    lp_rows_free(&m);
    return st;
}

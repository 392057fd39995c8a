/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The integer program of the circuits: maximise z subject to z T_uv / max T <= x_uv.  T_uv are the bytes from node u
 *  to node v and x_uv the circuits that carry them; at most Q = `ports` circuits leave and enter each node. */
#include "place/place.h"
#include "lp/lp.h"

static void set_columns(struct lp *m, const rwa_traffic *t, uint32_t ports)
{
    for (size_t i = 0; i < t->count; i++) {
        m->lower[i] = 1;
        m->upper[i] = ports;
        lp_name_column(m, i, "x_%u_%u", t->flow[i].src, t->flow[i].dst);
    }
    lp_name_column(m, t->count, "z");
    m->upper[t->count] = ports;
    m->continuous[t->count] = true;
    m->cost[t->count] = -1;
}

static void set_rows(struct lp *m, const rwa_traffic *t, uint32_t ports, double most)
{
    for (size_t i = 0; i < t->count; i++) {
        lp_put(m, i, 1);
        lp_put(m, t->count, -t->flow[i].bytes / most);
        lp_end(m, 0, INFINITY, "flow_%u_%u", t->flow[i].src, t->flow[i].dst);
    }
    for (uint32_t v = 0; v < t->nodes; v++) {
        for (size_t i = t->row[v]; i < t->row[v + 1]; i++)
            lp_put(m, i, 1);
        lp_end(m, -INFINITY, ports, "out_%u", v);
        for (size_t i = t->column[v]; i < t->column[v + 1]; i++)
            lp_put(m, t->by_dst[i], 1);
        lp_end(m, -INFINITY, ports, "in_%u", v);
    }
}

rwa_status least_load_ilp(double *bound, uint32_t *count, const rwa_traffic *t, uint32_t ports, struct budget *budget,
                          rwa_error *err)
{
    struct lp m;
    struct lp_result result;
    double most = most_bytes(t);
    rwa_status st = RWA_OK;
    TRY(lp_open(&m, t->count + 1, t->count + 2 * (size_t)t->nodes, 4 * t->count, budget, err));
    set_columns(&m, t, ports);
    set_rows(&m, t, ports, most);
    TRY(lp_solve(&result, &m, false, err));
    if (!result.solved)
        TRY(base_fail(err, RWA_CANCELLED, "the integer program found no circuits within its limit"));
    *bound = most / -result.bound;
    for (size_t i = 0; i < t->count; i++)
        count[i] = (uint32_t)llround(result.x[i]);
done:
    lp_free(&m);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the last step tells must be told earlier.  A gap between two nodes that hold a block early enough can be filled anew,
 * at the least cost, without touching anything else; as in negotiate.c links that get crowded by that are dear, and the
 * gaps that lie behind crowded hops are filled anew in turn.  Blocks advance towards the ends as they did.
 */
#include "delivery/gap_repair.h"
#include "lattice/one_sided_dp.h"

#include <stdlib.h>
#include <string.h>

enum { UP, DOWN };
enum {
    PRICE = 64,             /* of a link, and so much more for each lightpath that crowds it; see negotiate.c */
    NOISE = 16,
    DEAREST = 1 << 14,
    WIDEST = 64,            /* links of a gap that is filled anew … */
    DEEPEST = 6,            /* … in the last steps, or some steps before a hop that is crowded */
    ROUNDS = 200,
    STALL = 25              /* rounds without progress end it */
};
static const double most_work = 1e9;    /* operations */

/** How a node learned of a block. */
struct told {
    uint32_t src, step;     /* from 0; `never` for the owner, who always knew */
    bool ends;              /* there its lightpath ends, which may have told others on its way */
};
static const uint32_t never = UINT32_MAX;

struct mend {
    const struct line_limits *limits;
    uint32_t nodes, links, steps;
    struct told *told;          /* [block][node] */
    uint32_t *load[2], *grudge[2];      /* of each step and link */
    uint32_t *crowded[2];       /* links below a node that are crowded: steps rows of `nodes` entries */
    struct one_sided_dp side;
    uint64_t over, random;
    double work;
};

static rwa_status create(struct mend *m, const struct line_schedule *front, rwa_error *err)
{
    size_t n = m->nodes, links = (size_t)(m->steps + 1) * n;
    rwa_status st = RWA_OK;
    TRY(one_sided_dp_create(&m->side, WIDEST, DEEPEST, WIDEST, m->limits->drops, err));
    m->told = base_array(n * n, sizeof *m->told, err);
    st = m->told ? RWA_OK : RWA_NOMEM;
    for (int way = UP; way <= DOWN; way++) {
        uint32_t **each[] = {&m->load[way], &m->grudge[way], &m->crowded[way]};
        for (size_t i = 0; i < 3; i++) {
            *each[i] = base_array(links, sizeof **each[i], err);
            st = *each[i] ? st : RWA_NOMEM;
        }
    }
    TRY(st);
    for (size_t i = 0; i < n; i++)
        m->told[i * n + i].step = never;
    for (uint32_t step = 0; step < front->steps; step++)
        for (size_t i = front->first[step]; i < front->first[step + 1]; i++) {
            const struct line_hop *h = &front->hop[i];
            m->told[h->block * n + h->dst] = (struct told){h->src, step, h->ends};
        }
done:
    return st;
}

static void destroy(struct mend *m)
{
    one_sided_dp_free(&m->side);
    free(m->told);
    for (int way = UP; way <= DOWN; way++) {
        free(m->load[way]);
        free(m->grudge[way]);
        free(m->crowded[way]);
    }
}

/** Whether a node holds the block when a step begins. */
static bool knows(const struct told *t, uint32_t step)
{
    return t->step == never || t->step < step;
}

/** Count a lightpath into the load (by 1) or out of it (by -1); what is told after the last step has none. */
static void count_hop(struct mend *m, const struct told *t, uint32_t dst, int by)
{
    uint32_t low = t->src < dst ? t->src : dst, high = t->src < dst ? dst : t->src;
    if (t->step >= m->steps || !t->ends)
        return;
    uint32_t *load = m->load[dst > t->src ? UP : DOWN] + (size_t)t->step * m->links;
    for (uint32_t e = low; e < high; e++)
        if (by > 0)
            m->over += ++load[e] > m->limits->channels;
        else
            m->over -= load[e]-- > m->limits->channels;
}

static void count_all(struct mend *m)
{
    for (uint32_t block = 0; block < m->nodes; block++)
        for (uint32_t v = 0; v < m->nodes; v++)
            count_hop(m, &m->told[(size_t)block * m->nodes + v], v, 1);
}

static uint32_t price_of(struct mend *m, int way, size_t link)
{
    uint32_t load = m->load[way][link], grudge = m->grudge[way][link], channels = m->limits->channels;
    uint64_t price = PRICE + base_random_below(&m->random, NOISE) + grudge;
    if (load >= channels)
        price += (uint64_t)(load - channels + 1) * (PRICE + grudge);
    return price < DEAREST ? (uint32_t)price : DEAREST;
}

/** Fill the gap from low to high anew, from a step on. */
static void fill(struct mend *m, struct told *row, uint32_t low, uint32_t high, uint32_t from)
{
    struct side_hop hop[WIDEST];
    uint32_t links = high - low;
    for (uint32_t v = low + 1; v < high; v++)
        count_hop(m, &row[v], v, -1);
    m->side.steps = m->steps - from;
    for (uint32_t step = 0; step < m->side.steps; step++)
        for (uint32_t e = 0; e < links; e++) {
            size_t link = (size_t)(from + step) * m->links + low + e;
            m->side.out[step * links + e] = price_of(m, UP, link);
            m->side.back[step * links + e] = price_of(m, DOWN, link);
        }
    one_sided_dp_fill(&m->side, links, hop);
    for (uint32_t i = 0; i + 1 < links; i++)
        row[low + hop[i].dst] = (struct told){low + hop[i].src, from + hop[i].step, hop[i].ends};
    for (uint32_t v = low + 1; v < high; v++)
        count_hop(m, &row[v], v, 1);
    m->work += 0.5 * m->side.drops * m->side.steps * links * links * links + 50;
}

/** The widest gap around a node that may be filled anew, some steps before it was told; false: there is none. */
static bool find_gap(struct mend *m, const struct told *row, uint32_t v, uint32_t *low, uint32_t *high, uint32_t *from)
{
    uint32_t last = row[v].step < m->steps ? row[v].step : m->steps - 1;
    uint32_t first = m->steps > DEEPEST ? m->steps - DEEPEST : 0;
    uint32_t earlier = (uint32_t)base_random_below(&m->random, DEEPEST);
    uint32_t begin = last > earlier ? last - earlier : 0;
    for (*from = begin > first ? begin : first; *from <= last; ++*from) {
        uint32_t a = v, b = v;
        while (a > 0 && !knows(&row[a], *from) && v - a < WIDEST)
            a--;
        while (b < m->links && !knows(&row[b], *from) && b - v < WIDEST)
            b++;
        *low = a;
        *high = b;
        if (b - a <= WIDEST && knows(&row[a], *from) && knows(&row[b], *from))
            return true;
    }
    return false;
}

/** How many links below each node are crowded, so that a hop is looked at in no time. */
static void sum_crowded(struct mend *m)
{
    for (int way = UP; way <= DOWN; way++)
        for (uint32_t step = 0; step < m->steps; step++) {
            uint32_t *sum = m->crowded[way] + (size_t)step * m->nodes;
            for (uint32_t e = 0; e < m->links; e++) {
                size_t link = (size_t)step * m->links + e;
                uint32_t load = m->load[way][link], channels = m->limits->channels;
                sum[e + 1] = sum[e] + (load > channels);
                if (load > channels && m->grudge[way][link] < DEAREST)
                    m->grudge[way][link] += PRICE / 2 * (load - channels);
                else if (load < channels)
                    m->grudge[way][link] -= m->grudge[way][link] / 8;
            }
        }
}

/** Whether a node is told too late, or over a link that is crowded (still: others may have made room). */
static bool is_wrong(const struct mend *m, const struct told *t, uint32_t v)
{
    if (t->step == never)
        return false;
    if (t->step >= m->steps || !t->ends)
        return t->step >= m->steps;
    int way = v > t->src ? UP : DOWN;
    const uint32_t *sum = m->crowded[way] + (size_t)t->step * m->nodes;
    uint32_t low = t->src < v ? t->src : v, high = t->src < v ? v : t->src;
    if (sum[low] == sum[high])
        return false;
    for (uint32_t e = low; e < high; e++)
        if (m->load[way][(size_t)t->step * m->links + e] > m->limits->channels)
            return true;
    return false;
}

/** @return what is told too late because no gap could be filled, UINT64_MAX: stopped */
static uint64_t make_round(struct mend *m, struct budget *budget)
{
    uint64_t late = 0;
    uint32_t start = (uint32_t)base_random_below(&m->random, m->nodes), low, high, from;
    sum_crowded(m);
    for (uint32_t i = 0; i < m->nodes; i++) {
        struct told *row = m->told + (size_t)((start + (uint64_t)i * 7919) % m->nodes) * m->nodes;
        if (m->work > most_work || base_must_stop(budget, "mending gaps on the line", m->work / most_work))
            return UINT64_MAX;
        for (uint32_t v = 0; v < m->nodes; v++) {
            if (is_wrong(m, &row[v], v) && find_gap(m, row, v, &low, &high, &from))
                fill(m, row, low, high, from);
            late += row[v].step != never && row[v].step >= m->steps;
        }
        m->work += m->nodes;
    }
    return late;
}

static bool attempt(struct mend *m, struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    count_all(m);
    for (uint32_t round = 0, best = 0; round < ROUNDS && round <= best + STALL; round++) {
        uint64_t late = make_round(m, budget);
        if (late == UINT64_MAX)
            return false;
        if (late + m->over == 0)
            return true;
        if (late + m->over < least) {
            least = late + m->over;
            best = round;
        }
    }
    return false;
}

/** The hops of all blocks, step by step. */
static void write_front(struct line_schedule *front, const struct mend *m)
{
    size_t n = m->nodes;
    memset(front->first, 0, ((size_t)m->steps + 1) * sizeof *front->first);
    for (size_t i = 0; i < n * n; i++)
        if (m->told[i].step != never)
            front->first[m->told[i].step + 1]++;
    for (uint32_t step = 0; step < m->steps; step++)
        front->first[step + 1] += front->first[step];
    for (size_t i = 0; i < n * n; i++)
        if (m->told[i].step != never)
            front->hop[front->first[m->told[i].step]++] =
                (struct line_hop){m->told[i].src, (uint32_t)(i % n), (uint32_t)(i / n), 0, m->told[i].ends};
    for (uint32_t step = m->steps; step > 0; step--)
        front->first[step] = front->first[step - 1];
    front->first[0] = 0;
    front->steps = m->steps;
}

static rwa_status try_steps(bool *found, struct line_schedule *front, const struct line_limits *limits, struct budget *budget,
                            rwa_error *err)
{
    struct mend m = {.limits = limits, .nodes = limits->nodes, .links = limits->nodes - 1, .steps = front->steps - 1,
                     .random = limits->seed};
    rwa_status st = create(&m, front, err);
    *found = st == RWA_OK && attempt(&m, budget);
    if (*found)
        write_front(front, &m);
    destroy(&m);
    if (st == RWA_OK && budget->cancelled)
        st = base_fail(err, RWA_CANCELLED, "planning was stopped on a line");
    return st;
}

rwa_status gap_repair(struct line_schedule *front, const struct line_limits *limits, struct budget *budget, rwa_error *err)
{
    bool found = limits->max_hops == 0 || limits->max_hops >= WIDEST;
    rwa_status st = RWA_OK;
    while (st == RWA_OK && found && front->steps > line_fewest_steps(limits))
        st = try_steps(&found, front, limits, budget, err);
    return st;
}

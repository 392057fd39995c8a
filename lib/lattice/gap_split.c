/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * With prices for a link up and down, the links of a gap filled at the least cost in t steps have the cheapest points of
 * Z^t as traces (docs/bounds.md), and those passed k times upwards in the first step are as many as the points of the
 * other t - 1 coordinates that cost k times the price less.  So the sizes of the parts into which the first step cuts the
 * gap are differences of counts.  Where `drops` nodes read a lightpath, a link that x hops pass costs ceil(x / drops) times
 * its price, so that there are as many parts of each cost.  The outermost cost is rarely needed in full: every part gets the
 * same share of it.
 */
#include "lattice/gap_split.h"

enum { ONE = 1 << 16, PLENTY = 1 << 28 };
static const uint32_t price_up[GAP_BIASES] = {4, 4, 4, 4, 4, 5, 6, 8, 12};

static uint32_t price_down(unsigned bias)
{
    return price_up[GAP_BIASES - 1 - bias];
}

/** One coordinate more: times 1 + drops z^up/(1 - z^up) + drops z^down/(1 - z^down). */
static void add_coordinate(int64_t *points, uint32_t last, uint32_t up, uint32_t down, int64_t drops)
{
    for (uint32_t v = last + 1; v-- > 0;) {
        points[v] += v < up ? 0 : (drops - 1) * points[v - up];
        points[v] += v < down ? 0 : (drops - 1) * points[v - down];
        points[v] -= v < up + down ? 0 : (2 * drops - 1) * points[v - up - down];
    }
    for (uint32_t v = up; v <= last; v++)
        points[v] += points[v - up];
    for (uint32_t v = down; v <= last; v++)
        points[v] += points[v - down];
}

/** Sums up to the first that is more than every gap needs. */
static rwa_status add_up(struct gap_counts *out, const int64_t *points, uint32_t last, uint32_t nodes, rwa_error *err)
{
    int64_t sum = 0;
    uint32_t v = 0;
    for (; v < last && sum + points[v] < nodes; v++)
        sum += points[v];
    out->top = v;
    MUST(base_new(out->most, (size_t)v + 1, err));
    sum = 0;
    for (v = 0; v <= out->top; v++) {
        sum += points[v];
        out->most[v] = (uint32_t)(sum < PLENTY ? sum : PLENTY);
    }
    return RWA_OK;
}

static rwa_status count_bias(struct gap_table *table, unsigned bias, uint32_t nodes, rwa_error *err)
{
    struct gap_counts *counts = table->counts + bias * ((size_t)table->steps + 1);
    uint32_t up = price_up[bias], down = price_down(bias), last = nodes * (up > down ? up : down);
    int64_t *points = base_array((size_t)last + 1, sizeof *points, err);
    rwa_status st = points ? RWA_OK : RWA_NOMEM;
    TRY(st);
    points[0] = 1;
    TRY(add_up(&counts[0], points, 0, nodes, err));
    for (uint32_t t = 1; t <= table->steps; t++) {
        add_coordinate(points, last, up, down, table->drops);
        TRY(add_up(&counts[t], points, last, nodes, err));
        last = counts[t].top;
    }
done:
    free(points);
    return st;
}

rwa_status gap_table_create(struct gap_table *table, uint32_t nodes, uint32_t steps, uint32_t drops, rwa_error *err)
{
    *table = (struct gap_table){.steps = steps, .drops = drops};
    MUST(base_new(table->counts, GAP_BIASES * ((size_t)steps + 1), err));
    for (unsigned bias = 0; bias < GAP_BIASES; bias++)
        MUST(count_bias(table, bias, nodes, err));
    return RWA_OK;
}

void gap_table_free(struct gap_table *table)
{
    for (size_t i = 0; table->counts && i < GAP_BIASES * ((size_t)table->steps + 1); i++)
        free(table->counts[i].most);
    free(table->counts);
    memset(table, 0, sizeof *table);
}

/** Points of cost at most v; also for v < 0. */
static uint32_t points_within(const struct gap_counts *c, int64_t v)
{
    return v < 0 ? 0 : c->most[v < c->top ? (uint32_t)v : c->top];
}

/** The least cost within which there are as many points as links. */
static uint32_t cost_for(const struct gap_counts *c, uint32_t links)
{
    uint32_t low = 0, high = c->top;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->most[middle] >= links)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/** The parts that k, k-1, … 1 lightpaths of one direction pass, `drops` of each; their ends, up to `space` links away. */
static size_t cut_parts(uint32_t *end, const struct gap_counts *after, uint32_t cost, uint32_t price, uint32_t drops,
                        uint64_t share, uint64_t *carry, uint32_t space)
{
    size_t count = 0;
    uint32_t at = 0;
    for (uint64_t part = (uint64_t)cost / price * drops; part >= 1; part--) {
        uint64_t k = (part + drops - 1) / drops;
        int64_t rest = (int64_t)cost - (int64_t)k * price;
        uint32_t inner = points_within(after, rest - 1);
        uint64_t outer = share * (points_within(after, rest) - inner) + *carry;
        uint32_t size = inner + (uint32_t)(outer / ONE);
        *carry = outer % ONE;
        if (size == 0)
            continue;
        if (size >= space - at)
            break;
        at += size;
        end[count++] = at;
    }
    return count;
}

void gap_split(struct gap_split *out, const struct gap_table *table, uint32_t links, uint32_t left, unsigned bias, uint32_t carry)
{
    uint32_t t = left < table->steps ? left : table->steps;
    assert(links >= 2 && left >= 1 && bias < GAP_BIASES);
    const struct gap_counts *before = table->counts + bias * ((size_t)table->steps + 1) + t, *after = before - 1;
    uint32_t cost = cost_for(before, links), inner = points_within(before, (int64_t)cost - 1);
    uint32_t sphere = before->most[cost] - inner;
    uint64_t share = links < inner + sphere ? (uint64_t)(links - inner) * ONE / sphere : ONE, rest = carry;
    out->ups = cut_parts(out->up, after, cost, price_up[bias], table->drops, share, &rest, links);
    uint32_t taken = out->ups > 0 ? out->up[out->ups - 1] : 0;
    out->downs = cut_parts(out->down, after, cost, price_down(bias), table->drops, share, &rest, links - taken);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/orders.h"

#include "base/arithmetic.h"

/** Grids of at most so many dimensions, and orders of at most so many digits. */
enum { DIMENSIONS_MOST = 32, DIGITS_MOST = 64 };

uint32_t orders_turns(const rwa_network *net)
{
    struct network_grid grid;
    uint32_t wide = 0;
    if (network_has_arcs(net) || !network_grid(&grid, net))
        return 1;
    for (size_t d = 0; d < grid.dimensions; d++)
        wide += grid.size[d] > 1;
    return wide < 1 || wide > TURNS_MOST || wide < grid.dimensions ? 1 : wide;
}

/* ---- grids ---- */

uint32_t orders_common_size(const struct network_grid *grid)
{
    uint64_t common = grid->size[0];
    for (size_t d = 1; d < grid->dimensions; d++)
        common = common_divisor(common, grid->size[d]);
    return (uint32_t)common;
}

/** A digit of the place in the order: it counts steps of `stride` node numbers. */
struct digit {
    uint32_t radix, stride;
};

static uint32_t least_factor(uint32_t of)
{
    for (uint32_t f = 2; f * f <= of; f++)
        if (of % f == 0)
            return f;
    return of;
}

/** The dimensions one after the other, or a factor of each in turn, those that lead farthest first.  Unequal dimensions change places only
 *  with what they have in common, so that segments of one size lie in another dimension each turn. */
static size_t list_digits(struct digit *digit, const struct network_grid *grid, enum order_kind kind, uint32_t turn)
{
    uint32_t left[DIMENSIONS_MOST], stride[DIMENSIONS_MOST], below = 1, common = turn > 0 ? orders_common_size(grid) : 1;
    size_t count = 0, dimensions = grid->dimensions;
    for (size_t d = dimensions; d-- > 0;) {
        left[d] = grid->size[d];
        stride[d] = below;
        below *= grid->size[d];
    }
    for (bool more = true, first = true; more; first = false) {
        more = false;
        for (size_t k = 0; k < dimensions; k++) {
            size_t d = (k + turn) % dimensions;
            uint32_t radix = kind == ORDER_CLUSTERS ? least_factor(left[d]) : first ? left[d] / common : left[d];
            more |= left[d] > 1;
            left[d] /= radix;
            if (radix > 1)
                digit[count++] = (struct digit){radix, stride[d] * left[d]};
        }
    }
    assert(count <= DIGITS_MOST);
    return count;
}

static void order_grid(uint32_t *order, const struct network_grid *grid, uint32_t nodes, enum order_kind kind, uint32_t turn)
{
    struct digit digit[DIGITS_MOST];
    size_t digits = list_digits(digit, grid, kind, turn);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t rest = i, node = 0;
        for (size_t k = digits; k-- > 0;) {
            node += rest % digit[k].radix * digit[k].stride;
            rest /= digit[k].radix;
        }
        order[i] = node;
    }
}

/* ---- other networks ---- */

struct sided {
    int64_t side;
    uint32_t node;
};

COMPARATOR(by_side, struct sided, UP(side) UP(node))

static uint32_t farthest(const struct sided *of, size_t count, const struct distances *d, uint32_t from)
{
    uint32_t best = from;
    assert(d->hops);
    for (size_t i = 0; i < count; i++)
        if (d->hops[(size_t)from * d->net->nodes + of[i].node] > d->hops[(size_t)from * d->net->nodes + best])
            best = of[i].node;
    return best;
}

/** Two nodes far apart, and which of them is nearer to each: the halves, and so on. */
static void halve(struct sided *of, size_t count, const struct distances *d)
{
    size_t nodes = d->net->nodes;
    if (count < 3)
        return;
    uint32_t a = farthest(of, count, d, of[0].node), b = farthest(of, count, d, a);
    for (size_t i = 0; i < count; i++)
        of[i].side = (int64_t)d->hops[a * nodes + of[i].node] - (int64_t)d->hops[b * nodes + of[i].node];
    qsort(of, count, sizeof *of, by_side);
    halve(of, count / 2, d);
    halve(of + count / 2, count - count / 2, d);
}

rwa_status orders_make(uint32_t *order, const struct distances *d, enum order_kind kind, uint32_t turn, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(d->net);
    struct network_grid grid;
    bool gridded = d->hops && network_grid(&grid, d->net) && grid.dimensions <= DIMENSIONS_MOST;
    if (gridded) {
        order_grid(order, &grid, nodes, kind, turn);
        return RWA_OK;
    }
    struct sided *of = base_array(nodes, sizeof *of, err);
    MUST(of ? RWA_OK : RWA_NOMEM);
    for (uint32_t v = 0; v < nodes; v++)
        of[v].node = v;
    if (kind == ORDER_CLUSTERS)
        halve(of, nodes, d);
    for (uint32_t v = 0; v < nodes; v++)
        order[v] = of[v].node;
    free(of);
    return RWA_OK;
}

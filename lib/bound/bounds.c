/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compute the bounds of a table, and sort those on the steps, the highest first. */
#include "bound/bound.h"
#include "bound/case.h"

static const struct bound_entry *const table[] = {
#define X(name) &bound_##name,
    BOUND_TABLE(X)
#undef X
};

static const struct bound_entry *const one_hop[] = {
#define X(name) &bound_##name,
    ONE_HOP_TABLE(X)
#undef X
};
_Static_assert(sizeof table / sizeof *table == BOUNDS_MAX, "BOUNDS_MAX counts the table");
_Static_assert(sizeof one_hop <= sizeof table, "a list has room for either table");

OPTIONS(rwa_bound_options, .lightpath_blocks = 1)

/** Return the entry whose name and statement describe the bound that `e` computes.  If the collective was
 * time-reversed, `receive` and `send` change names, since in reverse a node receives what it sends. */
static const struct bound_entry *entry_to_name(const struct bound_entry *e, bool reversed)
{
    if (!reversed || (e != &bound_receive && e != &bound_send))
        return e;
    return e == &bound_receive ? &bound_send : &bound_receive;
}

static rwa_status compute(rwa_bound *b, const struct bound_entry *entry, const struct bound_case *c, rwa_error *err)
{
    if (entry->compute)
        return entry->compute(b, c, err);
    b->value = entry->formula(c);
    return RWA_OK;
}

COMPARATOR(highest_first, struct bound_listed, DOWN(rank) UP(place))

/** In the entry of out->at that is filled next, store on which side of the bound's cut each real node is.
 * @param row  the row of c->side with the sides, by node of the canonical network */
static void take_sides(struct rwa_bounds *out, const struct bound_case *c, int row, const rwa_network *net)
{
    uint8_t *side = out->at[out->count].side = out->side + out->count * out->nodes;
    for (uint32_t v = 0; v < out->nodes; v++)
        side[v] = c->side[(uint32_t)row * out->nodes + (c->net == net ? v : network_canonical_place(net, v))];
}

rwa_status bound_list_for(struct rwa_bounds *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err)
{
    const struct bound_entry *const *entries = network_is_one_hop(net) ? one_hop : table;
    size_t most = network_is_one_hop(net) ? sizeof one_hop / sizeof one_hop[0] : BOUNDS_MAX;
    struct bound_case c = {0};
    rwa_bound_options o;
    rwa_status st = RWA_OK;
    out->count = 0;
    TRY(base_options(rwa_bound_options, &o, opts, err));
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    TRY(bound_case_open(&c, net, coll, &o, &budget, err));
    c.reached = reached;
    if (out->side)
        TRY(base_new(c.side, (size_t)BOUND_SIDES * out->nodes, err));
    for (size_t i = 0; i < most; i++) {
        const struct bound_entry *named = entry_to_name(entries[i], c.reversed);
        struct bound_listed *l = &out->at[out->count];
        *l = (struct bound_listed){{named->name, 0, named->unit, named->statement, named->source, 1}, .place = i};
        c.proof = l->proof;
        TRY(compute(&l->bound, entries[i], &c, err));
        if (l->bound.value == 0)
            continue;
        l->rank = l->bound.holds && strcmp(l->bound.unit, "steps") == 0 ? l->bound.value : 0;
        if (c.side && entries[i]->sides)
            take_sides(out, &c, entries[i]->sides - 1, net);
        out->count++;
    }
    base_sort(out->at, out->count, highest_first);
done:
    free(c.side);
    bound_case_close(&c);
    return st;
}

rwa_status rwa_bounds_make(rwa_bounds **out, const rwa_network *net, const rwa_collective *coll,
                           const rwa_bound_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, net, coll);
    rwa_bounds *bounds;
    rwa_status st = RWA_OK;
    MUST(base_new(bounds, 1, err));
    bounds->nodes = rwa_network_nodes(net);
    TRY(base_new(bounds->side, (size_t)BOUNDS_MAX * bounds->nodes, err));
    TRY(bound_list_for(bounds, net, coll, opts, 0, err));
    *out = bounds;
    return RWA_OK;
done:
    rwa_bounds_free(bounds);
    return st;
}

void rwa_bounds_free(rwa_bounds *bounds)
{
    if (bounds)
        free(bounds->side);
    free(bounds);
}

GETTER(size_t, rwa_bounds_count, rwa_bounds, count)

const rwa_bound *rwa_bounds_get(const rwa_bounds *bounds, size_t i)
{
    return i < bounds->count ? &bounds->at[i].bound : NULL;
}

const char *rwa_bounds_proof(const rwa_bounds *bounds, size_t i)
{
    return i < bounds->count ? bounds->at[i].proof : NULL;
}

int rwa_bounds_sends(const rwa_bounds *bounds, size_t i, uint32_t node)
{
    const uint8_t *side = i < bounds->count && node < bounds->nodes ? bounds->at[i].side : NULL;
    return side ? side[node] : -1;
}

rwa_status bound_best_for(rwa_bound *out, char *proof, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, uint64_t reached, rwa_error *err)
{
    struct rwa_bounds list = {.side = NULL};
    const struct bound_listed *best = list.at;
    *out = (rwa_bound){"none", 0, "steps", "no bound in steps applies", "", 1};
    MUST(bound_list_for(&list, net, coll, opts, reached, err));
    if (list.count == 0 || best->rank == 0)
        return RWA_OK;
    *out = best->bound;
    if (proof)
        memcpy(proof, best->proof, RWA_ERROR_TEXT);
    return RWA_OK;
}

rwa_status bound_start(uint64_t *steps, const struct bound_case *c, rwa_error *err)
{
    static const struct bound_entry *const entries[] = {&bound_receive, &bound_send, &bound_broadcast_tree,
                                                        &bound_spread};
    *steps = 1;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        rwa_bound found = {0};
        MUST(compute(&found, entries[i], c, err));
        RAISE(*steps, found.value);
    }
    return RWA_OK;
}

rwa_status bound_soon(uint64_t *steps, const rwa_network *net, const rwa_collective *coll,
                      const rwa_bound_options *opts, rwa_error *err)
{
    struct bound_case c;
    struct budget budget = base_budget(0, opts->poll, opts->poll_data);
    rwa_bound far = {0};
    rwa_status st = RWA_OK;
    TRY(bound_case_open(&c, net, coll, opts, &budget, err));
    TRY(bound_start(steps, &c, err));
    TRY(bound_distance.compute(&far, &c, err));
    RAISE(*steps, far.value);
done:
    bound_case_close(&c);
    return st;
}

rwa_status rwa_bound_best(rwa_bound *out, const rwa_network *net, const rwa_collective *coll,
                          const rwa_bound_options *opts, rwa_error *err)
{
    BEGIN(err, out, net, coll);
    return bound_best_for(out, NULL, net, coll, opts, 0, err);
}

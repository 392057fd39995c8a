/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/clique.h"

#include "solvers/crossings.h"

enum { MOST_DEMANDS = 8192, BEGINNINGS = 32 };
#define MOST_MEETINGS 2e8

struct cliques {
    const struct candidates *cand;
    struct crossings crossings;
    size_t words;
    uint64_t *meets;        /* bit e of meets[d * words …]: the first routes of d and e share a link */
    uint64_t *members, *best;   /* of the clique being grown, and of the largest */
    uint64_t *left;         /* demands that meet all members so far */
    uint32_t best_count;
    uint32_t *order;        /* by degree, largest first */
    struct arena arena;
};

static void cliques_free(struct cliques *c)
{
    crossings_free(&c->crossings);
    arena_free(&c->arena);
    free(c->order);
}

static void meet_on_links(struct cliques *c)
{
    const struct crossings *x = &c->crossings;
    for (uint32_t l = 0; l < c->cand->links; l++)
        for (size_t i = x->demands.first[l]; i < x->demands.first[l + 1]; i++)
            for (size_t j = x->demands.first[l]; j < x->demands.first[l + 1]; j++)
                set_bit(c->meets + x->demands.number[i] * c->words, x->demands.number[j]);
}

static rwa_status cliques_open(struct cliques *c, rwa_error *err)
{
    uint32_t demands = c->cand->demands;
    c->words = ((size_t)demands + 63) / 64;
    arena_new(&c->arena, c->meets, demands * c->words);
    MUST(arena_arrays(&c->arena, c->words, c->members, c->left, c->best));
    MUST(crossings_create(&c->crossings, c->cand, err));
    meet_on_links(c);
    return crossings_order(&c->order, &c->crossings, err);
}

/* Grow a clique among the demands whose bits are set in `from`: add greedily the demand whose first route shares links
 * with the most others.  Keep the clique if it is the largest so far. */
static void grow(struct cliques *c, const uint64_t *from)
{
    uint32_t count = 0;
    memset(c->members, 0, c->words * sizeof *c->members);
    memcpy(c->left, from, c->words * sizeof *from);
    for (uint32_t i = 0; i < c->cand->demands; i++) {
        uint32_t d = c->order[i];
        if (!get_bit(c->left, d))
            continue;
        set_bit(c->members, d);
        count++;
        for (size_t w = 0; w < c->words; w++)
            c->left[w] &= c->meets[d * c->words + w];
    }
    if (count > c->best_count)
        memcpy(c->best, c->members, c->words * sizeof *c->best);
    RAISE(c->best_count, count);
}

static bool is_small(const struct candidates *cand)
{
    double hops = 0;
    for (uint32_t d = 0; d < cand->demands; d++)
        hops += (double)route_hops(cand, cand->route[d]);
    return cand->demands > 0 && cand->links > 0 && cand->demands <= MOST_DEMANDS &&
           hops * hops / cand->links <= MOST_MEETINGS;
}

rwa_status clique_find(uint32_t *member, uint32_t *count, const struct candidates *cand, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct cliques c = {.cand = cand, .arena = {.err = err}};
    *count = 0;
    if (!is_small(cand))
        return RWA_OK;
    TRY(cliques_open(&c, err));
    for (uint32_t i = 0; i < BEGINNINGS && i < cand->demands; i++)
        grow(&c, c.meets + c.order[i] * c.words);
    for (uint32_t d = 0; d < cand->demands; d++)
        if (get_bit(c.best, d))
            member[(*count)++] = d;
done:
    cliques_free(&c);
    return st;
}

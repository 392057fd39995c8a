/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Groups that lie alike in parallel rows, planes … of a grid load disjoint links equally, since shortest routes between two nodes
 * change no coordinate in which these agree.  So a timed program needs those of one row only.
 */
#include "scheme/compose/parties.h"

struct folding {
    const struct parties *parties;
    const struct distances *grid;
    uint32_t stride[WAYS_MOST];
    uint32_t *varies;           /* of each group: the dimensions in which its nodes differ, and those that go with them */
    uint32_t *seen;             /* of each node that stands for a row: groups met there */
    size_t *first;              /* groups of the first row, in turn */
    bool *kept;                 /* of each group */
    double least;               /* groups like each of those kept, at least */
};

static rwa_status folding_open(struct folding *f, const struct parties *parties, const struct distances *grid, rwa_error *err)
{
    uint32_t below = 1, nodes = grid->net->nodes;
    f->parties = parties;
    f->grid = grid;
    for (size_t d = grid->ways; d-- > 0; below *= grid->net->shape[d])
        f->stride[d] = below;
    f->varies = base_array(parties->groups, sizeof *f->varies, err);
    f->seen = base_array(nodes, sizeof *f->seen, err);
    f->first = base_array(parties->groups, sizeof *f->first, err);
    f->kept = base_array(parties->groups, sizeof *f->kept, err);
    return f->varies && f->seen && f->first && f->kept ? RWA_OK : RWA_NOMEM;
}

static const uint16_t *place_of(const struct folding *f, uint32_t node)
{
    return f->grid->place + node * f->grid->ways;
}

/** The node with 0 for its coordinates in these dimensions: it stands for its row, plane …  */
static uint32_t row_of(const struct folding *f, uint32_t node, uint32_t dimensions)
{
    const uint16_t *place = place_of(f, node);
    for (size_t d = 0; d < f->grid->ways; d++)
        if (dimensions >> d & 1)
            node -= place[d] * f->stride[d];
    return node;
}

static uint32_t find_varying(const struct folding *f, size_t group)
{
    const struct party *party = f->parties->party + f->parties->first[group];
    const uint16_t *first = place_of(f, party[0].node);
    uint32_t found = 0;
    for (size_t i = 1; i < parties_of(f->parties, group); i++)
        for (size_t d = 0; d < f->grid->ways; d++)
            found |= (uint32_t)(place_of(f, party[i].node)[d] != first[d]) << d;
    return found;
}

/** Dimensions that vary together in some group go together in all.  Whether every group has such dimensions. */
static bool join_dimensions(struct folding *f)
{
    uint32_t together[WAYS_MOST];
    size_t sets = 0, groups = f->parties->groups;
    for (size_t g = 0; g < groups; g++) {
        uint32_t joined = f->varies[g] = find_varying(f, g);
        size_t left = 0;
        if (joined == 0)
            return false;
        for (size_t k = 0; k < sets; k++)
            if (together[k] & joined)
                joined |= together[k];
            else
                together[left++] = together[k];
        together[left] = joined;
        sets = left + 1;
    }
    for (size_t g = 0; g < groups; g++)
        for (size_t k = 0; k < sets; k++)
            f->varies[g] |= together[k] & f->varies[g] ? together[k] : 0;
    return true;
}

static bool lie_alike(const struct folding *f, size_t a, size_t b)
{
    const struct party *p = f->parties->party + f->parties->first[a], *q = f->parties->party + f->parties->first[b];
    size_t n = parties_of(f->parties, a);
    bool alike = n == parties_of(f->parties, b);
    for (size_t i = 0; alike && i < n; i++)
        alike = p[i].holds.count == q[i].holds.count &&
                p[i].node - row_of(f, p[i].node, f->varies[a]) == q[i].node - row_of(f, q[i].node, f->varies[b]);
    return alike;
}

/** Keep the groups of one row, of those that vary as group `from` does; whether all others lie as these. */
static bool fold_rows(struct folding *f, size_t from, uint32_t nodes)
{
    const struct parties *parties = f->parties;
    uint32_t varies = f->varies[from], home = row_of(f, parties->party[parties->first[from]].node, varies);
    size_t count = 0, full = 0; /* rows that have all groups of the first one */
    bool alike = true;
    for (uint32_t v = 0; v < nodes; v++)
        f->seen[v] = 0;
    for (size_t g = from; g < parties->groups; g++)
        if (f->varies[g] == varies && row_of(f, parties->party[parties->first[g]].node, varies) == home) {
            f->first[count++] = g;
            f->kept[g] = true;
        }
    for (size_t g = from; alike && g < parties->groups; g++)
        if (f->varies[g] == varies) {
            uint32_t row = row_of(f, parties->party[parties->first[g]].node, varies), place = f->seen[row]++;
            alike = place < count && lie_alike(f, g, f->first[place]);
            full += place + 1 == count;
        }
    f->least = fmin(f->least, (double)full);
    return alike;
}

/** Whether the groups kept stand for all. */
static bool choose_groups(struct folding *f, uint32_t nodes)
{
    uint32_t done = 0;
    f->least = INFINITY;
    if (!join_dimensions(f))
        return false;
    for (size_t g = 0; g < f->parties->groups; g++) {
        if (!(done & f->varies[g]) && !fold_rows(f, g, nodes))
            return false;
        done |= f->varies[g];
    }
    return true;
}

static void drop_groups(struct parties *parties, const bool *kept, double least)
{
    size_t count = 0, groups = 0, before = parties->count;
    for (size_t g = 0, from = 0; g < parties->groups; g++) {
        size_t to = parties->first[g + 1];
        for (size_t i = from; i < to; i++)
            if (kept[g])
                parties->party[count++] = parties->party[i];
            else
                block_set_free(&parties->party[i].holds);
        from = to;
        if (kept[g])
            parties->first[++groups] = count;
    }
    parties->count = count;
    parties->groups = groups;
    parties->times.mean *= (double)before / (double)count;
    parties->times.least *= least;
}

rwa_status parties_fold(struct parties *parties, const struct program *p)
{
    struct folding f = {0};
    const struct distances *d = p->distances;
    rwa_status st = RWA_OK;
    if (!p->timed || p->members || parties->groups < 2 || !d->place || !d->even)
        return RWA_OK;
    TRY(folding_open(&f, parties, d, p->err));
    if (choose_groups(&f, d->net->nodes))
        drop_groups(parties, f.kept, f.least);
done:
    free_all(f.varies, f.seen, f.first, f.kept);
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Participants and what they hold, in groups that all do the same at once. */
#pragma once

#include "scheme/compose/program.h"

struct party {
    uint32_t node;
    struct block_set holds;
};

/** Groups of participants: group k is party[first[k]] … party[first[k + 1] - 1], in the order of the network. */
struct parties {
    struct party *party;
    size_t *first;
    size_t count, groups;
    bool cycle;                 /* each group goes round the ring at equal distances */
    struct times times;         /* more than 1 in a timed program only */
};

/** No participants yet, and room for so many; RWA_NOMEM.  parties_free() in any case. */
rwa_status parties_create(struct parties *out, size_t count, size_t groups, rwa_error *err);
void parties_free(struct parties *p);
/** Append a participant that holds nothing; it belongs to the group under way. */
struct party *parties_add(struct parties *p, uint32_t node);
/** The group under way is complete. */
void parties_end_group(struct parties *p);

static inline size_t parties_of(const struct parties *p, size_t group)
{
    assert(group < p->groups);
    return p->first[group + 1] - p->first[group];
}

/** fold.c: where p is only timed, leave out groups that load other links as those that stay load theirs.  RWA_NOMEM */
rwa_status parties_fold(struct parties *parties, const struct program *p);

/** How many segments of at most `size` participants a group has, and where segment k begins: sizes differ by at most one. */
static inline size_t segments_of(size_t count, uint32_t size)
{
    return (count + size - 1) / size;
}
static inline size_t segment_start(size_t count, size_t segments, size_t k)
{
    return count * k / segments;
}

/** Its leader, of participants from … to - 1: the one in the middle. */
static inline size_t segment_leader(size_t from, size_t to)
{
    return (from + to - 1) / 2;
}

/** Add to `set` what participants from … to - 1 of all hold, without that of `but` (SIZE_MAX: of all).  RWA_NOMEM */
rwa_status parties_join(struct block_set *set, const struct parties *p, size_t from, size_t to, size_t but, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Participants and what they hold, in groups that all do the same at once. */
#pragma once

#include "scheme/compose/program.h"

/** What an exchange in a group is for: everyone learns what the others hold; blocks of pairs come to those who need
 *  them; everyone learns the sum of the same blocks. */
enum payload { PAYLOAD_COPY, PAYLOAD_SPLIT, PAYLOAD_SUM };

struct party {
    uint32_t node;
    struct block_set holds;     /* blocks; of pairs: the sources of those it holds … */
    struct block_set needs;     /* … and the blocks of destinations that it passes on or keeps; else empty */
};

/** Groups of participants: group k is party[first[k]] … party[first[k + 1] - 1], in the order of the network. */
struct parties {
    struct party *party;
    size_t *first;
    size_t count, groups;
    enum payload payload;
    bool cycle;                 /* each group goes round the ring at equal distances */
    uint32_t root;              /* of trees: the node in each group that has all from the start */
    bool whole;                 /* of trees: everyone gets all blocks of its group; else what it holds here */
};

/** No participants yet, and room for so many, with the properties of others; NULL: of none.  RWA_NOMEM.  parties_free()
 * in any case. */
rwa_status parties_create(struct parties *out, const struct parties *like, size_t count, size_t groups, rwa_error *err);
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

/** Whether in each group one translation of the network moves every participant to the next one, and the last to the
 *  first. */
bool parties_go_round(const struct parties *p, const rwa_network *net);

/** The place of the root in a group. */
size_t parties_root(const struct parties *p, size_t group);

/** How many segments of at most `size` participants a group has, and where segment k begins: sizes differ by at most
 * one. */
static inline size_t segments_of(size_t count, uint32_t size)
{
    return (count + size - 1) / size;
}
static inline size_t segment_start(size_t count, size_t segments, size_t k)
{
    return count * k / segments;
}

/** A segment of a group, participants from … to - 1, and its leader: the one in the middle. */
struct segment {
    size_t group, from, to, leader;
    size_t index;               /* of the next one in its group */
};

/** The next segment of at most `size` of all groups, from one of zeros on.  false: that was the last. */
bool segment_next(struct segment *s, const struct parties *p, uint32_t size);

/** Add to `set` what participants from … to - 1 of all hold, or need, without that of `but` (SIZE_MAX: of all).
 * RWA_NOMEM */
rwa_status parties_join(struct block_set *set, const struct parties *p, bool needs, size_t from, size_t to, size_t but,
                        rwa_error *err);

/** The participants at one place of all segments of `size`, which divides every group, as groups: each stands for its
 * segment. */
rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The segments of `size` as groups: each participant holds what all at its place of the group's segments held, or the
 * same sums. */
rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The leaders of segments of `size`, group by group, with what their segments hold, or the same sums. */
rwa_status parties_leaders(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The same participants, to add up what all of a group hold. */
rwa_status parties_with_sums(struct parties *out, const struct parties *parties, rwa_error *err);

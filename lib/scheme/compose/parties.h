/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Participants and what they hold, in groups that all do the same at once. */
#pragma once

#include "scheme/compose/program.h"

/** What participants of a group exchange: each gets copies of all blocks; blocks of pairs go to those who need them;
 *  each gets the sum of all contributions to the same blocks. */
enum payload { PAYLOAD_COPY, PAYLOAD_SPLIT, PAYLOAD_SUM };

struct party {
    uint32_t node;
    struct block_set holds;     /* its blocks; of pairs: the sources of the blocks that it holds … */
    struct block_set needs;     /* … and the destinations of blocks that it keeps or passes on; else empty */
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

/** Allocate for `count` participants in `groups` groups; none is added yet.
 *  @param like  NULL, or copy the properties of these
 *  RWA_NOMEM.  parties_free() in any case. */
rwa_status parties_create(struct parties *out, const struct parties *like, size_t count, size_t groups, rwa_error *err);
void parties_free(struct parties *p);
/** Append a participant that holds nothing, to the current group. */
struct party *parties_add(struct parties *p, uint32_t node);
/** End the current group. */
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
    size_t index;               /* of the next segment in its group */
};

/** The next segment of at most `size` of all groups, from one of zeros on.  false: that was the last. */
bool segment_next(struct segment *s, const struct parties *p, uint32_t size);

/** Add to `set` the blocks that participants from … to - 1 hold (or need, if `needs`), without those of participant
 * `but` (SIZE_MAX: with all).  RWA_NOMEM */
rwa_status parties_join(struct block_set *set, const struct parties *p, bool needs, size_t from, size_t to, size_t but,
                        rwa_error *err);

/** New groups: one for each place in a segment, with the participants at this place in all segments of the group; each
 * represents its segment.  `size` divides every group. */
rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** New groups: the segments of `size`.  Each participant holds the blocks of all participants at its place in the
 * group's segments, or the same sums. */
rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The leaders of segments of `size`, group by group, with the blocks that their segments hold, or the same sums. */
rwa_status parties_leaders(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The same participants, to add up what all of a group hold. */
rwa_status parties_with_sums(struct parties *out, const struct parties *parties, rwa_error *err);

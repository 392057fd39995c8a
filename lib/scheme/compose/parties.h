/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The participants of a collective and the blocks that they hold, in groups; all groups do the same at the same time.
 * A segment is a run of consecutive participants of a group, and its leader the one in the middle. */
#pragma once

#include "scheme/compose/program.h"

/** What the participants of a group exchange.  COPY: each gets all blocks.  SPLIT: blocks have a source and a
 * destination, and go to the participants that need them.  SUM: each gets the sum of all contributions to its
 * blocks. */
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
    bool sums;                  /* in an all-reduce, and nothing comes before: the phase `sums` may add up blocks */
    uint32_t root;              /* of trees: the node in each group that has all from the start */
    bool whole;                 /* of trees: everyone gets all blocks of its group; else what it holds here */
};

/** Allocate memory for `count` participants in `groups` groups; no group or participant is added yet.
 * @param like NULL, or groups whose properties (payload, root, …) are copied
 * RWA_NOMEM. parties_free() in any case. */
rwa_status parties_create(struct parties *out, const struct parties *like, size_t count, size_t groups, rwa_error *err);
void parties_free(struct parties *p);
/** Append a participant to the current group, and return it.  It holds no blocks yet. */
struct party *parties_add(struct parties *p, uint32_t node);
/** End the current group; the next participant begins a new one. */
void parties_end_group(struct parties *p);

static inline size_t parties_of(const struct parties *p, size_t group)
{
    assert(group < p->groups);
    return p->first[group + 1] - p->first[group];
}

/** Tell whether each group has a translation of the network that moves every participant to the next one, and the
 * last to the first. */
bool parties_go_round(const struct parties *p, const rwa_network *net);

/** Tell whether no link is on the shortest routes of two groups, and all take the same time: each has all nodes of a
 *  box of a line, mesh, torus or hypercube.
 *  @param turned  there are groups for each rotation of a grid's dimensions; then the boxes must be rows */
bool parties_apart(const struct parties *p, const rwa_network *net, bool turned);

/** Return the index in p->party of the participant of a group that is the root of trees. */
size_t parties_root(const struct parties *p, size_t group);

/** Return the number of segments of at most `size` participants in a group of `count`.  Their sizes differ by at most
 * one. */
static inline size_t segments_of(size_t count, uint32_t size)
{
    return (count + size - 1) / size;
}
static inline size_t segment_start(size_t count, size_t segments, size_t k)
{
    return count * k / segments;
}

/** Return the participant, of `count`, at place number `place` of `places` from the leader of the first segment on.
 * Leaders are `size` places apart; some participants are at two places if `places` is more than `count`. */
static inline size_t place_of(size_t count, size_t size, size_t places, size_t place)
{
    return (place + (size - 1) / 2) * count / places % count;
}

/** A segment of a group, participants from … to - 1, and its leader: the one in the middle. */
struct segment {
    size_t group, from, to, leader;
    size_t index;               /* of the next segment in its group */
};

/** Advance to the next segment of at most `size` participants, over all groups; `s` starts as zeros.  Returns false
 * after the last one. */
bool segment_next(struct segment *s, const struct parties *p, uint32_t size);

/** Return the bundle of participant i of segment `s`: some of its participants in a row, about 2 W + 1, of which the
 * leader collects the blocks of the others.  The leader of the segment leads the middle bundle. */
struct segment segment_bundle(const struct segment *s, size_t i, size_t channels);

/** Add to `set` the blocks that participants from … to - 1 (indices in p->party) hold, or need if `needs`; leave out
 * those of participant `but` (SIZE_MAX: leave out none).  RWA_NOMEM */
rwa_status parties_join(struct block_set *set, const struct parties *p, bool needs, size_t from, size_t to, size_t but,
                        rwa_error *err);

/** Make new groups of the participants at the same place in all segments of a group, one group for each place.  Each
 * segment has `size` participants, which must divide the size of every group.  A participant holds the same blocks as
 * before, and in an all-to-all needs those of its whole segment. */
rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** Make a new group of each segment of `size` participants.  Each participant holds the blocks of all participants at
 * its place in the segments of the old group; if sums are exchanged, the same blocks as before. */
rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** Make, for each group, a group of the leaders of its segments of at most `size` participants.  A leader holds the
 * blocks of its whole segment; if sums are exchanged, the same blocks as before. */
rwa_status parties_leaders(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** Copy groups for adding up blocks: each participant holds a contribution to all blocks of its group. */
rwa_status parties_with_sums(struct parties *out, const struct parties *parties, rwa_error *err);

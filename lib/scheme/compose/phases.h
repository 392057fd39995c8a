/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The phases of collectives: each writes exchanges into a program.  All return RWA_OK, RWA_NOMEM, or what a program returns. */
#pragma once

#include "scheme/compose/parties.h"
#include "scheme/compose/term.h"

/* ---- all_gather.c: every participant learns what the others of its group hold ---- */

rwa_status phase_direct(struct program *p, const struct parties *parties);
/** Along the cheapest broadcast tree of so many steps, as on a ring of the group in its order. */
rwa_status phase_steps(struct program *p, const struct parties *parties, uint32_t steps);
/** Segments of `size` send to a leader each; the leaders, group by group, are *leaders. */
rwa_status phase_gather(struct program *p, struct parties *leaders, const struct parties *parties, uint32_t size);
/** The leaders of the segments, which know all that the group holds, inform their segments. */
rwa_status phase_inform(struct program *p, const struct parties *parties, uint32_t size);
/** The participants at one place of all segments of `size`, which divides every group, as groups; they hold what they hold. */
rwa_status parties_at_places(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The segments of `size`, which divides every group, as groups; participants hold what they hold. */
rwa_status parties_by_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);
/** The segments of `size` as groups; each participant holds what all at its place of the group's segments held. */
rwa_status parties_in_segments(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);

/** One of the last two. */
typedef rwa_status parties_divide(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);

/** An all-gather, or a sum, by term `node` of a composition. */
typedef rwa_status write_term(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node);
/** Term t: first at the places of segments, then within the segments. */
rwa_status write_positions(struct program *p, const struct parties *parties, const struct composition *c, const struct term *t,
                           write_term *write, parties_divide *segments);
/** An all-gather by term `node` of a composition. */
rwa_status write_all_gather(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node);

/* ---- sums.c: every participant of a group holds partial sums of the same blocks, and learns their totals ---- */

/** A sum by term `node` of a composition. */
rwa_status write_sums(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node);
/** Each sends its sum to each, all in one step. */
rwa_status phase_direct_sums(struct program *p, const struct parties *parties);
/** Segments of `size` add up at a leader each; the leaders, group by group, are *leaders. */
rwa_status phase_fold(struct program *p, struct parties *leaders, const struct parties *parties, uint32_t size);
/** The same groups; participants at place k of a segment of `size` hold share k of `size` of what they hold. */
rwa_status parties_with_shares(struct parties *out, const struct parties *parties, uint32_t size, rwa_error *err);

/* ---- tree.c ---- */

/** In every group, from the participant at place root[group] to all of its group, each level splitting segments in fan[level] parts.
 *  @param whole  every participant gets all blocks of its group; else what it holds in `parties` */
rwa_status phase_tree(struct program *p, const struct parties *parties, const size_t *root, bool whole, const uint32_t *fan,
                      unsigned levels);

/** relays.c: the same over lightpaths of at most so many links; what each participant holds goes to it. */
rwa_status phase_relays(struct program *p, const struct parties *parties, const size_t *root, uint32_t links);

/* ---- all_to_all.c: nodes 0, 1, … of order[], or of order[turn][], each with its share of the blocks; block src * nodes + dst ---- */

rwa_status phase_merge(struct program *p, const uint32_t *order, uint32_t nodes, const uint32_t *fan, unsigned levels);
rwa_status phase_digits(struct program *p, uint32_t *const *order, uint32_t turns, uint32_t nodes, const uint32_t *radix, unsigned digits);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The phases of collectives: each writes exchanges into a program.  All return RWA_OK, RWA_NOMEM, or what a program
 * returns. */
#pragma once

#include "scheme/compose/parties.h"
#include "scheme/compose/term.h"

/** Carry out subterm `sub` of a term among the participants: write it, or find the quickest one and add its time.  A
 * program that is only timed may reach the subterms in another order than a written one. */
typedef rwa_status carry_out(void *data, struct program *p, const struct parties *parties, unsigned sub);

/** Write or time the exchanges of term `t` among the participants; calls `sub` for each subterm. */
rwa_status phase_run(struct program *p, const struct parties *parties, const struct term *t, carry_out *sub,
                     void *data);
/** Write or time the term at index `node` of a composition, with its subterms. */
rwa_status phase_write(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node);

/** steps.c: spread the blocks of each segment of at most `size` participants from its leader to the whole group.  All
 * leaders use translations of one tree.  If `size` is 1, it is the broadcast tree of `steps` steps that takes the
 * fewest link-channels on a ring of as many nodes as the group; otherwise it follows that tree where the channels
 * allow. */
rwa_status phase_roots(struct program *p, const struct parties *parties, uint32_t size, uint32_t steps);
/** tree.c: send blocks from the root of every group to all its participants along a tree.  On level i, from 0, a
 * segment is split into fans->number[i] parts; the last number is repeated until each part is a single node. */
rwa_status phase_tree(struct program *p, const struct parties *parties, const struct term *fans);
/** tree.c: send from the root of each group to all its participants over relays: each lightpath has at most `links`
 * links. */
rwa_status phase_relays(struct program *p, const struct parties *parties, uint32_t links);

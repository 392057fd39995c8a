/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The phases of collectives: each writes exchanges into a program.  All return RWA_OK, RWA_NOMEM, or what a program
 * returns. */
#pragma once

#include "scheme/compose/parties.h"
#include "scheme/compose/term.h"

/** Carries out subterm `sub` of a term among the participants: writes it, or finds the quickest.  A timed program may
 *  meet the subterms in another order than a written one. */
typedef rwa_status carry_out(void *data, struct program *p, const struct parties *parties, unsigned sub);

/** The exchanges of a term among the participants, with its subterms as carried out by `sub`. */
rwa_status phase_run(struct program *p, const struct parties *parties, const struct term *t, carry_out *sub,
                     void *data);
/** A term of a composition with its subterms. */
rwa_status phase_write(struct program *p, const struct parties *parties, const struct composition *c, uint8_t node);

/** steps.c: the leaders of segments of `size` spread the blocks of their segments along the cheapest broadcast tree of
 *  `steps` steps, as on a ring of the group in its order. */
rwa_status phase_roots(struct program *p, const struct parties *parties, uint32_t size, uint32_t steps);
/** tree.c: in every group, from the root to all; each level splits segments into as many parts as the next number
 * says. */
rwa_status phase_tree(struct program *p, const struct parties *parties, const struct term *fans);
/** tree.c: the same over lightpaths of at most `links` links; each participant receives the blocks that it `holds`. */
rwa_status phase_relays(struct program *p, const struct parties *parties, uint32_t links);

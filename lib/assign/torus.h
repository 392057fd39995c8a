/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tori whose all-to-all has an optimal assignment in closed form; the constructions and their proofs are in docs/bounds.md. */
#ifndef ASSIGN_TORUS_H
#define ASSIGN_TORUS_H

#include "assign/assign.h"

/** A torus of equal dimensions.  Places number its nodes by their coordinates, the last fastest. */
struct torus {
    struct job *job;
    uint32_t size, half, dimensions, nodes, fibers;     /* half: size / 2, rounded down */
    struct offset_rule *rule;   /* even: of each offset, numbered as the node that it leads to from place 0 */
    uint32_t colours;
    uint32_t *length;           /* of each link: 1, the witness */
    uint32_t *arc;              /* of the lightpath at hand */
    struct arena arena;
};

/** torus.c: a coordinate of a place. */
uint32_t torus_digit(const struct torus *t, uint32_t place, uint32_t dimension);
/** torus.c: one step along a dimension, and the link it takes. */
uint32_t torus_go(const struct torus *t, uint32_t place, uint32_t dimension, bool up, uint32_t *link);

/** even_torus.c: the rules of all offsets, and `colours`. */
rwa_status even_torus_prepare(struct torus *t);
/** The route of a lightpath in t->arc, and its colour.  @return its hops */
uint32_t even_torus_route(const struct torus *t, uint32_t *colour, uint32_t from, uint32_t to);

/** odd_torus.c: the same for two odd dimensions, undirected too. */
uint32_t odd_torus_colours(const struct torus *t);
uint32_t odd_torus_route(const struct torus *t, uint32_t *colour, uint32_t from, uint32_t to);

#endif

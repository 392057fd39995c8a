/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rings and tori whose all-to-all has an optimal assignment in closed form; each file names its construction and the
 *  proof. */
#pragma once

#include "assign/assign.h"

/** A torus of equal dimensions, or of two; a ring has one.  A place is the number of a node made of its coordinates, of
 *  which the last changes fastest. */
struct torus {
    struct job *job;
    const struct torus_form *form;
    const uint32_t *sizes;
    uint32_t size, half, dimensions, nodes, fibers;     /* size: of the shortest dimension; half: size / 2, rounded
                                                           down */
    uint32_t longer;            /* a dimension of the largest size */
    uint32_t phases;            /* oblong: half of the longest dimension, rounded up */
    struct offset_rule *rule;   /* even: of each offset; an offset has the number of the place that it leads to from
                                   place 0 */
    uint32_t colours;
    uint32_t *length;           /* of each link: 1, the witness */
    uint32_t *arc;              /* the lightpath that is being written */
    struct arena arena;
};

/** torus.c: return a coordinate of a node.  place: the node's number made of its coordinates. */
uint32_t torus_digit(const struct torus *t, uint32_t place, uint32_t dimension);
/** torus.c: return how many steps up along a dimension, cyclically, lead from the coordinate of place `from` to that of
 *  `to`. */
uint32_t torus_ahead(const struct torus *t, uint32_t from, uint32_t to, uint32_t dimension);
/** torus.c: go `steps` links up or down along a dimension from a place.  Append these links to t->arc, which holds
 *  *hops links, and return the place reached. */
uint32_t torus_go(const struct torus *t, uint32_t *hops, uint32_t place, uint32_t dimension, bool up, uint32_t steps);

/** torus.c: whether all dimensions have the same size. */
bool torus_is_regular(const struct torus *t);

/** A closed form: `prepare` sets `colours`; `route` sets the hops of a lightpath, its direction on a ring, and writes
 *  its links to t->arc.  @return its colour */
struct torus_form {
    bool (*fits)(const struct torus *t, rwa_model model);
    rwa_status (*prepare)(struct torus *t);
    uint32_t (*route)(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to);
};

extern const struct torus_form even_torus, odd_torus, oblong_torus;

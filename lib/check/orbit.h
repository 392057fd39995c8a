/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Orbits, expanded as docs/formats.md says, by code of the checker's own: a mistake in the planners' expansion must not hide here.
 * Nodes of rings, tori and hypercubes have coordinates, the last one fastest; lightpath i of an orbit is the first one moved by node i:
 * coordinates add, each modulo its size.
 */
#pragma once

#include "rwa/network.h"
#include "rwa/schedule.h"

/** The coordinates of the nodes; a network that has no orbits has one, its number. */
struct coordinates {
    uint32_t nodes;
    size_t count;
    uint32_t size[RWA_SHAPE_MAX];
};

void coordinates_open(struct coordinates *c, const rwa_network *net);
/** The node whose coordinates are those of a plus those of b; a minus b.  O(coordinates). */
uint32_t node_plus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t node_minus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t coordinate_of(const struct coordinates *c, uint32_t node, size_t dimension);
/** The first dimension in which two nodes differ; the last one if none does. */
size_t first_difference(const struct coordinates *c, uint32_t a, uint32_t b);
/** The block that lightpath i carries where the first one carries `block`; one of the collective's blocks. */
uint64_t block_plus(const struct coordinates *c, const rwa_collective *coll, uint64_t block, uint32_t i);
/** Lightpath i < record->orbit, with orbit 1; wavelengths of a fibre. */
rwa_lightpath lightpath_plus(const struct coordinates *c, const rwa_collective *coll, const rwa_lightpath *record, uint32_t i,
                             uint32_t wavelengths);

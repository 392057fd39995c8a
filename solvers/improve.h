/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Searches that improve a placement: fewer wavelengths, or more demands on the wavelengths there are. */
#pragma once

#include "solvers/spectrum.h"

/** One search on lightpaths of one slot; everything but `best` is borrowed or plain. */
struct improve {
    const struct spectrum *spectrum;
    struct spectrum_goal goal;  /* most: best->channels stays; place more demands */
    bool distinct;          /* wavelengths are not interchangeable (some are taken): the highest goes first */
    bool by_hops;           /* tabu: push out the fewest hops, not demands, where links must be filled to the last */
    const uint32_t *length; /* by_hops: NULL, or of each link its length in the bound: a hop is worth more where it is
                               long */
    bool no_detours;        /* by_hops: leave out routes that are longer than others of their demand under these
                               lengths */
    bool alike;             /* tabu: no demand is harder to place than others, so none gains weight */
    uint64_t work;          /* effort, in routes looked at on one wavelength word; 0: until the budget stops it */
    struct placement *best; /* in: any; out: as good or better.  Complete unless goal.most */
};

/** The goal is met, or no better placement is left. */
bool improve_done(const struct improve *run);

/**
 * Partial-colouring tabu search: with one wavelength less, a demand without a place goes where it pushes out the least
 * weight of others, which may not come back to their wavelength for a while (Blöchliger and Zufferey: A graph coloring
 * heuristic using partial solutions and a reactive tabu scheme, Computers & Operations Research 35, 2008), with the
 * route as part of the move.  A demand weighs one more each time it pushes others out (Nagata and Bräysy: A powerful
 * route minimization heuristic for the vehicle routing problem with time windows, Operations Research Letters 37,
 * 2009).
 */
rwa_status improve_tabu(const struct improve *run);

/**
 * Iterated greedy: place all demands again, one wavelength's after another's, each on the lowest wavelength free on any
 * of its routes, which never needs more wavelengths (Culberson: Iterated greedy graph coloring and the difficulty
 * landscape, 1992), with the route as part of the choice.  Does nothing when goal.most.
 */
rwa_status improve_greedy(const struct improve *run);

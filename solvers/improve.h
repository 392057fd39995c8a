/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Searches that improve a placement: fewer wavelengths, or more demands on the wavelengths given. */
#pragma once

#include "solvers/spectrum.h"

/** One search on lightpaths of one slot.  Everything but `best` is borrowed or plain. */
struct improve {
    const struct spectrum *spectrum;
    struct spectrum_goal goal;  /* with goal.most, best->channels stays and more demands are to be placed */
    bool by_hops;           /* tabu: count the hops pushed out instead of the demands, for links that must be filled
                               completely */
    const bool *left_out;   /* NULL, or of each route whether it must not be taken */
    uint64_t work;          /* effort: moves and wavelengths examined; 0: until the budget ends it */
    struct placement *best; /* in: any placement; out: as good or better.  Complete unless goal.most */
};

/** Return whether run->best meets the goal, so that no search is needed. */
bool improve_done(const struct improve *run);

/**
 * Improve run->best by a partial-colouring tabu search (Blöchliger and Zufferey: A graph coloring heuristic using
 * partial solutions and a reactive tabu scheme, Computers & Operations Research 35, 2008).  Without goal.most, it takes
 * away one channel after another.  In a move, a demand without a place takes the route and channel on which it
 * pushes out others of the least weight; these may not return to that channel for some moves.  When a demand pushes
 * others out, its own weight rises by one (Nagata and Bräysy: A powerful route minimization heuristic for the vehicle
 * routing problem with time windows, Operations Research Letters 37, 2009).
 * @return RWA_OK, also when the effort or the budget ended it; RWA_NOMEM
 */
rwa_status improve_tabu(const struct improve *run);

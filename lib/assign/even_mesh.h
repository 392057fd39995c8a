/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All-to-all on square meshes of even size, directed: half of the wavelengths in closed form. */
#pragma once

#include "solvers/tree_fit.h"

/**
 * A mesh of 2m x 2m nodes.  Lightpaths between opposite quadrants cross both middle lines; m^3 wavelengths are enough
 * for all of them, and these are full: in each, every middle link of a row and of a column carries one.  With all links
 * mirrored so that the lightpath goes from (a, b) to (m + a', m + b'), 0 <= a, b, a', b' < m, along its row first, its
 * wavelength is (a, b', a' + b mod m).  In one wavelength a, b' and a' + b are fixed, so each row b and each column m +
 * a' occurs once, and no two share a link.
 */
struct even_mesh {
    const rwa_network *net;
    uint32_t size;      /* 2m; 0: the network is no such mesh */
};

void even_mesh_of(struct even_mesh *mesh, const rwa_network *net);

/** Set `routes` to two trees for each source: along rows first, and along columns first.  Set the first link prices of
 *  source_trees_bound(): 1 on links across the middle of the mesh, 0 elsewhere. */
rwa_status even_mesh_routes(struct source_trees *routes, const struct even_mesh *mesh,
                            const struct routing_graph *graph, const struct traffic *traffic, rwa_error *err);

/** Set *start, the input of tree_fit_first(): first the lightpaths of the closed form with their channels, then all
 *  others, the longest first.  Its arrays belong to the arena. */
rwa_status even_mesh_start(const struct even_mesh *mesh, const struct tree_fit *fit, struct tree_fit_start *start,
                           struct arena *arena);

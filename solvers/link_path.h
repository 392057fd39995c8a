/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link-path integer program for routes and wavelengths, or neighbouring slots. */
#pragma once

#include "solvers/spectrum.h"

#define NO_FIXED_LINK UINT32_MAX

/**
 * The link-path integer program: a variable for each route and the lowest channel that it takes, one for each
 * wavelength in use.  Fewest wavelengths below `channels` for all demands; or, with `most`, demands of as much value as
 * fit on them (with spans the channel-assignment program of Velasco et al., Photonic Network Communications 24, 2012).
 */
struct link_path {
    const struct spectrum *spectrum;
    uint32_t channels;
    uint32_t least;         /* no fewer wavelengths serve all: 0 if not known */
    bool most;
    uint32_t fixed_link;    /* NO_FIXED_LINK, or one whose demands, each of one route, have channels 0, 1, …: breaks
                               symmetry */
    size_t most_variables, most_entries;    /* beyond, RWA_BADARG */
    struct budget *budget;
    bool only_written;      /* to the files of budget->programs; nothing is solved */
};

/**
 * @param[in,out] best  a placement below `channels`, replaced by a better one
 * @param[out] bound    wavelengths that these routes need at least (0: not known), or most: value that can be served
 * @return RWA_OK also when stopped; RWA_BADARG: more variables than GLPK can be expected to handle; RWA_NOMEM;
 *         RWA_BACKEND
 */
rwa_status link_path_run(const struct link_path *run, struct placement *best, uint64_t *bound, rwa_error *err);

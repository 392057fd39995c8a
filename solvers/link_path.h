/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The link-path integer program for routes and wavelengths, or neighbouring slots. */
#pragma once

#include "solvers/spectrum.h"

#define NO_FIXED_LINK UINT32_MAX

/**
 * The link-path integer program has a variable for each route and each lowest channel on it, and a variable for each
 * wavelength in use.  It minimises the wavelengths for all demands, below `channels`; or, with `most`, it maximises the
 * value of the demands that fit `channels` (with spans, the channel-assignment program of Velasco et al., Photonic
 * Network Communications 24, 2012).
 */
struct link_path {
    const struct spectrum *spectrum;
    uint32_t channels;
    uint32_t least;         /* a known lower bound on the wavelengths for all demands; 0: not known */
    bool most;
    uint32_t fixed_link;    /* NO_FIXED_LINK, or a link whose demands, each with one route, get channels 0, 1, … to
                               break symmetry */
    size_t most_variables, most_entries;    /* a larger program is RWA_BADARG */
    struct budget *budget;
    bool only_written;      /* write the program to the files of budget->programs; solve nothing */
};

/**
 * Build and solve the program.
 * @param[in,out] best  replaced by the placement that the program finds on the lowest `channels` channels, if any
 * @param[out] bound    a lower bound on the wavelengths on these routes (0: not known) or, with `most`, an upper bound
 *                      on the value that can be served
 * @return RWA_OK also when stopped; RWA_BADARG: more variables than GLPK can be expected to handle; RWA_NOMEM;
 *         RWA_BACKEND
 */
rwa_status link_path_run(const struct link_path *run, struct placement *best, uint64_t *bound, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Whether a bound follows from its witness: integer arithmetic and nothing that the solvers use. */
#ifndef CHECK_CERTIFICATE_H
#define CHECK_CERTIFICATE_H

#include "rwa/assign.h"

/** A demand's ends. */
struct ends {
    uint32_t src, dst;
};

/**
 * The wavelengths that lengths prove necessary: every lightpath takes at least its distance, and a wavelength offers every
 * carrier's length once for each of its fibres; a demand without any way adds nothing.
 * @param[out] value  rounded up; 0 when all lengths are 0
 * @param lengths     one for each directed link (rwa_network_link()), or fibre pair when undirected
 * @param demands     reordered
 * @return RWA_OK; RWA_BADARG: too large for 64 bits; RWA_NOMEM.  Cost: a Dijkstra search for each node that demands leave
 */
rwa_status certificate_of_lengths(uint64_t *value, const rwa_network *net, rwa_model model, const uint32_t *lengths,
                                  struct ends *demands, size_t count, rwa_error *err);

#endif

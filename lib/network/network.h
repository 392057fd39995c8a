/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a network, for the rooms of the library. */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "rwa/network.h"

struct rwa_network {
    rwa_network_kind kind;
    uint32_t nodes;
    uint32_t fibers;
    uint32_t wavelengths;
    double rate_bps;
};

/** A copy; NULL when memory is out. */
struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err);

#endif

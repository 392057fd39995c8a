/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Limits on the resources of a call, for programs that read untrusted files.  SECURITY.md has the defaults. */
#ifndef RWA_LIMITS_H
#define RWA_LIMITS_H

#include "rwa/status.h"

/** Limits of one call; in each member 0 means the library's own limit, as SECURITY.md lists them. */
typedef struct rwa_limits {
    size_t struct_size;     /**< set by init */
    uint64_t file_bytes;    /**< of a file, decompressed; larger: RWA_FORMAT */
    uint64_t nodes;         /**< of a network; more: RWA_BADARG, or RWA_FORMAT in a file */
    uint64_t lightpaths;    /**< of a schedule that is planned or checked, orbits counted in full; more: RWA_BADARG */
    uint64_t memory_bytes;  /**< estimated before it is allocated; more: RWA_NOMEM */
    double time_limit_s;    /**< longer: RWA_CANCELLED */
} rwa_limits;

RWA_INIT(rwa_limits)

#endif

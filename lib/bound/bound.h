/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of the bounds: what one entry of the table sees. */
#ifndef BOUND_BOUND_H
#define BOUND_BOUND_H

#include "base/base.h"
#include "rwa/bound.h"

struct bound_case {
    rwa_network_kind kind;
    uint32_t nodes;
    uint32_t fibers;
    uint32_t channels;
    uint32_t max_hops;              /* 0: no limit */
    const rwa_collective *coll;
    struct watch *watch;
};

/** The broadcast-tree bound in steps; 0 when it does not apply or would take too long. */
rwa_status bound_tree(uint64_t *value, const struct bound_case *c, rwa_error *err);

#endif

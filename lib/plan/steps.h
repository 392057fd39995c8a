/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps of one schedule in another. */
#pragma once

#include "rwa/schedule.h"

#include <stdbool.h>

struct schedule_map;    /* plan/residual/map.h */

/** Return the bytes of a collective's message.  If the collective does not say (as when read from a file), compute
 * them from its blocks. */
uint64_t plan_message_bytes(const rwa_collective *coll);
/** Append the first `steps` steps of a schedule to `to`.  The blocks of `to` are equal parts of the schedule's blocks.
 * RWA_NOMEM
 * @param once  write out orbits */
rwa_status schedule_append_steps(rwa_schedule *to, const rwa_schedule *from, uint32_t steps, bool once, rwa_error *err);
/** Make a schedule of the first `kept` steps of `before`, orbits written out, followed by the steps of `sched` after
 * step `kept`, mapped as by map_schedule().  A block of `before` consists of equally many blocks of `sched`.  If kept
 * is 0, `before` is not read.  Errors as map_schedule(). */
rwa_status schedule_map_after(rwa_schedule **out, const rwa_schedule *before, uint32_t kept, const rwa_schedule *sched,
                              const struct schedule_map *map, rwa_error *err);

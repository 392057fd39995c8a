/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Steps of one schedule in another. */
#pragma once

#include "rwa/schedule.h"

#include <stdbool.h>

/** Return the bytes of a collective's message.  If it names none (as when read from a file), this is the sum of its
 * blocks. */
uint64_t plan_message_bytes(const rwa_collective *coll);
/** Append the first `steps` steps of a schedule to `to`, whose blocks are equal parts of the schedule's blocks.
 * @param once write out orbits
 * RWA_NOMEM */
rwa_status schedule_append_steps(rwa_schedule *to, const rwa_schedule *from, uint32_t steps, bool once, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Guards calls of igraph, which may run in one thread at a time, and converts igraph's errors to statuses. */
#pragma once

#include "rwa/status.h"

/**
 * igraph as Debian builds it is not safe for threads and ends the process on an error.  Every call of igraph must be
 * between these two: they hold a lock, set igraph's error handler, warning handler and attribute table, and restore the
 * former ones.
 */
void igraph_guard_enter(void);
void igraph_guard_leave(void);
/** Convert an igraph error code to a status, with igraph's reason in *err.  Code 0 gives RWA_OK.  Call it under the
 *  guard. */
rwa_status igraph_guard_status(int code, const char *what, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Calls of igraph, one thread at a time; igraph's errors become statuses. */
#pragma once

#include "rwa/status.h"

/**
 * igraph as Debian builds it is not safe for threads and ends the process on an error.  Every call of igraph must be
 * between these two: they hold a lock, set igraph's error handler, warning handler and attribute table, and restore the
 * former ones.
 */
void igraph_guard_enter(void);
void igraph_guard_leave(void);
/** The status of an igraph code, with igraph's reason in *err; call it under the guard.  0 is RWA_OK. */
rwa_status igraph_guard_status(int code, const char *what, rwa_error *err);

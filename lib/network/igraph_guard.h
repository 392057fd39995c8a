/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Guards calls of igraph, which may run in one thread at a time, and converts igraph's errors to statuses. */
#pragma once

#include "rwa/status.h"

/**
 * Begin a section that calls igraph; igraph_guard_leave() ends it.  The section holds a lock, since igraph as Debian
 * builds it is not safe for threads.  In it, igraph uses its table of attributes for C, and handlers of errors and
 * warnings from igraph_guard.c: its own error handler would end the process.
 */
void igraph_guard_enter(void);
void igraph_guard_leave(void);
/** Return the status that an igraph error code stands for, RWA_OK for code 0.  *err gets igraph's reason, after `what`,
 *  the name of the file or task.  Call it between igraph_guard_enter() and igraph_guard_leave(). */
rwa_status igraph_guard_status(int code, const char *what, rwa_error *err);

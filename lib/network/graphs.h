/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GraphML and GML, read by igraph.  No other file sees igraph here; its errors and its memory stay behind this border. */
#ifndef NETWORK_GRAPHS_H
#define NETWORK_GRAPHS_H

#include "network/draft.h"

/**
 * igraph as Debian builds it is not safe for threads and ends the process on an error: whoever calls it holds this lock,
 * which also sets its error handler, warning handler and attribute table, and puts the former ones back.
 */
void graphs_lock(void);
void graphs_unlock(void);
/** The status of an igraph code, in words; call it under the lock.  0 is RWA_OK. */
rwa_status graphs_status(int code, const char *what, rwa_error *err);

/** Refuse first what igraph accepts in silence: ids that come twice, edges to missing nodes. */
rwa_status graphs_read_graphml(struct draft *d, const char *text, size_t length);
rwa_status graphs_read_gml(struct draft *d, const char *text, size_t length);

#endif

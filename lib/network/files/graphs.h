/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GraphML and GML, read by igraph. */
#pragma once

#include "network/files/draft.h"

/** Read GraphML.  Errors that igraph accepts without a message are refused first: duplicate ids, edges to missing
 *  nodes. */
rwa_status graphs_read_graphml(struct network_draft *d, const char *text, size_t length);
rwa_status graphs_read_gml(struct network_draft *d, const char *text, size_t length);

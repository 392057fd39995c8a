/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Readers of network files that are text or JSON; each one fills a draft of the network. */
#pragma once

#include "network/files/draft.h"

#include <jansson.h>

/** Read an edge list: lines "u v [km]", or librwa's own lines "n nodes links", "v id name", "e u v km".  The text is
 *  changed. */
rwa_status format_edge_list(struct network_draft *d, char *text);
/** Read JSON: librwa's own form, GNPy's, or nodes and links as most tools write them, recognised by their members. */
rwa_status format_json(struct network_draft *d, const char *text, size_t length);
/** Read the topology in a GNPy file. */
rwa_status format_gnpy(struct network_draft *d, const json_t *root);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Readers of network files that are text or JSON; each one fills a draft of the network. */
#pragma once

#include "base/json.h"
#include "network/files/draft.h"

/** Read an edge list: lines "u v [km]", or librwa's own lines "n nodes links", "v id name", "e u v km".  The text is
 *  changed. */
rwa_status format_edge_list(struct network_draft *d, char *text);
/** Read JSON: librwa's own form, GNPy's, or nodes and links as most tools write them, recognised by their members. */
rwa_status format_json(struct network_draft *d, const char *text, size_t length);
/** Read a JSON document that has nodes and links, or is a GNPy topology. */
rwa_status format_document(struct network_draft *d, const json_t *root);
/** Read GraphML or, if `graphml` is false, GML. */
rwa_status format_graph(struct network_draft *d, const char *text, size_t length, bool graphml);
/** Check a text before igraph reads it as GraphML, for errors that igraph accepts: several graphs, nodes that share an
 *  id, edges to unknown nodes, and directed edges beside undirected ones.  RWA_FORMAT with FILE:LINE. */
rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err);
/** Read the topology in a GNPy file. */
rwa_status format_gnpy(struct network_draft *d, const json_t *root);

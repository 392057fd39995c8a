/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Readers of network files that are text or JSON; each fills a draft. */
#pragma once

#include "network/files/draft.h"

#include <jansson.h>

/** Lines "u v [km]", or our "n nodes links", "v id name", "e u v km".  The text is changed. */
rwa_status format_edge_list(struct network_draft *d, char *text);
/** Our own form, GNPy's, or nodes and links as most tools write them: distinguished by their members. */
rwa_status format_json(struct network_draft *d, const char *text, size_t length);
/** The topology of a GNPy file. */
rwa_status format_gnpy(struct network_draft *d, const json_t *root);

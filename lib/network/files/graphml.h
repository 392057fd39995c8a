/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "rwa/status.h"

/** RWA_FORMAT with FILE:LINE unless the text is GraphML with one graph, every node has an id, no two nodes have the
 *  same, edges join nodes of the graph, and all edges are directed or all are undirected.  This is checked before
 *  igraph reads the file, since igraph accepts violations. */
rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err);

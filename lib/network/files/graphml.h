/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "rwa/status.h"

/** Check that a text is GraphML with one graph, that every node has an id of its own, that edges join nodes of the
 *  graph, and that all edges are directed or all undirected; else RWA_FORMAT with FILE:LINE.  This comes before igraph
 *  reads the file, since igraph accepts violations. */
rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err);

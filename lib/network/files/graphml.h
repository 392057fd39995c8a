/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "rwa/status.h"

/** RWA_FORMAT with FILE:LINE unless the text is GraphML with one graph whose node ids are there, each once, whose edges
 *  join them, and whose edges are all directed or all undirected.  Checked before igraph reads the file, since igraph
 *  accepts all that. */
rwa_status graphml_check(const char *text, size_t length, const char *file, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Read and write the first line of a schedule file. */
#pragma once

#include "base/text.h"
#include "rwa/io.h"
#include "schedule/scan.h"

/** Most bytes of a header: it may list a million links. */
enum { HEADER_MAX = 1 << 24 };

/**
 * Read a header.
 * @param[out] out  header_release() must follow, also after a failure
 * @param limits    the caller's; NULL: none
 * @return RWA_OK; RWA_FORMAT with FILE:1: not JSON, a member missing, ill-typed or outside its range; RWA_NOMEM
 */
rwa_status header_read(rwa_header *out, const struct line *line, const rwa_limits *limits, rwa_error *err);
void header_release(rwa_header *header);

/** Tell whether the header of a schedule lists the links of the network, if the network is of this kind. */
bool header_lists_links(rwa_topology kind);

/** Add the header line of a schedule, without its newline, to a text that grows.  If the scheme's name is not UTF-8,
 * the text fails with RWA_BADARG. */
void header_add(struct text *t, const rwa_schedule *sched);

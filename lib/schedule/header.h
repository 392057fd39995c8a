/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Read and write the first line of a schedule file. */
#pragma once

#include "base/text.h"
#include "schedule/scan.h"

/** Most bytes of a header: it may list a million links. */
enum { HEADER_MAX = 1 << 24 };

struct header {
    rwa_network *net;
    rwa_collective coll;
    uint32_t *members;      /* NULL: all nodes */
    char *scheme;
    uint32_t steps;
    uint64_t lightpaths;    /* UINT64_MAX: not given */
    uint32_t *cuts;         /* steps before which epochs are cut; NULL: none */
    size_t cut_count;
    uint32_t slots;         /* 1 in version 1 */
    unsigned version;
    const rwa_limits *limits;   /* the caller's, while the header is read; NULL: none */
};

/**
 * Read a header.
 * @param[out] out  header_release() must follow, also after a failure
 * @param limits    the caller's; NULL: none
 * @return RWA_OK; RWA_FORMAT with FILE:1: not JSON, a member missing, ill-typed or outside its range; RWA_NOMEM
 */
rwa_status header_read(struct header *out, const struct line *line, const rwa_limits *limits, rwa_error *err);
void header_release(struct header *header);

/** Tell whether headers for this topology list the links of the network. */
bool header_lists_links(rwa_topology kind);

/** Add the header line of a schedule, without its newline, to a text that grows.  RWA_BADARG: the scheme's name is not
 *  UTF-8. */
void header_add(struct text *t, const rwa_schedule *sched);

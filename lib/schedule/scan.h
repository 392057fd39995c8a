/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One record line of a schedule file, read without building a JSON tree. */
#pragma once

#include "base/lines.h"
#include "rwa/schedule.h"

/** What the header prescribes for records. */
struct scan_rules {
    uint32_t channels;  /* period of orbits for which a record gives none */
    bool path;          /* records have a path, not a direction */
    unsigned version;   /* from version 2 on records may have blocks and taps, from 3 on runs */
};

struct scan_list {
    uint32_t *words;
    uint32_t count;
};

/** The lists of the last record that was read; start with zeros, release at the end. */
struct scan_lists {
    struct scan_list path, blocks, taps, runs;  /* runs: three words each: first, count, stride */
};

void scan_release(struct scan_lists *lists);
/** Set *out to the lists of the last record, borrowed from `lists`; empty ones are NULL. */
void scan_found(rwa_lists *out, const struct scan_lists *lists);

/**
 * Read a record.  Values are not checked; a number too large for its field becomes the field's largest value.
 * @return RWA_OK; RWA_FORMAT with FILE:LINE; RWA_NOMEM
 */
rwa_status scan_record(rwa_lightpath *out, struct scan_lists *lists, const struct line *line,
                       const struct scan_rules *rules, rwa_error *err);

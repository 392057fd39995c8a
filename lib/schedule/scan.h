/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One record line of a schedule file, read without building a JSON tree. */
#ifndef SCHEDULE_SCAN_H
#define SCHEDULE_SCAN_H

#include "rwa/schedule.h"

#include <stdbool.h>

/** A line and where it stands; the text has no newline. */
struct scan_line {
    const char *file;
    uint64_t number;
    const char *text;
    size_t length;
    bool open;          /* the file ended before a newline: an incomplete record was cut short */
};

/**
 * Read a record.  Values are not judged: a number too large for its field becomes the field's largest.
 * @param channels  the period of an orbit that names none
 * @return RWA_OK; RWA_FORMAT with FILE:LINE
 */
rwa_status scan_record(rwa_lightpath *out, const struct scan_line *line, uint32_t channels, rwa_error *err);

#endif

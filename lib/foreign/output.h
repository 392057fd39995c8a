/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One stream that a format writes: a file, or the caller's function in its place. */
#pragma once

#include "base/base.h"
#include "base/sink.h"

/** Put names and whole numbers into the sink, or add to the text and call output_flush() now and then. */
struct output {
    struct sink sink;
    struct text text;
};

/** Open the target; output_close() must follow, also after a failure. */
rwa_status output_open(struct output *out, const char *path, rwa_write write, void *data, rwa_error *err);
/** Write the text if it is long.  Returns the failure of the text or of the sink. */
rwa_status output_flush(struct output *out);
/** If st is RWA_OK, write the rest and rename the file to its final name; otherwise remove it.  Returns the first
 *  failure. */
rwa_status output_close(struct output *out, rwa_status st);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One stream that a format writes: a file, or the caller's function in its place. */
#pragma once

#include "base/base.h"
#include "base/sink.h"

/** Put names and whole numbers into the sink; or add anything to the text, and output_flush() now and then. */
struct output {
    struct sink sink;
    struct text text;
};

/** Open the target; output_close() must follow, also after a failure. */
rwa_status output_open(struct output *out, const char *path, rwa_write write, void *data, rwa_error *err);
/** Write the text once it is long; its failure, or that of the sink. */
rwa_status output_flush(struct output *out);
/** After RWA_OK write what is left and give the file its name; after a failure leave nothing.  The first failure. */
rwa_status output_close(struct output *out, rwa_status st);

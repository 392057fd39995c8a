/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/output.h"

enum { PIECE = 1 << 16 };

rwa_status output_open(struct output *out, const char *path, rwa_write write, void *data, rwa_error *err)
{
    *out = (struct output){.text = {.err = err}};
    return sink_open_to(&out->sink, path, write, data, err);
}

static rwa_status write_text(struct output *out)
{
    MUST(out->text.status);
    rwa_status st = out->text.used > 0 ? sink_write(&out->sink, out->text.data, out->text.used) : out->sink.status;
    out->text.used = 0;
    return st;
}

rwa_status output_flush(struct output *out)
{
    return out->text.status == RWA_OK && out->text.used < PIECE ? out->sink.status : write_text(out);
}

rwa_status output_close(struct output *out, rwa_status st)
{
    if (st == RWA_OK)
        st = write_text(out);
    if (st == RWA_OK)
        st = sink_finish(&out->sink);
    sink_drop(&out->sink);
    free(out->text.data);
    return st;
}

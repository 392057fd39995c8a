/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A file that appears as a whole or not at all: it is written beside its target and renamed at the end, plain or
 *  gzip.  Alternatively, a function of the caller that receives the same bytes piece by piece. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <zlib.h>

enum { SINK_BUFFER = 1 << 17 };

struct sink {
    struct text text;   /* what is added to it goes to the file: its status is that of all writing so far */
    const char *path;   /* the caller's, for messages */
    char *target;       /* what is replaced at the end; NULL when written directly */
    char *temporary;
    bool created;       /* the temporary exists and is ours to remove */
    int fd;
    gzFile gz;          /* NULL: plain */
    rwa_write write;    /* NULL: a file */
    void *write_data;
};

/** Open a file for writing.  A path (borrowed) that ends in ".gz" means gzip, "-" standard output.  A device or pipe is
 *  written directly, without a temporary file.  Call sink_drop() at the end, also after a failure. */
rwa_status sink_open(struct sink *s, const char *path, rwa_error *err);
/** Open an output that passes its bytes to the caller's function `write`, in pieces of at most SINK_BUFFER bytes.
 *  write NULL: open the file `path`, as sink_open() does. */
rwa_status sink_open_to(struct sink *s, const char *path, rwa_write write, void *data, rwa_error *err);

/** Write `size` bytes to an output, behind the text that was added to s->text. */
rwa_status sink_write(struct sink *s, const char *data, size_t size);

/** Write all data to disk, then rename the file to its target, then sync the folder: readers see the old file or the
 *  whole new one, also after a power cut.  If the writer is killed, the next sink_open() of the same target removes
 *  what it left. */
rwa_status sink_finish(struct sink *s);
/** Close an output, also after a failure; no partial file is left. */
void sink_drop(struct sink *s);

/** Write all bytes at the position of a descriptor.  Return false on failure: errno says why, and some bytes may be
 *  written. */
bool base_write_all(int fd, const char *data, size_t size);

/** Write a whole file in one call, as sink_open(), sink_write() and sink_finish() do. */
rwa_status base_save(const char *path, const char *data, size_t size, rwa_error *err);

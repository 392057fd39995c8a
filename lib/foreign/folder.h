/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A folder of documents that appears whole or not at all. */
#pragma once

#include "rwa/status.h"

struct folder {
    const char *path;       /* the caller's, for messages */
    char *target;           /* without slashes at its end */
    char *temporary;        /* beside the target; renamed at the end; NULL: nothing to remove */
    rwa_error *err;
};

/** Begin a folder, under a temporary name.  RWA_BADARG if `path` exists already.  Call folder_drop() also after a
 *  failure. */
rwa_status folder_open(struct folder *f, const char *path, rwa_error *err);
/** Write a document under a name, which may contain a subfolder: "step-1/n2.json". */
rwa_status folder_put(struct folder *f, const char *name, const char *data, size_t size);
/** Rename the temporary folder to its final name. */
rwa_status folder_finish(struct folder *f);
/** Remove the temporary folder if it was not renamed. */
void folder_drop(struct folder *f);

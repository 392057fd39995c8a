/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Results of the searches of one request are kept here: other searches of the request, for its parts or on parts of
 * the wavelengths, meet the same subproblems. */
#pragma once

#include "base/base.h"

struct memo {
    struct memo_entry *list;
    size_t count;
};

/** Return the value kept for a key; NULL: none.  Keys are compared byte by byte, so they must have no padding.  The
 * value is borrowed, and valid until the next memo_keep(). */
const void *memo_find(const struct memo *memo, const void *key, size_t key_size);
/** Keep a copy of the `size` bytes at `found` as the value for a key, in place of the value kept before.  Does nothing
 * if memo is NULL.  RWA_NOMEM */
rwa_status memo_keep(struct memo *memo, const void *key, size_t key_size, const void *found, size_t size,
                     rwa_error *err);
void memo_close(struct memo *memo);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Results of the searches of one request: others of the same request, for its parts or on parts of the wavelengths,
 *  meet the same subproblems. */
#pragma once

#include "base/base.h"

struct memo {
    struct memo_entry *list;
    size_t count, capacity;
};

/** The value kept for a key; NULL: nothing.  Keys are compared byte by byte, so they must have no padding.  Borrowed
 *  until the next memo_keep(). */
const void *memo_find(const struct memo *memo, const void *key, size_t key_size);
/** Keep a copy, in place of what was kept for the key.  Nothing where memo is NULL.  RWA_NOMEM */
rwa_status memo_keep(struct memo *memo, const void *key, size_t key_size, const void *found, size_t size,
                     rwa_error *err);
void memo_close(struct memo *memo);

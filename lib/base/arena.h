/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arrays with a common lifetime: one check after all allocations, one call to free them. */
#pragma once

#include "base/base.h"

/** Starts as zeros, or with `err` set.  It may be copied if only one copy is used afterwards. */
struct arena {
    struct arena_block *last;
    rwa_error *err;     /* NULL, or receives the first failure; borrowed */
    bool failed;
};

/** A zeroed array of count entries that lives as long as the arena; NULL: arena_status() returns RWA_NOMEM. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/** As arena_array(); the entry size is that of the pointer's target. */
#define arena_new(arena, array, count) ((array) = arena_array((arena), (count), sizeof *(array)))

/** A copy of an array; NULL for NULL. */
void *arena_copy_array(struct arena *arena, const void *array, size_t count, size_t size);
#define arena_copy(arena, copy, array, count) ((copy) = arena_copy_array((arena), (array), (count), sizeof *(array)))

/** RWA_NOMEM if any allocation has failed so far. */
static inline rwa_status arena_status(const struct arena *arena)
{
    return arena->failed ? RWA_NOMEM : RWA_OK;
}

/** Free all arrays; the arena is empty afterwards. */
void arena_free(struct arena *arena);

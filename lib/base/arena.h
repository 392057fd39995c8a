/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arrays that live and die together: one check after all of them, one call to free them. */
#pragma once

#include "base/base.h"

/** Starts as zeros, or with `err` set.  It may be copied while only one copy is used from then on. */
struct arena {
    struct arena_block *last;
    rwa_error *err;     /* NULL, or receives the first failure; borrowed */
    bool failed;
};

/** A zeroed array of count entries that lives as long as the arena; NULL: arena_status() is RWA_NOMEM. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/** The same for the array that a pointer stands for. */
#define arena_new(arena, array, count) ((array) = arena_array((arena), (count), sizeof *(array)))

/** A copy of an array; NULL of NULL. */
void *arena_copy_array(struct arena *arena, const void *array, size_t count, size_t size);
#define arena_copy(arena, copy, array, count) ((copy) = arena_copy_array((arena), (array), (count), sizeof *(array)))

/** RWA_NOMEM when any array failed so far. */
static inline rwa_status arena_status(const struct arena *arena)
{
    return arena->failed ? RWA_NOMEM : RWA_OK;
}

/** Free all arrays; the arena is empty afterwards. */
void arena_free(struct arena *arena);

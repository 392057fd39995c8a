/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arrays with a common lifetime: one check after all allocations, one call to free them. */
#pragma once

#include "base/base.h"

/** A set of arrays that are freed together.  Start with zeros, or with only `err` set.  It may be copied if only one
 *  copy is used afterwards. */
struct arena {
    struct arena_block *last;
    rwa_error *err;     /* NULL, or receives the first failure; borrowed */
    bool failed;
};

/** Allocate a zeroed array of `count` entries of `size` bytes that lives as long as the arena.  Return NULL if memory
 *  is out; arena_status() then returns RWA_NOMEM. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/** Allocate an array in the arena for a pointer, as arena_array() does; the entry size is that of the pointer's
 *  target. */
#define arena_new(arena, array, count) ((array) = arena_array((arena), (count), sizeof *(array)))

/** Return a copy of an array; NULL if `array` is NULL or memory is out.  The copy lives as long as the arena. */
void *arena_copy_array(struct arena *arena, const void *array, size_t count, size_t size);
#define arena_copy(arena, copy, array, count) ((copy) = arena_copy_array((arena), (array), (count), sizeof *(array)))
/** Return a copy of a text; NULL if `text` is NULL or memory is out.  The copy lives as long as the arena. */
char *arena_copy_text(struct arena *arena, const char *text);

/** Return RWA_NOMEM if any allocation in the arena has failed so far, else RWA_OK. */
static inline rwa_status arena_status(const struct arena *arena)
{
    return arena->failed ? RWA_NOMEM : RWA_OK;
}

/** Allocate one to eight arrays of `count` entries each, and return arena_status().  `count` is evaluated once for each
 *  array. */
#define arena_arrays(arena, count, ...)                                                                             \
    (ARENA_TAKE(__VA_ARGS__, ARENA_8, ARENA_7, ARENA_6, ARENA_5, ARENA_4, ARENA_3, ARENA_2, ARENA_1, )              \
     (arena, count, __VA_ARGS__), arena_status(arena))
#define ARENA_TAKE(a, b, c, d, e, f, g, h, taken, ...) taken
#define ARENA_1(arena, count, array) arena_new(arena, array, count)
#define ARENA_2(arena, count, array, ...) arena_new(arena, array, count), ARENA_1(arena, count, __VA_ARGS__)
#define ARENA_3(arena, count, array, ...) arena_new(arena, array, count), ARENA_2(arena, count, __VA_ARGS__)
#define ARENA_4(arena, count, array, ...) arena_new(arena, array, count), ARENA_3(arena, count, __VA_ARGS__)
#define ARENA_5(arena, count, array, ...) arena_new(arena, array, count), ARENA_4(arena, count, __VA_ARGS__)
#define ARENA_6(arena, count, array, ...) arena_new(arena, array, count), ARENA_5(arena, count, __VA_ARGS__)
#define ARENA_7(arena, count, array, ...) arena_new(arena, array, count), ARENA_6(arena, count, __VA_ARGS__)
#define ARENA_8(arena, count, array, ...) arena_new(arena, array, count), ARENA_7(arena, count, __VA_ARGS__)

/** Free all arrays of the arena, which is empty afterwards. */
void arena_free(struct arena *arena);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

struct arena_block {
    struct arena_block *before;
    max_align_t data[];
};

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    size_t most = SIZE_MAX - sizeof(struct arena_block);
    struct arena_block *block = NULL;
    if (size == 0 || count <= most / size)
        block = base_array(1, sizeof *block + count * size, arena->err);
    else
        base_fail(arena->err, RWA_NOMEM, "out of memory for %zu entries of %zu bytes", count, size);
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    block->before = arena->last;
    arena->last = block;
    return block->data;
}

void *arena_copy_array(struct arena *arena, const void *array, size_t count, size_t size)
{
    void *copy = array ? arena_array(arena, count, size) : NULL;
    if (copy && count > 0)
        memcpy(copy, array, count * size);
    return copy;
}

char *arena_copy_text(struct arena *arena, const char *text)
{
    return text ? arena_copy_array(arena, text, strlen(text) + 1, 1) : NULL;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    *arena = (struct arena){0};
}

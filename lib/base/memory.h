/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The compiler reads this file before every file of lib/ and solvers/ (Makefile): memory that these free goes back to
 * the allocator that it came from, rwa_set_allocator().  tools/check-memory.sh searches the objects for calls that
 * avoid it.
 */
#pragma once

#include <stdlib.h>

/** Free memory from base_array(), base_grow() or base_resize().  NULL is ignored. */
void base_free(void *memory);
#define free(memory) base_free(memory)
/** Free several arrays, as base_free() does. */
void base_free_all(void *const *memory, size_t count);
#define free_all(...) base_free_all((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

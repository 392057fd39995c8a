/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of a piece of work is made to fail in turn.  Include it in one file of a test only. */
#pragma once

#include "rwa.h"

#include "tests/support/suite.h"

/* The sanitizers bring their own allocator; there the sweep is left to the plain and the valgrind build. */
#if defined(__SANITIZE_ADDRESS__)
#define SWEEP 0
#else
#define SWEEP 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

extern void __libc_free(void *old);

static long countdown = -1; /* allocations until one fails; negative: none does */
static long held;           /* blocks that were not freed yet */

static void *counted(void *block)
{
    held += block != NULL;
    return block;
}

static int fails_now(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *malloc(size_t size)
{
    return fails_now() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *block = fails_now() ? NULL : __libc_realloc(old, size);
    if (!old)
        return counted(block);
    held -= size == 0 && !block;
    return block;
}

void free(void *old)
{
    held -= old != NULL;
    __libc_free(old);
}
#endif

/**
 * Run the work until no allocation is left to fail; each failure must come out as RWA_NOMEM, or not matter at all, and
 * leave nothing allocated.  Of more than 1000 allocations not every one is made to fail, but ever fewer.
 */
static inline void expect_every_failure_told(rwa_status (*work)(void *data), void *data, long least)
{
#if SWEEP
    long failed = 0;
    work(data); /* the libraries below keep what they need only once */
    for (long n = 0; n < 10000000; n += 1 + n / 1000) {
        long before = held;
        countdown = n;
        rwa_status st = work(data);
        int reached = countdown < 0;
        countdown = -1;
        /* Below `before`: realpath() hands out memory that the C library did not ask us for. */
        if (held > before)
            fprintf(stderr, "allocation %ld: %ld blocks lost\n", n, held - before);
        CU_ASSERT_TRUE(held <= before);
        if (!reached) { /* fewer than n allocations: the sweep is complete */
            OK(st);
            break;
        }
        if (st != RWA_OK && st != RWA_NOMEM)
            fprintf(stderr, "allocation %ld: %s\n", n, rwa_status_text(st));
        CU_ASSERT_TRUE(st == RWA_OK || st == RWA_NOMEM);
        failed += st == RWA_NOMEM;
    }
    CU_ASSERT_TRUE(failed > least);
#else
    (void)least;
    OK(work(data));
#endif
}

/** The next step of such work, unless one before it failed: `st` is its status. */
#define THEN(call) st = st == RWA_OK ? (call) : st

/** The status of such work; a failure that was not told in words is another one. */
static inline rwa_status told_in_words(rwa_status st, const rwa_error *err)
{
    return st != RWA_OK && (err->status != st || !err->text[0]) ? RWA_BACKEND : st;
}

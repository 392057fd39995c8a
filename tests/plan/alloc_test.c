/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the planner and the reader is made to fail in turn: a status each time, and no leak. */
#include "rwa.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The sanitizers bring their own allocator; there the sweep is left to the plain and the valgrind build. */
#if defined(__SANITIZE_ADDRESS__)
#define SWEEP 0
#else
#define SWEEP 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static long countdown = -1; /* allocations until one fails; negative: none does */

static int fails_now(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *malloc(size_t size)
{
    return fails_now() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __libc_realloc(old, size);
}
#endif

static rwa_status make_and_write(const char *path)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_schedule *read = NULL;
    rwa_check check;
    rwa_error err = {0};
    rwa_status st = rwa_network_parse(&net, "ring:7", NULL, &err);
    if (st == RWA_OK)
        st = rwa_collective_init(&coll, RWA_ALL_GATHER, 7, 0, 64, 0, &err);
    if (st == RWA_OK)
        st = rwa_plan_make(&plan, net, &coll, NULL, &err);
    if (st == RWA_OK)
        st = rwa_schedule_write(rwa_plan_schedule(plan), path, &err);
    if (st == RWA_OK)
        st = rwa_schedule_read(&read, path, &err);
    if (st == RWA_OK)
        st = rwa_check_file(&check, path, NULL, &err);
    rwa_schedule_free(read);
    rwa_plan_free(plan);
    rwa_network_free(net);
    if (st != RWA_OK && err.status != st)
        return RWA_BACKEND; /* a failure that was not told in words */
    return st;
}

static void every_failing_allocation_is_a_status(void)
{
#if SWEEP
    char path[] = "/tmp/rwa-alloc-XXXXXX";
    int fd = mkstemp(path);
    long failed = 0;
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (long n = 0; n < 100000; n++) {
        countdown = n;
        rwa_status st = make_and_write(path);
        int reached = countdown < 0;
        countdown = -1;
        if (!reached) { /* fewer than n allocations: the sweep is complete */
            CU_ASSERT_EQUAL(st, RWA_OK);
            break;
        }
        /* a library that copes with a failed buffer may still succeed; otherwise it must be said for what it is */
        if (st != RWA_OK && st != RWA_NOMEM)
            fprintf(stderr, "allocation %ld: %s\n", n, rwa_status_text(st));
        CU_ASSERT_TRUE(st == RWA_OK || st == RWA_NOMEM);
        failed += st == RWA_NOMEM;
    }
    CU_ASSERT_TRUE(failed > 50);
    unlink(path);
#else
    CU_ASSERT_EQUAL(make_and_write("/dev/null"), RWA_FORMAT);
#endif
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("allocation", NULL, NULL);
    CU_add_test(suite, "every failing allocation is a status", every_failing_allocation_is_a_status);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

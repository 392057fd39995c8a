/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A NULL where a function with a status needs a pointer is RWA_BADARG in words, before anything else is looked at: the
 * other pointers of these calls lead to bytes without a meaning.
 */
#include "rwa.h"

#include "tests/support/suite.h"

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 80, LINE = 1000 };

/** The targets of the pointers, and which pointer is NULL. */
static max_align_t bytes[64];
static int missing;

static int swallow(void *data, const char *text, size_t size)
{
    (void)data;
    (void)text;
    (void)size;
    return 0;
}

#define P(i) ((i) == missing ? NULL : (void *)bytes)
#define P0 P(0)
#define P1 P(1)
#define P2 P(2)
#define P3 P(3)
#define F1 (1 == missing ? NULL : swallow)
#define F2 (2 == missing ? NULL : swallow)

#define REFUSES(name, ...)                          \
    static rwa_status call_##name(rwa_error *err)   \
    {                                               \
        return name(__VA_ARGS__, err);              \
    }
#include "tests/api/null_arguments.h"
#undef REFUSES

static const struct refusal {
    const char *name, *arguments;
    rwa_status (*call)(rwa_error *err);
} refusals[] = {
#define REFUSES(name, ...) {#name, #__VA_ARGS__, call_##name},
#include "tests/api/null_arguments.h"
#undef REFUSES
};
enum { REFUSALS = COUNT(refusals) };

/** How many of the arguments are pointers that may not be NULL. */
static int pointers_of(const char *arguments)
{
    int count = 0;
    for (const char *c = arguments; (c = strpbrk(c, "PF")) != NULL; c++)
        count += c[1] >= '0' && c[1] <= '9';
    return count;
}

static void every_missing_pointer_is_named(void)
{
    for (size_t i = 0; i < REFUSALS; i++)
        for (missing = 0; missing < pointers_of(refusals[i].arguments); missing++) {
            rwa_error err = {RWA_IO, "an earlier failure"};
            rwa_status st = refusals[i].call(&err);
            if (st != RWA_BADARG || !strstr(err.text, " is NULL, expected a pointer"))
                fprintf(stderr, "%s, pointer %d: %s, %s\n", refusals[i].name, missing, rwa_status_text(st), err.text);
            CU_ASSERT_EQUAL(st, RWA_BADARG);
            CU_ASSERT_EQUAL(err.status, RWA_BADARG);
            expect_part(err.text, " is NULL, expected a pointer");
            CU_ASSERT_EQUAL(refusals[i].call(NULL), RWA_BADARG); /* without a record too */
        }
}

/** The name is that of the parameter in the header, so that a program's author finds it. */
static void the_text_names_function_and_argument(void)
{
    rwa_error err = {0};
    rwa_network *net = (void *)bytes;
    CU_ASSERT_EQUAL(rwa_network_parse(&net, NULL, NULL, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "rwa_network_parse(): spec is NULL, expected a pointer");
    CU_ASSERT_PTR_NULL(net); /* no handle of an earlier call is left to be freed twice */
    CU_ASSERT_EQUAL(rwa_state_add(&(rwa_placed){0}, NULL, &(rwa_request){0}, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "rwa_state_add(): state is NULL, expected a pointer");
}

/** An array without entries may be NULL: a network of two nodes needs no links. */
static void an_empty_array_may_be_null(void)
{
    rwa_error err = {0};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    OK(rwa_network_create_graph(&net, 2, NULL, 0, NULL, &err));
    rwa_network_free(net);
    CU_ASSERT_EQUAL(rwa_network_create_graph(&net, 2, NULL, 1, NULL, &err), RWA_BADARG);
    CU_ASSERT_STRING_EQUAL(err.text, "rwa_network_create_graph(): links is NULL, expected a pointer");
    OK(rwa_demands_create(&demands, 2, NULL, 0, &err));
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static bool is_tested(const char *name)
{
    for (size_t i = 0; i < REFUSALS; i++)
        if (strcmp(refusals[i].name, name) == 0)
            return true;
    return strcmp(name, "rwa_set_allocator") == 0; /* NULL is an allocator without functions:
                                                      tests/base/allocator_test.c */
}

static size_t functions_of_header(const char *path)
{
    char line[LINE], name[NAME];
    size_t count = 0;
    FILE *header = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(header);
    while (fgets(line, sizeof line, header))
        if (sscanf(line, "RWA_API rwa_status %79[a-z0-9_]", name) == 1) {
            count++;
            if (!is_tested(name)) {
                CU_FAIL("a function that is not tested");
                fprintf(stderr, "%s returns a status: it needs a line in tests/api/null_arguments.h\n", name);
            }
        }
    fclose(header);
    return count;
}

static void every_function_with_a_status_is_tested(void)
{
    glob_t headers = {0};
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(glob(RWA_TEST_DATA "/../include/rwa/*.h", 0, NULL, &headers), 0);
    for (size_t i = 0; i < headers.gl_pathc; i++)
        count += functions_of_header(headers.gl_pathv[i]);
    CU_ASSERT_EQUAL(count, REFUSALS + 1);
    globfree(&headers);
}

TESTS("null arguments", every_missing_pointer_is_named, the_text_names_function_and_argument,
      an_empty_array_may_be_null, every_function_with_a_status_is_tested)

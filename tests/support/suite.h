/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What every test program begins and ends with. */
#pragma once

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/** A call of the library that works, or the test ends. */
#define OK(call) CU_ASSERT_EQUAL_FATAL(call, RWA_OK)

/** A text, such as that of an error, has this part. */
static inline void expect_part(const char *text, const char *part)
{
    bool found = text && strstr(text, part);
    if (!found)
        fprintf(stderr, "expected \"%s\" in \"%s\"\n", part, text ? text : "no text");
    CU_ASSERT(found);
}

/** A caller who is polled, and stops the work once; at 0: never. */
struct stop {
    unsigned at, polls;
};

static inline int stop_once(void *data, const char *phase, double fraction)
{
    struct stop *s = data;
    (void)phase;
    (void)fraction;
    return ++s->polls == s->at;
}

/** Whether the program runs all its cases, as in `make test-long`, or a selection that reaches every kind of case, as
 *  in `make test`. */
static inline bool is_thorough(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "thorough") == 0;
}

/** Run functions as tests; their names are as in the call, separated by ", ".  Return what main() is to return: no
 *  failure, and something was asserted. */
static inline int run_functions(const char *name, const char *names, const CU_TestFunc *run)
{
    char text[4096];
    unsigned failures = 1;
    snprintf(text, sizeof text, "%s", names);
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);
    for (char *word = strtok(text, ", "); suite && *run && CU_add_test(suite, word, *run); word = strtok(NULL, ", "))
        run++;
    if (suite && !*run) {
        CU_basic_set_mode(CU_BRM_VERBOSE);
        CU_basic_run_tests();
        printf("%u passed, %u failed\n", CU_get_number_of_successes(), CU_get_number_of_failures());
        failures = CU_get_number_of_failures() + (CU_get_number_of_asserts() == 0);
    }
    CU_cleanup_registry();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/** What main() is to return: RUN_TESTS("a name", some_fact, another_fact). */
#define RUN_TESTS(name, ...) run_functions(name, #__VA_ARGS__, (const CU_TestFunc[]){__VA_ARGS__, NULL})

/** main() of a test: its name, and its functions; some look at `thorough`. */
static bool thorough __attribute__((unused));
#define TESTS(name, ...)                         \
    int main(int argc, char **argv)              \
    {                                            \
        thorough = is_thorough(argc, argv);      \
        return RUN_TESTS(name, __VA_ARGS__);     \
    }

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The end of every test program. */
#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
    const char *name;
    CU_TestFunc run;
};

#define TEST(function) {#function, function}

/** Whether the program runs all its cases, as in `make test-long`, or a selection that reaches every kind of case, as
 *  in `make test`. */
static inline bool is_thorough(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "thorough") == 0;
}

/** Run the tests up to the one without a name; what main() is to return: no failure, and something was asserted. */
static inline int run_tests(const char *name, const struct test *tests)
{
    unsigned failures = 1;
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);
    while (suite && tests->name && CU_add_test(suite, tests->name, tests->run))
        tests++;
    if (suite && !tests->name) {
        CU_basic_set_mode(CU_BRM_VERBOSE);
        CU_basic_run_tests();
        printf("%u passed, %u failed\n", CU_get_number_of_successes(), CU_get_number_of_failures());
        failures = CU_get_number_of_failures() + (CU_get_number_of_asserts() == 0);
    }
    CU_cleanup_registry();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

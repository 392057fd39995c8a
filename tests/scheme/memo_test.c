/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Results that the searches of one request share: each key has the last thing kept for it, whatever else was kept. */
#include "rwa.h"

#include "scheme/memo.h"

#include "tests/support/suite.h"

#include <string.h>

enum { KEYS = 40 };

struct key {
    uint64_t number, length;
};

static void each_key_has_what_was_kept_last(void)
{
    struct memo memo = {.list = NULL};
    uint64_t random = 3, kept[KEYS] = {0};
    for (uint64_t i = 1; i < 2000; i++) {
        uint64_t k = base_random_below(&random, KEYS);
        struct key key = {k / 2, k % 2};
        kept[k] = i;
        OK(memo_keep(&memo, &key, sizeof key, &i, sizeof i, NULL));
        k = base_random_below(&random, KEYS);
        const uint64_t *found = memo_find(&memo, &(struct key){k / 2, k % 2}, sizeof(struct key));
        CU_ASSERT_EQUAL(found ? *found : 0, kept[k]);
    }
    CU_ASSERT_PTR_NULL(memo_find(&memo, &(struct key){KEYS, 0}, sizeof(struct key)));
    CU_ASSERT_PTR_NULL(memo_find(&memo, &(struct key){0, 0}, sizeof(uint64_t))); /* a shorter key is another one */
    memo_close(&memo);
    OK(memo_keep(NULL, &random, sizeof random, &random, sizeof random, NULL)); /* without a memo nothing is kept */
    CU_ASSERT_PTR_NULL(memo_find(NULL, &random, sizeof random));
}

TESTS("memo", each_key_has_what_was_kept_last)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tags: texts of the caller's that stay with lightpaths. */
#include "rwa.h"

#include "tests/support/files.h"
#include "tests/support/report.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

static rwa_status add_tagged(uint64_t *id, rwa_state *state, uint32_t dst, const char *tag, rwa_protection protection)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, 0, dst);
    q.tag = tag;
    q.protection = protection;
    rwa_status st = rwa_state_add(&placed, state, &q, NULL);
    *id = placed.id;
    return st;
}

static bool has(const rwa_state *state, uint64_t id, const char *tag)
{
    const char *found = rwa_state_tag(state, id);
    return tag ? found && strcmp(found, tag) == 0 : !found;
}

/* A slot is used again after a release, and a move exchanges slots: the tag belongs to the lightpath. */
static void tags_stay_with_their_lightpaths(void)
{
    rwa_state *state = state_on("ring:6 w=4 paths=2");
    char tag[] = "order 17, \xc3\xa9t\xc3\xa9";
    uint64_t one, plain, two, three;
    rwa_request q;
    rwa_placed placed;
    OK(add_tagged(&plain, state, 1, NULL, 0));
    OK(add_tagged(&one, state, 2, tag, RWA_PROTECTION_SHARED));
    tag[0] = 'O';   /* it was copied */
    OK(add_tagged(&two, state, 3, "b", 0));
    OK(add_tagged(&three, state, 4, "b", 0));
    CU_ASSERT_TRUE(has(state, plain, NULL) && has(state, one, "order 17, \xc3\xa9t\xc3\xa9") && has(state, two, "b"));
    CU_ASSERT_TRUE(rwa_state_find_tag(state, "b", 0) == two && rwa_state_find_tag(state, "b", two) == three &&
                   rwa_state_find_tag(state, "b", three) == RWA_NO_LIGHTPATH &&
                   rwa_state_find_tag(state, "c", 0) == RWA_NO_LIGHTPATH);
    uint64_t mark = rwa_state_mark(state);
    rwa_request_init(&q, 0, 3);
    q.policy = RWA_POLICY_LAST_FIT;
    q.tag = "other";
    OK(rwa_state_move(&placed, state, two, &q, NULL));
    CU_ASSERT_TRUE(placed.hops > 0 && has(state, two, "b"));
    OK(rwa_state_release(state, one, NULL));
    CU_ASSERT_TRUE(has(state, one, NULL));
    OK(add_tagged(&plain, state, 5, NULL, 0));
    CU_ASSERT_TRUE(has(state, plain, NULL));
    OK(rwa_state_rollback(state, mark, NULL));
    CU_ASSERT_TRUE(has(state, one, "order 17, \xc3\xa9t\xc3\xa9") && has(state, two, "b"));
}

static void files_keep_tags(void)
{
    rwa_state *state = state_on("nsfnet14-21 w=8"), *again = state_on("nsfnet14-21 w=8");
    struct file file = file_make("state.jsonl", "", 0);
    rwa_check *check = NULL;
    rwa_error err = {0};
    uint64_t one, two;
    OK(add_tagged(&one, state, 5, "a \"quoted\" \\ tag", RWA_PROTECTION_DEDICATED));
    OK(add_tagged(&two, state, 6, NULL, 0));
    OK(rwa_state_write(state, file.path, NULL));
    OK(rwa_check_file(&check, file.path, NULL, NULL));
    CU_ASSERT_TRUE(rwa_check_summary(check)->ok);
    OK(rwa_state_read(again, file.path, NULL));
    CU_ASSERT_TRUE(has(again, one, "a \"quoted\" \\ tag") && has(again, two, NULL));
    file_replace(&file, "quoted", "\\u0007");
    CU_ASSERT_EQUAL(rwa_state_read(state, file.path, &err), RWA_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":2: \"tag\": expected"));
    file_drop(&file);
    rwa_check_free(check);
}

static void other_texts_are_no_tags(void)
{
    static const char *const bad[] = {"", "two\nlines", "\x7f", "half \xc3", "\xc2\x85"};
    rwa_state *state = state_on("ring:6 w=4 paths=2");
    char tag[RWA_TAG_MAX + 2] = "";
    uint64_t id;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_EQUAL(add_tagged(&id, state, 2, bad[i], 0), RWA_BADARG);
    memset(tag, 'x', RWA_TAG_MAX + 1);
    CU_ASSERT_EQUAL(add_tagged(&id, state, 2, tag, 0), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_count(state), 0);
    tag[RWA_TAG_MAX] = '\0';
    OK(add_tagged(&id, state, 2, tag, 0));
    CU_ASSERT_TRUE(has(state, id, tag));
}

TESTS("tags", tags_stay_with_their_lightpaths, files_keep_tags, other_texts_are_no_tags)

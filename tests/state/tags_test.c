/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Texts that are no tags; that a tag stays with its lightpath is tested in failures_test.c. */
#include "rwa.h"

#include "tests/support/files.h"
#include "tests/support/states.h"
#include "tests/support/suite.h"

static rwa_status add_tagged(uint64_t *id, rwa_state *state, uint32_t dst, const char *tag)
{
    rwa_request q;
    rwa_placed placed;
    rwa_request_init(&q, 0, dst);
    q.tag = tag;
    rwa_status st = rwa_state_add(&placed, state, &q, NULL);
    *id = placed.id;
    return st;
}

static void a_file_with_such_a_text_is_refused(void)
{
    rwa_state *state = state_on("nsfnet14-21 w=8");
    struct file file = file_make("state.jsonl", "", 0);
    rwa_error err = {0};
    uint64_t id;
    OK(add_tagged(&id, state, 5, "quoted"));
    OK(rwa_state_write(state, file.path, NULL));
    file_replace(&file, "quoted", "\\u0007");
    CU_ASSERT_EQUAL(rwa_state_read(state, file.path, &err), RWA_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":2: \"tag\": expected"));
    file_drop(&file);
}

static void other_texts_are_no_tags(void)
{
    static const char *const bad[] = {"", "two\nlines", "\x7f", "half \xc3", "\xc2\x85"};
    rwa_state *state = state_on("ring:6 w=4 paths=2");
    char tag[RWA_TAG_MAX + 2] = "";
    uint64_t id;
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(add_tagged(&id, state, 2, bad[i]), RWA_BADARG);
    memset(tag, 'x', RWA_TAG_MAX + 1);
    CU_ASSERT_EQUAL(add_tagged(&id, state, 2, tag), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_count(state), 0);
    tag[RWA_TAG_MAX] = '\0';
    OK(add_tagged(&id, state, 2, tag));
    CU_ASSERT_STRING_EQUAL(rwa_state_tag(state, id), tag);
}

TESTS("tags", a_file_with_such_a_text_is_refused, other_texts_are_no_tags)

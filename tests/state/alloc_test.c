/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of states fails in turn; and once a state has seen its traffic, it needs no more. */
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/request.h"
#include "tests/support/state_walk.h"

struct work {
    rwa_network *net;
    const char *path;
};

static rwa_status go_around(rwa_state *state, rwa_error *err)
{
    rwa_request q;
    rwa_placed placed;
    rwa_obstacle why;
    rwa_status st = RWA_OK;
    for (uint32_t n = 0; n < 40 && st == RWA_OK; n++) {
        rwa_request_init(&q, n * 5 % 14, (n * 5 + 1 + n % 13) % 14);
        q.routing = (rwa_routing)(n % 3);
        q.policy = (rwa_policy)(n % 5);
        q.protection = (rwa_protection)(n % 7 < 3 ? n % 7 : 0);
        q.rate_bps = n % 3 ? 1e9 : 0;
        q.tag = n % 4 == 1 ? "tag" : NULL;
        st = rwa_state_add(&placed, state, &q, err);
        if (st == RWA_OK && placed.hops == 0)
            st = rwa_state_explain(&why, state, &q, err);
        if (st == RWA_OK && placed.hops > 0 && n > 20 && q.protection != RWA_PROTECTION_NONE)
            st = rwa_state_protect(&placed, state, placed.id, &q, err);
        q.protection = RWA_PROTECTION_NONE;
        if (st == RWA_OK && placed.hops > 0 && n % 4 == 0 && placed.protection == RWA_PROTECTION_NONE)
            st = rwa_state_move(&placed, state, placed.id, &q, err);
        if (st == RWA_OK && n == 20)
            st = rwa_state_fail(state, RWA_FAILURE_NODE, 3, err);
    }
    THEN(rwa_state_restore(&(rwa_restoration){0}, state, RWA_RESTORE_MOST_TRAFFIC, NULL, err));
    return st;
}

static rwa_status use_a_state(void *data)
{
    const struct work *work = data;
    rwa_state *state = NULL, *copy = NULL;
    rwa_state_options o;
    rwa_error err = {0};
    rwa_state_options_init(&o);
    o.history = 8;
    rwa_status st = rwa_state_create(&state, work->net, &o, &err);
    THEN(rwa_state_create(&copy, work->net, &o, &err));
    THEN(go_around(state, &err));
    THEN(rwa_state_write(state, work->path, &err));
    THEN(rwa_state_read(copy, work->path, &err));
    rwa_state_free(copy);
    rwa_state_free(state);
    return told_in_words(st, &err);
}

/** A journal, used, left and opened again; after a failure it has the state that the failure left. */
static rwa_status use_a_journal(void *data)
{
    const struct work *work = data;
    rwa_state *state = NULL, *again = NULL;
    rwa_assignment *lightpaths = NULL;
    rwa_error err = {0};
    unlink(work->path);
    rwa_status st = rwa_state_open(&state, work->net, NULL, work->path, &err);
    THEN(go_around(state, &err));
    THEN(rwa_state_undo(state, 3, &err));
    THEN(rwa_state_export(&lightpaths, state, &err));
    while (st == RWA_OK && rwa_state_count(state) > 0)
        THEN(rwa_state_release(state, rwa_state_next(state, RWA_NO_LIGHTPATH), &err));
    THEN(rwa_state_import(state, lightpaths, &err));
#if SWEEP
    if (countdown < 0)
#endif
    {
        char copy[64];
        snprintf(copy, sizeof copy, "cp %s %s.copy", work->path, work->path);
        if (state && system(copy) == 0) {
            snprintf(copy, sizeof copy, "%s.copy", work->path);
            CU_ASSERT_EQUAL(rwa_state_open(&again, work->net, NULL, copy, NULL), RWA_OK);
            CU_ASSERT_TRUE(same_state(state, again));
            unlink(copy);
        }
    }
    rwa_state_free(again);
    rwa_state_free(state);
    rwa_assignment_free(lightpaths);
    THEN(rwa_state_open(&state, work->net, NULL, work->path, &err));
    if (st == RWA_OK)
        rwa_state_free(state);
    return told_in_words(st, &err);
}

static void every_failing_allocation_is_a_status(void)
{
    struct file file = file_make("alloc", "", 0);
    struct work work = {network_on("nsfnet14-21 w=2"), file.path};
    expect_every_failure_told(use_a_state, &work, 100);
    expect_every_failure_told(use_a_journal, &work, 300);
    file_drop(&file);
}

/* The same requests twice; the second time the first allocation would fail. */
static void a_warm_state_allocates_nothing(void)
{
    rwa_state *state = NULL;
    uint64_t ids[64];
    OK(rwa_state_create(&state, network_on("nsfnet14-21"), NULL, NULL));
    for (uint32_t round = 0; round < 60; round++) {
#if SWEEP
        countdown = round >= 30 ? 0 : -1;   /* by then the history is full, and each slot used again */
#endif
        for (uint32_t n = 0; n < 64; n++) {
            rwa_request q;
            rwa_placed placed;
            rwa_request_init(&q, n % 14, (n + 1 + n % 13) % 14);
            q.routing = (rwa_routing)(n % 3);
            q.policy = (rwa_policy)(n % 5);
            OK(rwa_state_add(&placed, state, &q, NULL));
            ids[n] = placed.id;
        }
        for (uint32_t n = 0; n < 64; n++)
            OK(rwa_state_release(state, ids[n], NULL));
    }
#if SWEEP
    CU_ASSERT_EQUAL(countdown, 0);
    countdown = -1;
#endif
    rwa_state_free(state);
}

TESTS("allocation", every_failing_allocation_is_a_status, a_warm_state_allocates_nothing)

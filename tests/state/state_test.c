/* SPDX-License-Identifier: GPL-3.0-or-later */
/** States known by hand, and what they refuse; states of every kind stand against a model in model_test.c. */
#include "tests/support/files.h"
#include "tests/support/states.h"

/* Both ways round are the routes of a ring: the shorter one first, clockwise first where they are equal, and no third
   one. */
static void a_ring_has_two_routes(void)
{
    rwa_state *state = state_on("ring:100000 w=1 paths=5");
    rwa_request q;
    rwa_placed p;
    rwa_request_init(&q, 10, 50010);
    q.routing = RWA_ROUTING_ALTERNATE;
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_TRUE(p.hops == 50000 && p.links[0] == 10);
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_TRUE(p.hops == 50000 && p.links[0] == 100009 && p.links[49999] == 150010);
    OK(rwa_state_add(&p, state, &q, NULL));
    CU_ASSERT_EQUAL(p.hops, 0);
    /* counter-clockwise, where only clockwise is taken */
    CU_ASSERT_EQUAL(add_lightpath(state, 20, 18, RWA_PROTECTION_NONE).hops, 2);
}

/* On a ring a lightpath and its backup take the whole ring: W channels hold W of them with 1+1.  With shared backups
 * the N neighbours are joined on one channel, and one more, all the way round, protects them all: each failure breaks
 * one of them.  Backups go to the high end, so that nothing is in the way. */
static void a_ring_holds_as_many_backups_as_it_must(void)
{
    for (uint32_t n = 4; n <= 12; n += 2)
        for (int shared = 0; shared < 2; shared++) {
            rwa_state *state = state_on("ring:%u w=2 undirected", n);
            uint32_t up = 0;
            for (uint32_t v = 0; v < n; v++)
                up += add_lightpath(state, v, (v + 1) % n, shared ? RWA_PROTECTION_SHARED : RWA_PROTECTION_DEDICATED)
                          .hops > 0;
            CU_ASSERT_EQUAL(up, shared ? n : 2);
        }
}

static void bad_requests_are_told(void)
{
    rwa_state *state = state_on("ring:5 w=2 paths=1");
    const uint32_t gap[] = {0, 2}, round_trip[] = {0, 5}, other_end[] = {0}, none[] = {10};
    const struct {
        uint32_t dst, hops;
        const uint32_t *links;
        uint32_t fiber, wavelength;
        const char *says;
    } cases[] = {
        {5, 0, NULL, 0, 0, "two nodes below 5"},
        {0, 0, NULL, 0, 0, "two nodes below 5"},
        {2, 0, NULL, 1, 0, "fibre 1"},
        {2, 0, NULL, 0, 2, "wavelength 2"},
        {2, 2, gap, 0, 0, "hop 1 of the route leaves node 2, expected node 1"},
        {2, 2, round_trip, 0, 0, "passes node 0 twice"},
        {2, 1, other_end, 0, 0, "ends at node 1"},
        {2, 1, none, 0, 0, "link 10, expected one below 10"},
        {2, 5, gap, 0, 0, "expected 1 to 4"},
    };
    rwa_error err = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_request q;
        rwa_placed placed;
        rwa_request_init(&q, 0, cases[i].dst);
        q.links = cases[i].links;
        q.hops = cases[i].hops;
        q.fiber = cases[i].fiber;
        q.wavelength = cases[i].wavelength;
        CU_ASSERT_EQUAL(rwa_state_add(&placed, state, &q, &err), RWA_BADARG);
        expect_part(err.text, cases[i].says);
    }
    CU_ASSERT_EQUAL(rwa_state_release(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_fail(state, RWA_FAILURE_LINK, 10, &err), RWA_BADARG);
    expect_part(err.text, "no link 10: the network has 10 directed links");
    CU_ASSERT_EQUAL(rwa_state_fail(state, (rwa_failure)3, 0, &err), RWA_BADARG);
    expect_part(err.text, "no rwa_failure 3: expected RWA_FAILURE_LINK, _NODE or _GROUP");
    CU_ASSERT_EQUAL(rwa_state_undo(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_rollback(state, 1, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_state_count(state), 0);
}

static void what_protection_does_not_go_with_is_refused(void)
{
    rwa_state *state = state_on("ring:6 w=4");
    rwa_placed one = add_lightpath(state, 0, 2, RWA_PROTECTION_DEDICATED), moved;
    rwa_defragmentation d;
    rwa_request q;
    const uint32_t links[2] = {0, 1};
    rwa_error err = {0};
    rwa_request_init(&q, 0, 2);
    q.protection = RWA_PROTECTION_SHARED;
    CU_ASSERT_EQUAL(rwa_state_move(&moved, state, one.id, &q, &err), RWA_BADARG);
    expect_part(err.text, "protection in a move");
    q.links = links;
    q.hops = 2;
    CU_ASSERT_EQUAL(rwa_state_add(&moved, state, &q, NULL), RWA_BADARG);
    q.links = NULL;
    q.protection = (rwa_protection)3;
    CU_ASSERT_EQUAL(rwa_state_add(&moved, state, &q, NULL), RWA_BADARG);
    CU_ASSERT_PTR_NULL(rwa_protection_name((rwa_protection)3));
    OK(rwa_state_release(state, add_lightpath(state, 0, 1, RWA_PROTECTION_NONE).id, NULL));
    OK(rwa_state_defragment(&d, state, 0, NULL));
    CU_ASSERT_EQUAL(d.moves, 0);
}

static void networks_without_routes_are_refused(void)
{
    static const char *const specs[] = {"star:4", "ron:4", "ocs:4x2"};
    for (size_t i = 0; i < 3; i++) {
        rwa_state *state = NULL;
        CU_ASSERT_EQUAL(rwa_state_create(&state, network_on("%s", specs[i]), NULL, NULL), RWA_BADARG);
        CU_ASSERT_PTR_NULL(state);
    }
}

static void names_are_found(void)
{
    for (int i = 0; rwa_policy_name((rwa_policy)i); i++)
        CU_ASSERT_EQUAL(rwa_policy_find(rwa_policy_name((rwa_policy)i)), i);
    for (int i = 0; rwa_routing_name((rwa_routing)i); i++)
        CU_ASSERT_EQUAL(rwa_routing_find(rwa_routing_name((rwa_routing)i)), i);
    CU_ASSERT_EQUAL(rwa_policy_find("worst-fit"), -1);
    CU_ASSERT_EQUAL(rwa_routing_find(""), -1);
}

/* ---- texts that are no tags; that a tag stays with its lightpath is tested in model_test.c ---- */

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

static void no_tag_in_a_file(void)
{
    rwa_state *state = state_on("nsfnet14-21 w=8");
    struct file file = file_make("state.jsonl", "", 0);
    rwa_error err = {0};
    uint64_t id;
    OK(add_tagged(&id, state, 5, "quoted"));
    OK(rwa_state_write(state, file.path, NULL));
    file_replace(file.path, "quoted", "\\u0007");
    CU_ASSERT_EQUAL(rwa_state_read(state, file.path, &err), RWA_FORMAT);
    expect_part(err.text, ":2: \"tag\": expected");
    file_drop(&file);
}

static void no_tags(void)
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

TESTS("state", a_ring_has_two_routes, a_ring_holds_as_many_backups_as_it_must, bad_requests_are_told,
      what_protection_does_not_go_with_is_refused, networks_without_routes_are_refused, names_are_found,
      no_tag_in_a_file, no_tags)

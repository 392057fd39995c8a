/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Why a lightpath with a backup is blocked, and what lets it in: applied, the remedy does. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/states.h"
#include "tests/support/suite.h"

#include <string.h>

/* A cut of one working link, whose removal parts the ends: by Menger's theorem there are two routes if and only if
 * there is none.  The links are pairs: link 2 i leads forth, 2 i + 1 back. */
static bool has_two_routes(const rwa_state *state, const rwa_link *links, size_t count, uint32_t src, uint32_t dst)
{
    for (size_t without = 0; without <= count; without++) {
        uint32_t reached = 1u << src, before = 0;
        while (before != reached) {
            before = reached;
            for (size_t i = 0; i < count; i++) {
                if (i == without || rwa_state_is_failed(state, (uint32_t)(2 * i)))
                    continue;
                if (reached >> links[i].from & 1 || reached >> links[i].to & 1)
                    reached |= 1u << links[i].from | 1u << links[i].to;
            }
        }
        if (!(reached >> dst & 1))
            return false;
    }
    return true;
}

static bool is_let_in(rwa_state *state, const rwa_request *q)
{
    rwa_placed placed;
    OK(rwa_state_try(&placed, state, q, NULL));
    return placed.hops > 0;
}

/** Whether some release, or some repair, lets the request in; the state is as before. */
static void try_changes(rwa_state *state, const rwa_request *q, uint32_t links, bool *release, bool *repair)
{
    uint64_t ids[64], mark = rwa_state_mark(state);
    size_t count = 0;
    for (uint64_t id = rwa_state_next(state, RWA_NO_LIGHTPATH); id != RWA_NO_LIGHTPATH && count < 64;
         id = rwa_state_next(state, id))
        ids[count++] = id;
    for (size_t i = 0; i < count; i++) {
        OK(rwa_state_release(state, ids[i], NULL));
        *release = *release || is_let_in(state, q);
        OK(rwa_state_rollback(state, mark, NULL));
    }
    for (uint32_t l = 0; l < links; l++) {
        OK(rwa_state_repair_link(state, l, NULL));
        *repair = *repair || is_let_in(state, q);
        OK(rwa_state_rollback(state, mark, NULL));
    }
}

/** Apply the remedy. */
static void apply_remedy(rwa_state *state, const rwa_obstacle *why)
{
    rwa_placed placed;
    rwa_request other;
    uint32_t links[16];
    if (why->remedy == RWA_REMEDY_REPAIR)
        OK(rwa_state_repair_link(state, why->repair, NULL));
    if (why->remedy == RWA_REMEDY_RELEASE)
        OK(rwa_state_release(state, why->id, NULL));
    if (why->remedy != RWA_REMEDY_MOVE)
        return;
    CU_ASSERT_TRUE_FATAL(rwa_state_get(&placed, state, why->id) && placed.hops <= 16);
    memcpy(links, placed.links, placed.hops * sizeof *links);
    rwa_request_init(&other, placed.src, placed.dst);
    other.links = links;
    other.hops = placed.hops;
    other.fiber = why->fiber;
    other.wavelength = why->wavelength;
    OK(rwa_state_move(&placed, state, why->id, &other, NULL));
    CU_ASSERT_TRUE(placed.hops > 0);
}

static void expect_remedy(rwa_state *state, const rwa_request *q, const rwa_link *links, size_t count, int seen[])
{
    rwa_obstacle why;
    uint64_t mark = rwa_state_mark(state);
    bool release = false, repair = false, fitted = is_let_in(state, q);
    OK(rwa_state_explain(&why, state, q, NULL));
    CU_ASSERT_EQUAL(rwa_state_mark(state), mark);
    CU_ASSERT_EQUAL(why.kind == RWA_OBSTACLE_NONE, fitted);
    CU_ASSERT_EQUAL(is_let_in(state, q), fitted);
    if (fitted)
        return;
    bool two = has_two_routes(state, links, count, q->src, q->dst);
    CU_ASSERT_EQUAL(why.routes > 0, two);
    CU_ASSERT_EQUAL(why.kind == RWA_OBSTACLE_NO_BACKUP, why.kind != RWA_OBSTACLE_NO_ROUTE);
    CU_ASSERT_EQUAL(strstr(why.text, "lead there") != NULL, why.kind == RWA_OBSTACLE_NO_BACKUP && !two);
    try_changes(state, q, 2 * (uint32_t)count, &release, &repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || (why.remedy == RWA_REMEDY_REPAIR) == repair);
    CU_ASSERT_TRUE(why.remedy == RWA_REMEDY_MOVE || repair || (why.remedy == RWA_REMEDY_RELEASE) == release);
    seen[why.remedy]++;
    if (why.remedy == RWA_REMEDY_NONE) {
        rwa_request alone = *q;
        alone.protection = RWA_PROTECTION_NONE;
        CU_ASSERT_EQUAL(strstr(why.text, "it would fit without protection") != NULL, is_let_in(state, &alone));
        return;
    }
    apply_remedy(state, &why);
    CU_ASSERT_TRUE(is_let_in(state, q));
    OK(rwa_state_rollback(state, mark, NULL));
}

/* Small random networks, partly full: applying the remedy lets the request in with its backup, and where none is named
 * no release and no repair does. */
static void a_remedy_lets_the_backup_in(void)
{
    uint64_t seed = 41;
    int seen[RWA_REMEDY_RELEASE + 1] = {0};
    for (int round = 0; round < 400; round++) {
        rwa_link links[12];
        uint32_t nodes = 4 + (uint32_t)base_random_below(&seed, 3);
        size_t count = 0;
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = a + 1; b < nodes && count < 12; b++)
                if (b == a + 1 || base_random_below(&seed, 3) == 0)
                    links[count++] = (rwa_link){a, b, 0, 0};
        rwa_network *net = graph_of(links, count, nodes, 1 + (uint32_t)base_random_below(&seed, 3), 0);
        rwa_state *state = state_on(net, RWA_UNDIRECTED, 8);
        for (int i = 0; i < 10; i++) {
            uint32_t src[2], dst[2];
            for (int k = 0; k < 2; k++) {
                src[k] = (uint32_t)base_random_below(&seed, nodes);
                dst[k] = (src[k] + 1 + (uint32_t)base_random_below(&seed, nodes - 1)) % nodes;
            }
            rwa_request q;
            rwa_request_init(&q, src[1], dst[1]);
            q.protection = 1 + (rwa_protection)base_random_below(&seed, 2);
            q.routing = (rwa_routing)base_random_below(&seed, 3);
            add_lightpath(state, src[0], dst[0], (rwa_protection)base_random_below(&seed, 3));
            if (base_random_below(&seed, 4) == 0)
                OK(rwa_state_fail_link(state, (uint32_t)base_random_below(&seed, 2 * count), NULL));
            expect_remedy(state, &q, links, count, seen);
        }
        rwa_state_free(state);
        rwa_network_free(net);
    }
    CU_ASSERT_TRUE(seen[RWA_REMEDY_NONE] > 0 && seen[RWA_REMEDY_MOVE] > 0 && seen[RWA_REMEDY_REPAIR] > 0 &&
                   seen[RWA_REMEDY_RELEASE] > 0);
}

int main(void)
{
    return RUN_TESTS("remedies with protection", a_remedy_lets_the_backup_in);
}

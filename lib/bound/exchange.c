/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bounds on the wavelengths of an exchange in one step: every node sends one block to every other node. */
#include "bound/case.h"

static uint64_t compute_lemma1_line(const struct bound_case *c)
{
    uint32_t left = c->nodes / 2, right = c->nodes - left;
    bound_say(c, "the %u nodes on one side of the middle link send to the %u on the other: %u x %u = %" PRIu64
              " lightpaths cross it one way", left, right, left, right, bound_quarter_square(c->nodes));
    return bound_on_path(c) && bound_is_exchange(c) ? bound_quarter_square(c->nodes) : 0;
}

const struct bound_entry bound_lemma1_line = {
    "lemma1-line", "wavelengths",
    "an exchange of all blocks in one step on a line needs exactly floor(N^2/4) wavelengths (over all fibres), the "
    "lightpaths over its middle link: routes on a line are intervals, which never need more than the load",
    "OpTree, Lemma 1; colouring of interval graphs", .formula = compute_lemma1_line};

static rwa_status compute_lemma1_ring(rwa_bound *b, const struct bound_case *c, rwa_error *err)
{
    (void)err;
    if (bound_on_cycle(c) && c->lost_count == 0 && bound_is_exchange(c))
        b->value = ceil_div((uint64_t)c->nodes * c->nodes, 8); /* ceil(N^2/8), OpTree, Lemma 1 */
    b->holds = c->nodes % 2 == 0;
    bound_say(c, "N^2/8 for N = %u: %s%s", c->nodes, QUOTIENT((uint64_t)c->nodes * c->nodes, 8),
              b->holds ? "" : "; one fewer suffices");
    return RWA_OK;
}

const struct bound_entry bound_lemma1_ring = {
    "lemma1-ring", "wavelengths",
    "an exchange of all blocks in one step on a ring needs ceil(N^2/8) wavelengths (over all fibres)",
    "OpTree, Lemma 1", .compute = compute_lemma1_ring};

static uint64_t compute_ring_exact(const struct bound_case *c)
{
    uint64_t n = c->nodes, each = bound_quarter_square(c->nodes);
    bound_say(c, "the shortest routes from each of %" PRIu64 " nodes have %" PRIu64 " hops, all have %" PRIu64
              ", on %" PRIu64 " directed links: %s", n, each, n * each, 2 * n, QUOTIENT(n * each, 2 * n));
    return bound_on_cycle(c) && c->lost_count == 0 && bound_is_exchange(c) ? ceil_div(bound_quarter_square(c->nodes), 2)
                                                                           : 0;
}

const struct bound_entry bound_ring_alltoall_exact = {
    "ring-alltoall-exact", "wavelengths",
    "an exchange of all blocks in one step on a ring needs exactly ceil(floor(N^2/4)/2) wavelengths (over all "
    "fibres): the shortest routes add up to N floor(N^2/4) hops on 2N directed links",
    "docs/reference/bounds.md: shortest routes", .formula = compute_ring_exact};

/** Return a lower bound on the wavelengths of an exchange in one step on a ring or line: the lightpaths over the
 * fullest directed link, divided by the fibres; 0: it does not apply.  On a line, floor(N^2/4) lightpaths cross that
 * link, on a ring at least half as many. */
static uint64_t compute_load(const struct bound_case *c)
{
    uint64_t fullest = ceil_div(bound_quarter_square(c->nodes), bound_on_cycle(c) ? 2 : 1);
    bound_say(c, "some directed link carries at least %" PRIu64 " lightpaths, on %u fibre%s: %s", fullest, c->fibers,
              plural(c->fibers), QUOTIENT(fullest, c->fibers));
    return c->arcs && bound_is_exchange(c) ? ceil_div(fullest, c->fibers) : 0;
}

const struct bound_entry bound_load = {
    "load", "wavelengths",
    "an exchange of all blocks in one step needs, per fibre, at least the lightpaths over the fullest directed link "
    "divided by the fibres",
    "docs/reference/bounds.md: counting", .formula = compute_load};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Terms: how a collective is composed of phases among ordered participants (round a ring, along a line, row by row of a
 * grid), as text: NAME, or NAME(numbers and terms), for example leaders(9,positions(4,direct,steps(2))).
 *
 * Exchanges over routes of any length (phases.h).  All-gathers:
 *   direct             each sends to each
 *   steps(t)           every block spreads over a translation of the cheapest broadcast tree of t steps, as on a ring
 *   roots(g,t)         segments of g send to a leader, and the leaders' blocks spread over such trees to all; in an
 *                      all-reduce the leaders collect and spread the sums of as many blocks as there are segments
 *   leaders(g,T)       segments of g send to a leader, the leaders carry out T, and each informs its segment
 *   positions(g,T,U)   the participants at the same place in all segments of g carry out T, all places at once; then
 *                      each segment carries out U
 * All-to-alls: direct, leaders and positions as above, with the blocks for others (in T of positions: those for the
 * whole segment of the receiver); steps(t) of 2t or 2t + 1 participants passes blocks round from each to the next.
 * Sums, which an all-reduce takes as sums(T), alone or as T of positions above; T is direct, leaders or positions, with
 * partial sums in place of blocks.  From or to a root:
 *   tree(f,g,…)        a node responsible for a segment splits it in f parts and sends to one node of each, which then
 *                      splits its part …
 *   relays(h)          over lightpaths of up to h links, from relay to relay, in scatters the farthest first
 * A reduce-scatter is an all-gather backwards, an all-reduce one backwards and then forwards, with sums in between.
 * A prefix "rotated:" cuts each block into as many parts as a grid has dimensions; the parts take the dimensions in
 * rotated order, all at the same time.
 *
 * Matchings, where every pair is one hop apart (matchings.h; docs/reference/one-hop.md has a table): windows(r,…),
 * sums(r,…), copies, trees(chunks), tree, digits(r,…) and circles; in an all-reduce windows(r,…,sums(r,…)).
 */
#pragma once

#include "base/base.h"
#include "scheme/scheme.h"

enum phase {
    PHASE_DIRECT, PHASE_STEPS, PHASE_ROOTS, PHASE_LEADERS, PHASE_POSITIONS, PHASE_TREE, PHASE_RELAYS, PHASE_SUMS,
    PHASE_WINDOWS, PHASE_COPIES, PHASE_TREES, PHASE_DIGITS, PHASE_CIRCLES,
    PHASES,
};

enum { TERM_NUMBERS = 24, TERM_NODES = 16 };

/** A phase with its numbers; its subterms are other nodes of the composition, by index. */
struct term {
    enum phase phase;
    uint32_t number[TERM_NUMBERS];
    uint8_t numbers;
    uint8_t subs, sub[2];
};

/** A term with its subterms. */
struct composition {
    struct term node[TERM_NODES];   /* the first is the term itself */
    uint8_t nodes;                  /* 0: there is none */
    bool rotated;
};

/** Make a composition of a term, `head`, and its `subs` subterms, which are given as compositions.  Returns whether it
 * fits into TERM_NODES nodes. */
bool term_join(struct composition *out, const struct term *head, const struct composition *const *sub, uint8_t subs);

/** Write a composition into `text`, in at most TERM_TEXT bytes with the final 0. */
void composition_print(char text[TERM_TEXT], const struct composition *c);
/** Parse the text of a composition.  RWA_BADARG: the text is not a composition */
rwa_status composition_parse(struct composition *out, const char *text, rwa_error *err);
/** Report in `err` that a term, given as text, does not suit the request.  Returns RWA_BADARG. */
rwa_status composition_refuse(const struct plan_request *request, const char *text, rwa_error *err);
/** Return the text of the term that the caller asks for as NAME:TERM; NULL: there is none. */
const char *term_asked(const struct plan_request *request);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Compositions on tori and hypercubes in which every node does the same, moved by the translations of the network: along each dimension
 * in turn all its nodes exchange.  Then what node 0 sends says it all.
 */
#pragma once

#include "scheme/compose/compose.h"

/** Whether all nodes do the same in every exchange of a composition, each of which leads straight along single dimensions. */
bool composition_has_orbits(const struct composition *composition, const struct composing *c);
/** Push the exchanges of a program that holds what node 0 sends: each lightpath is an orbit, but for p->whole.
 *  @param[out] fits  false: some exchange has no such steps, and nothing is pushed */
rwa_status orbits_push(struct schedule_sink *sink, bool *fits, const struct program *p, const struct plan_request *request, rwa_error *err);

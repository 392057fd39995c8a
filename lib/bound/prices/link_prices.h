/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Prices of the links of any network, and what they prove: link-capacity in docs/bounds.md. */
#pragma once

#include "bound/bound.h"

/**
 * The steps that prices of listed links prove, from c->proven on.
 * @param[out] steps  0: no more than c->proven
 * @return RWA_OK; RWA_NOMEM; RWA_CANCELLED
 */
rwa_status link_prices_steps(uint64_t *steps, const struct bound_case *c, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BOUND_CUT_H
#define BOUND_CUT_H

#include "bound/bound.h"

/** The tightest cut found, single nodes among them. */
rwa_status cut_load(struct bound_load *l, const struct bound_case *c, rwa_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shared by the files of WRHT. */
#pragma once

#include "scheme/scheme.h"

rwa_status wrht_validate(const struct plan_request *request, rwa_error *err);
/** The caller's group size, or the paper's 2w + 1. */
rwa_status wrht_estimate(struct estimate *out, const struct plan_request *request, rwa_error *err);
void wrht_formula(rwa_formula *out, const struct plan_request *request);

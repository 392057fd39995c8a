/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files of WRHT share. */
#ifndef SCHEME_WRHT_H
#define SCHEME_WRHT_H

#include "scheme/scheme.h"

rwa_status wrht_validate(const struct scheme_request *request, rwa_error *err);
/** The caller's group size, or the paper's 2w + 1. */
size_t wrht_tunings(struct tuning *out, size_t most, const struct scheme_request *request);
void wrht_formula(rwa_formula *out, const struct scheme_request *request);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths with the slots that they take on each route, and proofs about them. */
#pragma once

#include "assign/assign.h"

/** The lightpaths of the instance with the span of each route, and what each counts. */
struct slots {
    struct job *job;
    struct spectrum spectrum;
    uint32_t *span;
    uint64_t *value;
    struct arena arena;
};

/** `slots` starts with its job and else zeros; close it also after a failure. */
rwa_status slots_open(struct slots *slots);
void slots_close(struct slots *slots);
/** exact.c: improve the best placement, and raise the job's bounds by what is proven: by going through all, or by an integer program. */
rwa_status slots_branch_bound(struct slots *slots, const struct spectrum_goal *goal);
rwa_status slots_link_path(struct slots *slots, const struct spectrum_goal *goal, bool only_written);

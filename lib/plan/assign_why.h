/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Why demands are not served, in words. */
#ifndef PLAN_ASSIGN_WHY_H
#define PLAN_ASSIGN_WHY_H

#include "plan/assign.h"

/** Of a demand without any route, or without two routes apart: the link or risk group that all of them need, if there is one. */
rwa_status why_dead(char *text, size_t size, const struct job *job, uint32_t demand);

/** What stands in the way of serving all, and what would help; into sum->why. */
rwa_status why_not_all(rwa_assign_summary *sum, const struct job *job);

#endif

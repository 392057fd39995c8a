/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a playbook, for the command plan. */
#pragma once

#include "print.h"

/* Make a playbook of a plan in the new folder of -o, and report it.  Return the exit code. */
int playbook_answer(const rwa_plan *plan, rwa_play_kind kind, double limit_s);

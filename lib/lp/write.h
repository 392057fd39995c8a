/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Integer programs as files, for other solvers. */
#pragma once

#include "rwa/solver.h"

#include "base/base.h"

/** The file of the next program, "a-2.lp" for the second one of "a.lp"; caller frees.  NULL: out of memory. */
char *lp_file_name(const rwa_programs *programs, rwa_error *err);
/** Whether a file of this name is MPS. */
bool lp_is_mps(const char *path);
/** Give a file, written under its name with ".tmp", its name: RWA_IO where it was not written, or cannot be renamed. */
rwa_status lp_file_finish(const char *path, const char *temporary, bool written, rwa_error *err);

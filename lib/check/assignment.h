/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CHECK_ASSIGNMENT_H
#define CHECK_ASSIGNMENT_H

#include "rwa/check.h"

/** rwa_check_file() of an assignment file. */
rwa_status check_assignment_file(rwa_check *out, const char *path, const rwa_check_options *opts, rwa_error *err);

#endif

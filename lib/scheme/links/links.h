/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the schemes share whose lightpaths are links. */
#pragma once

#include "scheme/scheme.h"

/** Why lightpaths of one link each do not suit a request, or NULL. */
const char *links_limit(const struct plan_request *request);
/** The same of lightpaths that stay up. */
const char *links_limit_unlike(const struct plan_request *request);

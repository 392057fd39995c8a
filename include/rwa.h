/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * librwa: plans collectives on optical interconnects, proves the plans right, and says how far from the best they are.
 *
 * Include this header and nothing else.  The road through the library:
 *
 *     rwa_network  + rwa_collective          what exists, what must be known where at the end
 *       -> rwa_plan_make()                   scheme, routes, wavelengths, steps; checked before it is called a plan
 *       -> rwa_plan_schedule()               every lightpath of every step
 *       -> rwa_schedule_write()              the file a controller, a simulator or a student reads
 *       -> rwa_check_file()                  the independent verdict on any such file
 *
 * Conventions, everywhere: outputs come first; `const` pointers are borrowed; every *_free() accepts NULL; nodes, links,
 * fibres, wavelengths and blocks count from 0, steps from 1; a function that can fail returns rwa_status, leaves its
 * output NULL on failure, and tells the reason in words to the rwa_error the caller gives (NULL: not wanted).
 * The library prints nothing and keeps no state of its own, but for the allocator that rwa_set_allocator() may have set: two
 * threads may work on two objects, or read one together.
 */
#ifndef RWA_H
#define RWA_H

#include "rwa/status.h"
#include "rwa/network.h"
#include "rwa/collective.h"
#include "rwa/schedule.h"
#include "rwa/io.h"
#include "rwa/solver.h"
#include "rwa/bound.h"
#include "rwa/device.h"
#include "rwa/check.h"
#include "rwa/cost.h"
#include "rwa/plan.h"
#include "rwa/compare.h"
#include "rwa/paper.h"
#include "rwa/demand.h"
#include "rwa/assign.h"
#include "rwa/state.h"
#include "rwa/blocking.h"
#include "rwa/view.h"
#include "rwa/place.h"
#include "rwa/foreign.h"

#endif

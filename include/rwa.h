/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * librwa plans collectives on optical interconnects, checks every plan independently, and compares it with lower
 * bounds.
 *
 * Include only this header.  The usual order of calls:
 *
 *     rwa_network  + rwa_collective          the links, and which node must hold which block at the end
 *       -> rwa_plan_make()                   chooses scheme, routes, wavelengths and steps; runs the checker
 *       -> rwa_plan_schedule()               every lightpath of every step
 *       -> rwa_settings_make()             what each node sets, keeps and clears in a step, for controllers
 *       -> rwa_schedule_write()              the schedule as a file
 *       -> rwa_check_file()                  the independent verdict on any schedule file
 *
 * Around reserved channels and failed links: rwa_network_with_faults() before planning, rwa_plan_repair() during the
 * collective, rwa_playbook_make() for all single failures beforehand.
 *
 * Conventions, everywhere: outputs come first; `const` pointers are borrowed; every *_free() accepts NULL; nodes,
 * links, fibres, wavelengths and blocks count from 0, steps from 1; a function that can fail returns rwa_status, sets
 * its output handle to NULL on failure, and writes the reason to the caller's rwa_error (NULL: no reason wanted).
 * A pointer may be NULL only where its comment says so, and an array where its count is 0.  A function that returns
 * rwa_status answers any other NULL with RWA_BADARG and the name of the argument.  A function without a status is a
 * plain query and needs its object: test first what rwa_plan_schedule() returns, which is NULL if the plan is
 * infeasible.  The library prints nothing.  Its only process-wide state is the allocator of rwa_set_allocator().
 * Threads may work on different objects at the same time, and may read one immutable object together.  Structures:
 * docs/reference/versions.md.
 */
#ifndef RWA_H
#define RWA_H

#include "rwa/status.h"
#include "rwa/limits.h"
#include "rwa/network.h"
#include "rwa/collective.h"
#include "rwa/schedule.h"
#include "rwa/settings.h"
#include "rwa/io.h"
#include "rwa/solver.h"
#include "rwa/bound.h"
#include "rwa/device.h"
#include "rwa/fiber.h"
#include "rwa/check.h"
#include "rwa/cost.h"
#include "rwa/plan.h"
#include "rwa/playbook.h"
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplified fibre: the fibre profile and the table of modulation formats of a command. */
#pragma once

#include "print.h"

extern struct plant {
    const char *device, *table;             /* names or files; NULL: not given */
    rwa_fiber_profile *profile;             /* these three are opened by plant_open() */
    rwa_modulations *modulations;
    rwa_transmission *transmission;
} plant;

extern const option plant_options[], modulation_options[];  /* device; modulations */

/* Open, in `plant`, the fibre profile and the table of modulation formats that the options name; nothing if they name
 * neither.  If needs_profile is 1 and no profile is named, open the profile ssmf.  Return 0, or the exit code after an
 * error message of one line. */
int plant_open(int needs_profile);

/* Return the number of modulation formats in plant.modulations; format_at() returns format number i, from 0. */
size_t formats(void);
rwa_modulation format_at(size_t i);

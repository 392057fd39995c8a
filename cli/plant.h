/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplified fibre: the fibre profile and the table of modulation formats of a command, and reports on formats. */
#pragma once

#include "print.h"

extern struct plant {
    const char *device, *table;             /* names or files; NULL: not given */
    rwa_fiber_profile *profile;             /* these three are opened by plant_open() */
    rwa_modulations *modulations;
    rwa_transmission *transmission;
} plant;

extern const option plant_options[], modulation_options[];  /* device; modulations */

/* Open the fibre profile and the table that the options name; with needs_profile, open the profile ssmf if none is
 * named.  If neither is named, nothing is opened.  Return 0, or the exit code after an error message of one line. */
int plant_open(int needs_profile);

/* The modulation formats of the lightpaths of an assignment, and the number of lightpaths of each. */
typedef struct plant_usage {
    uint64_t *lightpaths;           /* of each format of the table */
    double least_margin_db;         /* NaN without a profile or without lightpaths */
} plant_usage;
int plant_count(plant_usage *out, const rwa_assignment *result);
void say_usage(const plant_usage *usage);
json_t *usage_json(const plant_usage *usage);

/* Report for every modulation format whether it reaches over a route, and the reason.  worst[] has an entry for each
 * format of the table. */
void say_formats(const rwa_modulation_choice *worst);
json_t *formats_json(const rwa_modulation_choice *worst);
/* Report the modulation format chosen for a rate, or that there is none, and why no narrower one was chosen.  worst[]
 * has an entry for each format of the table. */
void say_choice(const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen, double rate_bps);
json_t *choice_json(const rwa_modulation_choice *chosen);
/* Return modulation format number i of the table. */
rwa_modulation format_at(size_t i);

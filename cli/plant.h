/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplified fibre: the profile and the table of modulation formats of a command, and reports on formats. */
#pragma once

#include "print.h"

typedef struct plant_choice {
    const char *device, *table;             /* names or files; NULL: not given */
    rwa_fiber_profile *profile;             /* these three: from plant_open() on */
    rwa_modulations *modulations;
    rwa_transmission *transmission;
} plant_choice;

extern const option plant_options[], modulation_options[];  /* of plant_choice: device; modulations */
#define PLANT_GROUPS(S, M) {plant_options, offsetof(S, M), plant_init}, {modulation_options, offsetof(S, M), NULL}
void plant_init(void *chosen);

/* Open what is named; needs_profile: the profile ssmf stands in when none is named.  slots: of the band, 0: of the profile.
 * Without both names nothing is opened.  0, or the exit code after one line; plant_close() in any case. */
int plant_open(plant_choice *f, int needs_profile, uint32_t slots);
void plant_close(plant_choice *f);

/* The formats that the lightpaths of an assignment got, and how many each. */
typedef struct plant_usage {
    uint64_t *lightpaths;           /* of each format of the table */
    double least_margin_db;         /* NaN by reach, or without lightpaths */
} plant_usage;
int plant_count(plant_usage *out, const plant_choice *f, const rwa_assign_result *result);
void print_usage(FILE *to, const plant_choice *f, const plant_usage *usage);
json_t *usage_json(const plant_choice *f, const plant_usage *usage);

/* Every format over a route, and why it reaches or not; worst has an entry for each format of the table. */
void print_formats(FILE *to, const plant_choice *f, const rwa_modulation_choice *worst);
json_t *formats_json(const plant_choice *f, const rwa_modulation_choice *worst);
/* The format that a rate got, or that there is none, and why no narrower one; worst as above. */
void print_choice(FILE *to, const plant_choice *f, const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen,
                  double rate_bps);
json_t *choice_json(const plant_choice *f, const rwa_modulation_choice *chosen);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The device profiles built into the library; the table is generated from data/devices. */
#ifndef POWER_PROFILES_H
#define POWER_PROFILES_H

struct profile_text {
    const char *name;
    const char *json;
};

/** Ends with {NULL, NULL}. */
extern const struct profile_text profile_texts[];

#endif

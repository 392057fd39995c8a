/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names and their numbers: each name once, numbered from 0 in the order in which they were added. */
#pragma once

#include "rwa/status.h"

#define NAMES_NONE UINT32_MAX

/** A set of names with their numbers.  Start with {0}. */
struct names {
    char **list;
    uint32_t count;
    uint32_t *slots;    /* hash table, open addressing: number + 1, 0 is free */
    size_t slot_count;  /* a power of two */
};

/** Set *number to the number of a name, from 0.  A new name is added, and gets the next number.  Amortised O(length).
 *  RWA_NOMEM. */
rwa_status names_add(struct names *names, const char *text, uint32_t *number, rwa_error *err);
/** Return the number of a name, or NAMES_NONE if it was not added. */
uint32_t names_find(const struct names *names, const char *text);
void names_free(struct names *names);

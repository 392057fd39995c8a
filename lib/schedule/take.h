/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Take members of a parsed header.  The first failure, whose message names the file and the member, is kept: take any
 *  number of members and ask for the status once. */
#pragma once

#include "schedule/header.h"

#include <jansson.h>

struct taker {
    rwa_header *out;
    const char *file;
    const rwa_limits *limits;   /* the caller's; NULL: none */
    rwa_error *err;
    rwa_status status;
};

/** Unless `good`, record in `t` that member `name` is not as expected; `what` says what was expected.  Do nothing if
 * `t` has a failure already. */
void take_need(struct taker *t, bool good, const char *name, const char *what);
/** If `st` is a failure, and the first, record it in `t`; its message gets the file and line of the header.  Return
 * whether all has succeeded so far. */
bool take_keep(struct taker *t, rwa_status st);

/** Return member `name` of the object, an integer from 0 to `max`; 0 after a failure. */
uint64_t take_integer(struct taker *t, const json_t *object, const char *name, uint64_t max);
/** Return member `name` of the object, an integer of 32 bits; `absent` if there is no such member, and 0 after a
 * failure. */
uint32_t take_optional(struct taker *t, const json_t *object, const char *name, uint32_t absent);
/** Return member `name` of the object, an array of *count integers.  The caller frees it, also after a failure. */
uint32_t *take_numbers(struct taker *t, const json_t *object, const char *name, size_t *count);

/** Read the network of the header, with its reserved channels and failed links, into t->out. */
void take_network(struct taker *t, const json_t *header);

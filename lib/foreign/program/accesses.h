/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Accesses of blocks at nodes, in the order of a program: what each has to wait for. */
#pragma once

#include "base/arena.h"
#include "foreign/program/messages.h"

#define ACCESS_NONE UINT32_MAX

struct cell;
struct block_read;

struct accesses {
    const struct messages *p;
    struct arena memory;
    struct cell *cells;             /* [node][block] */
    struct block_read *reads;
    size_t read_count, read_capacity;
    uint32_t *awaits;               /* filled by accesses_find() */
    size_t await_count, await_capacity;
    rwa_error *err;
};

/** RWA_NOMEM also when nodes * blocks do not fit this machine. */
rwa_status accesses_open(struct accesses *a, const struct messages *p);
void accesses_free(struct accesses *a);
/** Into a->awaits: the operations that must be over before a node reads, or writes, the blocks of a message.  A read waits for the last
 *  write; a write too, and in a reduction for the reads since then.  An operation may stand there twice. */
rwa_status accesses_find(struct accesses *a, uint32_t node, const struct message *m, bool writes);
/** An operation that reads, or writes, them. */
rwa_status accesses_record(struct accesses *a, uint32_t node, const struct message *m, bool writes, uint32_t operation);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Chakra traces while they are being read: operations of nodes, and in which step each can happen. */
#pragma once

#include "foreign/import.h"

#include "base/arena.h"

#define CHAKRA_NONE UINT64_MAX

/** An operation of a node. */
struct chakra_op {
    uint64_t id;
    uint32_t node;
    uint32_t number;            /* in its file, from 1 */
    uint64_t type;
    uint64_t src, dst, tag;     /* send, receive */
    uint64_t bytes;             /* CHAKRA_NONE: not named */
    uint64_t block, blocks;     /* what moves; block CHAKRA_NONE: not named */
    size_t first_dep, dep_count;
    bool reduces;               /* a receive whose value is added, and its addition */
    size_t event;               /* the transfer, of a send, its receive and its addition; else one of its own */
};

struct chakra_traces {
    struct import *im;
    char file[512];             /* in work, for messages */
    struct chakra_op *ops;
    size_t count, capacity;
    uint64_t *deps;             /* ids; after chakra_resolve() numbers of operations */
    size_t dep_count, dep_capacity;
    size_t *send;               /* of each transfer: its send, and its receive */
    size_t *receive;
    size_t transfers, events;
    rwa_collective_kind kind;   /* 0: the files do not name it */
    uint64_t root, blocks, block_bytes;
    struct arena memory;        /* of send and receive */
};

/** RWA_FORMAT with "FILE: operation N: …"; op NULL: the file as a whole. */
rwa_status chakra_fail(const struct chakra_traces *t, const struct chakra_op *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Find what operations depend on, pair sends with receives, and in a reduction receives with their additions.  RWA_FORMAT */
rwa_status chakra_resolve(struct chakra_traces *t);
/** The step of each event, from 0.  RWA_FORMAT: operations that wait for each other */
rwa_status chakra_settle(uint32_t *step, const struct chakra_traces *t);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The thread blocks of an MSCCL program: channels, order, dependencies. */
#pragma once

#include "foreign/program/messages.h"

#define BLOCKS_NONE UINT32_MAX

/** Limits of the runtimes. */
enum {
    MSCCL_CHANNELS = 32, MSCCL_PEERS = 32,      /* channels, and senders or receivers of a node on each */
    MSCCL_STEPS_FEW = 64, MSCCL_STEPS = 256,    /* of a thread block, in one runtime and in the others */
    MSCCL_COUNT = 71                            /* chunks of an instruction */
};

/** Directions: a thread block sends to a peer, or receives from it. */
enum { SENDS, RECEIVES, WAYS };

/** A thread block: instructions in order, on a channel with at most one sender and one receiver. */
struct thread_block {
    uint32_t channel, peer[WAYS];               /* BLOCKS_NONE: it sends to, or receives from, no peer */
    uint32_t first, last, steps;                /* its instructions */
    uint32_t next[WAYS];                        /* its node's next thread block with the same peer */
    uint32_t sent;                              /* the last message that it sent */
    uint32_t awaited;                           /* its last instruction for which the instruction in work waits */
};

struct instruction {
    uint32_t block, place;      /* place: in its thread block, from 0 */
    uint32_t in, out;           /* messages; BLOCKS_NONE twice: it only waits */
    uint32_t await_block, await_place;
    uint32_t next;              /* the next instruction of its thread block */
    bool awaited;
};

/** The thread blocks of a node. */
struct node_blocks {
    struct thread_block *list;
    uint32_t count;
    uint16_t ends[WAYS][MSCCL_CHANNELS];        /* numbers of thread blocks that send, and that receive */
};

struct msccl_blocks {
    const struct messages *p;
    struct node_blocks *nodes;
    struct instruction *list;
    size_t count;
    uint32_t channels;
};

/**
 * Set b to a program for the messages p: assign each to a channel and to a thread block at both ends, and find the
 * dependencies.  A receive and the send that passes its data on become one instruction where possible.  The program
 * cannot deadlock: in the order of accesses_walk() every instruction finds its dependencies met and its queue free,
 * even if a queue holds one message.
 * @return RWA_OK; RWA_BADARG: it needs more than MSCCL_CHANNELS, MSCCL_PEERS or MSCCL_STEPS; RWA_NOMEM.
 *         Cost O(blocks that move, times thread blocks of a node)
 */
rwa_status msccl_blocks_plan(struct msccl_blocks *b, const struct messages *p);
void msccl_blocks_free(struct msccl_blocks *b);

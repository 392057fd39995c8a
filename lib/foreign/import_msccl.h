/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An MSCCL program while it is being read: instructions of thread blocks, and in which step each can be carried out. */
#pragma once

#include "foreign/import.h"

#define MSCCL_NONE UINT32_MAX

/** An instruction; those of a thread block follow each other, those of a node too. */
struct msccl_step {
    uint32_t node, thread, place;   /* place: in its thread block, from 0 */
    uint32_t from, to, chan;        /* peers of its thread block; MSCCL_NONE: none */
    bool receives, sends, reduces;
    uint32_t out, in, count;        /* first block sent and first block stored, and how many */
    uint32_t awaits_thread, awaits_place; /* thread MSCCL_NONE: nothing */
    size_t line;
};

struct msccl_program {
    struct import *im;
    bool reduction, inplace;
    uint64_t chunks;                /* blocks of a node's input */
    struct msccl_step *list;
    size_t count, capacity;
    size_t *first;                  /* of node v: list[first[v]] … list[first[v + 1] - 1] */
};

/** Pair sends with receives, find the first step in which each can be carried out, and append them as transfers.
 *  RWA_FORMAT: one without the other, or some that wait for each other in a circle. */
rwa_status msccl_order(struct msccl_program *p);

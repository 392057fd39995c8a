/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Collectives: the blocks that each node must hold at the end, and the size of a block. */
#ifndef RWA_COLLECTIVE_H
#define RWA_COLLECTIVE_H

#include "rwa/network.h"

/** id, value, name on the command line and in files */
#define RWA_COLLECTIVE_MAP(X)                \
    X(ALL_GATHER, 1, "all-gather")           \
    X(ALL_REDUCE, 2, "all-reduce")           \
    X(REDUCE_SCATTER, 3, "reduce-scatter")   \
    X(BROADCAST, 4, "broadcast")             \
    X(SCATTER, 5, "scatter")                 \
    X(GATHER, 6, "gather")                   \
    X(ALL_TO_ALL, 7, "all-to-all")           \
    X(ROOTED_REDUCE, 8, "reduce")

typedef enum rwa_collective_kind {
#define X(id, value, name) RWA_##id = value,
    RWA_COLLECTIVE_MAP(X)
#undef X
} rwa_collective_kind;

/**
 * A collective on a number of nodes.  Plain data: copy it, compare it, keep it on the stack.
 * Owners: all-gather, gather, scatter and reduce-scatter: block b belongs to node floor(b * nodes / blocks);
 * broadcast and reduce: the root owns every block; all-to-all of p * nodes^2 blocks: block (src * nodes + dst) * p + i
 * is part i of the data that starts at src and must reach dst.
 */
typedef struct rwa_collective {
    size_t struct_size;         /**< set by rwa_collective_init() */
    rwa_collective_kind kind;
    uint32_t nodes;
    uint32_t root;              /**< broadcast, scatter, gather, reduce; 0 otherwise */
    uint32_t blocks_given;      /**< 1: the number of blocks was given to rwa_collective_init(), and a plan must keep
                                     it */
    uint64_t blocks;            /**< default: rwa_collective_default_blocks() */
    uint64_t block_bytes;       /**< ceil(message / blocks) for broadcast and reductions, else ceil(message * nodes /
                                     blocks) */
    uint64_t message_bytes;     /**< as given to rwa_collective_init(); a schedule read from a file has 0 */
} rwa_collective;

/**
 * Fill a collective with its defaults.
 * @param size           sizeof *out; the macro rwa_collective_init() passes it
 * @param message_bytes  bytes per node; broadcast: bytes of the root; reductions: bytes of a vector; at least 1
 * @param blocks         number of blocks; 0: the default number, and a planner may choose a quicker one
 * @return RWA_OK; RWA_BADARG: unknown kind, fewer than two nodes, a root outside the nodes, no message, blocks beyond
 *         2^32 - 1 or a message whose product with the nodes overflows 64 bits
 */
RWA_API rwa_status rwa_collective_init_sized(rwa_collective *out, size_t size, rwa_collective_kind kind, uint32_t nodes,
                                             uint32_t root, uint64_t message_bytes, uint64_t blocks, rwa_error *err);
#define rwa_collective_init(out, kind, nodes, root, message, blocks, err) \
    rwa_collective_init_sized((out), sizeof *(out), (kind), (nodes), (root), (message), (blocks), (err))

/** Return the default number of blocks: one per node; nodes * nodes for all-to-all; 1 for broadcast and reduce. */
RWA_API uint64_t rwa_collective_default_blocks(rwa_collective_kind kind, uint32_t nodes);
/** Return the name of a collective, such as "all-gather", a constant; NULL for a value outside the enum. */
RWA_API const char *rwa_collective_name(rwa_collective_kind kind);
/** Return 1 if one node, the root, begins or ends with all blocks (broadcast, scatter, gather, reduce), else 0. */
RWA_API int rwa_collective_has_root(rwa_collective_kind kind);
/** Return 1 if vectors are added up, so that lightpaths may carry RWA_REDUCE (all-reduce, reduce-scatter, reduce), else
 *  0. */
RWA_API int rwa_collective_is_reduction(rwa_collective_kind kind);
/** Return the rwa_collective_kind that has this name; 0: there is none. */
RWA_API int rwa_collective_find(const char *name);
/** Return the node that owns a block, 0 … blocks - 1 (see rwa_collective). */
RWA_API uint32_t rwa_collective_owner(const rwa_collective *coll, uint64_t block);

#endif

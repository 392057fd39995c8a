/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "collective/needs.h"

NAMED(rwa_collective_name, rwa_collective_kind, RWA_COLLECTIVE_MAP, NULL)

int rwa_collective_find(const char *name)
{
#define X(id, value, text) \
    if (strcmp(name, text) == 0) \
        return value;
    RWA_COLLECTIVE_MAP(X)
#undef X
    return 0;
}

uint64_t rwa_collective_default_blocks(rwa_collective_kind kind, uint32_t nodes)
{
    if (kind == RWA_ALL_TO_ALL)
        return (uint64_t)nodes * nodes;
    return kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE ? 1 : nodes;
}

int rwa_collective_has_root(rwa_collective_kind kind)
{
    return kind == RWA_BROADCAST || kind == RWA_SCATTER || kind == RWA_GATHER || kind == RWA_ROOTED_REDUCE;
}

int rwa_collective_is_reduction(rwa_collective_kind kind)
{
    return kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER || kind == RWA_ROOTED_REDUCE;
}

/** Return the size of a block in bytes, rounded up.  `message` is the size of the one message for all blocks (a vector,
 *  or that of the root of a broadcast); in other collectives that of the message of each node. */
static uint64_t block_size(const rwa_collective *c, uint64_t message)
{
    uint64_t total = collective_message_is_whole(c->kind) ? message : message * c->nodes;
    return total / c->blocks + (total % c->blocks != 0);
}

rwa_status rwa_collective_init_sized(rwa_collective *out, size_t size, rwa_collective_kind kind, uint32_t nodes,
                                     uint32_t root, uint64_t message_bytes, uint64_t blocks, rwa_error *err)
{
    BEGIN(err, out);
    rwa_collective c = {.struct_size = sizeof c,
                        .kind = kind,
                        .nodes = nodes,
                        .root = root,
                        .blocks_given = blocks > 0,
                        .blocks = blocks,
                        .message_bytes = message_bytes};
    memset(out, 0, size);
    if (!rwa_collective_name(kind))
        return base_refuse(err, "collective %d: unknown", (int)kind);
    if (nodes < 2)
        return base_refuse(err, "collective on %u nodes: expected at least 2", nodes);
    if (root >= nodes)
        return base_refuse(err, "root %u: expected 0 to %u", root, nodes - 1);
    if (message_bytes < 1 || message_bytes > UINT64_MAX / nodes)
        return base_refuse(err, "message: expected 1 to %llu bytes", (unsigned long long)(UINT64_MAX / nodes));
    if (c.blocks == 0)
        c.blocks = rwa_collective_default_blocks(kind, nodes);
    if (c.blocks > UINT32_MAX)
        return base_refuse(err, "%llu blocks: expected at most %u", (unsigned long long)c.blocks, UINT32_MAX);
    c.block_bytes = block_size(&c, message_bytes);
    c.struct_size = size;
    memcpy(out, &c, size < sizeof c ? size : sizeof c);
    return RWA_OK;
}

uint32_t rwa_collective_owner(const rwa_collective *coll, uint64_t block)
{
    if (coll->kind == RWA_BROADCAST || coll->kind == RWA_ROOTED_REDUCE)
        return coll->root;
    if (coll->kind == RWA_ALL_TO_ALL)
        return (uint32_t)(block / collective_parts(coll) / coll->nodes);
    return (uint32_t)(block * coll->nodes / coll->blocks);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Steps as the Harvest planner reads and writes them: demands [source, destination, bytes], or topologies [source,
 * destination, lanes], where a lane is a wavelength that carries a block.  Bytes become blocks of the largest size that
 * divides all numbers of bytes.
 */
#include "foreign/import.h"

/* Bytes are doubles in JSON: whole up to here. */
#define BYTES_MAX 9007199254740992.0

struct harvest_steps {
    struct import *im;
    const char *member;     /* "demand" or "topology" */
};

static rwa_status add_entry(struct harvest_steps *a, json_t *entry, uint32_t step)
{
    struct import *im = a->im;
    double number[3];
    bool sound = json_unpack(entry, "[F,F,F!]", &number[0], &number[1], &number[2]) == 0;
    for (size_t i = 0; i < 3 && sound; i++)
        sound = number[i] >= 0 && number[i] < BYTES_MAX && number[i] == floor(number[i]);
    if (!sound)
        return import_fail_at(im, entry, "expected [source, destination, %s], whole numbers",
                              a->member[0] == 'd' ? "bytes" : "lanes");
    if (number[0] >= im->nodes || number[1] >= im->nodes || number[0] == number[1])
        return import_fail_at(im, entry, "from node %.0f to node %.0f, expected two different nodes from 0 to %u",
                              number[0], number[1], im->nodes - 1);
    if (number[2] == 0)
        return RWA_OK;
    return base_append(im->lanes, im->lane_count, im->err,
                       (struct import_lane){step, (uint32_t)number[0], (uint32_t)number[1], (uint64_t)number[2],
                                            entry});
}

static rwa_status add_step(struct harvest_steps *a, const json_t *one, uint32_t step)
{
    const json_t *demand = json_object_get(one, "demand"), *topology = json_object_get(one, "topology");
    const json_t *list = demand ? demand : topology, *number = json_object_get(one, "step");
    const char *member = demand ? "demand" : "topology";
    json_t *entry;
    size_t i;
    if (!demand == !topology)
        return import_fail_at(a->im, one, "expected a step with either \"demand\" or \"topology\"");
    if (a->member && strcmp(a->member, member) != 0)
        return import_fail_at(a->im, list, "a %s after a %s, expected one of them throughout", member, a->member);
    a->member = member;
    if (number && json_integer_value(number) != step)
        return import_fail_at(a->im, one, "expected \"step\": %u, in order from 1", step);
    if (!json_is_array(list))
        return import_fail_at(a->im, list, "expected \"%s\" to be an array", member);
    json_array_foreach(list, i, entry)
        MUST(add_entry(a, entry, step));
    return RWA_OK;
}

static rwa_status add_steps(struct harvest_steps *a)
{
    struct import *im = a->im;
    const json_t *steps = json_object_get(im->json, "steps"), *n = json_object_get(im->json, "n"), *one;
    size_t i;
    if (n && json_integer_value(n) != (json_int_t)im->nodes)
        return import_fail_at(im, n, "\"n\" is %" JSON_INTEGER_FORMAT ", the network has %u nodes",
                              json_integer_value(n), im->nodes);
    if (!json_is_array(steps) || json_array_size(steps) == 0 || json_array_size(steps) > UINT32_MAX / 2)
        return import_fail_at(im, steps, "expected \"steps\", an array of them");
    json_array_foreach(steps, i, one)
        MUST(add_step(a, one, (uint32_t)i + 1));
    return im->lane_count > 0 ? RWA_OK : import_fail_at(im, steps, "nothing moves in any step");
}

/** Return the number of blocks of a collective of this kind that sends a block from node to node `moved` times in all.
 *  Each block goes to every other node once (all-reduce: twice).  Return 0 if there is no such number, and for an
 *  all-to-all. */
static uint64_t blocks_of(uint64_t nodes, rwa_collective_kind kind, uint64_t moved)
{
    uint64_t times = (nodes - 1) * (kind == RWA_ALL_REDUCE ? 2 : 1);
    bool even = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || moved / times % nodes == 0;
    return kind != RWA_ALL_TO_ALL && moved % times == 0 && even ? moved / times : 0;
}

static uint64_t message_of(uint64_t nodes, rwa_collective_kind kind, uint64_t unit, uint64_t blocks)
{
    if (kind == RWA_ALL_TO_ALL)
        return unit * nodes;
    if (blocks == 0)
        blocks = rwa_collective_default_blocks(kind, (uint32_t)nodes);
    return kind == RWA_ALL_GATHER ? unit * (blocks / nodes ? blocks / nodes : 1) : unit * blocks;
}

/** Convert the bytes of the lanes, if they have bytes, into blocks.  Then set the collective of the import from the
 *  options (default all-gather), with the number of blocks for which it moves as many blocks as the lanes do. */
static rwa_status count_blocks(const struct harvest_steps *a)
{
    struct import *im = a->im;
    rwa_collective_kind kind = im->o.collective ? im->o.collective : RWA_ALL_GATHER;
    assert(a->member);
    bool bytes = a->member[0] == 'd';
    uint64_t unit = bytes ? import_count_blocks(im) : 1, moved = 0, nodes = im->nodes;
    for (const struct import_lane *lane = im->lanes; lane < im->lanes + im->lane_count; lane++) {
        if (lane->count > UINT32_MAX)
            return import_fail_at(im, lane->at, "%" PRIu64 " blocks of %" PRIu64 " bytes, expected fewer than 2^32",
                                  lane->count, unit);
        moved += lane->count;
    }
    uint64_t blocks = im->o.blocks ? im->o.blocks : blocks_of(nodes, kind, moved);
    return import_collective(im, 0, blocks, bytes ? message_of(nodes, kind, unit, blocks) : 0);
}

static rwa_status read_harvest(struct import *im)
{
    struct harvest_steps a = {.im = im};
    MUST(add_steps(&a));
    MUST(count_blocks(&a));
    return import_choose_blocks(im);
}

const struct import_format import_harvest = {"harvest", "{", NULL, read_harvest};

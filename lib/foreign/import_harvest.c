/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Steps as the Harvest planner reads and writes them: demands [source, destination, bytes], or topologies [source,
 * destination, lanes], where a lane is a wavelength that carries a block.  Bytes become blocks of the size that divides
 * them all.
 */
#include "base/arithmetic.h"
#include "base/json.h"
#include "foreign/import.h"

/* Bytes are doubles in JSON: whole up to here. */
#define BYTES_MAX 9007199254740992.0

struct amounts {
    struct import *im;
    struct import_lane *lanes;
    uint64_t *bytes;        /* of each lane; its lanes, where the file has topologies */
    size_t count, capacity, bytes_capacity;
    const char *member;     /* "demand" or "topology" */
};

static size_t line_at(const struct import *im, const char *member, size_t step, size_t entry)
{
    const struct json_step way[] = {{"steps", 0}, {NULL, step}, {member, 0}, {NULL, entry}};
    return json_line(im->text, way, entry == SIZE_MAX ? (member ? 3 : step == SIZE_MAX ? 1 : 2) : 4);
}

static size_t line_of(const struct import *im, const struct import_lane *lane)
{
    size_t demand = line_at(im, "demand", lane->step - 1, lane->entry), other = line_at(im, "topology", lane->step - 1, lane->entry);
    return demand > other ? demand : other; /* a way that leads nowhere stops at the step */
}

static rwa_status add_entry(struct amounts *a, const json_t *entry, size_t step, size_t place)
{
    struct import *im = a->im;
    uint32_t nodes = rwa_network_nodes(im->net);
    double figures[3];
    bool sound = json_array_size(entry) == 3;
    for (size_t i = 0; i < 3 && sound; i++) {
        figures[i] = json_number_value(json_array_get(entry, i));
        sound = json_is_number(json_array_get(entry, i)) && figures[i] >= 0 && figures[i] < BYTES_MAX && figures[i] == floor(figures[i]);
    }
    if (!sound)
        return import_fail(im, line_at(im, a->member, step, place), "expected [source, destination, %s], whole numbers",
                           a->member[0] == 'd' ? "bytes" : "lanes");
    if (figures[0] >= nodes || figures[1] >= nodes || figures[0] == figures[1])
        return import_fail(im, line_at(im, a->member, step, place), "from node %.0f to node %.0f, expected two different nodes from 0 to %"
                           PRIu32, figures[0], figures[1], nodes - 1);
    if (figures[2] == 0)
        return RWA_OK;
    MUST(base_grow((void **)&a->lanes, &a->capacity, a->count + 1, sizeof *a->lanes, im->err));
    MUST(base_grow((void **)&a->bytes, &a->bytes_capacity, a->count + 1, sizeof *a->bytes, im->err));
    a->lanes[a->count] = (struct import_lane){.step = (uint32_t)step + 1, .src = (uint32_t)figures[0],
                                              .dst = (uint32_t)figures[1], .entry = place};
    a->bytes[a->count++] = (uint64_t)figures[2];
    return RWA_OK;
}

static rwa_status add_step(struct amounts *a, const json_t *one, size_t step)
{
    const json_t *demand = json_object_get(one, "demand"), *topology = json_object_get(one, "topology"), *entry;
    const json_t *number = json_object_get(one, "step");
    size_t i;
    if (!demand == !topology)
        return import_fail(a->im, line_at(a->im, NULL, step, SIZE_MAX), "expected a step with either \"demand\" or \"topology\"");
    const char *member = demand ? "demand" : "topology";
    if (a->member && strcmp(a->member, member) != 0)
        return import_fail(a->im, line_at(a->im, member, step, SIZE_MAX), "a %s after a %s, expected one of them throughout", member,
                           a->member);
    a->member = member;
    if (number && json_integer_value(number) != (json_int_t)step + 1)
        return import_fail(a->im, line_at(a->im, NULL, step, SIZE_MAX), "expected \"step\": %zu, in order from 1", step + 1);
    if (!json_is_array(demand ? demand : topology))
        return import_fail(a->im, line_at(a->im, member, step, SIZE_MAX), "expected \"%s\" to be an array", member);
    json_array_foreach(demand ? demand : topology, i, entry) {
        MUST(add_entry(a, entry, step, i));
    }
    return RWA_OK;
}

static rwa_status add_steps(struct amounts *a, const json_t *root)
{
    const json_t *steps = json_object_get(root, "steps"), *n = json_object_get(root, "n"), *one;
    const struct json_step way = {"n", 0};
    size_t i;
    if (n && json_integer_value(n) != (json_int_t)rwa_network_nodes(a->im->net))
        return import_fail(a->im, json_line(a->im->text, &way, 1), "\"n\" is %" JSON_INTEGER_FORMAT ", the network has %" PRIu32
                           " nodes", json_integer_value(n), rwa_network_nodes(a->im->net));
    if (!json_is_array(steps) || json_array_size(steps) == 0 || json_array_size(steps) > UINT32_MAX / 2)
        return import_fail(a->im, line_at(a->im, NULL, SIZE_MAX, SIZE_MAX), "expected \"steps\", an array of them");
    json_array_foreach(steps, i, one) {
        MUST(add_step(a, one, i));
    }
    if (a->count == 0)
        return import_fail(a->im, line_at(a->im, NULL, SIZE_MAX, SIZE_MAX), "nothing moves in any step");
    return RWA_OK;
}

/** A collective without waste moves every block to every node but one (all-reduce: twice); 0: it cannot be that. */
static uint64_t blocks_of(const struct import *im, rwa_collective_kind kind, uint64_t moved)
{
    uint64_t others = (uint64_t)rwa_network_nodes(im->net) - 1, times = kind == RWA_ALL_REDUCE ? 2 * others : others;
    bool even = kind == RWA_BROADCAST || kind == RWA_ROOTED_REDUCE || moved / times % rwa_network_nodes(im->net) == 0;
    return kind != RWA_ALL_TO_ALL && moved % times == 0 && even ? moved / times : 0;
}

static uint64_t message_of(const struct import *im, rwa_collective_kind kind, uint64_t unit, uint64_t blocks)
{
    uint64_t nodes = rwa_network_nodes(im->net);
    if (kind == RWA_ALL_TO_ALL)
        return unit * nodes;
    if (blocks == 0)
        blocks = rwa_collective_default_blocks(kind, (uint32_t)nodes);
    return kind == RWA_ALL_GATHER ? unit * (blocks / nodes ? blocks / nodes : 1) : unit * blocks;
}

/** Bytes become blocks, and the collective is what so many of them can be. */
static rwa_status count_blocks(struct amounts *a)
{
    struct import *im = a->im;
    rwa_collective_kind kind = im->o.collective ? im->o.collective : RWA_ALL_GATHER;
    assert(a->member);
    bool sized = a->member[0] == 'd';
    uint64_t unit = sized ? 0 : 1, moved = 0;
    for (size_t i = 0; i < a->count && sized; i++)
        unit = common_divisor(a->bytes[i], unit);
    for (size_t i = 0; i < a->count; i++) {
        uint64_t blocks = a->bytes[i] / unit;
        if (blocks > UINT32_MAX)
            return import_fail(im, line_of(im, &a->lanes[i]), "%" PRIu64 " blocks of %" PRIu64 " bytes, expected fewer than 2^32", blocks,
                               unit);
        a->lanes[i].count = (uint32_t)blocks;
        moved += blocks;
    }
    uint64_t blocks = im->o.blocks ? im->o.blocks : blocks_of(im, kind, moved);
    return import_collective(im, 0, blocks, sized ? message_of(im, kind, unit, blocks) : 0);
}

static rwa_status read_harvest(struct import *im)
{
    struct amounts a = {.im = im};
    json_t *root = NULL;
    rwa_status st = RWA_OK;
    TRY(json_open(&root, im->text, im->length, im->path, im->err));
    TRY(add_steps(&a, root));
    TRY(count_blocks(&a));
    TRY(import_choose_blocks(im, a.lanes, a.count, line_of));
done:
    json_decref(root);
    free_all(a.lanes, a.bytes);
    return st;
}

const struct import_format import_harvest = {"harvest", "steps of demands or topologies as JSON: source, destination and amount", "{", NULL,
                                             read_harvest};

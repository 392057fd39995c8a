/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A schedule file for the second judge, read with jansson and without a line of the library's reader: rings and lines
 * of a few nodes.  docs/reference/formats.md is all it knows.
 */
#pragma once

#include "tests/support/plain_judge.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAIN_LINE = 1 << 16 };

/** A whole number of at most `most`; `missing` where there is none.  False: something else. */
static bool plain_number(uint64_t *out, const json_t *object, const char *name, uint64_t missing, uint64_t most)
{
    const json_t *value = json_object_get(object, name);
    *out = missing;
    if (!value)
        return missing <= most;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return *out <= most;
}

/** A list of at most `room` numbers; without the member it is empty. */
static bool plain_list(uint32_t *list, uint32_t *count, const json_t *object, const char *name, uint32_t room)
{
    const json_t *array = json_object_get(object, name);
    *count = 0;
    if (!array)
        return true;
    if (!json_is_array(array) || json_array_size(array) > room)
        return false;
    for (; *count < json_array_size(array); ++*count) {
        const json_t *entry = json_array_get(array, *count);
        if (!json_is_integer(entry) || json_integer_value(entry) < 0 || json_integer_value(entry) > UINT32_MAX)
            return false;
        list[*count] = (uint32_t)json_integer_value(entry);
    }
    return true;
}

/** "cw:3", "ccw:3", or "3" for both directions. */
static bool plain_failed(struct setting *s, const json_t *network)
{
    const json_t *array = json_object_get(network, "failed");
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (!text || s->failed_count + 2 > CLOSED)
            return false;
        bool cw = strncmp(text, "ccw:", 4) != 0, ccw = strncmp(text, "cw:", 3) != 0;
        uint32_t link = (uint32_t)strtoul(text + (cw && ccw ? 0 : cw ? 3 : 4), NULL, 10);
        if (cw)
            s->failed[s->failed_count++] = link;
        if (ccw)
            s->failed[s->failed_count++] = (uint32_t)s->links + link;
    }
    return true;
}

static bool plain_network(struct setting *s, const json_t *network)
{
    const char *kind = json_string_value(json_object_get(network, "kind"));
    uint32_t reserved;
    uint64_t from;
    s->ring = kind && strcmp(kind, "ring") == 0;
    if (!s->ring && !(kind && strcmp(kind, "line") == 0))
        return false;
    if (!plain_number(&s->nodes, network, "nodes", UINT64_MAX, s->reduction ? FEW : MANY) ||
        !plain_number(&s->fibers, network, "fibers", 1, CHANNELS) ||
        !plain_number(&s->wavelengths, network, "wavelengths", UINT64_MAX, CHANNELS) ||
        s->fibers * s->wavelengths > CHANNELS || s->nodes < 2)
        return false;
    s->links = s->ring ? s->nodes : s->nodes - 1;
    if (!plain_number(&s->ports, network, "ports", 0, UINT32_MAX) ||
        !plain_number(&from, network, "failed_from", 0, UINT32_MAX) ||
        !plain_list(s->reserved, &reserved, network, "reserved", CLOSED))
        return false;
    s->reserved_count = reserved;
    s->failed_from = (uint32_t)from;
    return plain_failed(s, network);
}

static bool plain_places(struct setting *s, const json_t *header)
{
    uint32_t count;
    uint64_t root;
    if (!plain_list(s->member, &count, header, "members", MANY) || !plain_number(&root, header, "root", 0, s->nodes))
        return false;
    s->places = count;
    if (!json_object_get(header, "members"))
        for (; s->places < s->nodes; s->places++)
            s->member[s->places] = (uint32_t)s->places;
    bool rooted = s->kind == RWA_BROADCAST || s->kind == RWA_SCATTER || s->kind == RWA_GATHER ||
                  s->kind == RWA_ROOTED_REDUCE;
    s->root = rooted ? place_of(s, root) : 0;
    return s->places >= 2 && s->root < s->places;
}

static bool plain_header(struct setting *s, const json_t *header)
{
    const char *collective = json_string_value(json_object_get(header, "collective"));
    memset(s, 0, offsetof(struct setting, lines));
    s->kind = collective ? (rwa_collective_kind)rwa_collective_find(collective) : 0;
    s->reduction = s->kind == RWA_ALL_REDUCE || s->kind == RWA_REDUCE_SCATTER || s->kind == RWA_ROOTED_REDUCE;
    return s->kind != 0 && plain_network(s, json_object_get(header, "network")) && plain_places(s, header) &&
           plain_number(&s->blocks, header, "blocks", UINT64_MAX, BLOCKS) && s->blocks > 0 &&
           plain_number(&s->steps, header, "steps", UINT64_MAX, UINT32_MAX) &&
           plain_number(&s->slots, header, "slots", 1, UINT32_MAX) &&
           (s->kind != RWA_ALL_TO_ALL || s->blocks == s->places * s->places); /* one part for each pair */
}

/** Runs of blocks, written out. */
static bool plain_runs(struct line *l, const json_t *runs)
{
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = json_array_get(runs, i);
        uint64_t first = (uint64_t)json_integer_value(json_array_get(run, 0));
        uint64_t stride = (uint64_t)json_integer_value(json_array_get(run, 2));
        for (json_int_t k = 0; k < json_integer_value(json_array_get(run, 1)); k++) {
            if (l->loads == LOAD || first > UINT32_MAX || stride > UINT32_MAX ||
                first + (uint64_t)k * stride > UINT32_MAX)
                return false;
            l->blocks[l->loads++] = (uint32_t)(first + (uint64_t)k * stride);
        }
    }
    return true;
}

static bool plain_line(struct line *l, const struct setting *s, const json_t *record)
{
    const char *dir = json_string_value(json_object_get(record, "dir")),
               *op = json_string_value(json_object_get(record, "op"));
    const json_t *runs = json_object_get(record, "runs");
    memset(l, 0, sizeof *l);
    l->ccw = dir && strcmp(dir, "ccw") == 0;
    l->reduce = op && strcmp(op, "reduce") == 0;
    return dir && plain_number(&l->step, record, "step", UINT64_MAX, UINT32_MAX - 1) &&
           plain_number(&l->src, record, "src", UINT64_MAX, UINT32_MAX) &&
           plain_number(&l->dst, record, "dst", UINT64_MAX, UINT32_MAX) &&
           plain_number(&l->fiber, record, "fiber", UINT64_MAX, UINT32_MAX) &&
           plain_number(&l->wavelength, record, "wavelength", UINT64_MAX, UINT32_MAX) &&
           plain_number(&l->block, record, "block", 0, UINT32_MAX) &&
           plain_number(&l->orbit, record, "orbit", 1, UINT32_MAX) &&
           plain_number(&l->period, record, "period", s->fibers * s->wavelengths, UINT32_MAX) &&
           plain_list(l->blocks, &l->loads, record, "blocks", LOAD) &&
           plain_list(l->tap, &l->taps, record, "taps", READERS) && plain_runs(l, runs) &&
           (l->loads > 0 || json_object_get(record, "block"));
}

/** False: a file beyond the second judge, which may still be a schedule. */
static bool plain_read(struct setting *s, const char *path)
{
    static char text[PLAIN_LINE];
    FILE *file = fopen(path, "r");
    bool good = file != NULL, begun = false;
    while (good && fgets(text, sizeof text, file)) {
        json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        good = object &&
               (begun ? s->count < RECORDS && plain_line(&s->lines[s->count], s, object) : plain_header(s, object));
        s->count += good && begun;
        begun = true;
        json_decref(object);
    }
    if (file)
        fclose(file);
    return good && begun;
}

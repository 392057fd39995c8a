/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The interface of the import formats: each format has a file and a line in import.c. A reader turns a file into one of
 * three: transfers; acts that wait for each other, which import_program.h turns into transfers; or lanes, for which
 * import_blocks.c chooses the blocks.
 */
#pragma once

#include "rwa/foreign.h"

#include "base/arena.h"
#include "base/json.h"

#include <libxml/tree.h>

struct import {
    const char *path;       /* as messages call it */
    char *text;             /* the whole file, a 0 behind it; NULL: a folder */
    size_t length;
    json_t *json;           /* its document, or NULL */
    xmlDoc *xml;
    const rwa_network *net; /* NULL until a file names its own */
    rwa_network *own;       /* that one */
    uint32_t nodes;         /* of the network that the caller gave; else 0 */
    rwa_import_options o;   /* the caller's, complete; the poll of o.plan also ends the work at the time limit */
    struct budget budget;   /* of that poll */
    rwa_import found;
    rwa_collective coll;    /* by import_collective() */
    struct arena memory;    /* of the reader's arrays */
    struct import_act *acts;
    size_t act_count;
    struct import_wait *waits;
    size_t wait_count;
    struct import_name *names, *awaited;    /* of acts; of acts that others wait for */
    size_t name_count, awaited_count;
    struct import_lane *lanes;
    size_t lane_count;
    size_t line;            /* of what is added next; 0: not known */
    struct import_origin *origins;
    size_t origin_count;
    rwa_schedule *sched;    /* filled by a format that has routes … */
    rwa_transfer *list;     /* … or else what moves, steps ascending */
    size_t count;
    rwa_error *err;
};

/** The line of a file that sends a block. */
struct import_origin { uint32_t src, dst, step; uint64_t block; size_t line; };

struct import_format {
    const char *name;
    const char *begins;     /* the beginning of a file in this format, without blanks: "{" of JSON, "<" of XML; NULL: it
                               is a folder */
    const char *has;        /* NULL, or a text that a file must also contain */
    rwa_status (*read)(struct import *im);
};

extern const struct import_format import_csv, import_teccl, import_forestcoll, import_mscclpp, import_harvest,
    import_msccl, import_chakra;

/** Fail with RWA_FORMAT and "FILE:LINE: …"; line 0 stands for the first line. */
#define import_fail(im, line, ...) base_fail_at((im)->err, (im)->path, (line) ? (line) : 1, "", __VA_ARGS__)
/** Fail as import_fail() does, at the line of a value of the JSON document; NULL: at the first line. */
#define import_fail_at(im, value, ...) import_fail((im), json_line((im)->text, (im)->json, (value)), __VA_ARGS__)
/** Return RWA_BADARG if the options name another collective than the file.  kind 0: the file names none. */
rwa_status import_kind(const struct import *im, rwa_collective_kind kind);
/** Set im->coll from the collective, the number of blocks and the message size in bytes that the file gives (0: it
 *  gives none).  The options replace the first two, if set, and supply the third, if missing.  RWA_BADARG: file and
 *  options name different collectives, or the numbers do not fit the collective */
rwa_status import_collective(struct import *im, rwa_collective_kind kind, uint64_t blocks, uint64_t message_bytes);
/** Poll the budget at every 1024th value of `done`, the lines or transfers read so far.  RWA_CANCELLED: the work must
 *  stop. */
rwa_status import_go_on(struct import *im, size_t done);
/** Add to im->origins that line im->line of the file sends a block from src to dst in a step.  Do nothing if im->line
 *  is 0, which means unknown.  RWA_NOMEM */
rwa_status import_note(struct import *im, uint32_t src, uint32_t dst, uint64_t block, uint32_t step);
/** Append a transfer, and remember its line by import_note().  RWA_NOMEM, RWA_CANCELLED */
rwa_status import_add(struct import *im, const rwa_transfer *t);

/** An attribute of an XML element whose value must be a whole number from `least` to `most`; -1 becomes IMPORT_NONE. */
struct import_number {
    const char *name;
    long long least;
    uint32_t most, *to;
};
#define IMPORT_NONE UINT32_MAX
/** Read several attributes of an element: import_numbers(im, element, {"id", 0, 7, &id}, …). RWA_FORMAT */
#define import_numbers(im, at, ...) \
    import_number_list((im), (at), (const struct import_number[]){__VA_ARGS__, {NULL, 0, 0, NULL}})
rwa_status import_number_list(const struct import *im, const xmlNode *at, const struct import_number *list);

/** `count` blocks that go from src to dst in a step; the file does not say which ones. */
struct import_lane {
    uint32_t step, src, dst;
    uint64_t count;         /* while the file is read, perhaps bytes; of blocks below 2^32 */
    const void *at;         /* the value of the JSON document that contains the lane; without JSON, the blocks of the
                               lanes of a step are chosen in this order */
};

/** Convert the counts of all lanes (struct import_lane) from bytes to blocks of the largest size that divides them all.
 *  Return this size in bytes. */
uint64_t import_count_blocks(struct import *im);
/**
 * Choose which blocks each lane (struct import_lane) moves, and append them to im->list as transfers.  The lanes must
 * ascend by step, from 1.  import_blocks.c explains the choice.
 * @return RWA_OK; RWA_FORMAT: the sender of a lane has too few blocks that the receiver lacks; RWA_BADARG: a collective
 *         whose blocks cannot be determined, or too many blocks; RWA_NOMEM.  Cost O(lanes * blocks), 8 bytes for each
 *         node and block
 */
rwa_status import_choose_blocks(struct import *im);

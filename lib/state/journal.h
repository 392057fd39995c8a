/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The journal of a state: a file with the state before the operations that can be undone (the base), then a line for
 *  each operation since.  docs/reference/formats.md describes it. */
#pragma once

#include "base/sink.h"
#include "state/state.h"

struct journal {
    char *path;
    int fd;                 /* its position is the end of the file */
    bool sync;              /* each line is on the disk before the operation is answered */
    bool batch;             /* lines wait in the text until rwa_state_commit() */
    bool broken;            /* the file may not be what was answered */
    uint64_t size;          /* bytes of the lines in the file */
    uint64_t rewritten;         /* bytes when it was written anew; after opening those of its base */
    uint32_t chain;         /* checksum of the last line, which that of the next one begins with */
    uint64_t next_id, random;   /* of the state after the last line */
    struct text text;       /* lines that are not in the file yet */
};

/** Append the first line of a journal to j->text: it names the nodes, links, channels and model of the state. */
void journal_put_header(const struct rwa_state *s, struct journal *j);
/** Append the line of an operation, just done, to j->text.  It describes the lightpath or the failed element as it is
 *  now. */
void journal_put(const struct rwa_state *s, struct journal *j, const struct event *e);
/** Replay the journal's file in a new state.  Set j->size to the bytes replayed, without a last line that a crash cut
 *  short.  RWA_FORMAT, RWA_IO, RWA_NOMEM. */
rwa_status journal_play(struct rwa_state *s, struct journal *j, rwa_error *err);

/** Tell whether a path leads to the file of this journal; false if `j` is NULL. */
bool journal_is(const struct journal *j, const char *path);
/** Replace the file by a new journal of the state, by which the last `undoable` operations can be undone.  On failure
 *  the present file stays.  RWA_IO, RWA_NOMEM. */
rwa_status journal_rewrite(struct rwa_state *s, uint32_t undoable, rwa_error *err);

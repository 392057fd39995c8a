/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The journal of a state: a file with a line for each lightpath of some time (the base), then one for each operation
 *  since.  docs/reference/formats.md describes it. */
#pragma once

#include "base/sink.h"
#include "state/state.h"

struct journal {
    char *path;
    int fd;
    bool sync;              /* each line is on the disk before the operation is answered */
    bool broken;            /* part of a line could not be cut off */
    uint64_t size;          /* bytes of the file */
    uint64_t base;          /* of them in its base */
    uint32_t chain;         /* checksum of the last line, which that of the next one begins with */
    uint64_t next_id, random;   /* of the state after the last line */
    struct text line;
    /* The next journal, written beside this one: its base is there, and is the state after `mark` operations.  It takes
     * the place of this one once the history reaches back no further. */
    struct sink next;
    bool has_next;
    uint64_t mark;
    uint64_t next_base;     /* bytes */
    uint64_t tail;          /* bytes of this journal that the base stands for */
};

/** Tell whether a line of the file, without its newline, has the right checksum after that of the line before, *chain;
 *  if so, store it there. */
bool journal_is_sound(const char *line, size_t length, uint32_t *chain);
/** Add the first line of the journals of a network and model. */
void journal_put_header(struct text *t, const struct rwa_state *s, uint32_t *chain);

/** Tell whether a path leads to the file of a journal; NULL: no journal. */
bool journal_is(const struct journal *j, const char *path);
/** Write the state as the base of a new journal, which takes the place of the present one.  RWA_IO, RWA_NOMEM. */
rwa_status journal_restart(struct rwa_state *s, struct journal *j, rwa_error *err);
/** Bring a new state to where the journal's file ends (journal_read.c).  Cut off a last line that was not written
 *  whole.  RWA_FORMAT, RWA_IO, RWA_NOMEM. */
rwa_status journal_play(struct rwa_state *s, struct journal *j, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A playbook: the plan, and an entry for each failure in each step. */
#pragma once

#include "rwa/playbook.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/text.h"
#include "check/check.h"
#include "network/translations.h"

#define PLAYBOOK_INDEX "playbook.json"
#define PLAYBOOK_PLAN "plan.jsonl"

struct play {
    rwa_play seen;          /* its texts are in the playbook's arena */
    const char *path;       /* in its folder: the schedule, perhaps before a translation; NULL: there is none */
    uint32_t move;          /* the node to which the translation of that schedule moves node 0 */
    bool translates;        /* while a playbook is made: its blocks can move with their owners */
};

struct rwa_playbook {
    rwa_schedule *own;      /* the plan if it was read; NULL: borrowed */
    const rwa_schedule *plan;
    const char *folder;     /* borrowed, only while the playbook is made or read */
    rwa_limits limits;      /* of the files that are read */
    rwa_failure_kind kind;
    uint32_t failures, steps;
    struct play *plays;     /* [failure][step - 1] */
    struct translations group;
    uint32_t symmetric;     /* translations map the plan to itself in the steps before this one; 0: there are none */
    struct arena arena;     /* of the plays, their texts and the folder */
};

/** Set up the entries of a plan, with names but without schedules.  RWA_BADARG: a network of one hop, no steps. */
rwa_status playbook_open(struct rwa_playbook *book, const rwa_schedule *plan, rwa_failure_kind kind, rwa_error *err);
/** Release what the playbook owns, but not the playbook. */
void playbook_close(struct rwa_playbook *book);

static inline struct play *play_at(const struct rwa_playbook *book, uint32_t failure, uint32_t step)
{
    assert(failure < book->failures && step >= 1 && step <= book->steps);
    return &book->plays[(size_t)failure * book->steps + step - 1];
}

/** Return the failure whose schedule, translated, is one for this failure: the lowest; set *move as in struct play. */
uint32_t playbook_origin(uint32_t *move, const struct rwa_playbook *book, uint32_t failure, uint32_t step);
/** Return the plan's network with the failure of a play from its step on, or, if the collective begins again, from the
 *  beginning.  RWA_NOMEM. */
rwa_status playbook_network(rwa_network **out, const struct rwa_playbook *book, const struct play *play,
                            rwa_error *err);
/** List the links that fail; the caller frees them. */
rwa_status playbook_links(uint32_t **links, size_t *count, const struct rwa_playbook *book, uint32_t failure,
                          rwa_error *err);
/** Set the participants of a play: those of the plan without a failed node that begins again.  *members NULL: all nodes
 *  of the network; else the caller frees them.  Return their number in *count.  RWA_NOMEM. */
rwa_status playbook_members(uint32_t **members, uint32_t *count, const struct rwa_playbook *book,
                            const struct play *play, rwa_error *err);

/** Return the root among the participants of a play; RWA_NONE: it is the node that fails. */
uint32_t playbook_root(const struct rwa_playbook *book, const struct play *play);

/** Make the schedule of a play: the plan's steps before the failure, then those of `made`, translated as the play says.
 *  @return RWA_OK; RWA_BADARG: `made` does not belong to the plan; RWA_NOMEM */
rwa_status playbook_assemble(rwa_schedule **out, const struct rwa_playbook *book, const struct play *play,
                             const rwa_schedule *made, rwa_error *err);
/** Read the schedule of a play from its file, assemble it and check it.  Errors as rwa_playbook_schedule(). */
rwa_status playbook_load(rwa_schedule **out, const struct rwa_playbook *book, const struct play *play,
                         const rwa_check_options *checking, rwa_error *err);
/** Put the path of a file in the playbook's folder into its arena; NULL if memory is out. */
const char *playbook_path(struct rwa_playbook *book, const char *file);
/** Write the index as JSON to a text. */
void playbook_write(struct text *t, const struct rwa_playbook *book);

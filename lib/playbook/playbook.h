/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A playbook: the plan, and a play for each failure in each step.  A play is the schedule that takes over, kept in a
 *  file or as a translation of one.  After the failure of a node that takes part, the collective begins again among
 *  the others. */
#pragma once

#include "rwa/playbook.h"

#include "base/arena.h"
#include "base/limits.h"
#include "check/check.h"
#include "network/translations.h"

#define PLAYBOOK_INDEX "playbook.json"
#define PLAYBOOK_FORMAT "rwa-playbook"
#define PLAYBOOK_VERSION 1
#define PLAYBOOK_PLAN "plan.jsonl"

/** The names of the kinds of failure, by rwa_play_kind. */
extern const char *const playbook_kinds[];

struct play {
    rwa_play seen;          /* its texts are in the playbook's arena */
    const char *path;       /* in its folder: the schedule, perhaps before a translation; NULL: there is none */
    uint32_t move;          /* the node to which the translation of that schedule moves node 0 */
};

struct rwa_playbook {
    rwa_schedule *own;      /* the plan if it was read; NULL: borrowed */
    const rwa_schedule *plan;
    const char *folder;     /* borrowed, only while the playbook is made or read */
    rwa_plan_options opts;  /* the caller's, only while the playbook is made or read */
    rwa_check_options checking; /* of the schedules of plays: then with the caller's device */
    rwa_limits limits;      /* of the files that are read */
    rwa_play_kind kind;
    uint32_t failures, steps;
    struct play *plays;     /* [failure][step - 1] */
    struct translations group;
    uint32_t symmetric;     /* translations map the plan to itself in the steps before this one; 0: there are none */
    struct arena arena;     /* of the plays, their texts and the folder */
};

/** Store the caller's options in a playbook that is to be made or read, and set its limits and check options by them.
 *  RWA_BADARG. */
rwa_status playbook_take_options(struct rwa_playbook *book, const rwa_plan_options *given, rwa_error *err);
/** Set up in `book` an entry for each failure (by `kind`, of a link or of a node) in each step of a plan, with names
 *  but without schedules.  RWA_BADARG: a network of one hop, no steps. */
rwa_status playbook_open(struct rwa_playbook *book, const rwa_schedule *plan, rwa_play_kind kind, rwa_error *err);
/** Release what the playbook owns, but not the playbook. */
void playbook_close(struct rwa_playbook *book);

static inline struct play *play_at(const struct rwa_playbook *book, uint32_t failure, uint32_t step)
{
    assert(failure < book->failures && step >= 1 && step <= book->steps);
    return &book->plays[(size_t)failure * book->steps + step - 1];
}

/** Return the failure with the lowest number of which `failure` is a translation, and set *move to the node to which
 *  that translation moves node 0.  The schedule of the lowest failure, translated, serves `failure`.  Return `failure`
 *  itself if the steps of the plan before `step` are not their own translations. */
uint32_t playbook_origin(uint32_t *move, const struct rwa_playbook *book, uint32_t failure, uint32_t step);
/** What a failure leaves of the plan's network and participants. */
struct rest {
    uint32_t *links;        /* those that fail */
    size_t link_count;
    rwa_network *net;       /* with the failure from the play's step on, or, if the collective begins again, from the
                             * beginning */
    uint32_t *members, count;   /* the participants: without a failed node if the collective begins again */
    uint32_t root;          /* among them; RWA_NONE: it is the node that fails; 0: the collective has none */
    uint32_t *node, *participant;   /* where a translation moves them; NULL: nowhere */
};
/** Set `r` to what the failure of a play leaves of the network and of the participants.  Call rest_close() at the end,
 *  also after an error.  RWA_NOMEM. */
rwa_status rest_open(struct rest *r, const struct rwa_playbook *book, const struct play *play, rwa_error *err);
void rest_close(struct rest *r);

/** Check a schedule of the playbook.  RWA_FORMAT: the checker rejects it; the message begins with `path`. */
rwa_status playbook_accept(const rwa_schedule *sched, const char *path, const rwa_check_options *checking,
                           rwa_error *err);
/** Make the whole schedule for a failure in a step: the plan's steps before the failure (none if the collective begins
 *  again), then the steps of `made` after these, translated as the play says.  `made` is the schedule kept for the
 *  play.  RWA_BADARG: it does not belong to the plan; RWA_NOMEM */
rwa_status playbook_assemble(rwa_schedule **out, const struct rwa_playbook *book, const struct play *play,
                             const rwa_schedule *made, rwa_error *err);
/** Read the schedule for a failure in a step from its file, add the plan's steps before the failure, and check it.
 *  Errors as rwa_playbook_schedule(). */
rwa_status playbook_load(rwa_schedule **out, const struct rwa_playbook *book, const struct play *play, rwa_error *err);
/** Set the numbers of a play in play->seen, such as its time, from its schedule.  `end_s`: for each step of the plan,
 *  from step 1 on, when it ends in seconds.  RWA_NOMEM */
rwa_status playbook_measure(struct rwa_playbook *book, struct play *play, const rwa_schedule *sched,
                            const double *end_s, rwa_error *err);
/** Return the path of a file in the playbook's folder, kept in its arena; NULL: out of memory. */
const char *playbook_path(struct rwa_playbook *book, const char *file);

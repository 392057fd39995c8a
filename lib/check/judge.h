/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Inside the check room: what the judge remembers while a schedule passes by, one file for each kind of question. */
#ifndef CHECK_JUDGE_H
#define CHECK_JUDGE_H

#include "rwa/check.h"

#include "base/base.h"

struct judge;

/** Who holds what.  Values are read as they were at the start of the step and take effect at its end. */
struct book {
    rwa_status (*open)(struct judge *j);                            /* every node with what it starts from */
    rwa_status (*carry)(struct judge *j, const rwa_lightpath *lp);  /* one block from src to dst */
    void (*end_step)(struct judge *j);
    void (*judge_end)(struct judge *j);                             /* completeness */
    void (*close)(struct judge *j);
};

extern const struct book book_of_copies;   /* held or not: collectives without reductions */
extern const struct book book_of_sums;     /* how often each contribution was counted: reductions */

struct delivery {
    uint32_t dst;
    uint32_t block;
};

struct judge {
    rwa_check *verdict;
    const rwa_network *net;
    const rwa_collective *coll;
    const rwa_device *device;
    rwa_power_model model;
    struct watch watch;
    uint32_t nodes, links, channels;
    const struct book *book;
    uint64_t *held;             /* copies: bit node * blocks + block, held at the start of the step */
    struct delivery *arrived;   /* copies: in the current step; held from the next one on */
    size_t arrivals, arrival_room;
    struct sums *sums;          /* reductions */
    uint64_t *busy;             /* bit (direction * channels + channel) * links + link, of the current step */
    uint64_t *lit;              /* bit direction * channels + channel: used in the current step */
    size_t busy_words, lit_words;
    rwa_lightpath *shining;     /* of the current step, kept only when a device is given */
    size_t shine, shine_room;
    uint64_t step_first;        /* number of the first lightpath of the step, orbits counted in full */
    uint64_t record;
    uint32_t step;
    rwa_error *err;
};

/** Count a violation of the current step and record; the first ones are also named. */
void accuse(struct judge *j, rwa_violation_kind kind, uint64_t link, uint64_t wavelength, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/** The same for what has no link or wavelength. */
#define ACCUSE(j, kind, ...) accuse((j), (kind), RWA_NO_INDEX, RWA_NO_INDEX, __VA_ARGS__)

rwa_status channels_open(struct judge *j);
/** Claim every link of the route on its channel; a link already claimed is a clash. */
void channels_claim(struct judge *j, const rwa_lightpath *lp, uint32_t hops);
void channels_end_step(struct judge *j);
void channels_close(struct judge *j);

void power_open(struct judge *j);
rwa_status power_see(struct judge *j, const rwa_lightpath *lp);
rwa_status power_end_step(struct judge *j);
void power_close(struct judge *j);

static inline bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

#endif

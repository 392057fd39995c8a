/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shared by all drawings. */
#pragma once

#include "rwa/view.h"

#include "base/base.h"
#include "base/text.h"

/** Up to these numbers each lightpath is drawn; larger schedules are drawn by density. */
enum { VIEW_NODES_DRAWN = 64, VIEW_LIGHTPATHS_DRAWN = 40000 };
bool view_drawn_fully(const rwa_schedule *sched);

/** Options with defaults filled in, checked against the schedule. */
rwa_status view_take_options(rwa_view_options *out, const rwa_schedule *sched, const rwa_view_options *opts,
                             rwa_error *err);

/** RWA_BADARG with a message for star, ron and ocs. */
rwa_status view_needs_links(const rwa_schedule *sched, rwa_error *err);

/** A page of this folder, with one placeholder for its data; "head": the beginning of all. */
const char *view_page(const char *name);

/** Colours of channels repeat after so many. */
enum { VIEW_COLORS = 32 };

/** Eight colours that readers without red-green vision can distinguish (Okabe and Ito, "Color Universal Design", 2008),
 *  lighter on the next round; i is a wavelength or a block. */
void view_color(unsigned char rgb[3], uint64_t i);
/** The same as "#rrggbb". */
struct view_hex {
    char text[8];
};
struct view_hex view_hex(uint64_t i);
/** The same colour as the background of a terminal, with letters that can be read on it. */
void view_start_color(struct text *t, uint64_t i);
/** Black letters are read more easily on this colour than white ones. */
bool view_is_light(uint64_t i);

/** The first item of bucket i, if `items` items are divided in order among `buckets` buckets. */
static inline uint32_t view_bucket(uint32_t i, uint32_t buckets, uint32_t items)
{
    assert(buckets > 0 && i <= buckets);
    return (uint32_t)((uint64_t)i * items / buckets);
}

/** The title of the options, or "all-gather on a ring of 16 nodes, 2 wavelengths each way, by wavefront: 240 lightpaths
 *  in 5 steps", and the number of receivers of a lightpath if any is tapped */
void view_title(struct text *t, const rwa_schedule *sched, const rwa_view_options *o);

/** Add words between two pieces of XML; characters of the words that are special in XML are escaped. */
void view_add_words(struct text *t, const char *before, const char *words, const char *after);

/** The beginning of a drawing; the caller ends it with </svg>. */
struct view_drawing {
    double width, height;
    const char *name;       /* of its class in a page; NULL: none */
    const char *style;      /* CSS */
    const char *title;      /* also drawn as heading, its letters beginning at (x, y) */
    double x, y;
};

/** Begin a drawing on a rectangle of class "ground", since viewers ignore a background set in CSS. */
void view_open_drawing(struct text *t, const struct view_drawing *d);

/** ", 25 to 27.3 us, epoch 2" of a step, without what the options do not have. */
void view_add_times(struct text *t, uint32_t step, const rwa_view_options *o);

/** [3,7,5] */
void view_add_list(struct text *t, const uint32_t *list, size_t count);
/** A string of JSON that is also safe inside a script. */
void view_add_quoted(struct text *t, const char *words);

struct walk;
/** "block 3", or "blocks 0-6, 9", of the lightpath at hand. */
void view_name_blocks(struct text *t, const struct walk *w);
/** The same as a list of JSON, neighbours as a pair: [[0,6],9]. */
void view_add_blocks(struct text *t, const struct walk *w);

/** Whether a directed link has failed in a step or before. */
bool view_fails_by(const rwa_network *net, uint32_t link, uint32_t step);
/** The steps before the first failure, which a repair kept; 0: no link failed, or they failed before the first step. */
uint32_t view_kept_steps(const rwa_network *net);
/** "3 (Ulm) - 10 (Bern) from step 2 on; 4 > 5"; nothing where no link has failed. */
void view_name_failures(struct text *t, const rwa_network *net);

/** Follow one node, or one block, through the steps in words (text drawings). */
rwa_status view_follow_node(struct text *t, const rwa_schedule *sched, const rwa_view_options *o, rwa_error *err);
rwa_status view_follow_block(struct text *t, const rwa_schedule *sched, const rwa_view_options *o, rwa_error *err);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Functions and constants shared by all drawings.  The arrays of a drawing belong to one arena, which the public
 *  function that makes the drawing frees. */
#pragma once

#include "rwa/view.h"

#include "base/arena.h"
#include "base/text.h"

/** The largest schedules whose lightpaths are drawn one by one; larger schedules are drawn by density. */
enum { VIEW_NODES_DRAWN = 64, VIEW_LIGHTPATHS_DRAWN = 40000 };
bool view_drawn_fully(const rwa_schedule *sched);

/** Set *out to `opts` with the defaults for what it leaves out (NULL: everything), and check it against the
 *  schedule. */
rwa_status view_take_options(rwa_view_options *out, const rwa_schedule *sched, const rwa_view_options *opts,
                             rwa_error *err);

/** Return RWA_BADARG with a message if the network of the schedule is a star, ron or ocs, which have no links to draw
 *  on. */
rwa_status view_needs_links(const rwa_schedule *sched, rwa_error *err);

/** Add a template of this folder (NAME.html) to a page: "head" begins all pages, the others follow the data of a
 *  page. */
void view_add_page(struct text *t, const char *name);
/** Begin a page and the script with its data: add the colours of channels and of lines, then "const NAME=".  The caller
 *  adds the value. */
void view_open_page(struct text *t, const char *name);

/** The number of different colours of channels, which then repeat. */
enum { VIEW_COLORS = 32 };

/** The colour of wavelength or block i as "#rrggbb": one of eight that readers without red-green vision can distinguish
 *  (Okabe and Ito, "Color Universal Design", 2008), lighter in each further round of eight. */
struct view_hex {
    char text[8];
};
struct view_hex view_hex(uint64_t i);
/** Give the terminal colour number i, view_hex(i), as background, and black or white letters, whichever are easier to
 *  read on it. */
void view_start_color(struct text *t, uint64_t i);
/** Tell whether black letters are easier to read on the colour view_hex(i) than white ones. */
bool view_is_light(uint64_t i);

/** Add the title that the options give.  Without one, add "all-gather on a ring of 16 nodes, 2 wavelengths each way, by
 *  wavefront: 240 lightpaths in 5 steps" and, if lightpaths have several receivers, how many at most. */
void view_title(struct text *t, const rwa_schedule *sched, const rwa_view_options *o);

/** Add the title that the options give; without one, add "91 of 91 two-way lightpaths on a network of 14 nodes: 13
 *  wavelengths".  Characters that are special in XML are not escaped. */
void view_name_assignment(struct text *t, const rwa_assignment *r, const rwa_view_options *o);

/** The name of a channel: "w3" or, if some link has several fibres, "f1", the text `gap` and "w3". */
struct view_channel_name {
    char text[32];
};
struct view_channel_name view_name_channel(const rwa_network *net, uint32_t channel, const char *gap);
/** Add the name of a node with the special characters of XML escaped, then `after`, which is XML. */
void view_add_node(struct text *t, const rwa_network *net, uint32_t node, const char *after);
/** Add words with the special characters of XML escaped, then `after`, which is XML. */
void view_add_words(struct text *t, const char *words, const char *after);

/** Return the distance of ticks: 1, 2 or 5 times a power of ten, such that at most `most` of them fit in the range. */
double view_tick(double range, double most);

/** The size, style and title of a drawing. */
struct view_drawing {
    double width, height;
    const char *style;      /* CSS, besides what all drawings have: .mid, .end, .name, and their looks in the dark */
    const char *title;      /* also drawn as heading */
};

/** Begin an SVG drawing, which the caller ends with </svg>.  Its background is a rectangle of class "ground", since
 *  viewers ignore a background set in CSS. */
void view_open_drawing(struct text *t, const struct view_drawing *d);

/** The times of each step by rwa_cost_step_times() and, in the model `circuit`, its epoch by rwa_cost_epochs(), else
 *  NULL.  All are NULL without a cost model. */
struct view_times {
    double *tune_s, *begin_s, *end_s;
    uint32_t *epoch;
};
/** Set *out to the times of a schedule at this rate, in arrays in `memory`; without a cost model to zeros. */
rwa_status view_time(struct view_times *out, const rwa_schedule *sched, const rwa_cost_options *cost, double rate_bps,
                     struct arena *memory);
/** Add the begin, end and epoch of a step as ", 25 to 27.3 us, epoch 2", without those that are unknown. */
void view_add_times(struct text *t, uint32_t step, const struct view_times *times);

/** Add a list of numbers to the data of a page. */
void view_add_list(struct text *t, const uint32_t *list, size_t count);
/** Add words as a JSON string that is also safe inside a script; NULL becomes an empty string. */
void view_add_quoted(struct text *t, const char *words);

struct walk;
/** Add the blocks that a lightpath carries in words: "block 3", or "blocks 0-6, 9". */
void view_name_blocks(struct text *t, const struct walk *w);
/** Add the blocks that a lightpath carries to the data of a page, the first and last of each range: [[0,6],[9,9],]. */
void view_add_blocks(struct text *t, const struct walk *w);

/** Draw the proof of a bound on the map of a network: the cut o->sides[0], if there is one, and the words o->proofs[0]
 *  below. */
rwa_status view_proof(struct text *t, const rwa_network *net, const rwa_view_options *o, const char *title,
                      struct arena *memory);

/** Return the number of steps before the first failure of a link, those that a repair keeps.  Return 0 if no link has
 *  failed, or one is down from the first step on. */
uint32_t view_kept_steps(const rwa_network *net);
/** Add the failed links in words, "3 (Ulm) - 10 (Bern) from step 2 on; 4 > 5", or nothing if no link has failed. */
void view_name_failures(struct text *t, const rwa_network *net);

struct raster;
/** Which lightpaths are up: the last one on each channel, and the last step in which it is up (rwa_cost_holds()). */
struct view_tuning {
    rwa_hold *hold;
    struct view_channel *channels;  /* as the cells of a raster */
};
/** Prepare u for view_keep_tuned(), which finds step after step the lightpaths that are up already. */
rwa_status view_open_tuning(struct view_tuning *u, const rwa_schedule *sched, struct arena *memory);
/** Remove from the cells of a step's raster the lightpaths that are up already, so that those tuned for the step are
 *  left.  Call it for each step in turn, from step 1 on.  RWA_NOMEM. */
rwa_status view_keep_tuned(struct view_tuning *u, struct raster *r, uint32_t step);

/** Draw a Gantt chart: links against time (rwa_view_options.gantt). */
rwa_status view_gantt(struct text *t, const rwa_schedule *sched, const struct view_times *times,
                      const rwa_cost_options *cost, const char *title, struct arena *memory);

/** Describe in words what happens to node o->node in step o->step, or in each step if that is 0. */
rwa_status view_follow_node(struct text *t, const rwa_schedule *sched, const rwa_view_options *o,
                            const struct view_times *times);
/** Describe in words what happens to block o->block in each step. */
rwa_status view_follow_block(struct text *t, const rwa_schedule *sched, const rwa_view_options *o);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Computes the curves of the papers' figures, as the papers' text describes them. */
#include "paper/paper.h"

/** A curve of a figure: the name that the paper gives it, and the scheme. */
struct scheme_curve {
    const char *name, *scheme;
};

static const struct scheme_curve gathers[] = {
    {"OpTree", "optree"}, {"WRHT", "wrht"}, {"Ring", "ring"}, {"NE", "neighbor-exchange"}};
static const struct scheme_curve optical_reductions[] = {
    {"WRHT", "wrht"}, {"Ring", "ring"}, {"H-Ring", "h-ring"}, {"BT", "binary-tree"}};
static const struct scheme_curve electrical_reductions[] = {
    {"WRHT", "wrht"}, {"O-Ring", "ring"}, {"E-Ring", "e-ring"}, {"RD", "e-rd"}};
enum { CURVES = 4, SIZES = 4 };

/** A panel of a figure: its name, and the section of the paper that describes it. */
struct panel {
    const char *item, *section, *note;
};

static rwa_status add_point(struct reproduction *r, const struct panel *panel, const char *curve, const char *column,
                            double x, double formula, double schedule)
{
    rwa_paper_row *row = NULL;
    MUST(paper_add(&row, r, panel->item, panel->section, curve, column, "times"));
    row->x = x;
    row->formula = formula;
    row->schedule = schedule;
    row->note = panel->note;
    return RWA_OK;
}

/** Add a point to a curve: the time of one collective in a setting, by formula and by schedule, each divided by `base`
 *  seconds.  The point lies at x, which `column` gives in words. */
static rwa_status add_time(struct reproduction *r, const struct panel *panel, const char *curve, const char *column,
                           double x, const struct setting *s, double bytes, double base)
{
    double seconds[2];
    MUST(paper_times(seconds, r, s, bytes));
    return add_point(r, panel, curve, column, x, seconds[0] / base, seconds[1] / base);
}

/** Add to the report the points of OpTree, Fig. 4: steps over the depth of the tree, for four numbers of nodes. */
static rwa_status optree_depths(struct reproduction *r, const char *figure)
{
    static const struct panel panel = {"Fig. 4", "Section V-B",
                                       "Divided by the steps of two stages; one stage is the one-stage model."};
    (void)figure;
    for (uint32_t nodes = 512; nodes <= 4096; nodes *= 2)
        for (uint32_t k = 1; k <= 9; k++) {
            struct setting s = {"optree", RWA_ALL_GATHER, nodes, 64, k, "depth", 0, 0, false}, two = s;
            struct known_schedule found;
            rwa_formula f;
            char curve[32], column[32];
            two.parameter = 2;
            double base = paper_formula_steps(&f, r, &two);
            snprintf(curve, sizeof curve, "N = %u", (unsigned)nodes);
            snprintf(column, sizeof column, "k = %u", (unsigned)k);
            MUST(paper_schedule(&found, r, &s));
            MUST(add_point(r, &panel, curve, column, k, paper_formula_steps(&f, r, &s) / base, found.steps / base));
        }
    return RWA_OK;
}

#define BY_FIRST "Divided by OpTree's time, by formula, at the panel's smallest message."

/** The panels of OpTree, Figs. 5 to 7: all-gather times over MESSAGES message sizes.  The first has `megabytes`, and
 *  each further one `factor` times as many as the one before. */
static const struct gather_panel {
    const char *figure;
    struct panel panel;
    uint32_t nodes, wavelengths;
    double megabytes, factor;
} gather_panels[] = {
    {"fig-5", {"Fig. 5 (a)", "Section V-C", BY_FIRST}, 1024, 64, 0.032, 2},
    {"fig-5",
     {"Fig. 5 (b)", "Section V-C", BY_FIRST " The largest message is printed as 4^6 MB, which is 4096 MB."},
     1024,
     64,
     4,
     4},
    {"fig-6", {"Fig. 6 (a) N=512", "Section V-D", BY_FIRST}, 512, 64, 4, 2},
    {"fig-6", {"Fig. 6 (b) N=1024", "Section V-D", BY_FIRST}, 1024, 64, 4, 2},
    {"fig-6", {"Fig. 6 (c) N=2048", "Section V-D", BY_FIRST}, 2048, 64, 4, 2},
    {"fig-6", {"Fig. 6 (d) N=4096", "Section V-D", BY_FIRST}, 4096, 64, 4, 2},
    {"fig-7", {"Fig. 7 (a) w=4", "Section V-E", BY_FIRST}, 1024, 4, 4, 2},
    {"fig-7",
     {"Fig. 7 (b) w=16", "Section V-E", BY_FIRST " WRHT by the second form of its formula, as in Table 3."},
     1024,
     16,
     4,
     2},
    {"fig-7", {"Fig. 7 (c) w=64", "Section V-E", BY_FIRST}, 1024, 64, 4, 2},
    {"fig-7", {"Fig. 7 (d) w=128", "Section V-E", BY_FIRST " The text says 128 and 256 by turns."}, 1024, 128, 4, 2}};
enum { GATHER_PANELS = sizeof gather_panels / sizeof *gather_panels, MESSAGES = 6 };

static rwa_status gather_panel(struct reproduction *r, const struct gather_panel *p)
{
    struct setting first = paper_setting(gathers[0].scheme, RWA_ALL_GATHER, p->nodes, p->wavelengths);
    double base = paper_time_s(r, &first, p->megabytes * 1e6);
    for (size_t c = 0; c < CURVES; c++) {
        struct setting s = paper_setting(gathers[c].scheme, RWA_ALL_GATHER, p->nodes, p->wavelengths);
        double megabytes = p->megabytes;
        if (p->wavelengths == 16 && strcmp(s.variant, "first") == 0)
            s.variant = "second";   /* as Table 3 has it, there and nowhere else */
        for (int i = 0; i < MESSAGES; i++, megabytes *= p->factor) {
            char column[32];
            snprintf(column, sizeof column, "%g MB", megabytes);
            MUST(add_time(r, &p->panel, gathers[c].name, column, megabytes, &s, megabytes * 1e6, base));
        }
    }
    return RWA_OK;
}

static rwa_status optree_messages(struct reproduction *r, const char *figure)
{
    for (const struct gather_panel *p = gather_panels; p < gather_panels + GATHER_PANELS; p++)
        if (strcmp(p->figure, figure) == 0)
            MUST(gather_panel(r, p));
    return RWA_OK;
}

#define BY_GOOGLENET "Divided by WRHT's time, by formula, for GoogLeNet on the fewest nodes."

/** WRHT, Figs. 4 and 5: times over nodes, a panel for each model. */
static const struct reduction_panels {
    const char *figure;
    struct panel panel;
    const struct scheme_curve *curves;
    uint32_t sizes[SIZES];
} reduction_panels[] = {
    {"fig-4",
     {"Fig. 4", "Section IV-B",
      BY_GOOGLENET " The text has WRHT lowest for every model; by equation (1) H-Ring, and for "
                   "VGG16 Ring too, take less time, since their steps move a part of the vector only."},
     optical_reductions,
     {1024, 2048, 3072, 4096}},
    {"fig-5",
     {"Fig. 5", "Section IV-C",
      BY_GOOGLENET " The text has E-Ring highest; by the formulas RD, which moves the whole "
                   "vector in every step, is higher for the large models."},
     electrical_reductions,
     {128, 256, 512, 1024}}};

static rwa_status reductions(struct reproduction *r, const char *figure)
{
    const struct reduction_panels *p = &reduction_panels[strcmp(figure, reduction_panels[0].figure) != 0];
    struct setting first = paper_setting(p->curves[0].scheme, RWA_ALL_REDUCE, p->sizes[0], 64);
    double base = paper_time_s(r, &first, paper_models[PAPER_MODELS - 1].bytes);
    for (size_t m = 0; m < PAPER_MODELS; m++)
        for (size_t c = 0; c < CURVES; c++)
            for (size_t n = 0; n < SIZES; n++) {
                struct setting s = paper_setting(p->curves[c].scheme, RWA_ALL_REDUCE, p->sizes[n], 64);
                char item[24], column[32];
                snprintf(item, sizeof item, "%s (%c) %s", p->panel.item, (char)('a' + m), paper_models[m].name);
                snprintf(column, sizeof column, "N = %u", (unsigned)p->sizes[n]);
                struct panel panel = {item, p->panel.section, p->panel.note};
                MUST(add_time(r, &panel, p->curves[c].name, column, p->sizes[n], &s, paper_models[m].bytes, base));
            }
    return RWA_OK;
}

static const struct {
    const char *paper, *name;
    rwa_status (*make)(struct reproduction *r, const char *figure);
} figures[] = {{"optree", "fig-4", optree_depths},   {"optree", "fig-5", optree_messages},
               {"optree", "fig-6", optree_messages}, {"optree", "fig-7", optree_messages},
               {"wrht", "fig-4", reductions},        {"wrht", "fig-5", reductions}};

const char *paper_figure_name(const char *paper, size_t i)
{
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        if (strcmp(figures[f].paper, paper) == 0 && i-- == 0)
            return figures[f].name;
    return NULL;
}

rwa_status paper_figure(bool *wanted, struct reproduction *r, const char *paper)
{
    *wanted = false;
    for (size_t f = 0; r->opts->item && f < sizeof figures / sizeof *figures; f++)
        if (strcmp(figures[f].paper, paper) == 0 && paper_names(r->opts->item, figures[f].name)) {
            *wanted = true;
            return figures[f].make(r, figures[f].name);
        }
    return RWA_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The curves behind the papers' figures, as their text describes them. */
#include "paper/paper.h"

/** A curve: a scheme, and the name the paper gives it. */
struct curve {
    const char *name, *scheme, *variant;
};

static const struct curve gathers[] = {
    {"OpTree", "optree", ""}, {"WRHT", "wrht", "first"}, {"Ring", "ring", ""}, {"NE", "neighbor-exchange", ""}};
static const struct curve optical_reductions[] = {
    {"WRHT", "wrht", ""}, {"Ring", "ring", ""}, {"H-Ring", "h-ring", ""}, {"BT", "binary-tree", ""}};
static const struct curve electrical_reductions[] = {
    {"WRHT", "wrht", ""}, {"O-Ring", "ring", ""}, {"E-Ring", "e-ring", ""}, {"RD", "e-rd", ""}};
enum { CURVES = 4, GROUP = 5 };

/** A panel: its name, and the section of the paper that describes it. */
struct panel {
    const char *item, *section, *note;
};

static struct setting setting_of(const struct curve *c, rwa_collective_kind collective, uint32_t nodes, uint32_t wavelengths)
{
    uint32_t parameter = strcmp(c->scheme, "optree") == 0 ? (uint32_t)ceil(paper_lemma3(nodes))
                         : strcmp(c->scheme, "h-ring") == 0 ? GROUP : 0;
    struct setting s = {c->scheme, collective, nodes, wavelengths, parameter, c->variant, 0, 0};
    return s;
}

static rwa_status add_point(struct reproduction *r, const struct panel *panel, const char *curve, const char *column, double x,
                            double formula, double schedule)
{
    rwa_paper_row *row = paper_add(r, panel->item, panel->section, curve, column, "times");
    MUST(row ? RWA_OK : RWA_NOMEM);
    row->x = x;
    row->formula = formula;
    row->schedule = schedule;
    row->note = panel->note;
    return RWA_OK;
}

/** A point of a curve of times, divided by `base`. */
static rwa_status add_time(struct reproduction *r, const struct panel *panel, const char *curve, const char *column, double x,
                           const struct setting *s, double bytes, double base)
{
    struct known k = {.steps = 0};
    struct setting asked = *s;
    double schedule = paper_is_electrical(s->scheme) ? paper_time_s(s, bytes, r->err) / base : NAN;
    /* A schedule takes the stages that serve it best; the formula has the paper's. */
    asked.parameter = strcmp(s->scheme, "optree") == 0 ? 0 : s->parameter;
    if (r->opts->schedules && !paper_is_electrical(s->scheme)) {
        MUST(paper_schedule(&k, r, &asked));
        schedule = paper_schedule_time_s(&k, bytes) / base;
    }
    return add_point(r, panel, curve, column, x, paper_time_s(s, bytes, r->err) / base, schedule);
}

/** OpTree, Fig. 4: steps over the depth of the tree. */
static rwa_status optree_depths(struct reproduction *r)
{
    static const struct panel panel = {"Fig. 4", "Section V-B", "Divided by the steps of two stages; one stage is the one-stage model."};
    for (uint32_t nodes = 512; nodes <= 4096; nodes *= 2)
        for (uint32_t k = 1; k <= 9; k++) {
            struct setting s = {"optree", RWA_ALL_GATHER, nodes, 64, k, "", 0, 0}, two = {"optree", RWA_ALL_GATHER, nodes, 64, 2, "", 0, 0};
            struct known found = {.steps = 0};
            const char *source = NULL;
            char curve[32], column[32];
            double base = paper_formula_steps(&two, &source, r->err);
            snprintf(curve, sizeof curve, "N = %u", (unsigned)nodes);
            snprintf(column, sizeof column, "k = %u", (unsigned)k);
            if (r->opts->schedules)
                MUST(paper_schedule(&found, r, &s));
            MUST(add_point(r, &panel, curve, column, k, paper_formula_steps(&s, &source, r->err) / base,
                           found.steps > 0 ? found.steps / base : NAN));
        }
    return RWA_OK;
}

/** One panel of all-gather times over message sizes in MB: from `first`, times `factor`, `count` of them. */
static rwa_status gather_panel(struct reproduction *r, const struct panel *panel, uint32_t nodes, uint32_t wavelengths,
                               double first, double factor, int count)
{
    struct setting initial = setting_of(&gathers[0], RWA_ALL_GATHER, nodes, wavelengths);
    double base = paper_time_s(&initial, first * 1e6, r->err);
    for (size_t c = 0; c < CURVES; c++) {
        struct setting s = setting_of(&gathers[c], RWA_ALL_GATHER, nodes, wavelengths);
        double megabytes = first;
        if (wavelengths == 16 && strcmp(s.variant, "first") == 0)
            s.variant = "second";   /* as Table 3 has it, there and nowhere else */
        for (int i = 0; i < count; i++, megabytes *= factor) {
            char column[32];
            snprintf(column, sizeof column, "%g MB", megabytes);
            MUST(add_time(r, panel, gathers[c].name, column, megabytes, &s, megabytes * 1e6, base));
        }
    }
    return RWA_OK;
}

#define BY_FIRST "Divided by OpTree's time, by formula, at the panel's smallest message."

static rwa_status optree_messages(struct reproduction *r)
{
    static const struct panel small = {"Fig. 5 (a)", "Section V-C", BY_FIRST},
                              large = {"Fig. 5 (b)", "Section V-C", BY_FIRST
                                       " The largest message is printed as 4^6 MB, which is 4096 MB."};
    rwa_status st = gather_panel(r, &small, 1024, 64, 0.032, 2, 6);
    return st == RWA_OK ? gather_panel(r, &large, 1024, 64, 4, 4, 6) : st;
}

static rwa_status optree_nodes(struct reproduction *r)
{
    static const struct panel panels[] = {{"Fig. 6 (a) N=512", "Section V-D", BY_FIRST},
                                          {"Fig. 6 (b) N=1024", "Section V-D", BY_FIRST},
                                          {"Fig. 6 (c) N=2048", "Section V-D", BY_FIRST},
                                          {"Fig. 6 (d) N=4096", "Section V-D", BY_FIRST}};
    for (size_t i = 0; i < 4; i++)
        MUST(gather_panel(r, &panels[i], 512u << i, 64, 4, 2, 6));
    return RWA_OK;
}

static rwa_status optree_wavelengths(struct reproduction *r)
{
    static const uint32_t counts[] = {4, 16, 64, 128};
    static const struct panel panels[] = {
        {"Fig. 7 (a) w=4", "Section V-E", BY_FIRST},
        {"Fig. 7 (b) w=16", "Section V-E", BY_FIRST " WRHT by the second form of its formula, as in Table 3."},
        {"Fig. 7 (c) w=64", "Section V-E", BY_FIRST},
        {"Fig. 7 (d) w=128", "Section V-E", BY_FIRST " The text says 128 and 256 by turns."}};
    for (size_t i = 0; i < 4; i++)
        MUST(gather_panel(r, &panels[i], 1024, counts[i], 4, 2, 6));
    return RWA_OK;
}

#define BY_GOOGLENET "Divided by WRHT's time, by formula, for GoogLeNet on the fewest nodes."

/** WRHT, Figs. 4 and 5: a panel a model, times over nodes. */
static rwa_status reductions(struct reproduction *r, const char *figure, const char *section, const char *note,
                             const struct curve *curves, const uint32_t *sizes)
{
    struct setting initial = setting_of(&curves[0], RWA_ALL_REDUCE, sizes[0], 64);
    double base = paper_time_s(&initial, paper_models[PAPER_MODELS - 1].bytes, r->err);
    for (size_t m = 0; m < PAPER_MODELS; m++)
        for (size_t c = 0; c < CURVES; c++)
            for (size_t n = 0; n < 4; n++) {
                struct setting s = setting_of(&curves[c], RWA_ALL_REDUCE, sizes[n], 64);
                char item[24], column[32];
                snprintf(item, sizeof item, "%s (%c) %s", figure, (char)('a' + m), paper_models[m].name);
                snprintf(column, sizeof column, "N = %u", (unsigned)sizes[n]);
                struct panel panel = {item, section, note};
                MUST(add_time(r, &panel, curves[c].name, column, sizes[n], &s, paper_models[m].bytes, base));
            }
    return RWA_OK;
}

static rwa_status wrht_optical(struct reproduction *r)
{
    static const uint32_t sizes[] = {1024, 2048, 3072, 4096};
    return reductions(r, "Fig. 4", "Section IV-B", BY_GOOGLENET " The text has WRHT lowest for every model; by equation (1) "
                      "H-Ring, and for VGG16 Ring too, take less time, since their steps move a part of the vector only.",
                      optical_reductions, sizes);
}

static rwa_status wrht_electrical(struct reproduction *r)
{
    static const uint32_t sizes[] = {128, 256, 512, 1024};
    return reductions(r, "Fig. 5", "Section IV-C", BY_GOOGLENET " The text has E-Ring highest; by the formulas RD, which moves "
                      "the whole vector in every step, is higher for the large models.", electrical_reductions, sizes);
}

static const struct {
    const char *paper, *name;
    rwa_status (*make)(struct reproduction *r);
} figures[] = {
    {"optree", "fig-4", optree_depths}, {"optree", "fig-5", optree_messages}, {"optree", "fig-6", optree_nodes},
    {"optree", "fig-7", optree_wavelengths}, {"wrht", "fig-4", wrht_optical}, {"wrht", "fig-5", wrht_electrical}};

const char *paper_figure_name(const char *paper, size_t i)
{
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        if (strcmp(figures[f].paper, paper) == 0 && i-- == 0)
            return figures[f].name;
    return NULL;
}

rwa_status paper_figure(struct reproduction *r, const char *paper, const char *figure)
{
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        if (strcmp(figures[f].paper, paper) == 0 && strcmp(figures[f].name, figure) == 0)
            return figures[f].make(r);
    return base_fail(r->err, RWA_BADARG, "paper %s has no figure \"%s\" here", paper, figure);
}

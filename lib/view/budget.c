/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws a link budget as a waterfall: a row for each item, its bar from one power to the next. */
#include "view/view.h"

/* Pixels. */
enum { WIDTH = 860, LEFT = 300, SPAN = 380, TOP = 48, ROW = 30, BAR = 18 };

struct waterfall {
    struct text *t;
    double low_dbm, high_dbm;
    uint32_t row;
    double at_dbm;      /* where the last bar ended */
};

static double x_of(const struct waterfall *w, double dbm)
{
    return LEFT + SPAN * (dbm - w->low_dbm) / (w->high_dbm - w->low_dbm);
}

/** Add a row to the waterfall: a name, and a bar from one power in dBm to another.  The label is the change in dB or,
 *  if the bar begins at the left border (from = w->low_dbm), the power reached. */
static void add_row(struct waterfall *w, const char *name, double from, double to, const char *color)
{
    double y = TOP + w->row++ * ROW;
    w->at_dbm = to;
    text_add(w->t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text class=\"end name\" "
             "x=\"%d\" y=\"%.1f\">", x_of(w, fmin(from, to)), y, fmax(1, fabs(x_of(w, to) - x_of(w, from))), BAR, color,
             LEFT - 8, y + 13);
    view_add_words(w->t, name, "</text>");
    text_add(w->t, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", x_of(w, fmax(from, to)) + 8, y + 13);
    text_add(w->t, from == w->low_dbm ? "%.2f dBm</text>\n" : "%+.2f dB</text>\n", from == w->low_dbm ? to : to - from);
}

static void add_rows(struct waterfall *w, const rwa_link_budget *b, const rwa_budget_term *terms, size_t count)
{
    static const char *const power = "#0072b2", *const penalty = "#e69f00";
    add_row(w, "laser", w->low_dbm, b->laser_dbm, power);
    for (size_t i = 0; i < count; i++)
        add_row(w, terms[i].name, w->at_dbm, w->at_dbm - terms[i].db, "#d55e00");
    add_row(w, "received", w->low_dbm, b->power.received_dbm, power);
    add_row(w, "sensitivity of the receiver", w->low_dbm, b->sensitivity_dbm, "#808080");
    add_row(w, "penalty of the finite extinction ratio", w->at_dbm, w->at_dbm + b->extinction_db, penalty);
    add_row(w, "required margin", w->at_dbm, w->at_dbm + b->margin_db, penalty);
    add_row(w, "margin above what is needed", w->at_dbm, b->power.received_dbm,
            b->power.budget == RWA_FAIL ? "#d40000" : "#009e73");
}

rwa_status rwa_view_budget(char **text, const rwa_link_budget *budget, const char *title, rwa_error *err)
{
    BEGIN_NEW(text, err, budget, title);
    struct text t = {.err = err};
    rwa_budget_term terms[RWA_BUDGET_TERMS];
    double needed = budget->sensitivity_dbm + budget->extinction_db + budget->margin_db;
    size_t count = rwa_link_budget_terms(terms, budget);
    double received = budget->power.received_dbm, bottom = TOP + ((double)count + 7) * ROW;
    if (budget->step == 0 || !isfinite(received + needed))
        return base_refuse(err, "the budget has no received power, so there is nothing to draw");
    struct waterfall w = {.t = &t, .low_dbm = floor(fmin(received, budget->sensitivity_dbm)) - 2,
                          .high_dbm = fmax(budget->laser_dbm, needed)};
    view_open_drawing(&t, &(struct view_drawing){
        .width = WIDTH, .height = bottom + 8, .title = title,
        .style = "text{font-size:13px}.name{stroke-width:9px}"
                 ".needed{stroke:#d9304f;stroke-width:1.5;stroke-dasharray:5 4}"});
    text_add(&t, "<path class=\"needed\" d=\"M%.1f %dV%.1f\"/>"
             "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">needed %.2f dBm</text>\n",
             x_of(&w, needed), TOP - 6, bottom, x_of(&w, needed) + 8, bottom - ROW + 13, needed);
    add_rows(&w, budget, terms, count);
    text_add(&t, "</svg>\n");
    return text_finish(&t, text);
}

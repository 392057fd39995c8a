/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws signal-to-noise ratios over the length of a route, with a curve for each kind of noise. */
#include "view/view.h"

/* Pixels. */
enum { WIDTH = 760, HEIGHT = 420, LEFT = 64, RIGHT = 132, TOP = 56, BOTTOM = 48, TICKS = 6 };

struct axes {
    struct text *t;
    double longest_km, low_db, high_db;
};

struct curve {
    const char *name;
    size_t offset;      /* of a double in rwa_gsnr */
    const char *dashes;
    uint64_t color;     /* of view_hex() */
};

static const struct curve curves[] = {
    {"OSNR", offsetof(rwa_gsnr, osnr_db), "6 4", 0},
    {"NLI", offsetof(rwa_gsnr, nli_db), "2 4", 1},
    {"GSNR", offsetof(rwa_gsnr, gsnr_db), "none", 2},
};
enum { CURVES = sizeof curves / sizeof *curves };

static double value_of(const rwa_gsnr *at, const struct curve *c)
{
    return *(const double *)(const void *)((const char *)at + c->offset);
}

static double x_of(const struct axes *a, double km)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * km / a->longest_km;
}

static double y_of(const struct axes *a, double db)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (a->high_db - db) / (a->high_db - a->low_db);
}

static void find_range(struct axes *a, const rwa_gsnr *along, size_t count, double required_db)
{
    a->longest_km = along[count - 1].length_km;
    a->low_db = isfinite(required_db) ? required_db : along[count - 1].gsnr_db;
    a->high_db = a->low_db;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < CURVES; c++) {
            double db = value_of(&along[i], &curves[c]);
            a->low_db = isfinite(db) ? fmin(a->low_db, db) : a->low_db;
            a->high_db = isfinite(db) ? fmax(a->high_db, db) : a->high_db;
        }
    a->low_db = floor(a->low_db - 1);
    a->high_db = ceil(a->high_db + 1);
}

static void add_ticks(const struct axes *a)
{
    double step = view_tick(a->high_db - a->low_db, TICKS);
    for (double db = ceil(a->low_db / step) * step; db <= a->high_db; db += step)
        text_add(a->t,
                 "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                 LEFT, y_of(a, db), WIDTH - RIGHT, LEFT - 6, y_of(a, db) + 4, db);
    step = view_tick(a->longest_km, TICKS);
    for (double km = 0; km <= a->longest_km * (1 + 1e-9); km += step)
        text_add(a->t,
                 "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                 x_of(a, km), TOP, HEIGHT - BOTTOM, x_of(a, km), HEIGHT - BOTTOM + 18, km);
    text_add(a->t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">km</text><text x=\"%d\" y=\"%d\">dB</text>\n",
             (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, LEFT - 40, TOP - 8);
}

static void add_curve(const struct axes *a, const struct curve *c, const rwa_gsnr *along, size_t count)
{
    if (!isfinite(value_of(&along[count - 1], c)))
        return;
    text_add(a->t, "<polyline fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"%s\" stroke=\"%s\" points=\"",
             c->dashes, view_hex(c->color).text);
    for (size_t i = 0; i < count; i++)
        if (isfinite(value_of(&along[i], c)))
            text_add(a->t, "%.1f,%.1f ", x_of(a, along[i].length_km), y_of(a, value_of(&along[i], c)));
    text_add(a->t, "\"><title>%s</title></polyline><text x=\"%d\" y=\"%.1f\">%s %.1f dB</text>\n", c->name,
             WIDTH - RIGHT + 8, y_of(a, value_of(&along[count - 1], c)) + 4, c->name, value_of(&along[count - 1], c));
}

static void add_required(const struct axes *a, double required_db)
{
    if (isfinite(required_db))
        text_add(a->t, "<path class=\"required\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\">required %.1f</text>\n",
                 LEFT, y_of(a, required_db), WIDTH - RIGHT, WIDTH - RIGHT + 8, y_of(a, required_db) + 16, required_db);
}

rwa_status rwa_view_gsnr(char **text, const rwa_gsnr *along, size_t count, double required_db, const char *title,
                         rwa_error *err)
{
    BEGIN_NEW(text, err, !count || along, title);
    struct text t = {.err = err};
    struct axes axes = {.t = &t};
    if (count == 0 || !(along[count - 1].length_km > 0))
        return base_refuse(err, "no point of the route, expected at least one");
    find_range(&axes, along, count, required_db);
    view_open_drawing(&t, &(struct view_drawing){
        .width = WIDTH, .height = HEIGHT, .title = title,
        .style = "text{font-size:13px}.grid{stroke:currentColor;opacity:.15}"
                 ".required{stroke:#b00020;stroke-width:1.5}"});
    add_ticks(&axes);
    add_required(&axes, required_db);
    for (size_t c = 0; c < CURVES; c++)
        add_curve(&axes, &curves[c], along, count);
    text_add(&t, "</svg>\n");
    return text_finish(&t, text);
}

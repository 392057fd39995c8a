/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Items on the sheet of a drawing stand apart, and within it. */
#include "tests/support/request.h"

/** The drawing of a plan; the caller frees it. */
static char *drawing_of(const char *line, uint32_t step)
{
    rwa_view_options o;
    char *text = NULL;
    rwa_view_options_init(&o);
    o.step = step;
    OK(rwa_view_svg(&text, schedule_on("%s", line), &o, NULL));
    return text;
}

static double width_of(const char *svg)
{
    double width = 0;
    CU_ASSERT_EQUAL(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf", &width), 1);
    return width;
}

/* A letter of 10 pixels takes 5.2 of them on average in a wide face (DejaVu Sans), so a caption must end that far
   before the next step of its row begins, or the sheet ends. */
static void captions_end_before_the_next_step(void)
{
    static const char *const lines[] = {
        "ring:3 w=1 by wavefront",        "ring:4 w=1 by wavefront",         "ring:6 w=2 by wavefront",
        "ring:8 w=1 by wavefront",        "ring:10 w=1 by wavefront",        "ring:11 w=1 by wavefront",
        "ring:16 w=2 by wavefront",       "line:2 w=1 by line-wavefront",    "line:4 w=1 by line-wavefront",
        "line:8 w=2 by line-wavefront",   "line:13 w=1 by line-wavefront",   "line:4 w=200 by line-wavefront",
        "torus:4x4 w=2 by torus-wavefront"};
    static const char caption[] = "<text class=\"small\" x=\"%lf\" y=\"%lf\">%n",
                      step[] = "<text class=\"step\" x=\"%lf\" y=\"%lf\"";
    for (size_t i = 0; i < COUNT(lines); i++) {
        char *svg = drawing_of(lines[i], 0);
        uint32_t seen = 0;
        for (const char *p = svg; (p = strstr(p, "<text class=\"step\"")) != NULL;) {
            double x = 0, y = 0, next = 0, next_y = 0;
            int begin = 0;
            p = strstr(p + 1, "<text class=\"small\"");
            CU_ASSERT_EQUAL_FATAL(sscanf(p, caption, &x, &y, &begin), 2);
            double end = x + 5.2 * (double)strcspn(p + begin, "<");
            const char *q = strstr(p, "<text class=\"step\"");
            if (q && sscanf(q, step, &next, &next_y) == 2 && next_y == y)
                CU_ASSERT(end + 4 < next);
            CU_ASSERT(end <= width_of(svg));
            seen++;
        }
        CU_ASSERT(seen > 0);
        rwa_text_free(svg);
    }
}

/* Of the grids: every dot with its border stands within the frame of its grid, and below the digits of the row it is
   in. */
static void dots_keep_to_their_grid_and_off_the_numbers(void)
{
    static const char *const lines[] = {
        "ring:16 w=2 drops=3 by wavefront", "ring:8 w=2 drops=3 by wavefront", "ring:32 w=4 drops=4 by wavefront",
        "line:64 w=8 drops=4 by line-wavefront"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char *svg = drawing_of(lines[i], 0);
        double left = 0, top = 0, width = 0, height = 0;
        uint32_t seen = 0;
        for (char *line = strtok(svg, "\n"); line; line = strtok(NULL, "\n")) {
            sscanf(line, "<rect class=\"frame\" x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &left, &top, &width,
                   &height);
            double base = 0, x, y, r, border;
            const char *number = strstr(line, "<text class=\"small mid ");
            if (strncmp(line, "<g><rect", 8) != 0)
                continue;
            if (number)
                CU_ASSERT_EQUAL_FATAL(sscanf(strstr(number, " y="), " y=\"%lf\"", &base), 1);
            for (const char *p = line; (p = strstr(p, "<circle class=\"tap\"")) != NULL; p++, seen++) {
                CU_ASSERT_EQUAL_FATAL(
                    sscanf(p, "<circle class=\"tap\" cx=\"%lf\" cy=\"%lf\" r=\"%lf\" stroke-width=\"%lf\"", &x, &y, &r,
                           &border),
                    4);
                r += border / 2;
                CU_ASSERT(x - r >= left && x + r <= left + width && y + r <= top + height);
                CU_ASSERT(!number || y - r > base);
            }
        }
        CU_ASSERT(seen > 0);
        rwa_text_free(svg);
    }
}

/** One of a cubic curve's coordinates. */
static double on_curve(const double *at, double t)
{
    double u = 1 - t;
    return u * u * u * at[0] + 3 * u * u * t * at[1] + 3 * u * t * t * at[2] + t * t * t * at[3];
}

/* The links that close a torus bow out of its square: not into the caption above, whose letters end 3 pixels below
   their line, and not over the border. */
static void bows_keep_off_the_caption(void)
{
    static const char *const lines[] = {"torus:4x4 w=1 by torus-wavefront", "torus:4x4 w=2 by torus-wavefront",
                                        "torus:5x5 w=8 by torus-wavefront", "torus:3x6 w=2 by torus-wavefront",
                                        "torus:8x8 w=2 by torus-wavefront"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char *svg = drawing_of(lines[i], 2);
        double line = 0, width = width_of(svg), x[4], y[4];
        uint32_t seen = 0;
        CU_ASSERT_EQUAL_FATAL(sscanf(strstr(svg, "<text class=\"step\""), "<text class=\"step\" x=\"%*f\" y=\"%lf\"",
                                     &line),
                              1);
        for (const char *p = svg; (p = strpbrk(p, "ML")) != NULL; p++) {
            if (sscanf(p + 1, "%lf %lfC%lf %lf %lf %lf %lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2], &x[3],
                       &y[3]) != 8)
                continue;
            for (double t = 0; t <= 1; t += 0.125) {
                CU_ASSERT(on_curve(y, t) > line + 3);
                CU_ASSERT(on_curve(x, t) > 0 && on_curve(x, t) < width);
            }
            seen++;
        }
        CU_ASSERT(seen > 0);
        rwa_text_free(svg);
    }
}

/* The legend names each wavelength once, at most as many as there are colours, within the sheet and below everything
   else.  Its labels stand 4 pixels behind squares of 10, which nothing else does. */
static void the_legend_names_each_wavelength(void)
{
    static const struct { const char *line; uint32_t keys; } cases[] = {
        {"ring:6 w=3 by wavefront", 3}, {"torus:3x3 w=2 by torus-wavefront", 2},
        {"line:4 w=64 by line-wavefront", 32}, {"ring:80 w=4 by wavefront", 0}};
    static const char key[] = "height=\"10\" rx=\"2\" fill=\"#%*6x\"/><text class=\"small\" x=\"%lf\" y=\"%lf\">w%u<";
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *svg = drawing_of(cases[i].line, 0);
        double x = 0, y = 0, height = 0;
        uint32_t seen = 0, wavelength = 0;
        CU_ASSERT_EQUAL(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %*f %lf", &height), 1);
        for (const char *p = svg; (p = strstr(p, "height=\"10\" rx")) != NULL; p++)
            if (sscanf(p, key, &x, &y, &wavelength) == 3) {
                CU_ASSERT_EQUAL(wavelength, seen);
                CU_ASSERT(x + 20 < width_of(svg) && y < height);
                seen++;
            }
        CU_ASSERT_EQUAL(seen, cases[i].keys);
        rwa_text_free(svg);
    }
}

TESTS("sheet", captions_end_before_the_next_step, dots_keep_to_their_grid_and_off_the_numbers,
      bows_keep_off_the_caption, the_legend_names_each_wavelength)

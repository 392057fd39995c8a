/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws blocking over the offered load: a curve for each routing and policy, with its confidence interval as a band. */
#include "plot.h"

static struct {
    const traffic_point *points;
    size_t count;
} f;

/* Colours that are distinct in print and for most forms of colour blindness (M. Okabe and K. Ito, Color universal
 * design). */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
enum { COLORS = sizeof colors / sizeof *colors };

static size_t curve_end(size_t first)
{
    size_t i = first;
    while (i < f.count && f.points[i].routing == f.points[first].routing &&
           f.points[i].policy == f.points[first].policy)
        i++;
    return i;
}

/* Write the points of a curve: load, probability, its interval, Erlang B.  Zeros are left out, since the axis is
 * logarithmic. */
static void put_points(FILE *to, size_t first, size_t end, size_t curve)
{
    fprintf(to, "$c%zu << END\n", curve);
    for (size_t i = first; i < end; i++) {
        const rwa_blocking *b = &f.points[i].seen;
        double low = b->probability - b->half_width;
        if (b->blocked == 0)
            continue;
        fprintf(to, "%.9g %.9g %.9g %.9g", b->erlang, b->probability, low > 0 ? low : b->probability / 10,
                b->probability + b->half_width);
        fprintf(to, isfinite(b->exact) ? " %.9g\n" : " ?\n", b->exact);
    }
    fprintf(to, "END\n");
}

static int has_points(size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (f.points[i].seen.blocked > 0)
            return 1;
    return 0;
}

static void put_axes(FILE *to)
{
    fprintf(to, "set title ");
    print_quoted(to,
                 phrase("Blocking on %s, %s", target.spec,
                        channels_text(rwa_network_wavelengths(target.net), rwa_network_slot_hz(target.net) > 0)),
                 '\'');
    fprintf(to,
            " font ',15' noenhanced\nset datafile missing '?'\nset logscale y\nset format y '10^{%%L}'\n"
            "set border 3 linecolor rgb '#606060'\nset tics nomirror out\nset mytics 10\n"
            "set grid ytics mytics xtics linetype 1 linecolor rgb '#dddddd', linetype 1 linecolor rgb '#f1f1f1'\n"
            "set xlabel 'offered load, Erlang'\nset ylabel 'share of requests blocked'\n"
            "set key bottom right Left reverse spacing 1.3 samplen 2.5 noenhanced box linecolor rgb '#d0d0d0' opaque\n"
            "set style fill transparent solid 0.22 noborder\nset offsets graph 0.03, graph 0.03, 0, 0\n");
}

static void put_curve(FILE *to, size_t first, size_t curve, int follows)
{
    const char *color = colors[curve % COLORS];
    fprintf(to, "%s$c%zu using 1:3:4 with filledcurves linecolor rgb '%s' notitle, "
                "'' using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '%s' title '%s, %s'",
            follows ? ", " : "plot ", curve, color, color, rwa_routing_name(f.points[first].routing),
            rwa_policy_name(f.points[first].policy));
    if (isfinite(f.points[first].seen.exact) && !follows)
        fprintf(to, ", '' using 1:5 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'Erlang B'");
}

static void put_figure(FILE *to)
{
    size_t curve = 0;
    int follows = 0;
    for (size_t first = 0; first < f.count; first = curve_end(first))
        put_points(to, first, curve_end(first), curve++);
    put_axes(to);
    curve = 0;
    for (size_t first = 0; first < f.count; first = curve_end(first), curve++)
        if (has_points(first, curve_end(first))) {
            put_curve(to, first, curve, follows);
            follows = 1;
        }
    fputc('\n', to);
}

int plot_traffic(const char *path, const traffic_point *points, size_t count)
{
    f.points = points;
    f.count = count;
    if (!has_points(0, count))
        return fail(EXIT_NO, "--plot %s: nothing was blocked at these loads, expected higher ones", path);
    return plot_script(path, put_figure, 860, 560);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

int read_plot(const option *opt, const char *value)
{
    return ends_with(value, ".svg") ? read_file(opt, value) : bad_value(opt, value, "a file name that ends in .svg");
}

/* ---- panels ---- */

static struct {
    const char *all;
    void (*panel)(FILE *to, size_t i);
    size_t count;
} p;

static void panels_script(FILE *to)
{
    fprintf(to, "%sset multiplot layout %zu,%d\n", p.all, (p.count + 1) / 2, p.count > 1 ? 2 : 1);
    for (size_t i = 0; i < p.count; i++)
        p.panel(to, i);
    fprintf(to, "unset multiplot\n");
}

int plot_panels(const char *path, const char *all, void (*panel)(FILE *to, size_t i), size_t panels, unsigned height,
                unsigned alone)
{
    p.all = all;
    p.panel = panel;
    p.count = panels;
    return panels > 1 ? plot_script(path, panels_script, 1200, height * (unsigned)((panels + 1) / 2))
                      : plot_script(path, panels_script, 800, alone);
}

/* ---- bars ---- */

static void put_value(FILE *to, uint64_t value)
{
    fprintf(to, value > 0 ? " %" PRIu64 : " ?", value);
}

static struct { const row *rows; size_t count; } b;

static void bars(FILE *to)
{
    const row *first = b.rows;
    uint32_t channels = rwa_network_wavelengths(first->net) * rwa_network_fibers(first->net);
    fprintf(to, "$rows << END\n");
    for (size_t i = 0; i < b.count; i++) {
        const rwa_comparison *c = &b.rows[i].figures;
        fprintf(to, "\"%s\"", row_name(&b.rows[i]));
        put_value(to, c->formula.known ? c->formula.steps : 0);
        put_value(to, c->steps);
        put_value(to, c->steps > 0 ? c->bound.value : 0);
        fputc('\n', to);
    }
    fprintf(to, "END\nset title \"%s on %s:%u, %s\"\n", rwa_collective_name(first->coll->kind),
            rwa_topology_name(rwa_network_topology(first->net)), rwa_network_nodes(first->net),
            counted(channels, "wavelength"));
    fprintf(to, "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n"
                "set logscale y\nset yrange [0.8:*]\nset ylabel 'steps'\nset grid y\nset key top left\nset xtics "
                "rotate by -30\n"
                "set datafile missing '?'\n"
                "plot $rows using 2:xtic(1) title 'formula' linecolor rgb '#b0b0b0', "
                "'' using 3 title 'schedule' linecolor rgb '#1f77b4', "
                "'' using 4 title 'lower bound' linecolor rgb '#d62728'\n");
}

int plot_rows(const char *path, const row *rows, size_t count)
{
    assert(count > 0);
    b.rows = rows;
    b.count = count;
    return plot_script(path, bars, 800, 480);
}

/* ---- sweeps ---- */

static struct {
    sweep_row (*row)(size_t i);
    size_t count, schemes, panels;
    int by_nodes;
} s;

/* Write the steps of a scheme, or with number `schemes` the bounds, of a panel as data for gnuplot. */
static void sweep_points(FILE *to, size_t panel, size_t scheme)
{
    int bounds = scheme == s.schemes;
    fprintf(to, "$p%zu << END\n", scheme);
    for (size_t i = panel * s.schemes; i < s.count; i += s.panels * s.schemes) {
        size_t k = bounds ? 0 : scheme;
        while (bounds && k + 1 < s.schemes && s.row(i + k).steps == 0)   /* the first that has a schedule */
            k++;
        sweep_row r = s.row(i + k);
        unsigned long y = bounds ? r.bound : r.steps;
        if (r.steps > 0 && y > 0)
            fprintf(to, "%u %lu\n", s.by_nodes ? r.nodes : r.wavelengths, y);
    }
    fprintf(to, "END\n");
}

static int has_points(size_t scheme)
{
    size_t i = scheme;
    while (i < s.count && s.row(i).steps == 0)
        i += s.schemes;
    return i < s.count;
}

static void sweep_panel(FILE *to, size_t panel)
{
    sweep_row first = s.row(panel * s.schemes);
    for (size_t k = 0; k <= s.schemes; k++)
        sweep_points(to, panel, k);
    fprintf(to, "set title '%u %s'\nset xlabel '%s'\nplot ", s.by_nodes ? first.wavelengths : first.nodes,
            s.by_nodes ? "wavelengths" : "nodes", s.by_nodes ? "nodes" : "wavelengths");
    for (size_t k = 0; k < s.schemes; k++)
        if (has_points(k))
            fprintf(to, "$p%zu using 1:2 with linespoints linewidth 2 pointtype 7 title '%s', ", k, s.row(k).scheme);
    fprintf(to, "$p%zu using 1:2 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'lower bound'\n",
            s.schemes);
}

int plot_sweep(const char *path, sweep_row (*row_at)(size_t i), size_t count, size_t nodes, size_t wavelengths)
{
    s.row = row_at;
    s.count = count;
    s.schemes = count / nodes / wavelengths;
    s.by_nodes = nodes > 1;
    s.panels = s.by_nodes ? wavelengths : 1;
    return plot_panels(path, "set logscale x 2\nset logscale y\nset grid\nset ylabel 'steps'\nset key top left\n",
                       sweep_panel, s.panels, 400, 480);
}

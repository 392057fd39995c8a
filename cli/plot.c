/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

int read_plot(const option *opt, const char *value)
{
    return ends_with(value, ".svg") ? read_file(opt, value) : bad_value(opt, value, "a file name that ends in .svg");
}

/* ---- panels ---- */

struct panels {
    const char *all;
    panel_writer *panel;
    const void *data;
    size_t count;
};

static void panels_script(FILE *to, const void *data)
{
    const struct panels *p = data;
    fprintf(to, "%sset multiplot layout %zu,%d\n", p->all, (p->count + 1) / 2, p->count > 1 ? 2 : 1);
    for (size_t i = 0; i < p->count; i++)
        p->panel(to, p->data, i);
    fprintf(to, "unset multiplot\n");
}

int plot_panels(const char *path, const char *all, panel_writer *panel, const void *data, size_t panels,
                unsigned height, unsigned alone)
{
    struct panels p = {all, panel, data, panels};
    return plot_script(path, panels_script, &p, panels > 1 ? 1200 : 800,
                       panels > 1 ? height * (unsigned)((panels + 1) / 2) : alone);
}

/* ---- bars ---- */

static void put_value(FILE *to, uint64_t value)
{
    fprintf(to, value > 0 ? " %" PRIu64 : " ?", value);
}

struct bars { const row *rows; size_t count; };

static void bars(FILE *to, const void *data)
{
    const struct bars *all = data;
    const row *first = all->rows;
    uint32_t channels = rwa_network_wavelengths(first->net) * rwa_network_fibers(first->net);
    fprintf(to, "$rows << END\n");
    for (size_t i = 0; i < all->count; i++) {
        const rwa_comparison *c = &all->rows[i].figures;
        fprintf(to, "\"%s\"", row_name(&all->rows[i]));
        put_value(to, c->formula.known ? c->formula.steps : 0);
        put_value(to, c->steps);
        put_value(to, c->steps > 0 ? c->bound.value : 0);
        fputc('\n', to);
    }
    fprintf(to, "END\nset title \"%s on %s:%u, %u wavelength%s\"\n", rwa_collective_name(first->coll->kind),
            rwa_topology_name(rwa_network_topology(first->net)), rwa_network_nodes(first->net), channels,
            plural(channels));
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
    return plot_script(path, bars, &(struct bars){rows, count}, 800, 480);
}

/* ---- sweeps ---- */

struct sweep {
    sweep_row (*row)(size_t i);
    size_t count, schemes, panels;
    int by_nodes;
};

/* Write the steps of a scheme, or with number `schemes` the bounds, of a panel as data for gnuplot. */
static void sweep_points(FILE *to, const struct sweep *s, size_t panel, size_t scheme)
{
    int bounds = scheme == s->schemes;
    fprintf(to, "$p%zu << END\n", scheme);
    for (size_t i = panel * s->schemes; i < s->count; i += s->panels * s->schemes) {
        size_t k = bounds ? 0 : scheme;
        while (bounds && k + 1 < s->schemes && s->row(i + k).steps == 0)   /* the first that has a schedule */
            k++;
        sweep_row r = s->row(i + k);
        unsigned long y = bounds ? r.bound : r.steps;
        if (r.steps > 0 && y > 0)
            fprintf(to, "%u %lu\n", s->by_nodes ? r.nodes : r.wavelengths, y);
    }
    fprintf(to, "END\n");
}

static int has_points(const struct sweep *s, size_t scheme)
{
    size_t i = scheme;
    while (i < s->count && s->row(i).steps == 0)
        i += s->schemes;
    return i < s->count;
}

static void sweep_panel(FILE *to, const void *data, size_t panel)
{
    const struct sweep *s = data;
    sweep_row first = s->row(panel * s->schemes);
    for (size_t k = 0; k <= s->schemes; k++)
        sweep_points(to, s, panel, k);
    fprintf(to, "set title '%u %s'\nset xlabel '%s'\nplot ", s->by_nodes ? first.wavelengths : first.nodes,
            s->by_nodes ? "wavelengths" : "nodes", s->by_nodes ? "nodes" : "wavelengths");
    for (size_t k = 0; k < s->schemes; k++)
        if (has_points(s, k))
            fprintf(to, "$p%zu using 1:2 with linespoints linewidth 2 pointtype 7 title '%s', ", k, s->row(k).scheme);
    fprintf(to, "$p%zu using 1:2 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'lower bound'\n",
            s->schemes);
}

int plot_sweep(const char *path, sweep_row (*row_at)(size_t i), size_t count, size_t nodes, size_t wavelengths)
{
    struct sweep s = {row_at, count, count / nodes / wavelengths, nodes > 1 ? wavelengths : 1, nodes > 1};
    return plot_panels(path, "set logscale x 2\nset logscale y\nset grid\nset ylabel 'steps'\nset key top left\n",
                       sweep_panel, &s, s.panels, 400, 480);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

int read_plot(const option *opt, const char *value)
{
    return ends_with(value, ".svg") ? read_file(opt, value) : bad_value(opt, value, "a file name that ends in .svg");
}

void put_layout(FILE *to, size_t panels)
{
    fprintf(to, "set multiplot layout %zu,%d\n", (panels + 1) / 2, panels > 1 ? 2 : 1);
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

/* The columns of row_csv() that are drawn; none before them is quoted. */
typedef struct point { uint32_t nodes, wavelengths; char scheme[ITEM_MAX]; unsigned long steps, bound; } point;

static int read_point(point *p, const char *line)
{
    enum { NODES = 2, WAVELENGTHS = 3, SCHEME = 5, STEPS = 8, BOUND = 9, FIELDS, FROM_ASKED = 6 };
    const char *all = line, *asked = line + strlen(line);
    char objective[8];
    char field[FIELDS][ITEM_MAX] = {{0}};
    for (size_t i = 0; i < FIELDS; i++) {
        size_t length = strcspn(line, ",");
        snprintf(field[i], ITEM_MAX, "%.*s", length < ITEM_MAX ? (int)length : ITEM_MAX - 1, line);
        line += length + (line[length] == ',');
    }
    *p = (point){.nodes = (uint32_t)strtoul(field[NODES], NULL, 10),
                 .wavelengths = (uint32_t)strtoul(field[WAVELENGTHS], NULL, 10),
                 .steps = strtoul(field[STEPS], NULL, 10),
                 .bound = strtoul(field[BOUND], NULL, 10)};
    memcpy(p->scheme, field[SCHEME], sizeof p->scheme);
    for (size_t commas = 0; asked > all && commas < FROM_ASKED;)
        commas += *--asked == ',';
    if (sscanf(asked, ",auto,%7[a-z]", objective) == 1)
        snprintf(p->scheme, sizeof p->scheme, "auto, %s", objective);
    return p->steps > 0;
}

struct sweep_lines {
    char *const *lines;
    size_t count;
    const number_list *nodes, *wavelengths;
};

/* Write the steps of a scheme, or with scheme NULL the bounds, as data for gnuplot. */
static void sweep_points(FILE *to, const struct sweep_lines *s, const char *scheme, uint32_t wavelengths)
{
    int by_nodes = s->nodes->count > 1;
    uint32_t last = 0;
    fprintf(to, " << END\n");
    for (size_t i = 0; i < s->count; i++) {
        point p;
        if (!read_point(&p, s->lines[i]) || (scheme && strcmp(p.scheme, scheme) != 0) ||
            (by_nodes && p.wavelengths != wavelengths))
            continue;
        uint32_t x = by_nodes ? p.nodes : p.wavelengths;
        unsigned long y = !scheme ? p.bound : p.steps;
        if (y > 0 && x != last)
            fprintf(to, "%u %lu\n", x, y);
        last = x;
    }
    fprintf(to, "END\n");
}

/* Store the names of the schemes in the order of their first lines, and return their number. */
static size_t sweep_schemes(char names[][ITEM_MAX], const struct sweep_lines *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count && count < SCHEMES_MAX; i++) {
        size_t k = 0;
        point p;
        if (!read_point(&p, s->lines[i]))
            continue;
        while (k < count && strcmp(names[k], p.scheme) != 0)
            k++;
        if (k == count)
            memcpy(names[count++], p.scheme, sizeof p.scheme);
    }
    return count;
}

static void sweep_panel(FILE *to, const struct sweep_lines *s, uint32_t wavelengths, size_t panel)
{
    static char names[SCHEMES_MAX][ITEM_MAX];
    size_t count = sweep_schemes(names, s);
    for (size_t k = 0; k <= count; k++) {
        fprintf(to, "$p%zu_%zu", panel, k);
        sweep_points(to, s, k < count ? names[k] : NULL, wavelengths);
    }
    if (s->nodes->count > 1)
        fprintf(to, "set title '%u wavelengths'\nset xlabel 'nodes'\n", wavelengths);
    else
        fprintf(to, "set title '%" PRIu64 " nodes'\nset xlabel 'wavelengths'\n", s->nodes->values[0]);
    fprintf(to, "plot ");
    for (size_t k = 0; k < count; k++)
        fprintf(to, "$p%zu_%zu using 1:2 with linespoints linewidth 2 pointtype 7 title '%s', ", panel, k, names[k]);
    fprintf(to, "$p%zu_%zu using 1:2 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'lower bound'\n",
            panel, count);
}

static size_t sweep_panels(const struct sweep_lines *s)
{
    return s->nodes->count > 1 ? s->wavelengths->count : 1;
}

static void sweep_script(FILE *to, const void *data)
{
    const struct sweep_lines *s = data;
    fprintf(to, "set logscale x 2\nset logscale y\nset grid\nset ylabel 'steps'\nset key top left\n");
    put_layout(to, sweep_panels(s));
    for (size_t i = 0; i < sweep_panels(s); i++)
        sweep_panel(to, s, (uint32_t)s->wavelengths->values[i], i);
    fprintf(to, "unset multiplot\n");
}

int plot_sweep(const char *path, char *const *lines, size_t count, const number_list *nodes,
               const number_list *wavelengths)
{
    struct sweep_lines data = {lines, count, nodes, wavelengths};
    size_t panels = sweep_panels(&data);
    return plot_script(path, sweep_script, &data, panels > 1 ? 1200 : 800,
                       panels > 1 ? 400 * (unsigned)((panels + 1) / 2) : 480);
}

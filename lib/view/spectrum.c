/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws the spectrum of an assignment, links by slots, each lightpath as a bar: for the terminal, and as SVG. */
#include "view/spectrum_map.h"
#include "view/view.h"

#include "assignment/assignment.h"
#include "network/network.h"

/* Pixels: of a row, of the widest slot, and about that of all slots; a letter of a label. */
enum { ROW = 16, SLOT_MOST = 14, MAP_WIDTH = 960, TOP = 56, LETTER = 7 };
/* The most rectangles in a drawing, and the size of its title. */
enum { RECTANGLES_MOST = 400000, TITLE = 256 };

static void title_of(char title[TITLE], const struct spectrum_map *m, const rwa_view_options *o)
{
    const rwa_assignment_report *s = &m->result->summary;
    double slot_hz = rwa_network_slot_hz(m->result->net);
    uint64_t taken = 0;
    for (uint32_t row = 0; row < m->rows; row++)
        taken += m->taken[row];
    if (o->title)
        snprintf(title, TITLE, "%s", o->title);
    else
        snprintf(title, TITLE, "Spectrum: %llu of %llu lightpaths, %u of %u %s%s, %.1f %% in use",
                 (unsigned long long)s->routed, (unsigned long long)s->lightpaths, s->wavelengths, m->slots,
                 slot_hz > 0 ? "slots" : "wavelengths", slot_hz == RWA_SLOT_HZ ? " of 12.5 GHz" : "",
                 100.0 * (double)taken / ((double)m->rows * m->slots));
    rwa_text_make_visible(title);
}

/* ---- in characters ---- */

static const char symbols[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Return the character for `scale` slots of a row, from slot `from` on: '.' all free, ':' partly free, '+' several
 *  lightpaths, '#' reserved, '%' shared by several backups, '-' only guard slots, else the symbol of their lightpath.
 *  Set *route to the number of the only lightpath in them; UINT32_MAX: there is none or several. */
static char symbol_of(const struct spectrum_map *m, uint32_t row, uint32_t from, uint32_t scale, uint32_t *route)
{
    uint32_t seen = SPECTRUM_FREE, empty = 0, count = 0;
    bool several = false, signal = false;
    for (uint32_t slot = from; slot < from + scale && slot < m->slots; slot++, count++) {
        uint32_t c = *spectrum_cell(m, row, slot), light = c >= SPECTRUM_SHARED ? c : c & ~SPECTRUM_GUARD;
        empty += c == SPECTRUM_FREE;
        signal = signal || (c != SPECTRUM_FREE && !(c & SPECTRUM_GUARD));
        several = several || (c != SPECTRUM_FREE && seen != SPECTRUM_FREE && light != seen);
        seen = c != SPECTRUM_FREE ? light : seen;
    }
    *route = several || seen == SPECTRUM_FREE || seen >= SPECTRUM_SHARED ? UINT32_MAX : seen - 1;
    if (empty == count)
        return '.';
    if (several)
        return '+';
    if (empty > 0)
        return ':';
    return seen == SPECTRUM_RESERVED ? '#'
           : seen == SPECTRUM_SHARED ? '%'
           : signal                  ? symbols[*route % (sizeof symbols - 1)]
                                     : '-';
}

static void add_row(struct text *t, const struct spectrum_map *m, uint32_t row, uint32_t scale, int width,
                    const rwa_view_options *o)
{
    text_add(t, "%-*s ", width, spectrum_name_row(m, row).text);
    for (uint32_t slot = 0; slot < m->slots; slot += scale) {
        uint32_t route = UINT32_MAX;
        char symbol = symbol_of(m, row, slot, scale, &route);
        bool colored = o->color && route != UINT32_MAX && symbol != '-';
        if (colored)
            view_start_color(t, route);
        text_add_bytes(t, &symbol, 1);
        text_add(t, "%s", colored ? "\033[0m" : "");
    }
    text_add(t, " %3.0f %%\n", 100.0 * (double)m->taken[row] / m->slots);
}

/** Add the axis: the slot number above every tenth column.  A column is `scale` slots; row labels have `width`
 *  characters. */
static void add_axis(struct text *t, const struct spectrum_map *m, uint32_t scale, int width)
{
    text_add(t, "%-*s ", width, "slot");
    for (uint32_t slot = 0; slot < m->slots; slot += 10 * scale)
        text_add(t, "%-10u", slot);
    text_add(t, "\n");
}

static int widest_label(const struct spectrum_map *m)
{
    int most = 4;
    for (uint32_t row = 0; row < m->rows; row++) {
        int width = (int)strlen(spectrum_name_row(m, row).text);
        RAISE(most, width);
    }
    return most;
}

static rwa_status write_rows(struct text *t, const struct spectrum_map *m, const rwa_view_options *o)
{
    if (o->columns < 40)
        return base_refuse(t->err, "columns: %u, expected at least 40", o->columns);
    int width = widest_label(m);
    uint32_t most = o->columns > (uint32_t)width + 16 ? o->columns - (uint32_t)width - 8 : 8,
             scale = (m->slots + most - 1) / most;
    char title[TITLE];
    title_of(title, m, o);
    text_add(t, "%s\n\n", title);
    add_axis(t, m, scale, width);
    for (uint32_t row = 0; row < m->rows; row++)
        add_row(t, m, row, scale, width, o);
    text_add(t, "\nA run of one sign is a lightpath; - guard, # reserved, . free");
    if (m->shared)
        text_add(t, ", %% shared by several backups");
    if (scale > 1)
        text_add(t, "; a column is %u slots: + several lightpaths, : partly free", scale);
    text_add(t, "\n");
    return RWA_OK;
}

/* ---- as a drawing ---- */

static void add_light(struct text *t, const struct spectrum_map *m, uint64_t i)
{
    struct extent extent = assignment_extent(m->result, i);
    rwa_route route = result_route(m->result, i);
    const rwa_demand *d = &rwa_demands_list(m->result->demands)[route.demand];
    text_add(t, "<title>");
    view_add_node(t, m->result->net, d->src, " to ");
    view_add_node(t, m->result->net, d->dst, "");
    text_add(t, ", demand %zu: slots %u to %u", route.demand, route.wavelength, route.wavelength + extent.width - 1);
    if (extent.guard > 0)
        text_add(t, ", guard %u", extent.guard);
    text_add(t, ", %u hop%s%s%s</title>", route.hops, plural(route.hops),
             route.role == RWA_BACKUP ? ", backup" : route.role == RWA_SHARED_BACKUP ? ", shared backup" : "",
             route.down ? ", down" : "");
}

/** Return how many neighbouring cells of a row, from `slot` on, have the same value. */
static uint32_t run_from(const struct spectrum_map *m, uint32_t row, uint32_t slot)
{
    uint32_t count = 1;
    while (slot + count < m->slots && *spectrum_cell(m, row, slot + count) == *spectrum_cell(m, row, slot))
        count++;
    return count;
}

static void add_run(struct text *t, const struct spectrum_map *m, uint32_t row, uint32_t slot, uint32_t count,
                    double left, double px)
{
    uint32_t c = *spectrum_cell(m, row, slot);
    if (c >= SPECTRUM_SHARED) {
        bool shared = c == SPECTRUM_SHARED;
        text_add(t, "<rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n",
                 shared ? "shared" : "reserved", left + px * slot, TOP + row * ROW, px * count, ROW - 3,
                 shared ? "shared by several backups" : "reserved");
        return;
    }
    uint32_t route = (c & ~SPECTRUM_GUARD) - 1;
    text_add(t, "<rect class=\"l%u%s\" fill=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\">", route,
             c & SPECTRUM_GUARD ? " guard" : "", view_hex(route).text, left + px * slot, TOP + row * ROW,
             px * count - 0.4, ROW - 3);
    add_light(t, m, route);
    text_add(t, "</rect>\n");
}

static rwa_status write_drawing(struct text *t, const struct spectrum_map *m, const rwa_view_options *o)
{
    if (2 * m->rectangles > RECTANGLES_MOST)
        return base_refuse(t->err, "%llu hops are too many to draw, expected at most %d: a text shows them",
                           (unsigned long long)m->rectangles, RECTANGLES_MOST / 2);
    double px = fmax(1, fmin((double)MAP_WIDTH / m->slots, SLOT_MOST)), left = 12 + LETTER * widest_label(m);
    uint32_t every = (uint32_t)fmax(1, view_tick(m->slots, px * m->slots / 60)), height = TOP + m->rows * ROW + 30;
    double width = left + px * m->slots + 60;
    char title[TITLE];
    title_of(title, m, o);
    view_open_drawing(t, &(struct view_drawing){
        .width = width, .height = height, .title = title,
        .style = ".guard{opacity:.35}.reserved{fill:#9aa5b1}.row,.shared{fill:currentColor}.row{opacity:.08}"});
    if (m->shared)
        text_add(
            t,
            "<text x=\"%.1f\" y=\"%u\">"
            "Dark slots are shared by several backups, of which at most one is lit after a single failure.</text>\n",
            left, height - 10);
    for (uint32_t slot = 0; slot < m->slots; slot += every)
        text_add(t, "<text x=\"%.1f\" y=\"%d\">%u</text>\n", left + px * slot, TOP - 6, slot);
    for (uint32_t row = 0; row < m->rows; row++) {
        text_add(t, "<text x=\"%.1f\" y=\"%u\" class=\"end\">", left - 6, TOP + row * ROW + 11);
        view_add_words(t, spectrum_name_row(m, row).text, "</text>");
        text_add(t, "<rect class=\"row\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\"/>"
                 "<text x=\"%.1f\" y=\"%u\">%.0f %%</text>\n", left, TOP + row * ROW, px * m->slots, ROW - 3,
                 left + px * m->slots + 6, TOP + row * ROW + 11, 100.0 * (double)m->taken[row] / m->slots);
        for (uint32_t slot = 0, count; slot < m->slots; slot += count) {
            count = run_from(m, row, slot);
            if (*spectrum_cell(m, row, slot) != SPECTRUM_FREE)
                add_run(t, m, row, slot, count, left, px);
        }
    }
    text_add(t, "</svg>\n");
    return RWA_OK;
}

/* ---- the two ---- */

typedef rwa_status write_map(struct text *t, const struct spectrum_map *m, const rwa_view_options *o);

static rwa_status view_spectrum(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                write_map *write, rwa_error *err)
{
    struct arena memory = {.err = err};
    struct spectrum_map m;
    struct text t = {.err = err};
    rwa_view_options o;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_view_options, &o, opts, err));
    TRY(spectrum_map_open(&m, result, &memory));
    TRY(write(&t, &m, &o));
    st = text_finish(&t, text);
done:
    arena_free(&memory);
    return st;
}

rwa_status rwa_view_spectrum_text(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                  rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    return view_spectrum(text, result, opts, write_rows, err);
}

rwa_status rwa_view_spectrum_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                 rwa_error *err)
{
    BEGIN_NEW(text, err, result);
    return view_spectrum(text, result, opts, write_drawing, err);
}

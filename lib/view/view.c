/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "assignment/assignment.h"
#include "base/embedded.h"
#include "base/sink.h"
#include "network/network.h"
#include "view/svg_map.h"

enum { NARROWEST = 40 };

OPTIONS(rwa_view_options, .node = RWA_NO_INDEX, .block = RWA_NO_INDEX, .columns = 80)

rwa_status rwa_text_write(const char *text, const char *path, rwa_error *err)
{
    BEGIN(err, text, path);
    return base_save(path, text, strlen(text), err);
}

void rwa_text_free(char *text)
{
    free(text);
}

bool view_drawn_fully(const rwa_schedule *sched)
{
    return rwa_network_nodes(rwa_schedule_network(sched)) <= VIEW_NODES_DRAWN &&
           rwa_schedule_lightpaths(sched) <= VIEW_LIGHTPATHS_DRAWN;
}

rwa_status view_take_options(rwa_view_options *out, const rwa_schedule *sched, const rwa_view_options *opts,
                             rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_schedule_network(sched)), steps = rwa_schedule_steps(sched);
    uint64_t blocks = rwa_schedule_collective(sched)->blocks;
    MUST(base_options(rwa_view_options, out, opts, err));
    if (steps == 0)
        return base_refuse(err, "the schedule has no step, so there is nothing to draw");
    if (out->step > steps)
        return base_refuse(err, "step %u: expected 1 to %u", out->step, steps);
    if (out->node != RWA_NO_INDEX && out->node >= nodes)
        return base_refuse(err, "node %" PRIu64 ": expected 0 to %u", out->node, nodes - 1);
    if (out->block != RWA_NO_INDEX && out->block >= blocks)
        return base_refuse(err, "block %" PRIu64 ": expected 0 to %" PRIu64, out->block, blocks - 1);
    if (out->gantt && (!out->cost || out->step || out->block != RWA_NO_INDEX))
        return base_refuse(err, "a drawing of links against time: expected a cost model, no step and no block");
    if (out->columns < NARROWEST)
        return base_refuse(err, "%u columns: expected at least %d", out->columns, NARROWEST);
    return RWA_OK;
}

rwa_status view_needs_links(const rwa_schedule *sched, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    if (!network_is_one_hop(net))
        return RWA_OK;
    return base_refuse(err, "a network of kind %s has no links to draw lightpaths on, expected text that follows a "
                       "node or a block, such as block 0", rwa_topology_name(rwa_network_topology(net)));
}

void view_add_page(struct text *t, const char *name)
{
    assert(embedded_find(embedded_pages, name));
    text_add(t, "%s", embedded_find(embedded_pages, name)->text);
}

void view_open_page(struct text *t, const char *name)
{
    view_add_page(t, "head");
    text_add(t, "<script>\nconst colors=[");
    for (uint64_t i = 0; i < VIEW_COLORS; i++)
        text_add(t, "{fill:\"%s\",ink:\"%s\"},", view_hex(i).text, view_is_light(i) ? "#10181f" : "#fff");
    text_add(t, "],classes=[");
    for (const struct fullness *f = svg_map_fullness; f->color; f++)
        text_add(t, "{share:%.17g,color:\"%s\",words:\"%s\",width:%g},", f->share, f->color, f->words, f->width);
    text_add(t, "],%s=", name);
}

rwa_status view_time(struct view_times *out, const rwa_schedule *sched, const rwa_cost_options *cost, double rate_bps,
                     struct arena *memory)
{
    size_t steps = rwa_schedule_steps(sched);
    *out = (struct view_times){0};
    if (!cost)
        return RWA_OK;
    MUST(arena_arrays(memory, steps, out->tune_s, out->begin_s, out->end_s));
    MUST(rwa_cost_step_times(out->tune_s, out->begin_s, out->end_s, sched, rate_bps, cost, memory->err));
    if (cost->model != RWA_COST_CIRCUIT)    /* one reconfiguration an epoch */
        return RWA_OK;
    MUST(arena_arrays(memory, steps, out->epoch));
    return rwa_cost_epochs(out->epoch, sched, cost, memory->err);
}

void view_add_times(struct text *t, uint32_t step, const struct view_times *times)
{
    const double us = 1e6;
    assert(step > 0);
    if (times->begin_s)
        text_add(t, ", %.6g to %.6g us", us * times->begin_s[step - 1], us * times->end_s[step - 1]);
    if (times->epoch)
        text_add(t, ", epoch %u", times->epoch[step - 1]);
}

static void color_of(unsigned char rgb[3], uint64_t i)
{
    assert(VIEW_COLORS == 8 * 4);
    static const unsigned char base[8][3] = {{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167},
                                             {86, 180, 233}, {213, 94, 0}, {240, 228, 66}, {128, 128, 128}};
    unsigned round = (unsigned)(i / 8 % 4);
    for (size_t k = 0; k < 3; k++)
        rgb[k] = (unsigned char)(base[i % 8][k] + (255 - base[i % 8][k]) * round / 6);
}

struct view_hex view_hex(uint64_t i)
{
    unsigned char rgb[3];
    struct view_hex hex;
    color_of(rgb, i);
    snprintf(hex.text, sizeof hex.text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return hex;
}

bool view_is_light(uint64_t i)
{
    unsigned char rgb[3];
    color_of(rgb, i);
    return 299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2] > 118000;
}

/** Return the number of the nearest colour in the 6 x 6 x 6 cube of 256-colour terminals. */
static unsigned cube_color(const unsigned char rgb[3])
{
    unsigned index = 16;
    static const unsigned weight[3] = {36, 6, 1};
    for (size_t k = 0; k < 3; k++)
        index += weight[k] * (rgb[k] < 48 ? 0 : rgb[k] < 115 ? 1 : (unsigned)(rgb[k] - 35) / 40);
    return index;
}

void view_start_color(struct text *t, uint64_t i)
{
    unsigned char rgb[3];
    color_of(rgb, i);
    text_add(t, "\033[48;5;%u;38;5;%um", cube_color(rgb), view_is_light(i) ? 16 : 231);
}

void view_add_list(struct text *t, const uint32_t *list, size_t count)
{
    text_add(t, "[");
    for (size_t k = 0; k < count; k++)
        text_add(t, "%u,", list[k]);
    text_add(t, "]");
}

void view_add_quoted(struct text *t, const char *words)
{
    text_add(t, "\"");
    for (const char *p = words ? words : ""; *p; p++)
        if ((unsigned char)*p < 32 || strchr("\"\\<>&", *p))
            text_add(t, "\\u%04x", (unsigned)*p);
        else
            text_add_bytes(t, p, 1);
    text_add(t, "\"");
}

double view_tick(double range, double most)
{
    static const int steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(range / most)));
    size_t i = 0;
    while (i < 3 && range / (power * steps[i]) > most)
        i++;
    return power * steps[i];
}

void view_add_words(struct text *t, const char *words, const char *after)
{
    text_add_xml(t, words);
    text_add(t, "%s", after);
}

struct view_channel_name view_name_channel(const rwa_network *net, uint32_t channel, const char *gap)
{
    struct view_channel_name name;
    uint32_t w = rwa_network_wavelengths(net);
    if (network_most_fibers(net) > 1)
        snprintf(name.text, sizeof name.text, "f%u%sw%u", channel / w, gap, channel % w);
    else
        snprintf(name.text, sizeof name.text, "w%u", channel);
    return name;
}

void view_add_node(struct text *t, const rwa_network *net, uint32_t node, const char *after)
{
    char name[NODE_TEXT];
    network_name_node(name, sizeof name, net, node);
    view_add_words(t, name, after);
}

void view_open_drawing(struct text *t, const struct view_drawing *d)
{
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
             "height=\"%.0f\">\n"
             "<style>svg{color:#1c2733}text{font:12px system-ui,sans-serif;fill:currentColor}.mid{text-anchor:middle}"
             ".end{text-anchor:end}.name{paint-order:stroke;stroke:#fff;stroke-width:3px}%s"
             "@media (prefers-color-scheme:dark){svg{color:#dde6ee}.ground,.node{fill:#12181f}.name{stroke:#12181f}"
             ".heat,.send{fill:#56b4e9}.side{fill:#8e2457}}</style>\n<title>",
             d->width, d->height, d->width, d->height, d->style);
    view_add_words(t, d->title, "</title>\n<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                                "<text x=\"16\" y=\"26\" style=\"font-size:16px\">");
    view_add_words(t, d->title, "</text>\n");
}

void view_name_assignment(struct text *t, const rwa_assignment *r, const rwa_view_options *o)
{
    const rwa_assignment_report *s = &r->summary;
    if (o->title)
        text_add_visible(t, o->title);
    else
        text_add(t, "%" PRIu64 " of %" PRIu64 " %slightpaths on a network of %u nodes: %u %s%s", s->routed,
                 s->lightpaths, r->model == RWA_UNDIRECTED ? "two-way " : "", rwa_network_nodes(r->net), s->wavelengths,
                 rwa_network_slot_hz(r->net) > 0 ? "slot" : "wavelength", plural(s->wavelengths));
}

void view_title(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    if (o->results && o->results[0]) {
        view_name_assignment(t, o->results[0], o);
        return;
    }
    if (o->title) {
        text_add_visible(t, o->title);
        return;
    }
    const rwa_network *net = rwa_schedule_network(sched);
    const char *scheme = rwa_schedule_scheme(sched);
    uint32_t fibers = rwa_network_fibers(net), wavelengths = rwa_network_wavelengths(net);
    text_add(t, "%s on a%s %s of %u nodes, ", rwa_collective_name(rwa_schedule_collective(sched)->kind),
             rwa_network_topology(net) == RWA_OCS ? "n" : "",
             rwa_network_topology(net) == RWA_GRAPH ? "network" : rwa_topology_name(rwa_network_topology(net)),
             rwa_network_nodes(net));
    if (fibers > 1)
        text_add(t, "%u fibres of ", fibers);
    text_add(t, "%u wavelength%s each way", wavelengths, plural(wavelengths));
    if (*scheme) {
        text_add(t, ", by ");
        text_add_visible(t, scheme);
    }
    uint64_t blocks = rwa_schedule_collective(sched)->blocks;
    text_add(t, ": %" PRIu64 " lightpath%s in %u step%s with %" PRIu64 " block%s", rwa_schedule_lightpaths(sched),
             plural(rwa_schedule_lightpaths(sched)), rwa_schedule_steps(sched), plural(rwa_schedule_steps(sched)),
             blocks, plural(blocks));
    if (rwa_schedule_receivers(sched) > 1)
        text_add(t, ", up to %u nodes reading one lightpath", rwa_schedule_receivers(sched));
}

/* ---- failed links ---- */

/** Pairs of nodes named before the rest is only counted. */
enum { FAILURES_NAMED = 8 };

uint32_t view_kept_steps(const rwa_network *net)
{
    uint64_t first = UINT64_MAX;
    rwa_faults faults = network_faults(net);
    for (size_t i = 0; i < faults.link_count; i++) {
        uint64_t from = network_failed_from(net, faults.links[i]);
        LOWER(first, from);
    }
    return first != UINT64_MAX && first > 1 ? (uint32_t)first - 1 : 0;
}

void view_name_failures(struct text *t, const rwa_network *net)
{
    size_t named = 0;
    rwa_faults faults = network_faults(net);
    for (size_t i = 0; i < faults.link_count; i++) {
        rwa_link ends = rwa_network_link(net, faults.links[i]);
        uint32_t back = rwa_network_find_link(net, ends.to, ends.from);
        uint64_t from = network_failed_from(net, faults.links[i]);
        bool both = back != RWA_NONE && network_failed_from(net, back) == from;
        char a[NODE_TEXT], b[NODE_TEXT];
        if ((both && back < faults.links[i]) || named++ >= FAILURES_NAMED) /* a pair is named once */
            continue;
        text_add(t, "%s%s %s %s", named > 1 ? "; " : "", network_node_text(a, net, ends.from), both ? "-" : ">",
                 network_node_text(b, net, ends.to));
        if (from > 1)
            text_add(t, " from step %" PRIu64 " on", from);
    }
    if (named > FAILURES_NAMED)
        text_add(t, "; and %zu more", named - FAILURES_NAMED);
}

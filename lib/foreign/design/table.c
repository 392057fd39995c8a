/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An assignment as a table: demand, ends, route, fibre, wavelength. */
#include "foreign/design/design.h"

/** Return the name of a node, or its number if it has no name. */
static const char *name_of(const struct export_request *x, uint32_t node)
{
    const char *name = rwa_network_node_name(x->net, node);
    return name ? name : x->names[node] + 1;
}

/** Add a text as a field of CSV: in quotes if it needs them, and after a single quote if a spreadsheet would take it
 *  for a formula.  Control characters become "?", except those that CSV allows. */
static void add_csv(struct text *t, const char *text)
{
    const char *guard = *text && strchr("=+-@\t\r", *text) ? "'" : "";
    if (!strpbrk(text, ",;\"\n\r\033") && *text) {
        text_add(t, "%s%s", guard, text);
        return;
    }
    text_add(t, "\"%s", guard);
    for (; *text; text++) {
        bool control = (unsigned char)*text < ' ' && !strchr("\t\n\r", *text);
        text_add_bytes(t, control ? "?" : *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    }
    text_add(t, "\"");
}

/** Add the names of the nodes of route i, which is r. */
static void add_route(struct text *t, const struct export_request *x, uint64_t i, const rwa_route *r)
{
    uint32_t src = rwa_demands_list(x->demands)[r->demand].src;
    for (uint32_t k = 0; k <= r->hops && r->hops > 0; k++)
        text_add(t, "%s%s", k ? " - " : "", name_of(x, design_route_node(x->result, i, src, k)));
}

/** Add the number of a route's fibre or wavelength: `one`, which holds on all its links.  If `each` is not NULL, add
 *  the number each[k] for every link k instead, with blanks between them. */
static void add_channel(struct text *t, const rwa_route *r, uint32_t one, const uint32_t *each)
{
    if (r->hops == 0)
        return;
    text_add(t, "%u", each ? each[0] : one);
    for (uint32_t k = 1; each && k < r->hops; k++)
        text_add(t, " %u", each[k]);
}

static void add_row(struct text *t, const struct export_request *x, uint64_t i)
{
    struct text route = {.err = x->err};
    rwa_route r = result_route(x->result, i);
    const rwa_demand *d = &rwa_demands_list(x->demands)[r.demand];
    text_add(t, "%zu,%u,%s,", r.demand, r.copy, assignment_roles[r.role]);
    add_csv(t, name_of(x, d->src));
    text_add(t, ",");
    add_csv(t, name_of(x, d->dst));
    text_add(t, ",");
    add_route(&route, x, i, &r);
    if (route.used > 0)
        add_csv(t, route.data);
    text_drop_part(t, &route);
    text_add(t, ",%u,", r.hops);
    add_channel(t, &r, r.fiber, r.fibers);
    text_add(t, ",");
    add_channel(t, &r, r.wavelength, r.wavelengths);
    text_add(t, r.hops > 0 ? ",%u," : ",,", rwa_assignment_width(x->result, i));
    if (r.why && *r.why)
        add_csv(t, r.why);
    text_add(t, "\n");
}

static rwa_status put_csv(struct text *t, struct export_request *x)
{
    MUST(export_names(x, NULL));
    text_add(t, "demand,copy,role,src,dst,route,hops,fiber,wavelength,width,why\n");
    for (uint64_t i = 0; i < rwa_assignment_count(x->result); i++)
        add_row(t, x, i);
    return RWA_OK;
}

const struct export_format assignment_csv = {"csv", put_csv, 0};

/* ---- the same for people ---- */

static void add_padded(struct text *t, const char *text, size_t width)
{
    size_t used = text_letters(text);
    text_add(t, "%s%*s", text, used < width ? (int)(width - used) : 0, "");
}

static void add_channel_column(struct text *t, int width, const rwa_route *r, uint32_t one, const uint32_t *each)
{
    struct text channel = {.err = t->err};
    add_channel(&channel, r, one, each);
    text_add(t, "  %*s", width, channel.data ? channel.data : "");
    text_drop_part(t, &channel);
}

static void add_line(struct text *t, const struct export_request *x, uint64_t i, size_t width)
{
    rwa_route r = result_route(x->result, i);
    const rwa_demand *d = &rwa_demands_list(x->demands)[r.demand];
    text_add(t, "%6zu  ", r.demand);
    add_padded(t, name_of(x, d->src), width);
    text_add(t, "  ");
    add_padded(t, name_of(x, d->dst), width);
    if (r.hops == 0) {
        text_add(t, "  not served%s%s\n", r.why && *r.why ? ": " : "", r.why ? r.why : "");
        return;
    }
    add_channel_column(t, 10, &r, r.wavelength, r.wavelengths);
    add_channel_column(t, 5, &r, r.fiber, r.fibers);
    text_add(t, "  ");
    add_route(t, x, i, &r);
    text_add(t, "%s\n",
             r.role == RWA_BACKUP          ? " (backup)"
             : r.role == RWA_SHARED_BACKUP ? " (shared backup)"
             : r.down                      ? " (down)"
                                           : "");
}

static rwa_status put_table(struct text *t, struct export_request *x)
{
    size_t width = strlen("from");
    MUST(export_names(x, NULL));
    for (uint32_t v = 0; v < rwa_network_nodes(x->net); v++) {
        size_t here = text_letters(name_of(x, v));
        RAISE(width, here);
    }
    text_add(t, "demand  ");
    add_padded(t, "from", width);
    text_add(t, "  ");
    add_padded(t, "to", width);
    text_add(t, "  wavelength  fibre  route\n");
    for (uint64_t i = 0; i < rwa_assignment_count(x->result); i++)
        add_line(t, x, i, width);
    return RWA_OK;
}

const struct export_format assignment_table = {"table", put_table, 0};

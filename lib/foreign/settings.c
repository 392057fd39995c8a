/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The settings of nodes step by step, or only their changes.  Format `settings`: on every network, the lightpaths that
 * a node adds, drops and passes.  Formats of a ring or line: `nodes`, the micro-rings of a node (one for each direction
 * and channel) that add, drop or pass; `openconfig`, a wavelength-router document (1.2.0) for each node and step, in
 * which a lightpath is a media channel on every node that it crosses.
 */

#include "foreign/foreign.h"
#include "foreign/openconfig_document.h"

/** A micro-ring, and a setting for which it is used. */
struct ring {
    rwa_direction direction;
    uint32_t fiber, wavelength, order;  /* order: drop, add, pass */
    const rwa_setting *of;
};

/** The lines of a node in the text of the step. */
struct node_lines {
    uint32_t changes, node;
    size_t from, to;
};

struct setting_lines {
    struct export_request *r;
    struct text *t;             /* of the file */
    rwa_settings *settings;     /* of the step */
    uint32_t step, node;
    uint32_t first, end;        /* the nodes that are written: first … end - 1 */
    uint32_t written;           /* settings of this node */
    struct text text;
    struct ring *rings;         /* of this node, in order */
    size_t ring_count;
    struct node_lines *lines;   /* of each node */
    struct openconfig_document document;    /* of this node */
};

/** Write the source, the destination and the block of a setting's lightpath, then the text `after`.  The block is null
 *  if the lightpath is up in this step but carries nothing. */
static void put_use(struct text *t, const rwa_setting *of, const char *after)
{
    text_put(t, ",\"src\":%u,\"dst\":%u", of->src, of->dst);
    if (of->held)
        text_put(t, ",\"block\":null,\"hold\":true%s", after);
    else
        text_put(t, ",\"block\":%" PRIu64 "%s", of->block, after);
}

/** Call put() for every step from the first exported one to `last`, with the settings of the step. */
static rwa_status put_steps(struct text *t, struct export_request *r, uint32_t last,
                            rwa_status (*put)(struct setting_lines *))
{
    struct setting_lines s = {.r = r, .t = t, .text.err = r->err, .document = OPENCONFIG_DOCUMENT(r->err)};
    bool all = r->o.node == RWA_EXPORT_ALL;
    rwa_status st = RWA_OK;
    s.first = all ? 0 : (uint32_t)r->o.node;
    s.end = all ? rwa_network_nodes(r->net) : s.first + 1;
    TRY(export_hold(r));
    TRY(arena_arrays(&r->memory, s.end - s.first, s.lines));
    for (s.step = r->from; s.step <= last; s.step++) {
        TRY(export_go_on(r, s.step));
        rwa_settings_free(s.settings);
        TRY(rwa_settings_make(&s.settings, r->sched, s.step, all ? RWA_NONE : s.first, r->hold, r->err));
        TRY(put(&s));
    }
done:
    rwa_settings_free(s.settings);
    openconfig_free(&s.document);
    free_all(s.text.data, s.rings);
    return st;
}

/* ---- settings ---- */

/** Write the node where a link begins (`from`) or ends as member `name`; null if link is RWA_NONE. */
static void put_neighbor(const struct setting_lines *s, const char *name, uint32_t link, bool from)
{
    if (link == RWA_NONE) {
        text_put(s->t, ",\"%s\":null", name);
        return;
    }
    rwa_link ends = rwa_network_link(s->r->net, link);
    text_put(s->t, ",\"%s\":%u", name, from ? ends.from : ends.to);
}

static void put_setting(struct setting_lines *s, const rwa_setting *one)
{
    static const char *const changes[] = {"", "clear", "set", "keep"};
    struct text *t = s->t;
    assert(one->change <= RWA_CHANGE_KEEP);
    if (s->written++ == 0)
        text_put(t, "{\"step\":%u,\"node\":%u,\"settings\":[", s->step, one->node);
    else
        text_put(t, ",");
    text_put(t, "{\"change\":\"%s\",\"use\":\"%s\"", changes[one->change], one->use & RWA_USE_ADD ? "add"
             : !(one->use & RWA_USE_PASS) ? "drop" : one->use & RWA_USE_DROP ? "tap" : "pass");
    put_neighbor(s, "from", one->in_link, true);
    put_neighbor(s, "to", one->out_link, false);
    text_put(t, ",\"fiber\":%u,\"wavelength\":%u", one->fiber, one->wavelength);
    put_use(t, one, "}");
}

/** Write a line for each node that has settings in the current step. */
static rwa_status put_settings(struct setting_lines *s)
{
    const uint32_t *order = NULL;
    size_t nodes = rwa_settings_nodes(&order, s->settings);
    for (size_t k = 0; k < nodes; k++) {
        const rwa_setting *list = NULL;
        size_t count = rwa_settings_of_node(&list, s->settings, s->r->o.changes || nodes == 1 ? order[k] : (uint32_t)k);
        s->written = 0;
        for (size_t i = 0; i < count; i++)
            if (list[i].change != (s->r->o.changes ? RWA_CHANGE_KEEP : RWA_CHANGE_CLEAR))
                put_setting(s, &list[i]);
        if (s->written > 0)
            text_put(s->t, "]}\n");
    }
    return s->t->status;
}

/** Write the settings of all exported steps.  With the option `changes`, and no single step chosen, also write those of
 *  the step after the last, which clear everything. */
static rwa_status put_all_settings(struct text *t, struct export_request *r)
{
    return put_steps(t, r, r->to + (r->o.changes && r->o.step == 0), put_settings);
}

const struct export_format export_settings = {"settings", put_all_settings, 0};

/* ---- nodes ---- */

/** Write what a micro-ring does from this step on: drop, add or pass for the setting `of`; idle if `of` is NULL. */
static void put_ring(struct setting_lines *s, const struct ring *ring, const rwa_setting *of)
{
    static const char *const actions[] = {"drop", "add", "pass"};
    const char *action = of ? actions[ring->order] : "idle", *dir = export_direction(ring->direction);
    struct text *t = &s->text;
    if (!s->r->o.csv) {
        text_put(t, "%s{\"dir\":\"%s\",\"fiber\":%u,\"wavelength\":%u,\"set\":\"%s\"",
                 s->written ? "," : "", dir, ring->fiber, ring->wavelength, action);
        if (of)
            put_use(t, of, "");
        text_put(t, "}");
    } else {
        text_put(t, "%u,%u,%s,%u,%u,%s,", s->step, s->node, dir, ring->fiber,
                 ring->wavelength, action);
        if (of)
            text_put(t, "%u,%u,", of->src, of->dst);
        if (of && !of->held)
            text_put(t, "%" PRIu64, of->block);
        text_put(t, of ? "\n" : ",,\n");
    }
    s->written++;
}

/** Write the settings of one micro-ring in this step, `count` in list[].  With the option `changes`, write them only if
 *  what the micro-ring does changes. */
static void put_ring_settings(struct setting_lines *s, const struct ring *list, size_t count)
{
    unsigned before = 0, now = 0;
    for (size_t i = 0; i < count; i++) {
        before |= list[i].of->change != RWA_CHANGE_SET ? list[i].of->use : 0;
        now |= list[i].of->change != RWA_CHANGE_CLEAR ? list[i].of->use : 0;
    }
    if (s->r->o.changes && now == before)
        return;
    for (size_t i = 0; i < count; i++)
        if (list[i].of->change != RWA_CHANGE_CLEAR)
            put_ring(s, &list[i], list[i].of);
    if (s->r->o.changes && now == 0)
        put_ring(s, list, NULL);
}

COMPARATOR(by_channel, struct ring, UP(direction) UP(fiber) UP(wavelength))
COMPARATOR(by_ring, struct ring, UP(direction) UP(fiber) UP(wavelength) UP(order))

/** Set s->rings to the micro-rings of node s->node in the current step, those of the clockwise direction first. */
static rwa_status list_rings(struct setting_lines *s)
{
    const rwa_setting *of = NULL;
    s->ring_count = rwa_settings_of_node(&of, s->settings, s->node);
    MUST(base_reserve(s->rings, s->ring_count, s->r->err));
    for (struct ring *ring = s->rings; ring < s->rings + s->ring_count; ring++, of++) {
        uint32_t link = of->out_link != RWA_NONE ? of->out_link : of->in_link;
        *ring = (struct ring){link < network_links_each_way(s->r->net) ? RWA_CW : RWA_CCW, of->fiber, of->wavelength,
                              of->use == RWA_USE_DROP ? 0 : of->use == RWA_USE_ADD ? 1 : 2, of};
    }
    base_sort(s->rings, s->ring_count, by_ring);
    return RWA_OK;
}

static rwa_status put_node(struct setting_lines *s)
{
    MUST(list_rings(s));
    s->written = 0;
    if (!s->r->o.csv)
        text_put(&s->text, "{\"step\":%u,\"node\":%u,\"%s\":[", s->step, s->node,
                 s->r->o.changes ? "changes" : "rings");
    for (size_t from = 0, to; from < s->ring_count; from = to) {
        for (to = from + 1; to < s->ring_count && by_channel(&s->rings[from], &s->rings[to]) == 0; to++)
            ;
        put_ring_settings(s, &s->rings[from], to - from);
    }
    if (!s->r->o.csv)
        text_put(&s->text, "]}\n");
    return s->text.status;
}

COMPARATOR(by_changes, struct node_lines, UP(changes) UP(node))

/** Write the lines of all nodes, those with the fewest changes first.  If a controller serves one node after the other,
 *  nodes then wait least on average. */
static rwa_status put_nodes(struct setting_lines *s)
{
    uint32_t nodes = s->end - s->first;
    s->text.used = 0;
    for (s->node = s->first; s->node < s->end; s->node++) {
        size_t from = s->text.used;
        MUST(put_node(s));
        s->lines[s->node - s->first] =
            (struct node_lines){s->r->o.changes ? s->written : 0, s->node, from, s->text.used};
    }
    base_sort(s->lines, nodes, by_changes);
    for (uint32_t i = 0; i < nodes; i++)
        if (s->lines[i].to > s->lines[i].from)
            text_add_bytes(s->t, s->text.data + s->lines[i].from, s->lines[i].to - s->lines[i].from);
    return s->t->status;
}

static rwa_status put_all_nodes(struct text *t, struct export_request *r)
{
    if (r->o.csv)
        text_put(t, "step,node,dir,fiber,wavelength,set,src,dst,block\n");
    return put_steps(t, r, r->to, put_nodes);
}

const struct export_format export_nodes = {"nodes", put_all_nodes, EXPORT_ARCS};

/* ---- openconfig ---- */

/** Add the media channel of a setting's lightpath at node s->node.  It enters at the port of a fibre or at an add port
 *  of its own, and leaves at the port of a fibre or at a drop port of its own.  Its name begins with the first step
 *  that uses the lightpath while it is up. */
static rwa_status add_channel(struct setting_lines *s, const struct ring *ring)
{
    char ports[2][PORT_NAME], name[80];
    uint64_t band[2];
    const rwa_setting *of = ring->of;
    const char *dir = export_direction(ring->direction);
    for (int out = 0; out < 2; out++)
        if ((out ? of->out_link : of->in_link) != RWA_NONE)
            plain_print(ports[out], "%s-f%u-%s", dir, of->fiber, out ? "out" : "in");
        else
            plain_print(ports[out], "%s-%s-f%u-w%u", out ? "drop" : "add", dir, of->fiber, of->wavelength);
    plain_print(name, "step%" PRIu64 "/%u-%u/%s/f%u/w%u", of->since, of->src, of->dst, dir, of->fiber, of->wavelength);
    MUST(export_band_mhz(band, s->r->o.device, of->wavelength, of->wavelength, s->r->err));
    return openconfig_add(&s->document, name, band, ports[0], ports[1]);
}

static rwa_status put_documents(struct setting_lines *s)
{
    for (s->node = s->first; s->node < s->end; s->node++) {
        char name[64];
        MUST(list_rings(s));
        for (size_t i = 0; i < s->ring_count; i++)
            if (s->rings[i].of->change != RWA_CHANGE_CLEAR)
                MUST(add_channel(s, &s->rings[i]));
        snprintf(name, sizeof name, "step-%u/n%u.json", s->step, s->node);
        MUST(openconfig_end(&s->document, s->t));
        MUST(export_end_file(s->r, name));
    }
    return RWA_OK;
}

static rwa_status put_openconfig(struct text *t, struct export_request *r)
{
    return put_steps(t, r, r->to, put_documents);
}

const struct export_format export_openconfig = {
    "openconfig", put_openconfig, EXPORT_ARCS | EXPORT_GRID | EXPORT_FOLDER | EXPORT_ONE_FILE};

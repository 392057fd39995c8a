/* SPDX-License-Identifier: GPL-3.0-or-later */
/** OpenConfig wavelength-router (1.2.0) documents: a device is a node, so each node has one for each step; a lightpath is
 *  a media channel on every node it crosses: added at its source, passed on its way, dropped at its destination.
 *  Figures follow RFC 7951: 64-bit numbers are strings. */
#include "foreign/folder.h"
#include "foreign/foreign.h"
#include "foreign/openconfig_document.h"

void openconfig_begin(struct openconfig_document *d)
{
    d->components.used = d->channels.used = 0;
    d->index = 0;
}

void openconfig_free(struct openconfig_document *d)
{
    free_all(d->components.data, d->channels.data);
}

void openconfig_add_port(struct openconfig_document *d, const char *port)
{
    text_put(&d->components, "%s{\"name\":\"%s\",\"config\":{\"name\":\"%s\"}}", d->components.used ? "," : "", port, port);
}

void openconfig_add_channel(struct openconfig_document *d, const char *name, uint64_t lower_mhz, uint64_t upper_mhz,
                            const char *source, const char *dest)
{
    struct text *t = &d->channels;
    ++d->index;
    text_put(t, "%s{\"index\":%" PRIu32 ",\"config\":{\"index\":%" PRIu32 ",\"name\":\"%s\",\"lower-frequency\":\"%" PRIu64
             "\",\"upper-frequency\":\"%" PRIu64 "\",\"admin-status\":\"ENABLED\"},\"source\":{\"config\":{\"port-name\":\"%s\"}},"
             "\"dest\":{\"config\":{\"port-name\":\"%s\"}}}", t->used ? "," : "", d->index, d->index, name, lower_mhz, upper_mhz,
             source, dest);
}

static void add_part(struct text *out, const struct text *part)
{
    if (out->status == RWA_OK)
        out->status = part->status;
    if (part->used)
        text_add_bytes(out, part->data, part->used);
}

rwa_status openconfig_end(struct text *out, const struct openconfig_document *d)
{
    out->used = 0;
    text_put(out, "{\"openconfig-platform:components\":{\"component\":[");
    add_part(out, &d->components);
    text_put(out, "]},\n\"openconfig-wavelength-router:wavelength-router\":{\"media-channels\":{\"channel\":[");
    add_part(out, &d->channels);
    text_put(out, "]}}}\n");
    return out->status;
}

struct slot {
    uint64_t lower, upper;          /* MHz */
};

struct writer {
    struct export_request *r;
    struct raster now;
    struct slot *slots;             /* of each wavelength */
    struct openconfig_document document;
    uint8_t *fiber_in, *fiber_out;  /* [direction][fiber]: the port is already a component of this document */
    uint32_t wavelengths, fibers;
};

/** Ports of fibres are shared by many channels; those of added and dropped wavelengths are theirs alone. */
static void fiber_port(struct writer *w, char *port, rwa_direction dir, uint32_t fiber, bool in)
{
    uint8_t *known = (in ? w->fiber_in : w->fiber_out) + (size_t)(dir == RWA_CCW) * w->fibers + fiber;
    plain_print(port, "%s-f%" PRIu32 "-%s", export_direction(dir), fiber, in ? "in" : "out");
    if (!*known)
        openconfig_add_port(&w->document, port);
    *known = 1;
}

static void ring_port(struct writer *w, char *port, const char *what, const rwa_lightpath *lp)
{
    plain_print(port, "%s-%s-f%" PRIu32 "-w%" PRIu32, what, export_direction(lp->direction), lp->fiber, lp->wavelength);
    openconfig_add_port(&w->document, port);
}

static void add_channel(struct writer *w, const rwa_lightpath *lp, const char *source, const char *dest)
{
    assert(lp->wavelength < w->wavelengths);
    const struct slot *slot = &w->slots[lp->wavelength];
    char name[80];
    plain_print(name, "step%" PRIu32 "/%" PRIu32 "-%" PRIu32 "/%s/f%" PRIu32 "/w%" PRIu32, lp->step, lp->src, lp->dst,
                export_direction(lp->direction), lp->fiber, lp->wavelength);
    openconfig_add_channel(&w->document, name, slot->lower, slot->upper, source, dest);
}

static void add_ring(struct writer *w, const struct ring_state *use)
{
    char source[PORT_NAME], dest[PORT_NAME];
    if (use->use & (RING_DROP | RING_PASS)) {
        const rwa_lightpath *lp = use->in;
        fiber_port(w, source, lp->direction, lp->fiber, true);
        if (use->use & RING_PASS)
            fiber_port(w, dest, lp->direction, lp->fiber, false);
        else
            ring_port(w, dest, "drop", lp);
        add_channel(w, lp, source, dest);
    }
    if (use->use & RING_ADD) {
        const rwa_lightpath *lp = use->out;
        ring_port(w, source, "add", lp);
        fiber_port(w, dest, lp->direction, lp->fiber, false);
        add_channel(w, lp, source, dest);
    }
}

/** The document of one node in the step that is drawn. */
static rwa_status build_document(struct writer *w, uint32_t node, struct text *doc)
{
    uint32_t channels = rwa_network_channels(w->r->net);
    assert(channels > 0);
    openconfig_begin(&w->document);
    memset(w->fiber_in, 0, (size_t)2 * w->fibers);
    memset(w->fiber_out, 0, (size_t)2 * w->fibers);
    for (uint32_t k = 0; k < 2 * channels; k++) {
        struct ring_state use = export_ring(&w->now, w->r->net, node, k < channels ? RWA_CW : RWA_CCW, k % channels);
        add_ring(w, &use);
    }
    return openconfig_end(doc, &w->document);
}

static rwa_status fill_slots(struct writer *w)
{
    w->slots = base_array(w->wavelengths, sizeof *w->slots, w->r->err);
    w->fiber_in = base_array((size_t)2 * w->fibers, 1, w->r->err);
    w->fiber_out = base_array((size_t)2 * w->fibers, 1, w->r->err);
    MUST(w->slots && w->fiber_in && w->fiber_out ? RWA_OK : RWA_NOMEM);
    for (uint32_t i = 0; i < w->wavelengths; i++)
        MUST(export_slot_mhz(&w->slots[i].lower, &w->slots[i].upper, w->r->o.device, i, w->r->err));
    return RWA_OK;
}

/** What is up in the step.  A channel is named after the first step that uses its lightpath, so it keeps its name while it is up. */
static rwa_status draw_step(struct writer *w, uint32_t step)
{
    raster_free(&w->now);
    return w->r->hold ? raster_draw_held(&w->now, w->r->sched, step, w->r->hold, w->r->err)
                      : raster_draw(&w->now, w->r->sched, step, w->r->err);
}

static rwa_status write_one(struct writer *w, struct text *doc)
{
    MUST(draw_step(w, w->r->from));
    MUST(build_document(w, (uint32_t)w->r->o.node, doc));
    return base_save_to(w->r->path, w->r->o.write, w->r->o.write_data, doc->data, doc->used, w->r->err);
}

static rwa_status write_many(struct writer *w, struct text *doc)
{
    struct folder folder = {0};
    uint32_t from = w->r->o.node == RWA_EXPORT_ALL ? 0 : (uint32_t)w->r->o.node;
    uint32_t to = w->r->o.node == RWA_EXPORT_ALL ? rwa_network_nodes(w->r->net) : from + 1;
    rwa_status st = RWA_OK;
    TRY(export_needs_folder(w->r, "openconfig"));
    TRY(folder_open(&folder, w->r->path, w->r->err));
    for (uint32_t step = w->r->from; step <= w->r->to; step++) {
        TRY(export_go_on(w->r, step));
        TRY(draw_step(w, step));
        for (uint32_t node = from; node < to; node++) {
            TRY(build_document(w, node, doc));
            TRY(folder_add(&folder, step, node, doc->data, doc->used));
        }
    }
    TRY(folder_finish(&folder));
done:
    folder_drop(&folder);
    return st;
}

static rwa_status write_openconfig(struct export_request *r)
{
    struct writer w = {.r = r, .wavelengths = rwa_network_wavelengths(r->net), .fibers = rwa_network_fibers(r->net),
                       .document = {.components = {.err = r->err}, .channels = {.err = r->err}}};
    struct text doc = {.err = r->err};
    rwa_status st = export_needs_arcs(r, "openconfig");
    if (st == RWA_OK)
        st = export_needs_grid(r, "openconfig");
    if (st != RWA_OK)
        return st;
    TRY(fill_slots(&w));
    TRY(export_hold(r));
    st = r->from == r->to && r->o.node != RWA_EXPORT_ALL ? write_one(&w, &doc) : write_many(&w, &doc);
done:
    raster_free(&w.now);
    free_all(w.slots, w.fiber_in, w.fiber_out);
    openconfig_free(&w.document);
    free(doc.data);
    return st;
}

const struct export_format export_openconfig = {
    "openconfig", "wavelength-router media channels, a JSON document for each node and step (needs a device)", NULL,
    write_openconfig};

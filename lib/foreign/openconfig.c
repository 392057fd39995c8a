/* SPDX-License-Identifier: GPL-3.0-or-later */
/** OpenConfig wavelength-router (1.2.0) documents: a device is a node, so each node has one for each step; a lightpath
 * is a media channel on every node it crosses: added at its source, passed on its way, dropped at its destination.
 *  Figures follow RFC 7951: 64-bit numbers are strings. */
#include "foreign/folder.h"
#include "foreign/foreign.h"
#include "foreign/openconfig_document.h"
#include "network/network.h"
#include "schedule/raster.h"

void openconfig_free(struct openconfig_document *d)
{
    names_free(&d->ports);
    free_all(d->components.data, d->channels.data, d->whole.data);
}

static rwa_status add_port(struct openconfig_document *d, const char *port)
{
    uint32_t number = 0;
    bool known = false;
    MUST(names_add(&d->ports, port, &number, &known, d->components.err));
    if (!known)
        text_put(&d->components, "%s{\"name\":\"%s\",\"config\":{\"name\":\"%s\"}}", number ? "," : "", port, port);
    return RWA_OK;
}

rwa_status openconfig_add(struct openconfig_document *d, const char *name, const uint64_t band_mhz[2],
                          const char *source, const char *dest)
{
    struct text *t = &d->channels;
    MUST(add_port(d, source));
    MUST(add_port(d, dest));
    ++d->index;
    text_put(t,
             "%s{\"index\":%u,\"config\":{\"index\":%u,\"name\":\"%s\",\"lower-frequency\":\"%" PRIu64
             "\",\"upper-frequency\":\"%" PRIu64
             "\",\"admin-status\":\"ENABLED\"},\"source\":{\"config\":{\"port-name\":\"%s\"}},"
             "\"dest\":{\"config\":{\"port-name\":\"%s\"}}}",
             d->index > 1 ? "," : "", d->index, d->index, name, band_mhz[0], band_mhz[1], source, dest);
    return RWA_OK;
}

rwa_status openconfig_end(struct openconfig_document *d)
{
    struct text *parts[] = {&d->components, &d->channels};
    d->whole.used = 0;
    for (size_t i = 0; i < 2; i++) {
        text_put(&d->whole,
                 i ? "]},\n\"openconfig-wavelength-router:wavelength-router\":{\"media-channels\":{\"channel\":["
                   : "{\"openconfig-platform:components\":{\"component\":[");
        MUST(parts[i]->status);
        if (parts[i]->used)
            text_add_bytes(&d->whole, parts[i]->data, parts[i]->used);
        parts[i]->used = 0;
    }
    text_put(&d->whole, "]}}}\n");
    names_free(&d->ports);
    d->index = 0;
    return d->whole.status;
}

/* ---- schedules ---- */

struct router_writer {
    struct export_request *r;
    struct raster now;
    struct openconfig_document document;
};

/** Add the media channel of a lightpath at a node.  If the lightpath `comes` from a fibre, its source is the port of
 *  this fibre, which many lightpaths share, else an add port of its own; if it `leaves` on a fibre, likewise its
 *  destination, else a drop port of its own. */
static rwa_status add_channel(struct router_writer *w, const rwa_lightpath *lp, bool comes, bool leaves)
{
    char ports[2][PORT_NAME], name[80];
    uint64_t band[2];
    const char *dir = export_direction(lp->direction);
    assert(lp->wavelength < rwa_network_wavelengths(w->r->net));
    for (int out = 0; out < 2; out++)
        if (out ? leaves : comes)
            plain_print(ports[out], "%s-f%u-%s", dir, lp->fiber, out ? "out" : "in");
        else
            plain_print(ports[out], "%s-%s-f%u-w%u", out ? "drop" : "add", dir, lp->fiber,
                        lp->wavelength);
    plain_print(name, "step%u/%u-%u/%s/f%u/w%u", lp->step, lp->src, lp->dst,
                dir, lp->fiber, lp->wavelength);
    MUST(export_slot_mhz(band, w->r->o.device, lp->wavelength, w->r->err));
    return openconfig_add(&w->document, name, band, ports[0], ports[1]);
}

/** Add the media channels for one channel of one direction at a node, where a lightpath passes, ends or begins, or one
 *  ends and another begins. */
static rwa_status add_cell(struct router_writer *w, uint32_t node, rwa_direction dir, uint32_t channel)
{
    const struct raster *r = &w->now;
    bool line = network_is_path(w->r->net); /* link i joins node i and the next one */
    const rwa_lightpath *above = line && node >= r->links ? NULL : raster_at(r, dir, channel, node);
    const rwa_lightpath *below =
        line && node == 0 ? NULL : raster_at(r, dir, channel, node > 0 ? node - 1 : r->links - 1);
    const rwa_lightpath *in = dir == RWA_CW ? below : above, *out = dir == RWA_CW ? above : below;
    bool passes = in && in == out && in->src != node;
    if (in)
        MUST(add_channel(w, in, true, passes));
    return out && !passes ? add_channel(w, out, false, true) : RWA_OK;
}

/** Build the document of one node for the step that draw_step() listed. */
static rwa_status build_document(struct router_writer *w, uint32_t node)
{
    for (uint32_t channel = 0; channel < w->now.channels; channel++)
        MUST(add_cell(w, node, RWA_CW, channel));
    for (uint32_t channel = 0; channel < w->now.channels; channel++)
        MUST(add_cell(w, node, RWA_CCW, channel));
    return openconfig_end(&w->document);
}

/** List the lightpaths that are up in the step.  A channel is named after the first step that uses its lightpath, so it
 * keeps its name while it is up. */
static rwa_status draw_step(struct router_writer *w, uint32_t step)
{
    raster_free(&w->now);
    MUST(export_go_on(w->r, step));
    return w->r->hold ? raster_draw_held(&w->now, w->r->sched, step, w->r->hold, w->r->err)
                      : raster_draw(&w->now, w->r->sched, step, w->r->err);
}

static rwa_status write_one(struct router_writer *w)
{
    MUST(draw_step(w, w->r->from));
    MUST(build_document(w, (uint32_t)w->r->o.node));
    return base_save_to(w->r->path, w->r->o.write, w->r->o.write_data, w->document.whole.data, w->document.whole.used,
                        w->r->err);
}

static rwa_status write_many(struct router_writer *w)
{
    struct folder folder = {0};
    bool all = w->r->o.node == RWA_EXPORT_ALL;
    uint32_t from = all ? 0 : (uint32_t)w->r->o.node, to = all ? rwa_network_nodes(w->r->net) : from + 1;
    rwa_status st = RWA_OK;
    TRY(folder_open(&folder, w->r->path, w->r->err));
    for (uint32_t step = w->r->from; step <= w->r->to; step++) {
        TRY(draw_step(w, step));
        for (uint32_t node = from; node < to; node++) {
            char name[64];
            snprintf(name, sizeof name, "step-%u/n%u.json", step, node);
            TRY(build_document(w, node));
            TRY(folder_put(&folder, name, w->document.whole.data, w->document.whole.used));
        }
    }
    TRY(folder_finish(&folder));
done:
    folder_drop(&folder);
    return st;
}

static rwa_status write_openconfig(struct export_request *r)
{
    struct router_writer w = {.r = r, .document = OPENCONFIG_DOCUMENT(r->err)};
    rwa_status st = RWA_OK;
    TRY(export_hold(r));
    TRY(r->from == r->to && r->o.node != RWA_EXPORT_ALL ? write_one(&w) : write_many(&w));
done:
    raster_free(&w.now);
    openconfig_free(&w.document);
    return st;
}

const struct export_format export_openconfig = {
    "openconfig", "wavelength-router media channels, a JSON document for each node and step (needs a device)", NULL,
    write_openconfig, EXPORT_ARCS | EXPORT_GRID};

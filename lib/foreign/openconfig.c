/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/openconfig_document.h"

#include "base/base.h"

void openconfig_free(struct openconfig_document *d)
{
    names_free(&d->ports);
    free_all(d->components.data, d->channels.data);
}

static rwa_status add_port(struct openconfig_document *d, const char *port)
{
    uint32_t number = 0, before = d->ports.count;
    MUST(names_add(&d->ports, port, &number, d->components.err));
    if (d->ports.count > before)
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

rwa_status openconfig_end(struct openconfig_document *d, struct text *t)
{
    struct text *parts[] = {&d->components, &d->channels};
    for (size_t i = 0; i < 2; i++) {
        text_put(t,
                 i ? "]},\n\"openconfig-wavelength-router:wavelength-router\":{\"media-channels\":{\"channel\":["
                   : "{\"openconfig-platform:components\":{\"component\":[");
        MUST(parts[i]->status);
        if (parts[i]->used)
            text_add_bytes(t, parts[i]->data, parts[i]->used);
        parts[i]->used = 0;
    }
    text_put(t, "]}}}\n");
    names_free(&d->ports);
    d->index = 0;
    return t->status;
}

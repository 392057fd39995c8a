/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/openconfig_document.h"

#include "base/base.h"

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/openconfig_document.h"

#include "base/base.h"

char *put_words(char *to, const char *words)
{
    size_t length = strlen(words);
    memcpy(to, words, length + 1);
    return to + length;
}

char *put_number(char *to, uint32_t value)
{
    char digits[12];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    return put_words(to, digits + at);
}

static void add_text(struct text *t, const char *words)
{
    text_add_bytes(t, words, strlen(words));
}

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
    struct text *t = &d->components;
    add_text(t, t->used ? ",{\"name\":\"" : "{\"name\":\"");
    add_text(t, port);
    add_text(t, "\",\"config\":{\"name\":\"");
    add_text(t, port);
    add_text(t, "\"}}");
}

void openconfig_add_channel(struct openconfig_document *d, const char *name, const char *lower_mhz, const char *upper_mhz,
                            const char *source, const char *dest)
{
    struct text *t = &d->channels;
    char index[16];
    put_number(index, ++d->index);
    add_text(t, t->used ? ",{\"index\":" : "{\"index\":");
    add_text(t, index);
    add_text(t, ",\"config\":{\"index\":");
    add_text(t, index);
    add_text(t, ",\"name\":\"");
    add_text(t, name);
    add_text(t, "\",\"lower-frequency\":\"");
    add_text(t, lower_mhz);
    add_text(t, "\",\"upper-frequency\":\"");
    add_text(t, upper_mhz);
    add_text(t, "\",\"admin-status\":\"ENABLED\"},\"source\":{\"config\":{\"port-name\":\"");
    add_text(t, source);
    add_text(t, "\"}},\"dest\":{\"config\":{\"port-name\":\"");
    add_text(t, dest);
    add_text(t, "\"}}}");
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
    add_text(out, "{\"openconfig-platform:components\":{\"component\":[");
    add_part(out, &d->components);
    add_text(out, "]},\n\"openconfig-wavelength-router:wavelength-router\":{\"media-channels\":{\"channel\":[");
    add_part(out, &d->channels);
    add_text(out, "]}}}\n");
    return out->status;
}

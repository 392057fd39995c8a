/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Judging documents of media channels: what a schema lets pass although no device could do it. */
#include "foreign/foreign.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct media {
    uint64_t lower, upper;  /* MHz */
    json_int_t index;
    const char *port;       /* borrowed from the document */
    const char *name;
};

enum { NAMED = 20, LINE = 192 };

struct rwa_media_check {
    rwa_media_report report;
    char text[NAMED][LINE];
};

struct judge {
    rwa_media_check *verdict;
    json_t *components;     /* names known */
    struct media *ends;     /* each channel at its source port, then at its destination port */
    size_t count;
    double band_lower, band_upper;
};

static void report(struct judge *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void report(struct judge *j, const char *format, ...)
{
    rwa_media_report *r = &j->verdict->report;
    r->violations++;
    if (r->named == NAMED)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(j->verdict->text[r->named++], LINE, format, args);
    va_end(args);
}

static const char *text_at(json_t *object, const char *outer, const char *inner, const char *leaf)
{
    json_t *at = json_object_get(object, outer);
    at = inner ? json_object_get(at, inner) : at;
    const char *text = json_string_value(json_object_get(at, leaf));
    return text ? text : "";
}

static uint64_t frequency(json_t *channel, const char *leaf)
{
    const char *text = text_at(channel, "config", NULL, leaf);
    char *end = NULL;
    uint64_t value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' ? value : 0;
}

static void judge_channel(struct judge *j, json_t *channel)
{
    struct media m = {frequency(channel, "lower-frequency"), frequency(channel, "upper-frequency"),
                      json_integer_value(json_object_get(channel, "index")), NULL, text_at(channel, "config", NULL, "name")};
    json_int_t inner = json_integer_value(json_object_get(json_object_get(channel, "config"), "index"));
    if (m.index != inner)
        report(j, "channel %" JSON_INTEGER_FORMAT ": its config says index %" JSON_INTEGER_FORMAT, m.index, inner);
    if (m.lower == 0 || m.upper == 0)
        report(j, "channel %" JSON_INTEGER_FORMAT ": lower and upper frequency are not whole numbers of MHz", m.index);
    else if (m.upper <= m.lower)
        report(j, "channel %" JSON_INTEGER_FORMAT ": its slot ends at %" PRIu64 " MHz, not above its beginning at %" PRIu64, m.index,
               m.upper, m.lower);
    if (isfinite(j->band_lower) && ((double)m.lower < j->band_lower - 0.5 || (double)m.upper > j->band_upper + 0.5))
        report(j, "channel %" JSON_INTEGER_FORMAT ": its slot %" PRIu64 " to %" PRIu64 " MHz leaves the band %.0f to %.0f", m.index,
               m.lower, m.upper, j->band_lower, j->band_upper);
    for (int end = 0; end < 2; end++) {
        m.port = text_at(channel, end ? "dest" : "source", "config", "port-name");
        if (!json_object_get(j->components, m.port))
            report(j, "channel %" JSON_INTEGER_FORMAT ": port \"%.60s\" is no component", m.index, m.port);
        j->ends[(size_t)end * j->verdict->report.channels + j->count] = m;
    }
    j->count++;
}

static int by_port(const void *a, const void *b)
{
    const struct media *x = a, *y = b;
    int order = strcmp(x->port, y->port);
    return order ? order : (x->lower > y->lower) - (x->lower < y->lower);
}

static int by_index(const void *a, const void *b)
{
    const struct media *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/** Two channels may share a port, never a frequency on it. */
static void judge_overlaps(struct judge *j, struct media *ends)
{
    size_t last = 0; /* the one that reaches farthest on this port */
    qsort(ends, j->count, sizeof *ends, by_port);
    for (size_t i = 1; i < j->count; i++) {
        if (strcmp(ends[i].port, ends[last].port) != 0) {
            last = i;
            continue;
        }
        if (ends[i].lower < ends[last].upper)
            report(j, "channels %" JSON_INTEGER_FORMAT " and %" JSON_INTEGER_FORMAT " overlap on port \"%.60s\"", ends[last].index,
                   ends[i].index, ends[i].port);
        if (ends[i].upper > ends[last].upper)
            last = i;
    }
}

static void judge_indices(struct judge *j)
{
    qsort(j->ends, j->count, sizeof *j->ends, by_index);
    for (size_t i = 1; i < j->count; i++)
        if (j->ends[i].index == j->ends[i - 1].index)
            report(j, "index %" JSON_INTEGER_FORMAT " is used twice", j->ends[i].index);
}

static rwa_status know_components(struct judge *j, json_t *document, rwa_error *err)
{
    json_t *list = json_object_get(json_object_get(document, "openconfig-platform:components"), "component"), *entry;
    size_t i;
    j->components = json_object();
    if (!j->components)
        return base_fail(err, RWA_NOMEM, "out of memory for the components");
    json_array_foreach(list, i, entry) {
        const char *name = json_string_value(json_object_get(entry, "name"));
        if (name && json_object_set_new(j->components, name, json_true()) != 0)
            return base_fail(err, RWA_NOMEM, "out of memory for the components");
    }
    return RWA_OK;
}

static rwa_status judge_document(struct judge *j, json_t *document, const char *path, rwa_error *err)
{
    json_t *router = json_object_get(document, "openconfig-wavelength-router:wavelength-router"), *channel;
    json_t *list = json_object_get(json_object_get(router, "media-channels"), "channel");
    size_t i;
    rwa_status st = RWA_OK;
    if (!json_is_array(list))
        return base_fail(err, RWA_FORMAT, "%s: no media channels, expected an openconfig-wavelength-router document", path);
    TRY(know_components(j, document, err));
    j->verdict->report.channels = json_array_size(list);
    j->ends = base_array((size_t)j->verdict->report.channels * 2, sizeof *j->ends, err);
    if (!j->ends)
        return RWA_NOMEM;
    json_array_foreach(list, i, channel) {
        judge_channel(j, channel);
    }
    judge_overlaps(j, j->ends);
    judge_overlaps(j, j->ends + j->count);
    judge_indices(j);
done:
    return st;
}

static rwa_status take_band(struct judge *j, const rwa_device *device, rwa_error *err)
{
    uint64_t lower, upper, unused;
    rwa_status st = RWA_OK;
    j->band_lower = j->band_upper = NAN;
    if (!device)
        return RWA_OK;
    TRY(export_slot_mhz(&lower, &unused, device, 0, err));
    TRY(export_slot_mhz(&unused, &upper, device, rwa_device_wavelengths(device) - 1, err));
    j->band_lower = (double)lower;
    j->band_upper = (double)upper;
done:
    return st;
}

static rwa_status judge_file(struct judge *j, const char *path, const rwa_device *device, rwa_error *err)
{
    json_error_t where;
    rwa_status st = RWA_OK;
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (!document)
        return base_fail(err, json_error_code(&where) == json_error_cannot_open_file ? RWA_IO : RWA_FORMAT, "%s:%d: %s", path,
                         where.line > 0 ? where.line : 1, where.text);
    TRY(take_band(j, device, err));
    TRY(judge_document(j, document, path, err));
    j->verdict->report.ok = j->verdict->report.violations == 0;
done:
    json_decref(j->components);
    json_decref(document);
    free(j->ends);
    return st;
}

rwa_status rwa_openconfig_check(rwa_media_check **out, const char *path, const rwa_device *device, rwa_error *err)
{
    base_begin(err);
    *out = NULL;
    struct judge j = {.verdict = base_array(1, sizeof *j.verdict, err)};
    rwa_status st = j.verdict ? judge_file(&j, path, device, err) : RWA_NOMEM;
    if (st == RWA_OK)
        *out = j.verdict;
    else
        rwa_media_check_free(j.verdict);
    return st;
}

void rwa_media_check_free(rwa_media_check *check)
{
    free(check);
}

const rwa_media_report *rwa_media_check_summary(const rwa_media_check *check)
{
    return check ? &check->report : NULL;
}

const char *rwa_media_check_violation(const rwa_media_check *check, size_t i)
{
    return i < check->report.named ? check->text[i] : NULL;
}

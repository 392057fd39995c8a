/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Check documents of media channels for errors that a schema cannot find. */
#include "base/json.h"
#include "foreign/foreign.h"


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

struct media_checker {
    rwa_media_check *verdict;
    json_t *components;     /* names known */
    struct media *ends;     /* each channel at its source port, then at its destination port */
    size_t count;
    double band_lower, band_upper;
};

static void report(struct media_checker *chk, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void report(struct media_checker *chk, const char *format, ...)
{
    rwa_media_report *r = &chk->verdict->report;
    r->violations++;
    if (r->named == NAMED)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(chk->verdict->text[r->named++], LINE, format, args);
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

static void check_channel(struct media_checker *chk, json_t *channel)
{
    struct media m = {frequency(channel, "lower-frequency"), frequency(channel, "upper-frequency"),
                      json_integer_value(json_object_get(channel, "index")), NULL, text_at(channel, "config", NULL, "name")};
    json_int_t inner = json_integer_value(json_object_get(json_object_get(channel, "config"), "index"));
    assert(chk->count < chk->verdict->report.channels);
    if (m.index != inner)
        report(chk, "channel %" JSON_INTEGER_FORMAT ": its config says index %" JSON_INTEGER_FORMAT, m.index, inner);
    if (m.lower == 0 || m.upper == 0)
        report(chk, "channel %" JSON_INTEGER_FORMAT ": lower and upper frequency are not whole numbers of MHz", m.index);
    else if (m.upper <= m.lower)
        report(chk, "channel %" JSON_INTEGER_FORMAT ": its slot ends at %" PRIu64 " MHz, not above its beginning at %" PRIu64, m.index,
               m.upper, m.lower);
    if (isfinite(chk->band_lower) && ((double)m.lower < chk->band_lower - 0.5 || (double)m.upper > chk->band_upper + 0.5))
        report(chk, "channel %" JSON_INTEGER_FORMAT ": its slot %" PRIu64 " to %" PRIu64 " MHz leaves the band %.0f to %.0f", m.index,
               m.lower, m.upper, chk->band_lower, chk->band_upper);
    for (int end = 0; end < 2; end++) {
        m.port = text_at(channel, end ? "dest" : "source", "config", "port-name");
        if (!json_object_get(chk->components, m.port))
            report(chk, "channel %" JSON_INTEGER_FORMAT ": port \"%.60s\" is no component", m.index, m.port);
        chk->ends[(size_t)end * chk->verdict->report.channels + chk->count] = m;
    }
    chk->count++;
}

static int by_port(const void *a, const void *b)
{
    const struct media *x = a, *y = b;
    int order = strcmp(x->port, y->port);
    return order ? order : (x->lower > y->lower) - (x->lower < y->lower);
}

COMPARATOR(by_index, struct media, UP(index))

/** Two channels may share a port, never a frequency on it. */
static void check_overlaps(struct media_checker *chk, struct media *ends)
{
    size_t last = 0; /* the one that reaches farthest on this port */
    assert(chk->count == chk->verdict->report.channels);
    qsort(ends, chk->count, sizeof *ends, by_port);
    for (size_t i = 1; i < chk->count; i++) {
        if (strcmp(ends[i].port, ends[last].port) != 0) {
            last = i;
            continue;
        }
        if (ends[i].lower < ends[last].upper)
            report(chk, "channels %" JSON_INTEGER_FORMAT " and %" JSON_INTEGER_FORMAT " overlap on port \"%.60s\"", ends[last].index,
                   ends[i].index, ends[i].port);
        if (ends[i].upper > ends[last].upper)
            last = i;
    }
}

static void check_indices(struct media_checker *chk)
{
    qsort(chk->ends, chk->count, sizeof *chk->ends, by_index);
    for (size_t i = 1; i < chk->count; i++)
        if (chk->ends[i].index == chk->ends[i - 1].index)
            report(chk, "index %" JSON_INTEGER_FORMAT " is used twice", chk->ends[i].index);
}

static rwa_status list_components(struct media_checker *chk, json_t *document, rwa_error *err)
{
    json_t *list = json_object_get(json_object_get(document, "openconfig-platform:components"), "component"), *entry;
    size_t i;
    chk->components = json_object();
    if (!chk->components)
        return base_fail(err, RWA_NOMEM, "out of memory for the components");
    json_array_foreach(list, i, entry) {
        const char *name = json_string_value(json_object_get(entry, "name"));
        if (name && json_object_set_new(chk->components, name, json_true()) != 0)
            return base_fail(err, RWA_NOMEM, "out of memory for the components");
    }
    return RWA_OK;
}

static rwa_status check_document(struct media_checker *chk, json_t *document, const char *path, rwa_error *err)
{
    json_t *router = json_object_get(document, "openconfig-wavelength-router:wavelength-router"), *channel;
    json_t *list = json_object_get(json_object_get(router, "media-channels"), "channel");
    size_t i;
    if (!json_is_array(list))
        return base_fail(err, RWA_FORMAT, "%s: no media channels, expected an openconfig-wavelength-router document", path);
    MUST(list_components(chk, document, err));
    chk->verdict->report.channels = json_array_size(list);
    MUST(base_new(chk->ends, (size_t)chk->verdict->report.channels * 2, err));
    json_array_foreach(list, i, channel) {
        check_channel(chk, channel);
    }
    check_overlaps(chk, chk->ends);
    check_overlaps(chk, chk->ends + chk->count);
    check_indices(chk);
    return RWA_OK;
}

static rwa_status take_band(struct media_checker *chk, const rwa_device *device, rwa_error *err)
{
    uint64_t lower, upper, unused;
    chk->band_lower = chk->band_upper = NAN;
    if (!device)
        return RWA_OK;
    MUST(export_slot_mhz(&lower, &unused, device, 0, err));
    MUST(export_slot_mhz(&unused, &upper, device, rwa_device_wavelengths(device) - 1, err));
    chk->band_lower = (double)lower;
    chk->band_upper = (double)upper;
    return RWA_OK;
}

static rwa_status check_file(struct media_checker *chk, const char *path, const rwa_device *device, rwa_error *err)
{
    json_error_t where;
    rwa_status st = RWA_OK;
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (!document && json_ran_out(&where))
        return base_fail(err, RWA_NOMEM, "out of memory for %s", path);
    if (!document)
        return base_fail(err, json_error_code(&where) == json_error_cannot_open_file ? RWA_IO : RWA_FORMAT, "%s:%d: %s", path,
                         where.line > 0 ? where.line : 1, where.text);
    TRY(take_band(chk, device, err));
    TRY(check_document(chk, document, path, err));
    chk->verdict->report.ok = chk->verdict->report.violations == 0;
done:
    json_decref(chk->components);
    json_decref(document);
    free(chk->ends);
    return st;
}

rwa_status rwa_openconfig_check(rwa_media_check **out, const char *path, const rwa_device *device, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct media_checker chk = {.verdict = base_array(1, sizeof *chk.verdict, err)};
    rwa_status st = chk.verdict ? check_file(&chk, path, device, err) : RWA_NOMEM;
    if (st == RWA_OK)
        *out = chk.verdict;
    else
        rwa_media_check_free(chk.verdict);
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

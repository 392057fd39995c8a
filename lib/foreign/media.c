/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Checks documents of media channels for errors that a schema cannot find. */
#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "foreign/foreign.h"

struct media {
    uint64_t lower, upper;  /* MHz */
    long long index;
    const char *port;       /* borrowed from the document */
};

enum { NAMED = 20, LINE = 192 };
/* The largest document that is read. */
#define DOCUMENT_MAX ((size_t)1 << 30)

struct rwa_media_check {
    rwa_media_report report;
    char text[NAMED][LINE];
};

struct media_checker {
    rwa_media_check *verdict;
    struct names components;
    struct media *ends;     /* each channel at its source port, then at its destination port */
    size_t count;
    const rwa_device *device;   /* NULL: the band is not checked */
    uint64_t band[2];
    rwa_error *err;
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

static const char *text_at(const json_t *object, const char *outer, const char *inner, const char *leaf)
{
    const json_t *at = json_object_get(object, outer);
    at = inner ? json_object_get(at, inner) : at;
    const char *text = json_text(at, leaf);
    return text ? text : "";
}

static uint64_t frequency(const json_t *channel, const char *leaf)
{
    const char *text = text_at(channel, "config", NULL, leaf);
    char *end = NULL;
    uint64_t value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' ? value : 0;
}

static void check_channel(struct media_checker *chk, const json_t *channel)
{
    struct media m = {frequency(channel, "lower-frequency"), frequency(channel, "upper-frequency"),
                      json_integer_value(json_object_get(channel, "index")), NULL};
    long long inner = json_integer_value(json_object_get(json_object_get(channel, "config"), "index"));
    assert(chk->count < chk->verdict->report.channels);
    if (m.index != inner)
        report(chk, "channel %lld: its config says index %lld", m.index, inner);
    if (m.lower == 0 || m.upper == 0)
        report(chk, "channel %lld: lower and upper frequency are not whole numbers of MHz",
               m.index);
    else if (m.upper <= m.lower)
        report(chk,
               "channel %lld: its slot ends at %" PRIu64
               " MHz, not above its beginning at %" PRIu64,
               m.index, m.upper, m.lower);
    if (chk->device && (m.lower < chk->band[0] || m.upper > chk->band[1]))
        report(chk,
               "channel %lld: its slot %" PRIu64 " to %" PRIu64 " MHz leaves the band %" PRIu64
               " to %" PRIu64,
               m.index, m.lower, m.upper, chk->band[0], chk->band[1]);
    for (int end = 0; end < 2; end++) {
        m.port = text_at(channel, end ? "dest" : "source", "config", "port-name");
        if (names_find(&chk->components, m.port) == NAMES_NONE)
            report(chk, "channel %lld: port \"%.60s\" is no component", m.index, m.port);
        chk->ends[(size_t)end * chk->verdict->report.channels + chk->count] = m;
    }
    chk->count++;
}

COMPARATOR(by_port, struct media, ASCENDING(strcmp(x->port, y->port), 0); UP(lower))
COMPARATOR(by_index, struct media, UP(index))

/** Report channels that overlap: two channels may share a port, but no frequency on it. */
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
            report(chk, "channels %lld and %lld overlap on port \"%.60s\"",
                   ends[last].index, ends[i].index, ends[i].port);
        if (ends[i].upper > ends[last].upper)
            last = i;
    }
}

static void check_indices(struct media_checker *chk)
{
    qsort(chk->ends, chk->count, sizeof *chk->ends, by_index);
    for (size_t i = 1; i < chk->count; i++)
        if (chk->ends[i].index == chk->ends[i - 1].index)
            report(chk, "index %lld is used twice", chk->ends[i].index);
}

static rwa_status list_components(struct media_checker *chk, const json_t *document)
{
    const json_t *list = json_object_get(json_object_get(document, "openconfig-platform:components"), "component"),
                 *entry;
    size_t i;
    json_array_foreach(list, i, entry) {
        const char *name = json_text(entry, "name");
        uint32_t number = 0;
        if (name)
            MUST(names_add(&chk->components, name, &number, chk->err));
    }
    return RWA_OK;
}

static rwa_status check_document(struct media_checker *chk, const json_t *document, const char *path)
{
    const json_t *router = json_object_get(document, "openconfig-wavelength-router:wavelength-router");
    const json_t *list = json_object_get(json_object_get(router, "media-channels"), "channel");
    if (!json_is_array(list))
        return base_fail(chk->err, RWA_FORMAT,
                         "%s: no media channels, expected an openconfig-wavelength-router document", path);
    MUST(list_components(chk, document));
    chk->verdict->report.channels = json_array_size(list);
    MUST(base_new(chk->ends, (size_t)chk->verdict->report.channels * 2, chk->err));
    for (size_t i = 0; i < json_array_size(list); i++)
        check_channel(chk, json_array_get(list, i));
    check_overlaps(chk, chk->ends);
    check_overlaps(chk, chk->ends + chk->count);
    check_indices(chk);
    chk->verdict->report.ok = chk->verdict->report.violations == 0;
    return RWA_OK;
}

rwa_status rwa_media_check_file(rwa_media_check **out, const char *path, const rwa_device *device, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct media_checker chk = {.device = device, .err = err};
    json_t *document = NULL;
    char *text = NULL;
    size_t length = 0;
    rwa_status st = RWA_OK;
    TRY(base_new(chk.verdict, 1, err));
    TRY(file_load(&text, &length, path, DOCUMENT_MAX, "a document of media channels", err));
    TRY(json_open(&document, text, length, path, err));
    if (device)
        TRY(export_band_mhz(chk.band, device, 0, rwa_device_wavelengths(device) - 1, err));
    TRY(check_document(&chk, document, path));
    *out = chk.verdict;
    chk.verdict = NULL;
done:
    names_free(&chk.components);
    json_decref(document);
    free_all(chk.verdict, chk.ends, text);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Opens networks by specification, by name, or from a file. */
#include "base/limits.h"
#include "base/embedded.h"
#include "base/file.h"
#include "network/files/formats.h"
#include "network/files/sndlib.h"

enum { FILE_MAX = 1 << 28 };

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), more = strlen(end);
    return length >= more && strcmp(text + length - more, end) == 0;
}

static rwa_status take_sndlib(void *data, const struct sndlib_item *item, rwa_error *err)
{
    struct network_draft *d = data;
    uint32_t from = 0, to = 0;
    (void)err;
    d->line = item->line;
    if (item->kind == SNDLIB_NODE) {
        MUST(draft_add_node(d, item->id, NULL));
        return !isnan(item->x) && !isnan(item->y) ? draft_position(d, item->x, item->y) : RWA_OK;
    }
    if (item->kind != SNDLIB_LINK)
        return RWA_OK;
    MUST(draft_find_node(d, item->from, &from));
    MUST(draft_find_node(d, item->to, &to));
    return draft_add_link(d, from, to, 0, 0);
}

static rwa_status read_xml(struct network_draft *d, const char *text, size_t length)
{
    if (strstr(text, "<network") && !strstr(text, "<graphml"))
        return sndlib_read_xml(text, length, d->file, take_sndlib, d, d->err);
    return format_graph(d, text, length, true);
}

/** Return the first character of a text that is no blank; '\0' if there are only blanks. */
static char first_letter(const char *text)
{
    return text[strspn(text, " \t\r\n")];
}

static rwa_status check_text(struct network_draft *d, const char *text, size_t length)
{
    d->line = file_bad_line(text, length);
    return d->line ? draft_fail(d, "not UTF-8, expected text in that encoding") : RWA_OK;
}

/** Read a network from a text in any known format, recognised by the end of the file name or the first characters.  XML
 *  declares its own encoding; everything else must be UTF-8. */
static rwa_status read_text(struct network_draft *d, char *text, size_t length)
{
    if (ends_with(d->file, ".graphml") || ends_with(d->file, ".xml") || first_letter(text) == '<')
        return read_xml(d, text, length);
    MUST(check_text(d, text, length));
    if (length == 0)
        MUST(draft_fail(d, "empty, expected a network"));
    if (sndlib_is_native(text))
        return sndlib_read_native(text, d->file, take_sndlib, d, d->err);
    if (ends_with(d->file, ".gml"))
        return format_graph(d, text, length, false);
    if (ends_with(d->file, ".json") || first_letter(text) == '{' || first_letter(text) == '[')
        return format_json(d, text, length);
    return format_edge_list(d, text);
}

static rwa_status read_network(rwa_network **out, char *text, size_t length, const char *file,
                               const rwa_network_options *opts, rwa_error *err)
{
    struct network_draft d = {.file = file, .err = err};
    rwa_status st = RWA_OK;
    TRY(read_text(&d, text, length));
    TRY(draft_finish(out, &d, opts));
done:
    draft_free(&d);
    return st;
}

rwa_status rwa_network_read(rwa_network **out, const char *path, const rwa_network_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    char *text = NULL;
    size_t length = 0;
    rwa_network_options o;
    rwa_limits limits;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_network_options, &o, opts, err));
    TRY(limits_take(&limits, o.limits, err));
    TRY(file_load(&text, &length, path,
                  limits.file_bytes > 0 && limits.file_bytes < FILE_MAX ? (size_t)limits.file_bytes : FILE_MAX,
                  "a network", err));
    st = read_network(out, text, length, path, opts, err);
done:
    free(text);
    return st;
}

BUILT_IN(rwa_network_builtin, embedded_networks)

static rwa_status open_builtin(rwa_network **out, const struct embedded *builtin, const rwa_network_options *opts,
                               rwa_error *err)
{
    char file[80];
    char *text = base_copy_text(builtin->text, err);
    MUST(text ? RWA_OK : RWA_NOMEM);
    snprintf(file, sizeof file, "%s.json", builtin->name);
    rwa_status st = read_network(out, text, strlen(text), file, opts, err);
    free(text);
    return st;
}

/** Return the name of a built-in network to suggest for an unknown name: one that begins with the text `begin`, or else
 *  a well-known one. */
static const char *example_for(const char *begin)
{
    static const char usual[] = "nsfnet14-21";
    const struct embedded *e = embedded_networks;
    while (e->name && strncmp(e->name, begin, strlen(begin)) != 0)
        e++;
    return e->name && strncmp(usual, begin, strlen(begin)) != 0 ? e->name : usual;
}

/** Tell whether the first `letters` letters of `spec` are the name of a kind of network, such as "ring" in ring32. */
static bool is_kind(const char *spec, size_t letters)
{
    char kind[32];
    if (letters >= sizeof kind)
        return false;
    memcpy(kind, spec, letters);
    kind[letters] = '\0';
    return rwa_topology_find(kind) >= 0;
}

rwa_status rwa_network_open(rwa_network **out, const char *spec, const rwa_network_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, spec);
    static const char *const ends[] = {".graphml", ".gml", ".json", ".txt", ".xml", ".csv", ".edges", NULL};
    const struct embedded *builtin = embedded_find(embedded_networks, spec);
    if (builtin)
        return open_builtin(out, builtin, opts, err);
    for (const char *const *end = ends; *end; end++)
        if (ends_with(spec, *end))
            return rwa_network_read(out, spec, opts, err);
    if (strchr(spec, '/'))
        return rwa_network_read(out, spec, opts, err);
    size_t letters = strcspn(spec, "0123456789");
    if (!strchr(spec, ':') && spec[letters] != '\0' && is_kind(spec, letters))
        return base_refuse(err, "no network \"%.64s\"; did you mean %.*s:%.48s?", spec, (int)letters, spec,
                           spec + letters);
    if (!strchr(spec, ':'))
        return base_refuse(err,
                           "no network \"%.64s\", expected a file such as net.graphml, a built-in name such as "
                           "%s (see rwa network --list), or a specification such as ring:16",
                           spec, example_for(spec));
    return rwa_network_parse(out, spec, opts, err);
}

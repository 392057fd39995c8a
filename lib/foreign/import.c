/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/import.h"

#include "base/file.h"
#include "plan/transfers.h"

#include <ctype.h>
#include <sys/stat.h>

static const struct import_format *const formats[] = {&import_csv,     &import_teccl,   &import_forestcoll,
                                                      &import_mscclpp, &import_harvest, &import_msccl,
                                                      &import_chakra}; /* in the order of trying */
enum { FORMATS = sizeof formats / sizeof *formats };
/* The largest file that is read. */
#define FILE_MAX ((size_t)1 << 30)

LISTED(rwa_import_name, formats, ->name)
LISTED(rwa_import_summary, formats, ->summary)

OPTIONS(rwa_import_options, .message_bytes = 4u << 20)

rwa_status import_kind(const struct import *im, rwa_collective_kind kind)
{
    if (!kind || !im->o.collective || kind == im->o.collective)
        return RWA_OK;
    return base_fail(im->err, RWA_BADARG, "%s holds %s, not the %s that was asked for", im->path, rwa_collective_name(kind),
                     rwa_collective_name(im->o.collective));
}

rwa_status import_collective(struct import *im, rwa_collective_kind kind, uint64_t blocks, uint64_t message_bytes)
{
    MUST(import_kind(im, kind));
    kind = im->o.collective ? im->o.collective : kind ? kind : RWA_ALL_GATHER;
    return rwa_collective_init(&im->coll, kind, rwa_network_nodes(im->net), im->o.root,
                               message_bytes ? message_bytes : im->o.message_bytes, im->o.blocks ? im->o.blocks : blocks, im->err);
}

rwa_status import_add(struct import *im, const rwa_transfer *t)
{
    return base_append(im->list, im->count, im->capacity, im->err, *t);
}

/** By step; those of a step stay in their order. */
static rwa_status import_sort(struct import *im)
{
    uint32_t last = 0;
    for (size_t i = 0; i < im->count; i++)
        last = im->list[i].step > last ? im->list[i].step : last;
    size_t *fill = base_array((size_t)last + 2, sizeof *fill, im->err);
    rwa_transfer *sorted = base_array(im->count, sizeof *sorted, im->err);
    if (!fill || !sorted) {
        free_all(fill, sorted);
        return RWA_NOMEM;
    }
    for (size_t i = 0; i < im->count; i++)
        fill[im->list[i].step + 1]++;
    for (uint32_t t = 0; t <= last; t++)
        fill[t + 1] += fill[t];
    for (size_t i = 0; i < im->count; i++)
        sorted[fill[im->list[i].step]++] = im->list[i];
    assert(fill[last] == im->count);
    free_all(fill, im->list);
    im->list = sorted;
    im->capacity = im->count;
    return RWA_OK;
}

/* ---- the file ---- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static rwa_status load(struct import *im)
{
    if (is_folder(im->path))
        return RWA_OK;
    rwa_status st = file_load(&im->text, &im->length, im->path, FILE_MAX, "a schedule", im->err);
    if (st == RWA_OK && strlen(im->text) != im->length)
        st = import_fail(im, 1, "a byte of 0, expected text");
    return st;
}

static const struct import_format *recognised(const char *text)
{
    for (; isspace((unsigned char)*text) || *text == '#'; text++)
        if (*text == '#' && strchr(text, '\n'))
            text = strchr(text, '\n');
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->begins && strncmp(text, formats[i]->begins, strlen(formats[i]->begins)) == 0 &&
            (!formats[i]->has || strstr(text, formats[i]->has)))
            return formats[i];
    return NULL;
}

/** Whether the first line is the header of a schedule file. */
static bool is_schedule(const char *text)
{
    const char *name = strstr(text, "\"rwa-schedule\"");
    return *text == '{' && name && (size_t)(name - text) < strcspn(text, "\n");
}

static rwa_status find_format(const struct import_format **out, const struct import *im)
{
    if (!im->text) {
        *out = &import_chakra;
        if (!im->o.format || strcmp(im->o.format, import_chakra.name) == 0)
            return RWA_OK;
        return base_fail(im->err, RWA_BADARG, "%s is a folder, expected a file of %.64s", im->path, im->o.format);
    }
    if (im->o.format && strcmp(im->o.format, import_chakra.name) == 0)
        return base_fail(im->err, RWA_BADARG, "%s: expected the folder of the traces NAME.N.et", im->path);
    if (!im->o.format && is_schedule(im->text))
        return import_fail(im, 1, "a schedule already, which check, show and export read as it is");
    size_t found = im->o.format ? base_find_name(rwa_import_name, im->o.format) : SIZE_MAX;
    *out = found != SIZE_MAX ? formats[found] : im->o.format ? NULL : recognised(im->text);
    if (*out)
        return RWA_OK;
    if (im->o.format)
        return base_fail(im->err, RWA_BADARG, "format \"%.64s\": unknown, expected csv, teccl, forestcoll, mscclpp, harvest, msccl or "
                         "chakra", im->o.format);
    return import_fail(im, 1, "neither a table of lightpaths (csv), nor steps, flows or a plan as JSON (harvest, teccl, mscclpp), nor "
                       "trees or a program as XML (forestcoll, msccl)");
}

/** Plan routes and wavelengths if the format has none. */
static rwa_status plan(struct import *im)
{
    char scheme[32];
    if (im->sched)
        return RWA_OK;
    snprintf(scheme, sizeof scheme, "%s-import", im->found.format);
    im->found.routes_assigned = 1;
    MUST(import_sort(im));
    for (size_t i = 0; i < im->count; i++)
        im->found.steps += i == 0 || im->list[i].step != im->list[i - 1].step;
    return plan_messages(&im->sched, im->net, &im->coll, scheme, im->list, im->count, false, im->o.plan, im->err);
}

rwa_status rwa_schedule_import_sized(rwa_schedule **out, rwa_import *found, size_t size, const char *path, const rwa_network *net,
                                     const rwa_import_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct import im = {.path = path, .net = net, .err = err};
    const struct import_format *format = NULL;
    rwa_status st = RWA_OK;
    rwa_import_options_init(&im.o);
    TRY(base_take_options(&im.o, sizeof im.o, opts, "import options", err));
    TRY(load(&im));
    TRY(find_format(&format, &im));
    assert(format);
    im.found.format = format->name;
    if (!net && format != &import_csv)
        TRY(base_fail(err, RWA_BADARG, "%s: %s files name no network, expected a network", path, format->name));
    TRY(format->read(&im));
    TRY(plan(&im));
    if (found)
        base_give_answer(found, size, &im.found, sizeof im.found);
    *out = im.sched;
    im.sched = NULL;
done:
    rwa_schedule_free(im.sched);
    rwa_network_free(im.own);
    free_all(im.list, im.text);
    return st;
}

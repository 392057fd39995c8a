/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads a schedule in the format of another tool: recognises the format, reads transfers or lightpaths, and plans the
 *  routes and wavelengths that the file does not give. */
#include "foreign/import.h"

#include "base/file.h"
#include "network/files/xml.h"
#include "plan/transfers.h"
#include "schedule/schedule.h"

#include <ctype.h>
#include <sys/stat.h>

static const struct import_format *const formats[] = {&import_csv,     &import_teccl,   &import_forestcoll,
                                                      &import_mscclpp, &import_harvest, &import_msccl,
                                                      &import_chakra}; /* in the order of trying */
enum { FORMATS = sizeof formats / sizeof *formats };
/* The largest file that is read. */
#define FILE_MAX ((size_t)1 << 30)
/* Bytes of memory that libxml2 is assumed to need for each byte of text; a file of 256 MB with two million instructions
 * needed six. */
enum { TREE_BYTES = 24 };
/* Files contain this number where the default of a runtime is the largest 64-bit number; the JSON reader cannot
 * represent it. */
static const char largest[] = "18446744073709551615";

LISTED(rwa_import_format_name, formats, ->name)

OPTIONS(rwa_import_options, .message_bytes = 4u << 20)

rwa_status import_kind(const struct import *im, rwa_collective_kind kind)
{
    if (!kind || !im->o.collective || kind == im->o.collective)
        return RWA_OK;
    return base_refuse(im->err, "%s holds %s, not the %s that was asked for", im->path, rwa_collective_name(kind),
                       rwa_collective_name(im->o.collective));
}

rwa_status import_collective(struct import *im, rwa_collective_kind kind, uint64_t blocks, uint64_t message_bytes)
{
    MUST(import_kind(im, kind));
    kind = im->o.collective ? im->o.collective : kind ? kind : RWA_ALL_GATHER;
    return rwa_collective_init(&im->coll, kind, rwa_network_nodes(im->net), im->o.root,
                               message_bytes ? message_bytes : im->o.message_bytes,
                               im->o.blocks ? im->o.blocks : blocks, im->err);
}

rwa_status import_go_on(struct import *im, size_t done)
{
    enum { POLL_EVERY = 1024 };
    if (done % POLL_EVERY != 0 || !base_must_stop(&im->budget, "importing", -1))
        return RWA_OK;
    if (im->budget.cancelled)
        return base_fail(im->err, RWA_CANCELLED, "importing was stopped");
    return base_fail(im->err, RWA_CANCELLED, "time_limit_s %g: the file was not read in that time; more would help",
                     im->o.plan->time_limit_s);
}

rwa_status import_note(struct import *im, uint32_t src, uint32_t dst, uint64_t block, uint32_t step)
{
    return im->line == 0 ? RWA_OK : base_append(im->origins, im->origin_count, im->err,
                                                (struct import_origin){src, dst, step, block, im->line});
}

COMPARATOR(by_block, struct import_origin, UP(src) UP(dst) UP(block) UP(step))

/** Return the line of the file that sends a lightpath's block from its source to its destination; 0: none.  If several
 *  do, in several steps, return the last one whose step is at most the lightpath's. */
static size_t line_of(const struct import *im, const rwa_lightpath *lp)
{
    /* the steps may differ: a step of the file may have become several of the schedule */
    const struct import_origin after = {lp->src, lp->dst, lp->step + 1, lp->block, 0};
    size_t at = base_first_from(im->origins, im->origin_count, sizeof after, &after, by_block);
    const struct import_origin *found = &im->origins[at - (at > 0)];
    return found->src == lp->src && found->dst == lp->dst && found->block == lp->block ? found->line : 0;
}

/** Set im->sched->line[] to the line of the file that each record of the schedule comes from. */
static rwa_status name_lines(struct import *im)
{
    rwa_schedule *s = im->sched;
    rwa_lightpath lp;
    if (im->origin_count == 0)
        return RWA_OK;
    base_sort(im->origins, im->origin_count, by_block);
    MUST(base_new(s->line, rwa_schedule_records(s), im->err));
    for (; s->line_count < rwa_schedule_records(s); s->line_count++) {
        rwa_schedule_get(&lp, s, s->line_count);
        s->line[s->line_count] = line_of(im, &lp);
    }
    return RWA_OK;
}

rwa_status import_add(struct import *im, const rwa_transfer *t)
{
    MUST(import_go_on(im, im->count));
    MUST(import_note(im, t->src, t->dst, t->block, t->step));
    return base_append(im->list, im->count, im->err, *t);
}

COMPARATOR(by_step, rwa_transfer, UP(step))

/* ---- the file ---- */

static rwa_status load(struct import *im)
{
    struct stat status;
    if (stat(im->path, &status) == 0 && S_ISDIR(status.st_mode))
        return RWA_OK;
    rwa_status st = file_load_within(&im->text, &im->length, im->path, FILE_MAX, "a schedule", &im->budget, im->err);
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

/** Tell whether the first line of a text is the header of a schedule file. */
static bool is_schedule(const char *text)
{
    const char *name = strstr(text, "\"rwa-schedule\"");
    return *text == '{' && name && (size_t)(name - text) < strcspn(text, "\n");
}

static rwa_status find_format(const struct import_format **out, const struct import *im)
{
    size_t found = 0;
    if (!im->o.format && im->text && is_schedule(im->text))
        return import_fail(im, 1, "a schedule already, which check, show and export read as it is");
    if (im->o.format)
        MUST(base_find_listed(&found, rwa_import_format_name, "format", im->o.format, im->err));
    *out = im->o.format ? formats[found] : im->text ? recognised(im->text) : &import_chakra;
    if (!*out)
        return import_fail(
            im, 1,
            "neither a table of lightpaths (csv), nor steps, flows or a plan as JSON (harvest, teccl, mscclpp), nor "
            "trees or a program as XML (forestcoll, msccl)");
    if ((*out)->begins && !im->text)
        return base_refuse(im->err, "%s is a folder, expected a file of %s", im->path, (*out)->name);
    if (!(*out)->begins && im->text)
        return base_refuse(im->err, "%s: expected the folder of the traces NAME.N.et", im->path);
    if (!im->net && *out != &import_csv)
        return base_refuse(im->err, "%s: %s files name no network, expected a network", im->path, (*out)->name);
    return RWA_OK;
}

/** Parse the file into im->json or im->xml if its format begins with "{" or "<" (`begins`); do nothing for other
 *  formats. */
static rwa_status open_document(struct import *im, const char *begins)
{
    char *big = strstr(im->text, largest);
    if (*begins == '{' && big) /* of the same length; the number has no meaning here */
        memset(memset(big, ' ', sizeof largest - 1), '0', 1);
    if (*begins == '{')
        return json_open(&im->json, im->text, im->length, im->path, im->err);
    if (*begins != '<')
        return RWA_OK;
    MUST(base_fits_memory((double)im->length * TREE_BYTES, "this file", im->err));
    return xml_open(&im->xml, im->text, im->length, im->path, im->err);
}

rwa_status import_number_list(const struct import *im, const xmlNode *at, const struct import_number *list)
{
    for (; list->name; list++) {
        const char *text = xml_attribute_text(at, list->name);
        char *end = NULL;
        long long value = text ? strtoll(text, &end, 10) : 0;
        if (!text || end == text || *end || value < list->least || value > (long long)list->most)
            return list->least == list->most
                       ? import_fail(im, xml_line(at), "<%s %s>: expected %u", (const char *)at->name, list->name,
                                     list->most)
                       : import_fail(im, xml_line(at), "<%s %s>: expected a whole number from %lld up to %u",
                                     (const char *)at->name, list->name, list->least, list->most);
        *list->to = (uint32_t)value;
    }
    return RWA_OK;
}

/** Set *o to the caller's options for plans, completed, let im->o.plan point to them, and start their time limit, which
 *  holds for the whole import. */
static rwa_status begin_time(struct import *im, rwa_plan_options *o)
{
    MUST(base_options(rwa_plan_options, o, im->o.plan, im->err));
    im->o.plan = o;
    im->budget = base_budget(o->time_limit_s, o->poll, o->poll_data);
    return RWA_OK;
}

/** If the format has no routes and wavelengths, plan them for the transfers in im->list, and set im->sched to the
 *  schedule. */
static rwa_status plan(struct import *im)
{
    static const double least_s = 1e-9;
    rwa_plan_options o = *im->o.plan;
    char scheme[32];
    if (im->sched)
        return RWA_OK;
    if (o.time_limit_s > 0) /* the time that reading has left */
        o.time_limit_s = fmax(im->budget.deadline_s - base_now_s(), least_s);
    snprintf(scheme, sizeof scheme, "%s-import", im->found.format);
    im->found.routes_assigned = 1;
    base_sort(im->list, im->count, by_step);
    for (size_t i = 0; i < im->count; i++)
        im->found.steps += i == 0 || im->list[i].step != im->list[i - 1].step;
    return plan_messages(&im->sched, im->net, &im->coll, scheme, im->list, im->count, false, &o, im->err);
}

rwa_status rwa_schedule_import_sized(rwa_schedule **out, rwa_import *found, size_t size, const char *path,
                                     const rwa_network *net, const rwa_import_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    rwa_plan_options o;
    struct import im = {.path = path, .net = net, .nodes = net ? rwa_network_nodes(net) : 0, .memory = {.err = err},
                        .err = err};
    const struct import_format *format = NULL;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_import_options, &im.o, opts, err));
    TRY(begin_time(&im, &o));
    TRY(load(&im));
    TRY(find_format(&format, &im));
    assert(format);
    im.found.format = format->name;
    if (im.text)
        TRY(open_document(&im, format->begins));
    TRY(format->read(&im));
    TRY(plan(&im));
    TRY(name_lines(&im));
    if (found)
        base_give_answer(found, size, &im.found, sizeof im.found);
    *out = im.sched;
    im.sched = NULL;
done:
    rwa_schedule_free(im.sched);
    rwa_network_free(im.own);
    json_decref(im.json);
    xmlFreeDoc(im.xml);
    arena_free(&im.memory);
    free_all(im.acts, im.waits, im.names, im.awaited, im.lanes, im.list, im.origins, im.text);
    return st;
}

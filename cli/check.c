/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "print.h"

#include <inttypes.h>
#include <string.h>

static json_t *violation(const rwa_violation *v)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s}", "kind", rwa_violation_name(v->kind), "step", json_count(v->step),
                     "lightpath", json_count(v->lightpath), "link", json_count(v->link), "wavelength",
                     json_count(v->wavelength), "text", v->text);
}

/* Of an assignment; null without one. */
static json_t *claim(const rwa_check *c)
{
    if (c->bound == 0)
        return json_null();
    return json_pack("{s:o, s:o}", "value", json_count(c->bound), "verified",
                     c->bound_verdict == RWA_UNCHECKED ? json_null() : json_boolean(c->bound_verdict == RWA_PASS));
}

/* Of an assignment: what it says it does not serve. */
static json_t *unserved(const rwa_check *c)
{
    json_t *all = json_array();
    for (uint64_t i = 0; i < c->unserved && i < RWA_UNSERVED_NAMED; i++)
        json_array_append_new(all, json_pack("{s:o, s:o, s:o}", "demand", json_count(c->first_unserved[i].demand), "src",
                                             json_count(c->first_unserved[i].src), "dst", json_count(c->first_unserved[i].dst)));
    return all;
}

static json_t *report(const rwa_check *c, const rwa_device *device)
{
    json_t *first = json_array();
    for (size_t i = 0; i < c->named; i++)
        json_array_append_new(first, violation(&c->first[i]));
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "ok", c->ok,
                     "violations", json_count(c->violations), "first", first, "steps", json_count(c->steps),
                     "lightpaths", json_count(c->lightpaths), "longest_hops", json_count(c->longest_hops),
                     "wavelengths_used", json_count(c->wavelengths_used), "tunings", json_count(c->tunings),
                     "tuning_cost", json_count(c->tuning_cost), "finish_steps", json_count(c->finish_steps),
                     "power", json_power(c, device), "bound", claim(c), "unserved", json_count(c->unserved),
                     "first_unserved", unserved(c), "down", json_count(c->down), "drops", json_count(c->drops));
}

static void text_unserved(FILE *to, const rwa_check *c)
{
    if (c->unserved == 0)
        return;
    fprintf(to, "Not served        %" PRIu64 " demand%s, as the file says\n", c->unserved, c->unserved == 1 ? "" : "s");
    for (uint64_t i = 0; i < c->unserved && i < RWA_UNSERVED_NAMED; i++)
        fprintf(to, "  demand %" PRIu64 ", %" PRIu32 " to %" PRIu32 "\n", c->first_unserved[i].demand,
                c->first_unserved[i].src, c->first_unserved[i].dst);
    if (c->unserved > RWA_UNSERVED_NAMED)
        fprintf(to, "  ... and %" PRIu64 " more\n", c->unserved - RWA_UNSERVED_NAMED);
}

static void text(const options *o, const rwa_check *c, const rwa_device *device)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    if (c->ok)
        fprintf(to, "ok: %s\n", o->file);
    else
        fprintf(to, "WRONG: %s, %" PRIu64 " violation%s\n", o->file, c->violations, c->violations == 1 ? "" : "s");
    print_violations(to, c);
    text_unserved(to, c);
    int assignment = c->steps == 0 && (c->lightpaths > 0 || c->unserved > 0);
    if (!assignment)
        fprintf(to, "Steps             %" PRIu32 "\n", c->steps);
    fprintf(to, "Lightpaths        %" PRIu64 "\nLongest lightpath %" PRIu32 " hop%s\n", c->lightpaths, c->longest_hops,
            c->longest_hops == 1 ? "" : "s");
    if (c->drops > 1)
        fprintf(to, "Taps              up to %" PRIu32 " nodes read a lightpath\n", c->drops);
    if (c->down > 0)
        fprintf(to, "Down              %" PRIu64 " of them, as the file says\n", c->down);
    if (o->verbose)
        fprintf(to, "Channels used     %" PRIu32 " at most in one direction in one step\n", c->wavelengths_used);
    if (c->tunings > 0)
        fprintf(to, "Tunings           %" PRIu64 ", cost %" PRIu64 ", all done after %" PRIu64 " steps\n", c->tunings,
                c->tuning_cost, c->finish_steps);
    if (c->bound > 0)
        fprintf(to, "Bound             %" PRIu64 " %s, %s\n", c->bound, c->bound_of_served ? "lightpaths served" : "wavelengths",
               c->bound_verdict == RWA_PASS ? "proven by its witness" : c->bound_verdict == RWA_FAIL ? "NOT proven"
                                                                                                    : "not recomputed");
    if (!assignment)
        print_power(to, c, device);
    fold_close(&folded, FOLD_HANG, 0);
}

/* A document of media channels is named .json, a schedule .jsonl. */
static int is_document(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static int check_document(const options *o, const rwa_device *device)
{
    rwa_media_check verdict;
    rwa_error err = {0};
    rwa_status status = rwa_openconfig_check(&verdict, o->file, device, &err);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    printf("%s: %s, %" PRIu64 " media channels, %" PRIu64 " violation%s\n", verdict.ok ? "ok" : "WRONG", o->file,
           verdict.channels, verdict.violations, verdict.violations == 1 ? "" : "s");
    for (size_t i = 0; i < verdict.named; i++)
        printf("  %s\n", verdict.first[i]);
    if (verdict.violations > verdict.named)
        printf("  ... and %" PRIu64 " more\n", verdict.violations - (uint64_t)verdict.named);
    return finish(verdict.ok ? EXIT_YES : EXIT_NO);
}

int command_check(options *o)
{
    rwa_device *device = NULL;
    rwa_check verdict;
    rwa_check_options opts;
    rwa_error err = {0};
    int code = 0;
    if (o->file == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa check plan.jsonl");
    code = refuse_power_model(o);
    if (code != 0)
        return code;
    if (o->device != NULL) {
        rwa_status opened = rwa_device_open(&device, o->device, &err);
        if (opened != RWA_OK)
            return fail_status(opened, &err, 0);
    }
    if (is_document(o->file) && !o->json) {
        code = check_document(o, device);
        rwa_device_free(device);
        return code;
    }
    rwa_check_options_init(&opts);
    opts.device = device;
    opts.power_model = o->plan.power_model;
    opts.poll = poll_progress;
    opts.poll_data = o;
    rwa_status status = rwa_check_file(&verdict, o->file, &opts, &err);
    progress_clear();
    if (status != RWA_OK)
        code = fail_status(status, &err, 0);
    else if (o->json)
        code = json_print(stdout, report(&verdict, device));
    else
        text(o, &verdict, device);
    if (code == 0)
        code = finish(verdict.ok ? EXIT_YES : EXIT_NO);
    rwa_device_free(device);
    return code;
}

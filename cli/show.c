/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "fold.h"
#include "options.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef enum drawing { DRAW_TEXT, DRAW_SVG, DRAW_HTML, DRAW_UNKNOWN } drawing;

/* What a file of this name is to hold, before .gz; a name without an ending is text. */
static drawing drawing_of(const char *name)
{
    static const struct { const char *end; drawing kind; } known[] = {
        {".svg", DRAW_SVG}, {".html", DRAW_HTML}, {".htm", DRAW_HTML}, {".txt", DRAW_TEXT}, {"", DRAW_TEXT}};
    const char *file = name != NULL && strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
    size_t length = file != NULL ? strlen(file) : 0, at;
    if (length > 3 && strcmp(file + length - 3, ".gz") == 0)
        length -= 3;
    for (at = length; at > 0 && file[at - 1] != '.'; at--)
        ;
    at = at > 0 ? at - 1 : length;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].end) == length - at && (length == at || strncasecmp(file + at, known[i].end, length - at) == 0))
            return known[i].kind;
    return DRAW_UNKNOWN;
}

/* Colour on a terminal, unless NO_COLOR (https://no-color.org) or a dumb terminal says no. */
static int wants_color(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no == NULL || *no == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

static int only_ascii(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

/* A long text goes through the user's pager when both ends are a terminal. */
static int print_paged(const char *text)
{
    struct winsize size = {0};
    const char *pager = getenv("PAGER");
    size_t lines = 0;
    FILE *to = NULL;
    for (const char *p = text; *p != '\0'; p++)
        lines += *p == '\n';
    if (isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && lines >= size.ws_row)
        to = popen(pager != NULL && *pager != '\0' ? pager : "less -R", "w");
    if (to == NULL) {
        fputs(text, stdout);
        return finish(EXIT_YES);
    }
    fputs(text, to);
    pclose(to);
    return EXIT_YES;
}

static rwa_status draw(char **text, rwa_schedule *const *scheds, size_t count, const options *o, rwa_view_options *view,
                       rwa_error *err)
{
    if (drawing_of(o->output) == DRAW_HTML)
        return rwa_view_html(text, (const rwa_schedule *const *)scheds, count, view, err);
    if (drawing_of(o->output) == DRAW_SVG)
        return rwa_view_svg(text, scheds[0], view, err);
    uint32_t columns = fold_columns(stdout);
    view->columns = columns > 0 ? columns : 80;
    view->color = o->output == NULL && wants_color();
    view->ascii = o->output == NULL && only_ascii();
    return rwa_view_text(text, scheds[0], view, err);
}

static int show(rwa_schedule *const *scheds, size_t count, const char *title, const options *o, const rwa_device *device)
{
    rwa_view_options view;
    rwa_error err = {0};
    char *text = NULL;
    rwa_view_options_init(&view);
    view.step = o->step;
    view.node = option_given(o, "node") ? o->node : RWA_VIEW_NONE;
    view.block = option_given(o, "block") ? o->block : RWA_VIEW_NONE;
    view.device = device;
    view.power_model = o->plan.power_model;
    view.title = count == 1 && title[0] != '\0' ? title : NULL;
    int writing = 0, code = 0;
    rwa_status status = draw(&text, scheds, count, o, &view, &err);
    if (status == RWA_OK && o->output != NULL) {
        writing = 1;
        status = rwa_text_write(text, o->output, &err);
    }
    if (status != RWA_OK)
        code = fail_status(status, &err, writing);
    else
        code = o->output != NULL ? finish(EXIT_YES) : print_paged(text);
    rwa_text_free(text);
    return code;
}

/* "91 two-way lightpaths on a network of 14 nodes: 13 wavelengths" */
static void describe(char *title, size_t size, const rwa_assign_result *result)
{
    const rwa_assign_summary *sum = rwa_assign_result_summary(result);
    snprintf(title, size, "%llu of %llu %slightpaths on a network of %u nodes: %u wavelength%s", (unsigned long long)sum->routed,
             (unsigned long long)sum->lightpaths, rwa_assign_result_model(result) == RWA_UNDIRECTED ? "two-way " : "",
             (unsigned)rwa_network_nodes(rwa_assign_result_network(result)), (unsigned)sum->wavelengths,
             sum->wavelengths == 1 ? "" : "s");
}

/* A schedule; or an assignment, which is drawn as a schedule of one step, unless it serves nobody: then that is the answer. */
static int read_drawable(rwa_schedule **sched, char *title, size_t size, const char *file)
{
    rwa_assign_result *result = NULL;
    rwa_error err = {0};
    int code = 0;
    title[0] = '\0';
    if (!rwa_is_assignment_file(file)) {
        rwa_status read = rwa_schedule_read(sched, file, &err);
        return read == RWA_OK ? 0 : fail_status(read, &err, 0);
    }
    rwa_status status = rwa_assign_result_read(&result, file, &err);
    if (status == RWA_OK)
        describe(title, size, result);
    if (status == RWA_OK && rwa_assign_result_summary(result)->routed == 0)
        code = fail(EXIT_NO, "%s serves nobody, so there is nothing to draw: %s", file, title);
    else if (status == RWA_OK)
        status = rwa_assign_result_schedule(sched, result, &err);
    rwa_assign_result_free(result);
    return status == RWA_OK ? code : fail_status(status, &err, 0);
}

/* What a drawing of this kind does not look at. */
static int check_options(const options *o)
{
    drawing kind = drawing_of(o->output);
    int code = refuse_power_model(o);
    if (code == 0 && kind == DRAW_HTML)
        code = refuse_given(o, NAMES("step", "node", "block"), "is for text and drawings; the page shows all of it, to be chosen there");
    else if (code == 0)
        code = refuse_given(o, NAMES("device"), "is for the interactive page, expected -o FILE.html");
    if (code == 0 && kind == DRAW_SVG)
        code = refuse_given(o, NAMES("node", "block"), "is for text, expected no -o FILE.svg, or --step");
    return code;
}

int command_show(options *o)
{
    rwa_schedule *scheds[2] = {NULL, NULL};
    rwa_device *device = NULL;
    char title[2][120] = {"", ""};
    rwa_error err = {0};
    int code = 0;
    if (o->file == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa show plan.jsonl");
    if (drawing_of(o->output) == DRAW_UNKNOWN)
        return fail(EXIT_BAD_INPUT, "-o %s: expected a name that ends in .svg (a drawing), .html (an interactive page) or .txt", o->output);
    if (o->file2 != NULL && drawing_of(o->output) != DRAW_HTML)
        return fail(EXIT_BAD_INPUT, "two files are compared on a page, expected -o FILE.html");
    code = check_options(o);
    if (code != 0)
        return code;
    if (o->device != NULL) {
        rwa_status opened = rwa_device_open(&device, o->device, &err);
        if (opened != RWA_OK)
            return fail_status(opened, &err, 0);
    }
    code = read_drawable(&scheds[0], title[0], sizeof title[0], o->file);
    if (code == 0 && o->file2 != NULL)
        code = read_drawable(&scheds[1], title[1], sizeof title[1], o->file2);
    if (code == 0)
        code = show(scheds, o->file2 != NULL ? 2 : 1, title[0], o, device);
    rwa_schedule_free(scheds[0]);
    rwa_schedule_free(scheds[1]);
    rwa_device_free(device);
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "options.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* The width of the terminal: COLUMNS, or what the terminal says, or 80. */
static uint32_t terminal_columns(void)
{
    struct winsize size = {0};
    const char *said = getenv("COLUMNS");
    long columns = said != NULL ? strtol(said, NULL, 10) : 0;
    if (columns <= 0 && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns <= 0 ? 80 : columns < 40 ? 40 : columns > 1000 ? 1000 : (uint32_t)columns;
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
    if (o->output != NULL && (ends_with(o->output, ".html") || ends_with(o->output, ".htm")))
        return rwa_view_html(text, (const rwa_schedule *const *)scheds, count, view, err);
    if (o->output != NULL && ends_with(o->output, ".svg"))
        return rwa_view_svg(text, scheds[0], view, err);
    view->columns = terminal_columns();
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
    view.node = o->given_node ? o->node : RWA_VIEW_NONE;
    view.block = o->given_block ? o->block : RWA_VIEW_NONE;
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

/* A schedule; or an assignment, which is drawn as a schedule of one step. */
static rwa_status read_drawable(rwa_schedule **sched, char *title, size_t size, const char *file, rwa_error *err)
{
    rwa_assign_result *result = NULL;
    title[0] = '\0';
    if (!rwa_is_assignment_file(file))
        return rwa_schedule_read(sched, file, err);
    rwa_status status = rwa_assign_result_read(&result, file, err);
    if (status == RWA_OK)
        status = rwa_assign_result_schedule(sched, result, err);
    if (status == RWA_OK)
        describe(title, size, result);
    rwa_assign_result_free(result);
    return status;
}

int command_show(options *o)
{
    rwa_schedule *scheds[2] = {NULL, NULL};
    rwa_device *device = NULL;
    char title[2][120] = {"", ""};
    rwa_error err = {0};
    if (o->file == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa show plan.jsonl");
    if (o->file2 != NULL && (o->output == NULL || !ends_with(o->output, ".html")))
        return fail(EXIT_BAD_INPUT, "two files are compared on a page, expected -o FILE.html");
    rwa_status status = RWA_OK;
    if (o->device != NULL)
        status = rwa_device_open(&device, o->device, &err);
    if (status == RWA_OK)
        status = read_drawable(&scheds[0], title[0], sizeof title[0], o->file, &err);
    if (status == RWA_OK && o->file2 != NULL)
        status = read_drawable(&scheds[1], title[1], sizeof title[1], o->file2, &err);
    int code = status == RWA_OK ? show(scheds, o->file2 != NULL ? 2 : 1, title[0], o, device) : fail_status(status, &err, 0);
    rwa_schedule_free(scheds[0]);
    rwa_schedule_free(scheds[1]);
    rwa_device_free(device);
    return code;
}

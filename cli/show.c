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

static int show(rwa_schedule *const *scheds, size_t count, const options *o, const rwa_device *device)
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

int command_show(options *o)
{
    rwa_schedule *scheds[2] = {NULL, NULL};
    rwa_device *device = NULL;
    rwa_error err = {0};
    if (o->file == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa show plan.jsonl");
    if (o->file2 != NULL && (o->output == NULL || !ends_with(o->output, ".html")))
        return fail(EXIT_BAD_INPUT, "two files are compared on a page, expected -o FILE.html");
    rwa_status status = RWA_OK;
    if (o->device != NULL)
        status = rwa_device_open(&device, o->device, &err);
    if (status == RWA_OK)
        status = rwa_schedule_read(&scheds[0], o->file, &err);
    if (status == RWA_OK && o->file2 != NULL)
        status = rwa_schedule_read(&scheds[1], o->file2, &err);
    int code = status == RWA_OK ? show(scheds, o->file2 != NULL ? 2 : 1, o, device) : fail_status(status, &err, 0);
    rwa_schedule_free(scheds[0]);
    rwa_schedule_free(scheds[1]);
    rwa_device_free(device);
    return code;
}

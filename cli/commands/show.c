/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "cli/figure.h"
#include "cli/print.h"
#include "cli/target.h"
#include "cli/wrap.h"
#include "commands.h"

#include <langinfo.h>
#include <locale.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct show_options {
    common common;
    uint32_t step;
    const char *node;
    uint64_t block;
    const char *file;
    device_choice device;
    rwa_cost_options cost;
    rwa_network_options net;    /* the rate only */
} show_options;

static const option own_options[] = {
    {"step", 0, "S", "only this step", NULL, IS_COUNT(show_options, step, 1, UINT32_MAX)},
    {"node", 0, "V", "follow a node, by number or name: lightpaths it sends, receives and passes", NULL, IS_TEXT(show_options, node)},
    {"block", 0, "B", "follow a block, counted from 0; assignment: source * nodes + destination", NULL,
     IS_NUMBER(show_options, block, 0, UINT32_MAX)},
    {"output", 'o', "FILE", "a drawing (.svg, .pdf, .png), an interactive page (.html), or text (.txt)", NULL, IS_FILE(show_options, file)},
    {0}};
static const option_group groups[] = {
    {own_options, 0, NULL}, {device_options, offsetof(show_options, device), NULL}, {power_options, offsetof(show_options, device), NULL},
    {cost_model_options, offsetof(show_options, cost), cost_init}, {cost_options, offsetof(show_options, cost), NULL},
    {rate_options, offsetof(show_options, net), network_init}, {NULL, 0, NULL}};

typedef enum drawing { DRAW_TEXT, DRAW_SVG, DRAW_PDF, DRAW_PNG, DRAW_HTML, DRAW_UNKNOWN } drawing;

/* The drawing that a file of this name holds, before .gz; a name without an ending is text. */
static drawing drawing_of(const char *name)
{
    static const struct { const char *end; drawing kind; } known[] = {
        {".svg", DRAW_SVG}, {".pdf", DRAW_PDF}, {".png", DRAW_PNG},
        {".html", DRAW_HTML}, {".htm", DRAW_HTML}, {".txt", DRAW_TEXT}, {"", DRAW_TEXT}};
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

static int is_figure(drawing kind)
{
    return kind == DRAW_SVG || kind == DRAW_PDF || kind == DRAW_PNG;
}

/* Colour on a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is dumb. */
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

/* Terminal options of a text. */
static void take_terminal(rwa_view_options *view, const show_options *o)
{
    uint32_t columns = wrap_columns(stdout);
    view->columns = columns > 0 ? columns : 80;
    view->color = o->file == NULL && wants_color();
    view->ascii = o->file == NULL && only_ascii();
}

static rwa_status draw(char **text, rwa_schedule *const *scheds, size_t count, const show_options *o, rwa_view_options *view,
                       rwa_error *err)
{
    if (drawing_of(o->file) == DRAW_HTML)
        return rwa_view_html(text, (const rwa_schedule *const *)scheds, count, view, err);
    if (is_figure(drawing_of(o->file)))
        return rwa_view_svg(text, scheds[0], view, err);
    take_terminal(view, o);
    return rwa_view_text(text, scheds[0], view, err);
}

/* Print a drawing, or write it to the file that was named. */
static int hand_out(char *text, rwa_status status, rwa_error *err, const show_options *o)
{
    int writing = 0, code = 0;
    if (status == RWA_OK && (drawing_of(o->file) == DRAW_PDF || drawing_of(o->file) == DRAW_PNG)) {
        code = figure_write(text, drawing_of(o->file) == DRAW_PDF ? "pdf" : "png", o->file);
        rwa_text_free(text);
        return code != 0 ? code : finish(EXIT_YES);
    }
    if (status == RWA_OK && o->file != NULL) {
        writing = 1;
        status = rwa_text_write(text, o->file, err);
    }
    if (status != RWA_OK)
        code = fail_status(status, err, writing);
    else
        code = o->file != NULL ? finish(EXIT_YES) : print_paged(text);
    rwa_text_free(text);
    return code;
}

/* "91 of 91 two-way lightpaths on a network of 14 nodes: 13 wavelengths" */
static void describe(char *title, size_t size, const rwa_assign_result *result)
{
    const rwa_assign_report *sum = rwa_assign_result_summary(result);
    snprintf(title, size, "%" PRIu64 " of %" PRIu64 " %slightpaths on a network of %" PRIu32 " nodes: %" PRIu32 " wavelength%s",
             sum->routed, sum->lightpaths, rwa_assign_result_model(result) == RWA_UNDIRECTED ? "two-way " : "",
             rwa_network_nodes(rwa_assign_result_network(result)), sum->wavelengths, plural(sum->wavelengths));
}

/* Small enough for a map. */
static int is_mappable(const rwa_assign_result *result)
{
    uint64_t hops = 0;
    for (uint64_t i = 0; i < rwa_assign_result_routes(result); i++) {
        rwa_route route;
        rwa_assign_result_get(&route, result, i);
        hops += route.hops;
    }
    return rwa_network_nodes(rwa_assign_result_network(result)) <= RWA_VIEW_MAP_NODES && hops <= RWA_VIEW_MAP_HOPS;
}

/* Fixed channels have a map as page and drawing; a flexible grid has a map as page, and its spectrum otherwise. */
static int is_drawn(const rwa_assign_result *result, const show_options *o)
{
    int is_step = option_given(&o->common, "step") || option_given(&o->common, "device");
    if (rwa_network_slot_hz(rwa_assign_result_network(result)) > 0)
        return 1;
    return !is_step && (drawing_of(o->file) == DRAW_HTML || is_figure(drawing_of(o->file))) && is_mappable(result)
        && rwa_assign_result_summary(result)->routed > 0;
}

static rwa_status draw_assignment(char **text, const rwa_assign_result *result, const show_options *o, rwa_error *err)
{
    rwa_view_options view;
    char title[120];
    int is_flexible = rwa_network_slot_hz(rwa_assign_result_network(result)) > 0;
    rwa_view_options_init(&view);
    take_terminal(&view, o);
    if (drawing_of(o->file) == DRAW_HTML && !is_mappable(result))
        return rwa_view_spectrum_html(text, result, &view, err);
    if (is_figure(drawing_of(o->file)) && is_flexible)
        return rwa_view_spectrum_svg(text, result, &view, err);
    if (drawing_of(o->file) == DRAW_TEXT)
        return rwa_view_spectrum_text(text, result, &view, err);
    if (!is_flexible) {
        describe(title, sizeof title, result);
        view.title = title;
    }
    return drawing_of(o->file) == DRAW_HTML ? rwa_view_assignment_html(text, result, &view, err)
                                            : rwa_view_assignment_svg(text, result, &view, err);
}

/* An assignment that has drawings of its own; *is 0: the file is drawn as a schedule. */
static int show_assignment(int *is, const show_options *o)
{
    rwa_assign_result *result = NULL;
    rwa_error err = {0};
    char *text = NULL;
    *is = 0;
    if (!rwa_is_assignment_file(o->common.operands[0]) || o->common.operands[1] != NULL)
        return 0;
    int code = fail_status(rwa_assign_result_read(&result, o->common.operands[0], &err), &err, 0);
    *is = code != 0 || is_drawn(result, o);
    if (code == 0 && *is)
        code = refuse_given(&o->common, NAMES("step", "node", "block", "device", "cost"), "is for schedules, this is a spectrum");
    if (code == 0 && *is)
        {
        rwa_status status = draw_assignment(&text, result, o, &err);
        code = hand_out(text, status, &err, o);
    }
    rwa_assign_result_free(result);
    return code;
}

/* Of each step, of all schedules one after the other. */
typedef struct step_times {
    double *begin_s, *end_s;
    uint32_t *epoch;
} step_times;

static int time_steps(rwa_view_options *view, step_times *times, rwa_schedule *const *scheds, size_t count, const show_options *o)
{
    rwa_error err = {0};
    size_t steps = 0, at = 0;
    int code = 0;
    for (size_t i = 0; i < count; i++)
        steps += rwa_schedule_steps(scheds[i]);
    times->begin_s = calloc(steps + 1, sizeof *times->begin_s);
    times->end_s = calloc(steps + 1, sizeof *times->end_s);
    times->epoch = calloc(steps + 1, sizeof *times->epoch);
    if (times->begin_s == NULL || times->end_s == NULL || times->epoch == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    for (size_t i = 0; code == 0 && i < count; at += rwa_schedule_steps(scheds[i++])) {
        code = fail_status(rwa_cost_step_times(times->begin_s + at, times->end_s + at, scheds[i], o->net.rate_bps, &o->cost, &err),
                           &err, 0);
        THEN(fail_status(rwa_cost_epochs(times->epoch + at, scheds[i], &o->cost, &err), &err, 0));
    }
    view->begin_s = times->begin_s;
    view->end_s = times->end_s;
    view->epoch = o->cost.model == RWA_COST_CIRCUIT ? times->epoch : NULL;  /* only there it pays for one reconfiguration */
    return code;
}

static int show(rwa_schedule *const *scheds, size_t count, const char *title, const show_options *o)
{
    rwa_view_options view;
    rwa_error err = {0};
    char *text = NULL;
    step_times times = {0};
    int code = 0;
    rwa_view_options_init(&view);
    view.step = o->step;
    view.node = RWA_VIEW_NONE;
    if (o->node != NULL) {
        uint32_t node = 0;
        code = read_node(&node, rwa_schedule_network(scheds[0]), "node", o->node);
        if (code != 0)
            return code;
        view.node = node;
    }
    view.block = option_given(&o->common, "block") ? o->block : RWA_VIEW_NONE;
    view.device = o->device.device;
    view.power_model = o->device.model;
    view.title = count == 1 && title[0] != '\0' ? title : NULL;
    if (option_given(&o->common, "cost"))
        code = time_steps(&view, &times, scheds, count, o);
    if (code == 0) {
        rwa_status status = draw(&text, scheds, count, o, &view, &err);
        code = hand_out(text, status, &err, o);
    }
    free(times.begin_s);
    free(times.end_s);
    free(times.epoch);
    return code;
}

/* An assignment is drawn as a schedule of one step; without a lightpath there is nothing to draw. */
static int read_assignment(rwa_schedule **sched, char *title, size_t size, const char *file)
{
    rwa_assign_result *result = NULL;
    rwa_error err = {0};
    int code = fail_status(rwa_assign_result_read(&result, file, &err), &err, 0);
    if (code == 0)
        describe(title, size, result);
    if (code == 0 && rwa_assign_result_summary(result)->routed == 0)
        code = fail(EXIT_NO, "%s serves no demand, so there is nothing to draw: %s", file, title);
    else if (code == 0)
        code = fail_status(rwa_assign_result_schedule(sched, result, &err), &err, 0);
    rwa_assign_result_free(result);
    return code;
}

static int read_drawable(rwa_schedule **sched, char *title, size_t size, const char *file)
{
    rwa_error err = {0};
    return rwa_is_assignment_file(file) ? read_assignment(sched, title, size, file)
                                        : fail_status(rwa_schedule_read(sched, file, &err), &err, 0);
}

/* Options that a drawing of this kind does not read. */
static int check_options(const show_options *o)
{
    const char *const *files = o->common.operands;
    drawing kind = drawing_of(o->file);
    int code = 0;
    if (files[0] == NULL)
        return fail(EXIT_BAD_INPUT, "no file given, expected for example: rwa show plan.jsonl");
    if (kind == DRAW_UNKNOWN)
        return fail(EXIT_BAD_INPUT, "-o %s: expected a name that ends in .svg, .pdf or .png (a drawing), .html (an interactive page) or "
                    ".txt", o->file);
    if ((kind == DRAW_PDF || kind == DRAW_PNG) && strcmp(o->file + strlen(o->file) - 3, ".gz") == 0)
        return fail(EXIT_BAD_INPUT, "-o %s: drawings of this kind are compressed already, expected a name without .gz", o->file);
    if (files[1] != NULL && kind != DRAW_HTML)
        return fail(EXIT_BAD_INPUT, "two files are compared on a page, expected -o FILE.html");
    if (kind == DRAW_HTML)
        code = refuse_given(&o->common, NAMES("step", "node", "block"), "is for text and drawings; the page lets its reader choose");
    else
        code = refuse_given(&o->common, NAMES("device"), "is for the interactive page, expected -o FILE.html");
    if (code == 0 && !option_given(&o->common, "cost"))
        code = refuse_given(&o->common, NAMES("alpha", "reconfig", "packet", "flit", "clock", "rate"),
                            "is for the times of steps, expected --cost too");
    THEN(refuse_alpha(&o->cost, &o->common));
    if (code == 0 && is_figure(kind))
        code = refuse_given(&o->common, NAMES("node", "block"), "is for text, expected no -o FILE.svg, or --step");
    return code;
}

static int run(void *options)
{
    show_options *o = options;
    rwa_schedule *scheds[OPERANDS_MAX] = {NULL};
    char title[OPERANDS_MAX][120] = {""};
    size_t count = 0;
    int code = check_options(o), is_done = 0;
    THEN(show_assignment(&is_done, o));
    if (is_done)
        return code;
    THEN(device_apply(&o->device, &o->net, &o->cost, &o->common));
    for (; code == 0 && count < OPERANDS_MAX && o->common.operands[count] != NULL; count++)
        code = read_drawable(&scheds[count], title[count], sizeof title[count], o->common.operands[count]);
    THEN(show(scheds, count, title[0], o));
    for (size_t i = 0; i < OPERANDS_MAX; i++)
        rwa_schedule_free(scheds[i]);
    rwa_device_free(o->device.device);
    return code;
}

const command command_show = {
    "show", "draw a schedule: in the terminal, as SVG, as an interactive page",
    "rwa show FILE [FILE2] [options]\n\n"
    "Draws a schedule, or an assignment (on a flexible grid its spectrum, links by slots): "
    "utilisation, and grids of links by wavelengths with every lightpath as a run; "
    "--node and --block follow one of them through the steps.  -o x.svg draws (x.pdf and x.png too, with rsvg-convert or "
    "inkscape), -o x.html makes one self-contained interactive page, of two files side by side.  In a "
    "terminal, a long text goes through $PAGER, or less.  show draws without checking; "
    "use rwa check to verify.\n\n"
    "Examples:\n"
    "  rwa show plan.jsonl\n"
    "  rwa show plan.jsonl --block 3\n"
    "  rwa show optree.jsonl wavefront.jsonl -o compare.html\n",
    groups, sizeof(show_options), 2, run, NULL};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plot.h"
#include "commands.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *node;
static int proof;
static rwa_view_options view;

static const option own_options[] = {
    {"step", "S", "only this step", IS_COUNT(view.step, 1, UINT32_MAX)},
    {"node", "V", "follow a node, by number or name: lightpaths it sends, receives and passes", IS_TEXT(node)},
    {"block", "B", "follow a block, counted from 0; assignment: source * nodes + destination",
     IS_NUMBER(view.block, 0, UINT32_MAX)},
    {"proof", NULL, "the lower bound that decides: its cut, node or link, or lightpaths that meet", IS_FLAG(proof)},
    {"gantt", NULL, "drawings: when each link tunes and sends, by --cost", IS_FLAG(view.gantt)},
    {"output", "FILE.svg", "a drawing (.svg, .pdf, .png), an interactive page (.html), or text (.txt)",
     IS_FILE(output.file)},
    {0}};

static void init(void)
{
    rwa_view_options_init(&view);
}

typedef enum drawing { DRAW_TEXT, DRAW_SVG, DRAW_PDF, DRAW_PNG, DRAW_HTML, DRAW_UNKNOWN } drawing;
static drawing kind;
static char *text;      /* the drawing */

/* Return the name of a file without its folder. */
static const char *last_part(const char *path)
{
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* Return the kind of drawing that the ending of a file name asks for.  An ending .gz is ignored; no ending means
 * text. */
static drawing drawing_of(const char *path)
{
    static const struct { const char *end; drawing kind; } known[] = {
        {".svg", DRAW_SVG}, {".pdf", DRAW_PDF}, {".png", DRAW_PNG}, {".html", DRAW_HTML}, {".htm", DRAW_HTML},
        {".txt", DRAW_TEXT}};
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s", path ? last_part(path) : "");
    if (ends_with(name, ".gz"))
        name[strlen(name) - strlen(".gz")] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_with(name, known[i].end))
            return known[i].kind;
    return strchr(name, '.') ? DRAW_UNKNOWN : DRAW_TEXT;
}

/* Return "pdf" or "png" if the drawing is converted from SVG, else NULL. */
static const char *made_of_svg(void)
{
    return kind == DRAW_PDF ? "pdf" : kind == DRAW_PNG ? "png" : NULL;
}

static int is_figure(void)
{
    return kind == DRAW_SVG || made_of_svg();
}

/* Tell whether to use colour: on a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is dumb. */
static int wants_color(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && (!no || !*no) && (!term || strcmp(term, "dumb") != 0);
}

static int only_ascii(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

/* Print the drawing and return EXIT_YES.  If it is longer than the terminal and input and output are a terminal, show
 * it in the user's pager. */
static int print_paged(void)
{
    struct winsize size = {0};
    const char *pager = getenv("PAGER");
    size_t lines = 0;
    FILE *to = NULL;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    if (isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        lines >= size.ws_row)
        to = popen(pager && *pager ? pager : "less -R", "w");
    fputs(text, to ? to : stdout);
    if (to)
        pclose(to);
    return EXIT_YES;
}

/* Set view.columns, if they are known, view.color and view.ascii, the layout of a text drawing, for the terminal and
 * -o. */
static void take_terminal(void)
{
    uint32_t columns = wrap_columns(stdout);
    if (columns > 0)
        view.columns = columns;
    view.color = !output.file && wants_color();
    view.ascii = !output.file && only_ascii();
}

/* Print the drawing; if -o names a file, write it there, as PDF or PNG if the name asks for it.  Return 0, or the exit
 * code after an error message. */
static int hand_out(void)
{
    const char *format = made_of_svg();
    return format        ? figure_write(text, format, output.file)
           : output.file ? WRITE(rwa_text_write, text, output.file)
                         : print_paged();
}

/* ---- proofs ---- */

/* For each file: the schedule, the assignment if it is one, the text of its proof and, for a schedule, the side of the
 * cut that each node is on. */
static rwa_schedule *scheds[RWA_VIEW_PAGE_MOST];
static rwa_assignment *results[RWA_VIEW_PAGE_MOST];
static char words[RWA_VIEW_PAGE_MOST][2 * RWA_ERROR_TEXT];
static const char *proofs[RWA_VIEW_PAGE_MOST];
static uint32_t *sides[RWA_VIEW_PAGE_MOST];

static int prove_assignment(size_t i, const rwa_assignment *result)
{
    static rwa_check *checks[RWA_VIEW_PAGE_MOST];
    const char *file = args.operands[i];
    MUST(CALL(rwa_check_file, &checks[i], file, NULL));
    const rwa_check_report *c = rwa_check_summary(checks[i]);
    if (!c->ok || !*c->bound_proof)
        return fail(EXIT_NO,
                    c->ok ? "--proof: %s has no witness of a bound" : "--proof: %s is wrong; rwa check says why", file);
    snprintf(words[i], sizeof words[i], "%s %s (%s).  %s.", c->bound_of_served ? "At most" : "At least", bound_text(c),
             rwa_assignment_summary(result)->bound.name, c->bound_proof);
    proofs[i] = words[i];
    return 0;
}

/* Return the highest lower bound on the steps, and set *at to its index in the list; NULL: there is none.  Of equal
 * bounds, prefer one with a cut, since a drawing can show the cut. */
static const rwa_bound *deciding(size_t *at, const rwa_bounds *list)
{
    const rwa_bound *most = rwa_bounds_get(list, 0), *b;
    if (!most || !is_on_steps(most))
        return NULL;
    *at = 0;
    for (size_t k = 0; (b = rwa_bounds_get(list, k)) && is_on_steps(b) && b->value == most->value; k++)
        if (rwa_bounds_sends(list, *at, 0) < 0 && rwa_bounds_sends(list, k, 0) >= 0)
            *at = k;
    return rwa_bounds_get(list, *at);
}

/* Store in proofs[i] the highest lower bound on the steps of schedule i, with its proof, as text.  If the bound counts
 * over a cut or at a node, set sides[i] to the side of each node.  Return 0; EXIT_NO if no bound is known; or another
 * exit code after an error message. */
static int prove_schedule(size_t i, const rwa_schedule *sched)
{
    static rwa_bounds *list;
    rwa_bound_options opts;
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_bound_options_init(&opts);
    opts.members = rwa_schedule_members(sched);
    opts.lightpath_blocks = rwa_schedule_lightpath_blocks(sched);
    opts.max_drops = rwa_schedule_receivers(sched);
    rwa_bounds_free(list);      /* of the file before */
    MUST(CALL(rwa_bounds_make, &list, net, rwa_schedule_collective(sched), &opts));
    size_t k = 0;
    const rwa_bound *b = deciding(&k, list);
    if (!b)
        return fail(EXIT_NO, "--proof: no bound on the steps of %s is known", args.operands[i]);
    int is_drawn = rwa_bounds_sends(list, k, 0) >= 0;
    if (is_drawn)
        MUST(NEW(sides[i], rwa_network_nodes(net)));
    for (uint32_t v = 0; is_drawn && v < rwa_network_nodes(net); v++)
        sides[i][v] = rwa_bounds_sends(list, k, v) == 1;
    snprintf(words[i], sizeof words[i], "At least %s (%s): %s.%s", counted(b->value, "step"), b->name,
             rwa_bounds_proof(list, k),
             is_drawn ? "" : "  Nothing is marked: it counts over no cut and at no single node.");
    proofs[i] = words[i];
    return 0;
}

/* ---- assignments ---- */

/* Tell whether an assignment is small enough for a map. */
static int is_mappable(const rwa_assignment *result)
{
    uint64_t hops = 0;
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        hops += route.hops;
    }
    return rwa_network_nodes(rwa_assignment_network(result)) <= RWA_VIEW_MAP_NODES && hops <= RWA_VIEW_MAP_HOPS;
}

static int is_flexible(const rwa_assignment *result)
{
    return rwa_network_slot_hz(rwa_assignment_network(result)) > 0;
}

/* Tell whether an assignment has a drawing of its own: always on a flexible grid, else only as a map, on a page or
 * figure.  Other assignments are drawn as schedules of one step. */
static int has_drawing(const rwa_assignment *result)
{
    return is_flexible(result) || (!given("step") && !given("device") && (kind == DRAW_HTML || is_figure()) &&
                                   is_mappable(result) && rwa_assignment_summary(result)->routed > 0);
}

static int draw_assignment(const rwa_assignment *result)
{
    take_terminal();
    if (is_figure() && is_flexible(result) && !proof)
        return CALL(rwa_view_spectrum_svg, &text, result, &view);
    if (kind == DRAW_TEXT)
        return CALL(rwa_view_spectrum_text, &text, result, &view);
    return kind == DRAW_HTML ? CALL(rwa_view_assignment_html, &text, result, &view)
                             : CALL(rwa_view_assignment_svg, &text, result, &view);
}

/* Draw the assignment results[0], for which has_drawing() is true, and print or write the drawing.  Return 0 or the
 * exit code. */
static int show_assignment(void)
{
    MUST(refuse_given("step node block gantt device cost", "is for schedules, this is a spectrum"));
    if (proof)
        MUST(prove_assignment(0, results[0]));
    view.proofs = proof ? proofs : NULL;
    MUST(draw_assignment(results[0]));
    return hand_out();
}

/* Set scheds[i] to assignment i as a schedule of one step; with --proof store its proof too.  Refuse an assignment
 * without lightpaths, since there is nothing to draw.  Return 0, or the exit code after an error message. */
static int read_assignment(size_t i)
{
    if (rwa_assignment_summary(results[i])->routed == 0)
        return fail(EXIT_NO, "%s serves 0 of %" PRIu64 " lightpaths, so there is nothing to draw", args.operands[i],
                    rwa_assignment_summary(results[i])->lightpaths);
    MUST(CALL(rwa_assignment_schedule, &scheds[i], results[i]));
    return proof ? prove_assignment(i, results[i]) : 0;
}

/* ---- schedules ---- */

static int draw(size_t count)
{
    if (kind == DRAW_HTML)
        return CALL(rwa_view_html, &text, (const rwa_schedule *const *)scheds, count, &view);
    if (is_figure())
        return CALL(rwa_view_svg, &text, scheds[0], &view);
    take_terminal();
    return CALL(rwa_view_text, &text, scheds[0], &view);
}

static int show(size_t count)
{
    uint32_t number = 0;
    if (node) {
        MUST(read_node(&number, rwa_schedule_network(scheds[0]), "node", node));
        view.node = number;
    }
    view.device = target.device;
    view.power_model = target.power_model;
    view.cost = given("cost") || view.gantt || kind == DRAW_HTML ? &cost : NULL;
    view.rate_bps = target.opts.rate_bps;
    MUST(draw(count));
    return hand_out();
}

/* Refuse a command without a file, and options that this kind of drawing does not use.  Return 0 or the exit code. */
static int refuse_options(void)
{
    const char *format = made_of_svg();
    if (!args.file)
        return BAD_INPUT("no file given, expected for example: rwa show plan.jsonl");
    if (kind == DRAW_UNKNOWN)
        return BAD_INPUT(
            "-o %s: expected a name that ends in .svg, .pdf or .png (a drawing), .html (an interactive page) or .txt",
            output.file);
    if (format && ends_with(output.file, ".gz"))
        return BAD_INPUT("-o %s: drawings of this kind are compressed already, expected a name without .gz",
                         output.file);
    if (args.operands[1] && kind != DRAW_HTML)
        return BAD_INPUT("several files are compared on a page, expected -o FILE.html");
    if (kind == DRAW_HTML)
        MUST(refuse_given("step node block gantt", "is for text and drawings; the page lets its reader choose"));
    else
        MUST(refuse_given("power-model", "is for the interactive page, expected -o FILE.html"));
    if (!given("cost") && !view.gantt)
        MUST(refuse_given(kind == DRAW_HTML ? "alpha reconfig packet flit clock rate"
                                            : "device alpha reconfig packet flit clock rate",
                          "is for the times of steps, expected --cost too"));
    MUST(refuse_alpha());
    if (kind == DRAW_TEXT)
        MUST(refuse_given("proof", "is for drawings and pages, expected -o FILE; rwa explain tells it in words"));
    if (proof && kind != DRAW_HTML)
        MUST(refuse_given("step block cost", "is not drawn with --proof"));
    if (is_figure())
        MUST(refuse_given("node", "is for text, expected no -o FILE.svg, or --step or --block"));
    else
        MUST(refuse_given("gantt", "is for drawings, expected -o FILE.svg"));
    if (view.gantt)
        MUST(refuse_given("step block", "is for drawings of steps, expected no --gantt"));
    return format ? figure_needs(format, output.file) : 0;
}

static int read_file_number(size_t i)
{
    if (results[i])
        return read_assignment(i);
    MUST(CALL(rwa_schedule_read, &scheds[i], args.operands[i], NULL));
    return proof ? prove_schedule(i, scheds[i]) : 0;
}

static int run(void)
{
    static char name[RWA_VIEW_PAGE_MOST][64];
    const char *names[RWA_VIEW_PAGE_MOST];
    size_t count = 0;
    kind = drawing_of(output.file);
    MUST(refuse_options());
    for (; count < RWA_VIEW_PAGE_MOST && args.operands[count]; count++)
        if (rwa_assignment_is_file(args.operands[count]))
            MUST(CALL(rwa_assignment_read, &results[count], args.operands[count]));
    if (count == 1 && results[0] && has_drawing(results[0]))
        return show_assignment();
    MUST(device_apply());
    for (size_t i = 0; i < count; i++) {
        names[i] = name[i];
        snprintf(name[i], sizeof name[i], "%.*s", (int)strcspn(last_part(args.operands[i]), "."),
                 last_part(args.operands[i]));
        MUST(read_file_number(i));
    }
    view.proofs = proof ? proofs : NULL;
    view.sides = proof ? (const uint32_t *const *)sides : NULL;
    view.results = (const rwa_assignment *const *)results;
    view.names = count > 1 ? names : NULL;
    return show(count);
}

const command command_show = {
    "show",
    "draw a schedule: in the terminal, as SVG, as an interactive page",
    "rwa show FILE [FILE2 ...] [options]\n\n"
    "Draws a schedule or an assignment, without checking it: utilisation, and grids of links by wavelengths (or "
    "slots); --node and --block follow one.  -o x.svg draws (.pdf and .png with rsvg-convert or inkscape), -o "
    "x.html makes an interactive page of up to four files.  A long text goes through $PAGER, or less.\n\n"
    "Examples:\n"
    "  rwa show plan.jsonl --block 3\n"
    "  rwa show optree.jsonl wavefront.jsonl -o compare.html\n",
    TABLES(own_options, device_options, power_options, cost_options, rate_options),
    RWA_VIEW_PAGE_MOST,
    run,
    init};

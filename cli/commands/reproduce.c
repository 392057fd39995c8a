/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the tables and figures of papers, the items, row by row beside the formula and the schedule. */
#include "cli/plot.h"
#include "commands.h"

#include <unistd.h>

static const char *item;        /* NULL: all tables */
static int formulas_only;

static const option own_options[] = {
    {"item", "NAME", "one table or figure, as table-2 or fig-5; without NAME: list them (all tables)",
     IS_TEXT(item), .bare = 1},
    {"formulas-only", NULL, "make no schedules", IS_FLAG(formulas_only), .field = "schedules"},
    {"plot", "FILE.svg", "draw the figure of --item, with gnuplot", IS(plot_file, read_plot)},
    {0}};

static rwa_paper *paper;

static const rwa_paper_row *row_at(size_t i)
{
    return rwa_paper_get(paper, i);
}

/* Return the row after the last one of an item (a table or figure of the paper) whose first row is `first`. */
static size_t item_end(size_t first)
{
    size_t end = first;
    while (end < rwa_paper_rows(paper) && strcmp(row_at(end)->item, row_at(first)->item) == 0)
        end++;
    return end;
}

static const char *number_text(double value, int decimals, const char *unit)
{
    return isfinite(value) ? phrase("%.*f%s", decimals, value, strcmp(unit, "%") == 0 ? " %" : "") : "-";
}

/* Return the number of decimals of a row's figures but the printed one: for percentages and ratios 3, to show whether
 * the paper truncated or rounded; for others as many as are printed. */
static int digits_of(const rwa_paper_row *r)
{
    return strcmp(r->unit, "%") == 0 || strcmp(r->unit, "times") == 0 ? 3 : r->decimals;
}

/* ---- text ---- */

/* The notes of an item, numbered from 1 in the order of their first rows. */
static struct { const char *list[256]; size_t count; } notes;

/* Return the number, from 1, of a note in the list `notes`, and append the note if it is new.  Return 0 for an empty
 * note, and if the list is full. */
static size_t note_number(const char *note)
{
    size_t i = 0;
    while (i < notes.count && strcmp(notes.list[i], note) != 0)
        i++;
    if (!*note || i == sizeof notes.list / sizeof *notes.list)
        return 0;
    notes.list[i] = note;
    notes.count += i == notes.count;
    return i + 1;
}

/* Of a row: printed, by formula, of the schedule, and the difference of the two measured; phrases. */
enum { FIGURES = 4 };
typedef struct figures { const char *text[FIGURES]; } figures;
static const figures headings = {{"printed", "formula ", "schedule", "difference"}};

/* The layout of the table of an item: the widths of its columns, and more. */
static size_t row_width, column_width, figure_width[FIGURES];
static int apart;           /* labels are on lines of their own, because labels and numbers do not fit on one line */
static const char *by;      /* the first formula; all formulas share its first `alike` letters */
static size_t alike;

static figures figures_of(const rwa_paper_row *r)
{
    int digits = digits_of(r);
    return (figures){{number_text(r->printed, r->decimals, r->unit),
                      phrase("%s%s", number_text(r->formula, digits, r->unit),
                             isfinite(r->printed) && !r->matches ? "!" : " "),
                      number_text(r->schedule, digits, r->unit),
                      number_text(r->schedule - r->printed, digits, "")}};
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Return the length of the beginning that two names share, up to and including its last ", "; the whole length if they
 * are equal.  Compare at most `most` characters. */
static size_t count_alike(const char *a, const char *b, size_t most)
{
    size_t shared = 0;
    for (size_t i = 0; i < most && a[i] == b[i]; i++)
        if (!a[i + 1] || (a[i] == ' ' && i > 0 && a[i - 1] == ','))
            shared = !a[i + 1] && b[i + 1] ? shared : i + 1;
    return shared;
}

static void lay_out(size_t first, size_t end, size_t columns)
{
    size_t width = 2;
    by = row_at(first)->formula_name;
    alike = strlen(by);
    row_width = column_width = 0;
    for (size_t k = 0; k < FIGURES; k++)
        figure_width[k] = strlen(headings.text[k]);
    for (size_t i = first; i < end; i++) {
        const rwa_paper_row *r = row_at(i);
        figures all = figures_of(r);
        row_width = larger(row_width, strlen(r->row));
        column_width = larger(column_width, strlen(r->column));
        for (size_t k = 0; k < FIGURES; k++)
            figure_width[k] = larger(figure_width[k], strlen(all.text[k]));
        alike = count_alike(by, r->formula_name, alike);
    }
    for (size_t k = 0; k < FIGURES; k++)
        width += 2 + figure_width[k];
    apart = columns > 0 && width + row_width + 2 + column_width > columns;
}

static void say_figures(const figures *all)
{
    for (size_t k = 0; k < FIGURES; k++)
        say("  %*s", (int)figure_width[k], all->text[k]);
}

static void say_labels(const char *name, const char *column)
{
    if (!apart)
        say("  %-*s  %-*s", (int)row_width, name, (int)column_width, column);
    else if (*name)
        say("  %s, %s\n  ", name, column);
    else
        say("  ");
}

static void say_row(const rwa_paper_row *r)
{
    size_t number = note_number(r->note);
    figures all = figures_of(r);
    say_labels(r->row, r->column);
    say_figures(&all);
    if (by[alike])
        say("  %s", r->formula_name + alike);
    if (number > 0)
        say(" [%zu]", number);
    say("\n");
}

static void say_item(size_t first, size_t end, size_t columns)
{
    const rwa_paper_row *r = row_at(first);
    lay_out(first, end, columns);
    int same = !by[alike];
    say("%s%s (%s), in %s%s%s\n", first > 0 ? "\n" : "", r->item, r->section, r->unit,
        same && *by ? "; formula: " : "", same ? by : "");
    say_labels("", "");
    say_figures(&headings);
    if (same)
        say("\n");
    else if (alike < 2)
        say("  by\n");
    else
        say("  by %.*s\n", (int)alike - 2, by);
    notes.count = 0;
    for (size_t i = first; i < end; i++)
        say_row(row_at(i));
    for (size_t i = 0; i < notes.count; i++)
        say("  [%zu] %s\n", i + 1, notes.list[i]);
}

static void print_text(void)
{
    size_t rows = rwa_paper_rows(paper), wrong = 0;
    for (size_t first = 0, end; first < rows; first = end) {
        end = item_end(first);
        for (size_t i = first; i < end; i++)
            wrong += isfinite(row_at(i)->printed) && !row_at(i)->matches;
        say_item(first, end, isatty(STDOUT_FILENO) ? wrap_columns(stdout) : 0);
    }
    if (wrong > 0)
        say("\n! the formula does not give the printed figure (%zu of them; the notes say why)\n", wrong);
    say("%sdifference: the schedule's figure minus the printed one\n", wrong > 0 ? "" : "\n");
    print_said(6, 0);
}

/* ---- CSV and JSON ---- */

static json_t *figure_json(size_t i)
{
    const rwa_paper_row *r = row_at(i);
    return JSON(
        "item:s section:s row:s column:s unit:s x:f printed:f formula:f schedule:f matches:o formula_name:s note:s",
        r->item, r->section, r->row, r->column, r->unit, r->x, r->printed, r->formula, r->schedule,
        isfinite(r->printed) ? json_boolean(r->matches) : json_null(), r->formula_name, r->note);
}

/* ---- the figure: a panel for each item, formulas as lines, schedules as points ---- */

static size_t curve_end(size_t first, size_t end)
{
    size_t i = first;
    while (i < end && strcmp(row_at(i)->row, row_at(first)->row) == 0)
        i++;
    return i;
}

/* Write rows first ... end - 1 to `to`, as the points of curve number `curve` for gnuplot: x, formula, schedule. */
static void put_points(FILE *to, size_t first, size_t end, size_t curve)
{
    fprintf(to, "$c%zu << END\n", curve);
    for (size_t i = first; i < end; i++) {
        const rwa_paper_row *r = row_at(i);
        fprintf(to, "%.9g %.9g ", r->x, r->formula);
        fprintf(to, isfinite(r->schedule) ? "%.9g\n" : "?\n", r->schedule);
    }
    fprintf(to, "END\n");
}

static void put_axes(FILE *to, size_t first, size_t end)
{
    const char *column = row_at(first)->column;
    const char *label = strstr(column, "MB") ? "message, MB" : *column == 'k' ? "depth k" : "nodes";
    double last = row_at(end - 1)->x;
    fprintf(to, "set title '%s'\nset xlabel '%s'\n", row_at(first)->item, label);
    fprintf(to, last >= 8 * row_at(first)->x && *column != 'k' ? "set logscale x 2\n" : "unset logscale x\n");
    /* A little beyond the last tick, which rounding of logarithms could put outside. */
    fprintf(to, "set xrange [%.9g:%.9g]\nset xtics (", row_at(first)->x, last * 1.0001);
    for (size_t i = first, stop = curve_end(first, end); i < stop; i++)
        fprintf(to, "%.9g%s", row_at(i)->x, i + 1 < stop ? ", " : ")\n");
}

static void put_panel(FILE *to, size_t panel)
{
    size_t first = 0, curve = 0;
    while (panel-- > 0)
        first = item_end(first);
    size_t end = item_end(first);
    for (size_t i = first; i < end; i = curve_end(i, end))
        put_points(to, i, curve_end(i, end), curve++);
    put_axes(to, first, end);
    fprintf(to, "plot ");
    curve = 0;
    for (size_t i = first; i < end; i = curve_end(i, end), curve++) {
        fprintf(to, "$c%zu using 1:2 with lines linewidth 2 linetype %zu title '%s', ", curve, curve + 1,
                row_at(i)->row);
        fprintf(to, "$c%zu using 1:3 with points pointtype 6 linewidth 2 linetype %zu notitle%s", curve, curve + 1,
                curve_end(i, end) < end ? ", " : "\n");
    }
}

static int draw(void)
{
    size_t panels = 0;
    for (size_t i = 0; i < rwa_paper_rows(paper); i = item_end(i))
        panels++;
    return plot_panels("set datafile missing '?'\nset logscale y\nset grid\nset key outside bottom center horizontal\n"
                       "set ylabel 'normalised; lines: formula, circles: schedule'\n",
                       put_panel, panels, 420, 520);
}

/* ---- the command ---- */

static int print_table(void)
{
    return print_csv("item\",section\",row\",column\",unit\",x,printed,formula,schedule,matches,formula_name\",note\"",
              json_list(rwa_paper_rows(paper), figure_json));
}

static json_t *report(void)
{
    return JSON("paper:s rows:o", args.file, json_list(rwa_paper_rows(paper), figure_json));
}

static int answer(void)
{
    MUST(print_answer(print_text, report, print_table));
    MUST(finish(EXIT_YES));
    return plot_file ? draw() : EXIT_YES;
}

static int run(void)
{
    rwa_paper_options opts;
    if (!args.file)
        return BAD_INPUT("no paper given, expected optree, wrht, star or ron, for example: rwa reproduce optree");
    if (plot_file && (!item || strncmp(item, "fig", 3) != 0))
        return BAD_INPUT("--plot draws the curves of a figure, expected --item with one, such as fig-5");
    rwa_paper_options_init(&opts);
    opts.item = item;
    opts.schedules = !formulas_only;
    SHOW_PROGRESS(opts);
    MUST(plot_needs());
    MUST(fail_name(rwa_paper_make(&paper, args.file, &opts, new_error()), suggest_from(rwa_paper_name, args.file)));
    return answer();
}

const command command_reproduce = {
    "reproduce",
    "a paper's tables: printed, by formula, and as schedules",
    "rwa reproduce optree|wrht|star|ron [options]\n\n"
    "Recomputes the tables of a paper: the printed figure, by formula and by a checked schedule, with a note "
    "wherever the paper contradicts itself.  --item picks a table, or a figure, which --plot draws.\n\n"
    "Examples:\n"
    "  rwa reproduce optree\n"
    "  rwa reproduce wrht --item table-I --format csv\n"
    "  rwa reproduce optree --item fig-6 --plot fig-6.svg\n",
    TABLES(own_options, table_options),
    1,
    run,
    NULL};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "cli/plot.h"
#include "cli/suggest.h"
#include "cli/wrap.h"
#include "commands.h"

#include <unistd.h>

typedef struct reproduce_options {
    common common;
    const char *item;           /* NULL: all tables */
    int formulas_only;
    const char *plot;
    output_choice output;
} reproduce_options;

static const option own_options[] = {
    {"item", 0, "NAME", "one table or figure, as table-2 or fig-5", "all tables", IS_TEXT(reproduce_options, item)},
    {"formulas-only", 0, NULL, "make no schedules", NULL, IS_FLAG(reproduce_options, formulas_only), .field = "schedules"},
    {"plot", 0, "FILE.svg", "draw the figure of --item, with gnuplot", NULL, IS(reproduce_options, plot, read_plot)},
    {0}};
static const option_group groups[] = {{own_options, 0, NULL}, {table_options, offsetof(reproduce_options, output), NULL}, {NULL, 0, NULL}};

static void number_text(char *to, size_t size, double value, int decimals, const char *unit_name)
{
    if (!isfinite(value))
        snprintf(to, size, "-");
    else
        snprintf(to, size, "%.*f%s", decimals, value, strcmp(unit_name, "%") == 0 ? " %" : "");
}

/* Counts are whole; percents show whether the paper truncated or rounded them. */
static int digits_of(const rwa_paper_row *r)
{
    return strcmp(r->unit, "%") == 0 ? 3 : strcmp(r->unit, "times") == 0 ? 3 : r->decimals;
}

/* ---- text ---- */

/* Notes are numbered from 1 in each item, in the order of their first rows; 0: none. */
static size_t note_number(const rwa_paper *paper, size_t first, size_t at)
{
    const char *note = rwa_paper_get(paper, at)->note;
    size_t number = 0;
    if (*note == '\0')
        return 0;
    for (size_t i = first; i <= at; i++) {
        const char *other = rwa_paper_get(paper, i)->note;
        int seen = *other == '\0';
        for (size_t k = first; k < i && !seen; k++)
            seen = strcmp(rwa_paper_get(paper, k)->note, other) == 0;
        number += !seen;
        if (strcmp(other, note) == 0)
            return number;
    }
    return number;
}

enum { PRINTED, FORMULA, SCHEDULE, DIFFERENCE, FIGURES };
typedef struct figures { char text[FIGURES][32]; } figures;
static const figures headings = {{"printed", "formula ", "schedule", "difference"}};

/* The widths of the columns of an item. */
typedef struct layout {
    size_t row, column, figure[FIGURES];
    int apart;          /* labels take a line of their own where they and the figures would not fit in one */
    const char *by;     /* the first formula; all formulas share its first `alike` letters */
    size_t alike;
} layout;

static figures figures_of(const rwa_paper_row *r)
{
    figures all;
    char formula[30];
    number_text(all.text[PRINTED], sizeof all.text[PRINTED], r->printed, r->decimals, r->unit);
    number_text(formula, sizeof formula, r->formula, digits_of(r), r->unit);
    snprintf(all.text[FORMULA], sizeof all.text[FORMULA], "%s%s", formula, isfinite(r->printed) && !r->matches ? "!" : " ");
    number_text(all.text[SCHEDULE], sizeof all.text[SCHEDULE], r->schedule, digits_of(r), r->unit);
    number_text(all.text[DIFFERENCE], sizeof all.text[DIFFERENCE], r->schedule - r->printed, digits_of(r), "");
    return all;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The length of the common prefix of two names that ends behind a comma, or of all. */
static size_t count_alike(const char *a, const char *b, size_t most)
{
    size_t alike = 0;
    for (size_t i = 0; i < most && a[i] == b[i]; i++)
        if (a[i + 1] == '\0' || (a[i] == ' ' && i > 0 && a[i - 1] == ','))
            alike = a[i + 1] == '\0' && b[i + 1] != '\0' ? alike : i + 1;
    return alike;
}

static layout layout_of(const rwa_paper *paper, size_t first, size_t end, size_t columns)
{
    layout l = {.by = rwa_paper_get(paper, first)->formula_name};
    l.alike = strlen(l.by);
    size_t width = 2;
    for (size_t k = 0; k < FIGURES; k++)
        l.figure[k] = strlen(headings.text[k]);
    for (size_t i = first; i < end; i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        figures all = figures_of(r);
        l.row = larger(l.row, strlen(r->row));
        l.column = larger(l.column, strlen(r->column));
        for (size_t k = 0; k < FIGURES; k++)
            l.figure[k] = larger(l.figure[k], strlen(all.text[k]));
        l.alike = count_alike(l.by, r->formula_name, l.alike);
    }
    for (size_t k = 0; k < FIGURES; k++)
        width += 2 + l.figure[k];
    l.apart = columns > 0 && width + l.row + 2 + l.column > columns;
    return l;
}

static void print_figures(FILE *to, const layout *l, const figures *all)
{
    for (size_t k = 0; k < FIGURES; k++)
        fprintf(to, "  %*s", (int)l->figure[k], all->text[k]);
}

static void print_labels(FILE *to, const layout *l, const char *name, const char *column)
{
    if (!l->apart)
        fprintf(to, "  %-*s  %-*s", (int)l->row, name, (int)l->column, column);
    else if (*name != '\0')
        fprintf(to, "  %s, %s\n  ", name, column);
    else
        fputs("  ", to);
}

static void print_row(FILE *to, const layout *l, const rwa_paper *paper, size_t first, size_t at)
{
    const rwa_paper_row *r = rwa_paper_get(paper, at);
    size_t number = note_number(paper, first, at);
    figures all = figures_of(r);
    print_labels(to, l, r->row, r->column);
    print_figures(to, l, &all);
    if (l->by[l->alike] != '\0')
        fprintf(to, "  %s", r->formula_name + l->alike);
    if (number > 0)
        fprintf(to, " [%zu]", number);
    fputc('\n', to);
}

static void print_notes(FILE *to, const rwa_paper *paper, size_t first, size_t end)
{
    size_t shown = 0;
    for (size_t i = first; i < end; i++)
        if (note_number(paper, first, i) > shown)
            fprintf(to, "  [%zu] %s\n", ++shown, rwa_paper_get(paper, i)->note);
}

static void print_item(FILE *to, const rwa_paper *paper, size_t first, size_t end, size_t columns)
{
    const rwa_paper_row *r = rwa_paper_get(paper, first);
    layout l = layout_of(paper, first, end, columns);
    int same = l.by[l.alike] == '\0';
    fprintf(to, "%s%s (%s), in %s%s%s\n", first > 0 ? "\n" : "", r->item, r->section, r->unit, same && *l.by ? "; formula: " : "",
            same ? l.by : "");
    print_labels(to, &l, "", "");
    print_figures(to, &l, &headings);
    if (same)
        fputc('\n', to);
    else if (l.alike < 2)
        fputs("  by\n", to);
    else
        fprintf(to, "  by %.*s\n", (int)l.alike - 2, l.by);
    for (size_t i = first; i < end; i++)
        print_row(to, &l, paper, first, i);
    print_notes(to, paper, first, end);
}

static void print_paper(const rwa_paper *paper)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    size_t rows = rwa_paper_rows(paper), wrong = 0;
    for (size_t first = 0, end = 0; first < rows; first = end) {
        while (end < rows && strcmp(rwa_paper_get(paper, end)->item, rwa_paper_get(paper, first)->item) == 0) {
            wrong += isfinite(rwa_paper_get(paper, end)->printed) && !rwa_paper_get(paper, end)->matches;
            end++;
        }
        print_item(to, paper, first, end, isatty(STDOUT_FILENO) ? wrap_columns(stdout) : 0);
    }
    if (wrong > 0)
        fprintf(to, "\n! the formula does not give the printed figure (%zu of them; the notes say why)\n", wrong);
    fprintf(to, "%sdifference: the schedule's figure minus the printed one\n", wrong > 0 ? "  " : "\n");
    wrap_close(&wrapped, 6, 0);
}

/* ---- CSV and JSON ---- */

static void print_texts(const char *const *texts, char end)
{
    for (; *texts != NULL; texts++) {
        print_quoted(stdout, *texts, '"');
        putchar(texts[1] != NULL ? ',' : end);
    }
}

static void print_csv(const rwa_paper *paper)
{
    printf("item,section,row,column,unit,x,printed,formula,schedule,matches,formula_name,note\n");
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        print_texts(NAMES(r->item, r->section, r->row, r->column, r->unit), ',');
        print_figure(stdout, r->x, ',');
        print_figure(stdout, r->printed, ',');
        print_figure(stdout, r->formula, ',');
        print_figure(stdout, r->schedule, ',');
        printf("%s,", !isfinite(r->printed) ? "" : r->matches ? "yes" : "no");
        print_texts(NAMES(r->formula_name, r->note), '\n');
    }
}

static json_t *report(const rwa_paper *paper, const char *name)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        json_array_append_new(rows, json_add(json_object(), "item:s section:s row:s column:s unit:s x:f printed:f formula:f schedule:f "
                                             "matches:o formula_name:s note:s", r->item, r->section, r->row, r->column, r->unit, r->x,
                                             r->printed, r->formula, r->schedule,
                                             isfinite(r->printed) ? json_boolean(r->matches) : json_null(), r->formula_name, r->note));
    }
    return json_add(json_object(), "paper:s rows:o", name, rows);
}

/* ---- the command ---- */

static int answer(const reproduce_options *o, const rwa_paper *paper)
{
    int code = 0;
    if (o->output.format == AS_JSON)
        code = json_print(stdout, report(paper, o->common.operands[0]));
    else if (o->output.format == AS_CSV)
        print_csv(paper);
    else
        print_paper(paper);
    THEN(finish(EXIT_YES));
    return code == EXIT_YES && o->plot != NULL ? plot_paper(o->plot, paper) : code;
}

static int no_paper(void)
{
    char known[128] = "";
    size_t used = 0;
    for (size_t i = 0; rwa_paper_name(i) != NULL && used < sizeof known; i++) {
        const char *between = i == 0 ? "" : rwa_paper_name(i + 1) == NULL ? " or " : ", ";
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", between, rwa_paper_name(i));
    }
    return fail(EXIT_BAD_INPUT, "no paper given, expected %s, for example: rwa reproduce %s", known, rwa_paper_name(0));
}

static int run(void *options)
{
    reproduce_options *o = options;
    rwa_paper_options opts;
    rwa_paper *paper = NULL;
    rwa_error err = {0};
    char question[SUGGEST_TEXT];
    if (o->common.operands[0] == NULL)
        return no_paper();
    if (o->plot != NULL && (o->item == NULL || strncmp(o->item, "fig", 3) != 0))
        return fail(EXIT_BAD_INPUT, "--plot draws the curves of a figure, expected --item with one, such as fig-5");
    rwa_paper_options_init(&opts);
    opts.item = o->item;
    opts.schedules = !o->formulas_only;
    SHOW_PROGRESS(&opts, &o->common);
    rwa_status status = rwa_paper_reproduce(&paper, o->common.operands[0], &opts, &err);
    progress_clear();
    if (status == RWA_BADARG)
        suggest_add(&err, suggest_from(rwa_paper_name, o->common.operands[0], question));
    int code = status == RWA_OK ? answer(o, paper) : fail_status(status, &err, 0);
    rwa_paper_free(paper);
    return code;
}

const command command_reproduce = {
    "reproduce", "a paper's tables: printed, by formula, and as schedules",
    "rwa reproduce optree|wrht|star|ron [options]\n\n"
    "Recomputes the tables of a paper: the printed figure, the value of its formula, the value of a checked schedule, and "
    "the difference, with a note wherever the paper contradicts itself.  --item picks a table, or the curves of a "
    "figure (optree: fig-4 to fig-7; wrht: fig-4, fig-5), which --plot draws.\n\n"
    "Examples:\n"
    "  rwa reproduce optree\n"
    "  rwa reproduce wrht --item table-I --format csv\n"
    "  rwa reproduce optree --item fig-6 --plot fig-6.svg\n"
    "  rwa reproduce optree --item comparison --format csv\n",
    groups, sizeof(reproduce_options), 1, run, NULL};

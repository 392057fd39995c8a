/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "fold.h"
#include "plot.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void number_text(char *to, size_t size, double value, int decimals, const char *unit)
{
    if (!isfinite(value))
        snprintf(to, size, "-");
    else
        snprintf(to, size, "%.*f%s", decimals, value, strcmp(unit, "%") == 0 ? " %" : "");
}

/* Steps and the like are whole; percents show whether the paper cut or rounded them. */
static int digits_of(const rwa_paper_row *r)
{
    return strcmp(r->unit, "%") == 0 ? 3 : strcmp(r->unit, "times") == 0 ? 3 : r->decimals;
}

/* ---- text ---- */

/* A note is numbered where it first stands, from 1 in each item; 0: none. */
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

/* How wide the columns of an item are. */
typedef struct layout {
    size_t row, column, figure[FIGURES];
    int apart;          /* labels stand on a line of their own, where they and the figures would not fit one */
    const char *by;     /* a formula, of which all begin with so many letters alike: the paper, or all of it */
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

/* How many letters two names begin with alike, up to behind a comma, or all. */
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

static void text_figures(FILE *to, const layout *l, const figures *all)
{
    for (size_t k = 0; k < FIGURES; k++)
        fprintf(to, "  %*s", (int)l->figure[k], all->text[k]);
}

static void text_labels(FILE *to, const layout *l, const char *name, const char *column)
{
    if (!l->apart)
        fprintf(to, "  %-*s  %-*s", (int)l->row, name, (int)l->column, column);
    else if (*name != '\0')
        fprintf(to, "  %s, %s\n  ", name, column);
    else
        fputs("  ", to);
}

static void text_row(FILE *to, const layout *l, const rwa_paper *paper, size_t first, size_t at)
{
    const rwa_paper_row *r = rwa_paper_get(paper, at);
    size_t number = note_number(paper, first, at);
    figures all = figures_of(r);
    text_labels(to, l, r->row, r->column);
    text_figures(to, l, &all);
    if (l->by[l->alike] != '\0')
        fprintf(to, "  %s", r->formula_name + l->alike);
    if (number > 0)
        fprintf(to, " [%zu]", number);
    fputc('\n', to);
}

static void text_notes(FILE *to, const rwa_paper *paper, size_t first, size_t end)
{
    size_t shown = 0;
    for (size_t i = first; i < end; i++)
        if (note_number(paper, first, i) > shown)
            fprintf(to, "  [%zu] %s\n", ++shown, rwa_paper_get(paper, i)->note);
}

static void text_item(FILE *to, const rwa_paper *paper, size_t first, size_t end, size_t columns)
{
    const rwa_paper_row *r = rwa_paper_get(paper, first);
    layout l = layout_of(paper, first, end, columns);
    int same = l.by[l.alike] == '\0';
    fprintf(to, "%s%s (%s), in %s%s%s\n", first > 0 ? "\n" : "", r->item, r->section, r->unit, same && *l.by ? "; formula: " : "",
            same ? l.by : "");
    text_labels(to, &l, "", "");
    text_figures(to, &l, &headings);
    if (same)
        fputc('\n', to);
    else if (l.alike < 2)
        fputs("  by\n", to);
    else
        fprintf(to, "  by %.*s\n", (int)l.alike - 2, l.by);
    for (size_t i = first; i < end; i++)
        text_row(to, &l, paper, first, i);
    text_notes(to, paper, first, end);
}

static void text(const rwa_paper *paper)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    size_t rows = rwa_paper_rows(paper), wrong = 0;
    for (size_t first = 0, end = 0; first < rows; first = end) {
        while (end < rows && strcmp(rwa_paper_get(paper, end)->item, rwa_paper_get(paper, first)->item) == 0) {
            wrong += isfinite(rwa_paper_get(paper, end)->printed) && !rwa_paper_get(paper, end)->matches;
            end++;
        }
        text_item(to, paper, first, end, isatty(STDOUT_FILENO) ? fold_columns(stdout) : 0);
    }
    if (wrong > 0)
        fprintf(to, "\n! the formula does not give the printed figure (%zu of them; the notes say why)\n", wrong);
    fprintf(to, "%sdifference: the schedule's figure less the printed one\n", wrong > 0 ? "  " : "\n");
    fold_close(&folded, 6, 0);
}

/* ---- CSV and JSON ---- */

static void csv_text(const char *text, const char *end)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    printf("\"%s", end);
}

static void csv_figure(double value)
{
    if (isfinite(value))
        printf("%.9g", value);
    putchar(',');
}

static void csv(const rwa_paper *paper)
{
    printf("item,section,row,column,unit,x,printed,formula,schedule,matches,formula_name,note\n");
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        csv_text(r->item, ",");
        csv_text(r->section, ",");
        csv_text(r->row, ",");
        csv_text(r->column, ",");
        csv_text(r->unit, ",");
        csv_figure(r->x);
        csv_figure(r->printed);
        csv_figure(r->formula);
        csv_figure(r->schedule);
        printf("%s,", !isfinite(r->printed) ? "" : r->matches ? "yes" : "no");
        csv_text(r->formula_name, ",");
        csv_text(r->note, "\n");
    }
}

static int json(const rwa_paper *paper, const char *name)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < rwa_paper_rows(paper); i++) {
        const rwa_paper_row *r = rwa_paper_get(paper, i);
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "item", r->item,
                                              "section", r->section, "row", r->row, "column", r->column, "unit", r->unit,
                                              "x", json_figure(r->x), "printed", json_figure(r->printed), "formula",
                                              json_figure(r->formula), "schedule", json_figure(r->schedule), "matches",
                                              isfinite(r->printed) ? json_boolean(r->matches) : json_null(),
                                              "formula_name", r->formula_name, "note", r->note));
    }
    return json_print(stdout, json_pack("{s:s, s:o}", "paper", name, "rows", rows));
}

/* ---- the command ---- */

static int answer(const options *o, const rwa_paper *paper)
{
    int code = 0;
    if (o->json)
        code = json(paper, o->file);
    else if (o->csv)
        csv(paper);
    else
        text(paper);
    if (code == 0)
        code = finish(EXIT_YES);
    if (code == EXIT_YES && o->plot != NULL)
        code = plot_paper(o->plot, paper);
    return code;
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

int command_reproduce(options *o)
{
    rwa_paper_options opts;
    rwa_paper *paper = NULL;
    rwa_error err = {0};
    if (o->file == NULL)
        return no_paper();
    if (o->plot != NULL && (o->item == NULL || strncmp(o->item, "fig", 3) != 0))
        return fail(EXIT_BAD_INPUT, "--plot draws the curves of a figure, expected --item with one, such as fig-5");
    rwa_paper_options_init(&opts);
    opts.item = o->item;
    opts.schedules = !o->formulas_only;
    opts.poll = poll_progress;
    opts.poll_data = o;
    rwa_status status = rwa_paper_reproduce(&paper, o->file, &opts, &err);
    progress_clear();
    int code = status == RWA_OK ? answer(o, paper) : fail_status(status, &err, 0);
    rwa_paper_free(paper);
    return code;
}

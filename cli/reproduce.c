/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void number_text(char to[32], double value, int decimals, const char *unit)
{
    if (!isfinite(value))
        snprintf(to, 32, "-");
    else
        snprintf(to, 32, "%.*f%s", decimals, value, strcmp(unit, "%") == 0 ? " %" : "");
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

static void text_row(const rwa_paper *paper, size_t first, size_t at)
{
    const rwa_paper_row *r = rwa_paper_get(paper, at);
    char printed[32], formula[32], schedule[32], difference[32], mark[32] = "";
    size_t number = note_number(paper, first, at);
    number_text(printed, r->printed, r->decimals, r->unit);
    number_text(formula, r->formula, digits_of(r), r->unit);
    number_text(schedule, r->schedule, digits_of(r), r->unit);
    number_text(difference, r->schedule - r->printed, digits_of(r), "");
    if (number > 0)
        snprintf(mark, sizeof mark, " [%zu]", number);
    printf("  %-28s %-24s %11s %11s%s %11s %11s  %s%s\n", r->row, r->column, printed, formula,
           isfinite(r->printed) && !r->matches ? "!" : " ", schedule, difference, r->formula_name, mark);
}

static void text_notes(const rwa_paper *paper, size_t first, size_t end)
{
    size_t shown = 0;
    for (size_t i = first; i < end; i++)
        if (note_number(paper, first, i) > shown)
            printf("  [%zu] %s\n", ++shown, rwa_paper_get(paper, i)->note);
}

static void text(const rwa_paper *paper)
{
    size_t rows = rwa_paper_rows(paper), wrong = 0;
    for (size_t first = 0, end = 0; first < rows; first = end) {
        const rwa_paper_row *r = rwa_paper_get(paper, first);
        while (end < rows && strcmp(rwa_paper_get(paper, end)->item, r->item) == 0)
            end++;
        printf("%s%s (%s), in %s\n", first > 0 ? "\n" : "", r->item, r->section, r->unit);
        printf("  %-28s %-24s %11s %11s  %11s %11s  %s\n", "", "", "printed", "formula", "schedule", "difference", "by");
        for (size_t i = first; i < end; i++) {
            text_row(paper, first, i);
            wrong += isfinite(rwa_paper_get(paper, i)->printed) && !rwa_paper_get(paper, i)->matches;
        }
        text_notes(paper, first, end);
    }
    if (wrong > 0)
        printf("\n! the formula does not give the printed figure (%zu of them; the notes say why)\n", wrong);
    printf("%sdifference: the schedule's figure less the printed one\n", wrong > 0 ? "  " : "\n");
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, WIDEST = 1000, READABLE = 100 };

/* The beginning of a command that the reader may copy, behind blanks: it stays on one line. */
#define COMMAND "rwa "

uint32_t wrap_columns(FILE *to)
{
    struct winsize size = {0};
    const char *chosen = getenv("COLUMNS");
    long columns = chosen ? strtol(chosen, NULL, 10) : 0;
    if (columns <= 0 && isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns <= 0 ? 0 : columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : (uint32_t)columns;
}

/* Return the index at which to break a line of `length` bytes: the last blank within `columns` columns, else the first
 * blank after them, else the end of the line.  Blanks up to index `indent` do not count. */
static size_t break_at(const char *line, size_t length, size_t indent, size_t columns)
{
    size_t best = length, seen = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == ' ' && i > indent && (seen <= columns || best == length))
            best = i;
        seen += ((unsigned char)line[i] & 0xc0) != 0x80;   /* a letter may be several bytes */
        if (seen > columns && best < length)
            return best;
    }
    return seen > columns ? best : length;
}

static void print_line(FILE *to, const char *line, size_t length, int hang, size_t columns)
{
    size_t indent = strspn(line, " "), rest = hang < 0 ? indent : (size_t)hang, used = 0;
    if (hang == WRAP_HANG && indent > 0 && indent < rest && !strstr(line + indent, "  "))  /* a sentence, no label */
        rest = 2 * indent;
    while (columns > used && length > 0) {
        size_t end = break_at(line, length, used == 0 ? indent : 0, columns - used);
        fwrite(line, 1, end, to);
        while (end < length && line[end] == ' ')
            end++;
        line += end;
        length -= end;
        used = rest;
        if (length > 0)
            fprintf(to, "\n%*s", (int)rest, "");
    }
    fwrite(line, 1, length, to);
}

/* The report so far; if there is no memory for it, the text is printed at once. */
static FILE *draft;
static char *report;
static size_t report_size;

void say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!draft)
        draft = open_memstream(&report, &report_size);
    vfprintf(draft ? draft : report_stream(), format, values);
    va_end(values);
}

void print_said(int hang, uint32_t otherwise)
{
    FILE *to = report_stream();
    uint32_t columns = wrap_columns(to);
    if (!draft)
        return;
    columns = columns == 0 ? otherwise : columns < READABLE ? columns : READABLE;
    if (fclose(draft) != 0 || !report)   /* memory ran out as it was closed */
        fail_memory();
    else
        for (char *p = report, *end; *p; p = end) {
            size_t length = strcspn(p, "\n"), blanks = strspn(p, " ");
            int whole = blanks > 0 && strncmp(p + blanks, COMMAND, strlen(COMMAND)) == 0;
            int ended = p[length] == '\n';
            end = p + length + ended;
            p[length] = '\0';
            print_line(to, rwa_text_make_visible(p), length, hang, whole ? 0 : columns);
            fputs(ended ? "\n" : "", to);
        }
    free(report);
    report = NULL;
    draft = NULL;
}

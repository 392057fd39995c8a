/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shard.h"

#include <errno.h>

enum { SHARDS_MAX = 1u << 20, LINE_MAX_BYTES = 4096 };
#define HEADER "# rwa-sweep shard %" PRIu32 "/%" PRIu32 " of %zu rows, settings %016" PRIx64

int read_shard(void *to, const option *opt, const char *value)
{
    shard_choice *shard = to;
    uint64_t number, count;
    const char *end;
    if (!parse_digits(&number, value, &end) || *end != '/' || !parse_count(&count, end + 1, 1, SHARDS_MAX) || number < 1 || number > count)
        return bad_value(opt, value, "a part and how many there are, such as 1/4 to 4/4");
    *shard = (shard_choice){(uint32_t)number, (uint32_t)count};
    return 0;
}

int shard_has(const shard_choice *shard, size_t row)
{
    return shard->count == 0 || row % shard->count == shard->number - 1;
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint64_t fingerprint(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

void shard_header(FILE *to, const shard_choice *shard, size_t rows, const char *settings)
{
    if (shard->count > 0)
        fprintf(to, HEADER "\n", shard->number, shard->count, rows, fingerprint(settings));
}

/* ---- merging ---- */

typedef struct part {
    const char *path;
    FILE *file;
    shard_choice shard;
    size_t rows;            /* of the whole table */
    uint64_t settings;
} part;

/* A line without its end; 0 at the end of the file, or of a line that is too long or has no end. */
static int read_line(char line[LINE_MAX_BYTES], FILE *file)
{
    if (fgets(line, LINE_MAX_BYTES, file) == NULL)
        return 0;
    size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n')
        return 0;
    line[length - 1] = '\0';
    return 1;
}

static int open_part(part *p, const char *path, char columns[LINE_MAX_BYTES])
{
    char line[LINE_MAX_BYTES];
    int length = 0;
    p->path = path;
    p->file = fopen(path, "r");
    if (p->file == NULL)
        return fail(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (!read_line(line, p->file) || sscanf(line, "# rwa-sweep shard %" SCNu32 "/%" SCNu32 " of %zu rows, settings %" SCNx64 "%n",
                                            &p->shard.number, &p->shard.count, &p->rows, &p->settings, &length) != 4 ||
        line[length] != '\0' || p->shard.number < 1 || p->shard.number > p->shard.count || p->shard.count > SHARDS_MAX)
        return fail(EXIT_BAD_INPUT, "%s:1: expected the first line of a shard, as rwa sweep --shard writes it", path);
    return !read_line(columns, p->file) ? fail(EXIT_BAD_INPUT, "%s:2: expected the names of the columns", path) : 0;
}

/* parts[I - 1] is shard I. */
static int place_part(part *parts, const part *p, const part *first, const char *columns, const char *expected)
{
    if (p->shard.count != first->shard.count || p->rows != first->rows || p->settings != first->settings || strcmp(columns, expected) != 0)
        return fail(EXIT_BAD_INPUT, "%s: a shard of another table than %s, expected the same settings", p->path, first->path);
    if (parts[p->shard.number - 1].path != NULL)
        return fail(EXIT_BAD_INPUT, "%s: shard %" PRIu32 "/%" PRIu32 " again, as %s", p->path, p->shard.number, p->shard.count,
                    parts[p->shard.number - 1].path);
    parts[p->shard.number - 1] = *p;
    return 0;
}

static int write_rows(FILE *to, part *parts, const part *first)
{
    char line[LINE_MAX_BYTES];
    for (size_t row = 0; row < first->rows; row++) {
        part *p = &parts[row % first->shard.count];
        if (!read_line(line, p->file))
            return fail(EXIT_BAD_INPUT, "%s: incomplete, row %zu of the table is missing", p->path, row + 1);
        fprintf(to, "%s\n", line);
    }
    for (uint32_t i = 0; i < first->shard.count; i++)
        if (fgetc(parts[i].file) != EOF)
            return fail(EXIT_BAD_INPUT, "%s: more rows than its first line says", parts[i].path);
    return 0;
}

static int open_parts(part *parts, part *first, char columns[LINE_MAX_BYTES], const char *const *files, size_t count)
{
    char other[LINE_MAX_BYTES];
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        part p = {0};
        code = open_part(&p, files[i], i == 0 ? columns : other);
        if (code == 0 && i == 0)
            *first = p;
        if (code == 0 && p.shard.count > count)
            code = fail(EXIT_BAD_INPUT, "%zu file%s, expected the %" PRIu32 " shards of the table that %s is part of", count,
                        count == 1 ? "" : "s", p.shard.count, p.path);
        THEN(place_part(parts, &p, first, i == 0 ? columns : other, columns));
        if (code != 0 && p.file != NULL)
            fclose(p.file);
    }
    return code;
}

int shards_merge(FILE *to, const char *const *files, size_t count)
{
    char columns[LINE_MAX_BYTES];
    part first = {0}, *parts = calloc(count, sizeof *parts);
    if (parts == NULL)
        return fail_memory();
    int code = open_parts(parts, &first, columns, files, count);
    if (code == 0) {
        fprintf(to, "%s\n", columns);
        code = write_rows(to, parts, &first);
    }
    for (size_t i = 0; i < count; i++)
        if (parts[i].file != NULL)
            fclose(parts[i].file);
    free(parts);
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shard.h"

#include "print.h"

#include <errno.h>

enum { SHARDS_MAX = 1u << 20, LINE_MAX_BYTES = 4096 };

int read_shard(const option *opt, const char *value)
{
    uint64_t number, count;
    const char *end;
    if (!parse_digits(&number, value, &end) || *end != '/' || !parse_count(&count, end + 1, 1, SHARDS_MAX) ||
        number < 1 || number > count)
        return bad_value(opt, value, "a part and how many there are, such as 1/4 to 4/4");
    *(shard *)opt->to = (shard){(uint32_t)number, (uint32_t)count};
    return 0;
}

int shard_has(const shard *part, size_t row)
{
    return row % part->count == part->number - 1;
}

/* Return the FNV-1a hash (Fowler, Noll, Vo) of a text. */
static uint64_t fingerprint(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

void shard_header(FILE *to, const shard *part, size_t rows, const char *settings)
{
    fprintf(to, "# rwa-sweep shard %u/%u of %zu rows, settings %016" PRIx64 "\n", part->number, part->count, rows,
            fingerprint(settings));
}

/* ---- merging ---- */

typedef struct shard_part {
    const char *path;
    FILE *file;
    shard shard;
    size_t rows;            /* of the whole table */
    char table[LINE_MAX_BYTES];     /* the first line behind the number of the shard: which table it is part of */
    char columns[LINE_MAX_BYTES];
} part;

/* Read a line with its newline, and return 1.  Return 0 at the end of the file, and for a line that is too long or has
 * no newline. */
static int read_line(char line[LINE_MAX_BYTES], FILE *file)
{
    return fgets(line, LINE_MAX_BYTES, file) && strchr(line, '\n');
}

static int open_part(part *p, const char *path)
{
    char line[LINE_MAX_BYTES];
    uint64_t settings;
    int table = 0, length = 0;
    p->path = path;
    p->file = fopen(path, "r");
    if (!p->file)
        return BAD_INPUT("%s: %s", path, strerror(errno));
    if (!read_line(line, p->file) ||
        sscanf(line, "# rwa-sweep shard %" SCNu32 "/%n%" SCNu32 " of %zu rows, settings %" SCNx64 "%n",
               &p->shard.number, &table, &p->shard.count, &p->rows, &settings, &length) != 4 ||
        line[length] != '\n' || p->shard.number < 1 || p->shard.number > p->shard.count || p->shard.count > SHARDS_MAX)
        return BAD_INPUT("%s:1: expected the first line of a shard, as rwa sweep --shard writes it", path);
    strcpy(p->table, line + table);
    return read_line(p->columns, p->file) ? 0 : BAD_INPUT("%s:2: expected the names of the columns", path);
}

/* Store p, shard I of a table, in sorted[I - 1].  Refuse it if shard I is there already, or if it is of another table
 * than the part `first`.  Refuse it also if its table has more shards than `count`, the number of files given.  Return
 * 0, or the exit code after an error message. */
static int place_part(const part **sorted, const part *p, const part *first, size_t count)
{
    if (p->shard.count > count)
        return BAD_INPUT("%s, expected the %u shards of the table that %s is part of", counted(count, "file"),
                         p->shard.count, p->path);
    if (strcmp(p->table, first->table) != 0 || strcmp(p->columns, first->columns) != 0)
        return BAD_INPUT("%s: a shard of another table than %s, expected the same settings", p->path, first->path);
    const part **place = &sorted[p->shard.number - 1];
    if (*place)
        return BAD_INPUT("%s: shard %u/%u again, as %s", p->path, p->shard.number, p->shard.count, (*place)->path);
    *place = p;
    return 0;
}

static int write_rows(FILE *to, const part *const *sorted)
{
    const part *p = sorted[0];
    char line[LINE_MAX_BYTES];
    uint32_t count = p->shard.count;
    fputs(p->columns, to);
    for (size_t row = 0, rows = p->rows; row < rows; row++) {
        p = sorted[row % count];
        if (!read_line(line, p->file))
            return BAD_INPUT("%s: incomplete, row %zu of the table is missing", p->path, row + 1);
        fputs(line, to);
    }
    for (uint32_t i = 0; i < count; i++)
        if (fgetc(sorted[i]->file) != EOF)
            return BAD_INPUT("%s: more rows than its first line says", sorted[i]->path);
    return 0;
}

int shards_merge(FILE *to)
{
    static part *parts;
    static const part **sorted;
    size_t count = 0;
    while (count < OPERANDS_MAX && args.operands[count])
        count++;
    if (count == 0)
        return BAD_INPUT("--merge: no files, expected the shards of a table");
    MUST(NEW(parts, count));
    MUST(NEW(sorted, count));
    for (size_t i = 0; i < count; i++) {
        MUST(open_part(&parts[i], args.operands[i]));
        MUST(place_part(sorted, &parts[i], &parts[0], count));
    }
    return write_rows(to, sorted);
}

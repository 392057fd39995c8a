/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, LENGTH_MAX = 1 << 30 };

static rwa_status read_stream(struct text *text, FILE *file, const char *path, rwa_error *err)
{
    for (;;) {
        rwa_status st = base_grow((void **)&text->bytes, &text->room, text->length + CHUNK + 1, 1, err);
        if (st != RWA_OK)
            return st;
        size_t got = fread(text->bytes + text->length, 1, CHUNK, file);
        text->length += got;
        text->bytes[text->length] = '\0';
        if (ferror(file))
            return base_fail(err, RWA_IO, "%s: cannot read: %s", path, strerror(errno));
        if (text->length > LENGTH_MAX)
            return base_fail(err, RWA_FORMAT, "%s: larger than 1 GiB", path);
        if (got < CHUNK && feof(file))
            break;
    }
    if (strlen(text->bytes) != text->length)
        return base_fail(err, RWA_FORMAT, "%s: a zero byte, expected text", path);
    return RWA_OK;
}

rwa_status text_read(struct text *text, const char *path, rwa_error *err)
{
    bool input = strcmp(path, "-") == 0;
    FILE *file = input ? stdin : fopen(path, "rb");
    if (!file)
        return base_fail(err, RWA_IO, "%s: cannot open: %s", path, strerror(errno));
    rwa_status st = read_stream(text, file, path, err);
    if (!input)
        fclose(file);
    return st;
}

void text_free(struct text *text)
{
    free(text->bytes);
}

char *text_line(struct text *text, size_t *at)
{
    char *line = text->bytes + *at;
    if (*at >= text->length)
        return NULL;
    size_t length = strcspn(line, "\n");
    *at += length + 1;
    line[length] = '\0';
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = '\0';
    return line;
}

rwa_status text_json(json_t **root, const struct text *text, const char *path, rwa_error *err)
{
    json_error_t why;
    *root = json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES, &why);
    if (!*root && json_error_code(&why) == json_error_out_of_memory)
        return base_fail(err, RWA_NOMEM, "%s: out of memory", path);
    if (!*root)
        return base_fail(err, RWA_FORMAT, "%s:%d: %s", path, why.line, why.text);
    if (!json_is_object(*root)) {
        json_decref(*root);
        *root = NULL;
        return base_fail(err, RWA_FORMAT, "%s: expected a JSON object", path);
    }
    return RWA_OK;
}

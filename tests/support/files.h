/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A file for the time of a test, with an ending that says what it is; files as texts. */
#pragma once

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
    char folder[32];
    char path[64];
};

static inline void file_write(const char *path, const char *bytes, size_t count)
{
    FILE *stream = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, count, stream), count);
    CU_ASSERT_EQUAL(fclose(stream), 0);
}

static inline struct file file_make(const char *name, const char *bytes, size_t count)
{
    struct file file = {.folder = "/tmp/rwa-files-XXXXXX"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(file.folder));
    snprintf(file.path, sizeof file.path, "%s/%s", file.folder, name);
    file_write(file.path, bytes, count);
    return file;
}

/** A text, whose quotes may be single ones. */
static inline struct file file_with(const char *name, const char *text)
{
    size_t size = strlen(text);
    char *bytes = strdup(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    for (char *quote = bytes; (quote = strchr(quote, '\'')) != NULL;)
        *quote = '"';
    struct file file = file_make(name, bytes, size);
    free(bytes);
    return file;
}

static inline void file_drop(const struct file *file)
{
    unlink(file->path);
    rmdir(file->folder);
}

/** A whole file; the caller frees it. */
static inline char *text_of(const char *path)
{
    FILE *f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = calloc((size_t)size + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(fread(text, 1, (size_t)size, f), (size_t)size);
    fclose(f);
    return text;
}

static inline size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, word)) != NULL; p += strlen(word))
        count++;
    return count;
}

/** The first place of a text, which must be there, becomes another one. */
static inline void file_replace(const char *path, const char *from, const char *to)
{
    char *text = text_of(path), *at = strstr(text, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    FILE *stream = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fprintf(stream, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(stream);
    free(text);
}

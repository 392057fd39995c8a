/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include "base/source.h"

/** Read a whole file into *text, which is NULL at first and which the caller frees, also after a failure.  Set *length,
 *  0 at first, to its number of bytes.  Stop soon after `most` bytes: a *length above `most` shows that the file is too
 *  large. */
static rwa_status read_all(char **text, size_t *length, struct source *source, size_t most, struct budget *budget,
                           rwa_error *err)
{
    enum { PIECE = 1 << 24 };   /* between two polls */
    size_t got = 1;
    while (got > 0 && *length <= most) {
        MUST(base_reserve(*text, *length + 4096, err));
        size_t free_bytes = base_capacity(*text) - *length - 1;
        MUST(source_read(source, *text + *length, free_bytes < PIECE ? free_bytes : PIECE, &got, 0, err));
        *length += got;
        if (budget && base_must_stop(budget, "reading", -1))
            return base_fail(err, RWA_CANCELLED, "reading was stopped");
    }
    assert(*text && *length < base_capacity(*text));
    (*text)[*length] = '\0';
    return RWA_OK;
}

rwa_status file_load(char **text, size_t *length, const char *path, size_t most, const char *what, rwa_error *err)
{
    return file_load_within(text, length, path, most, what, NULL, err);
}

rwa_status file_load_within(char **text, size_t *length, const char *path, size_t most, const char *what,
                            struct budget *budget, rwa_error *err)
{
    struct source *source = NULL;
    char *all = NULL;
    size_t have = 0;
    rwa_status st = RWA_OK;
    *text = NULL;
    TRY(source_open(&source, path, err));
    TRY(read_all(&all, &have, source, most, budget, err));
    if (have > most)
        TRY(base_fail(err, RWA_FORMAT, "%s: larger than %zu bytes, expected %s", path, most, what));
    if (have >= 3 && memcmp(all, "\xEF\xBB\xBF", 3) == 0) {
        have -= 3;
        memmove(all, all + 3, have + 1);
    }
    *text = all;
    *length = have;
    all = NULL;
done:
    free(all);
    source_free(source);
    return st;
}

/** Return the length in bytes of the UTF-8 character that begins at p; `left` bytes of the text are left there.  Return
 *  0 if the bytes are no valid character: 0, overlong, a surrogate, beyond U+10FFFF or cut short. */
static size_t character(const unsigned char *p, size_t left)
{
    size_t more = p[0] < 0x80                   ? 0
                  : p[0] >= 0xC2 && p[0] < 0xE0 ? 1
                  : p[0] >= 0xE0 && p[0] < 0xF0 ? 2
                  : p[0] >= 0xF0 && p[0] < 0xF5 ? 3
                                                : 4;
    if (p[0] == 0 || more == 4 || more >= left)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) ||
        (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return more + 1;
}

size_t file_bad_line(const char *text, size_t length)
{
    size_t line = 1;
    for (size_t i = 0; i < length;) {
        size_t bytes = character((const unsigned char *)text + i, length - i);
        if (bytes == 0)
            return line;
        line += text[i] == '\n';
        i += bytes;
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Checksums for the lines of a journal that was changed. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/** Give every line the checksum that it should have, or hardly any input would get past them. */
static inline void journal_seal(const char *path)
{
    static char bytes[1 << 20], line[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    uLong crc = 0;
    if (file)
        fclose(file);
    bytes[length] = '\0';
    if (!file || !(file = fopen(path, "wb")))
        return;
    for (char *at = bytes, *end; (end = strchr(at, '\n')); at = end + 1) {
        size_t size = (size_t)(end - at);
        memcpy(line, at, size);
        line[size] = '\0';
        if (size > 16) {
            crc = crc32(crc, (const Bytef *)at + 16, (uInt)(size - 16));
            fprintf(file, "{\"crc\":\"%08lx%s\n", crc, line + 16);
        }
    }
    fclose(file);
}

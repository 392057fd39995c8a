/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/program/protobuf.h"

#include <string.h>

/** Wire types. */
enum { VARINT = 0, EIGHT_BYTES = 1, LENGTH_DELIMITED = 2, FOUR_BYTES = 5 };

void protobuf_add_varint(struct text *t, uint64_t value)
{
    char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (char)(value | 0x80);
    bytes[count++] = (char)value;
    text_add_bytes(t, bytes, count);
}

void protobuf_add_number(struct text *t, uint32_t number, uint64_t value)
{
    protobuf_add_varint(t, (uint64_t)number << 3 | VARINT);
    protobuf_add_varint(t, value);
}

void protobuf_add_bytes(struct text *t, uint32_t number, const char *bytes, size_t count)
{
    protobuf_add_varint(t, (uint64_t)number << 3 | LENGTH_DELIMITED);
    protobuf_add_varint(t, count);
    text_add_bytes(t, bytes, count);
}

/* ---- reading ---- */

bool protobuf_next_varint(struct protobuf *p, uint64_t *value)
{
    *value = 0;
    if (p->at == p->end || p->damaged)
        return false;
    for (unsigned shift = 0; shift < 64 && p->at < p->end; shift += 7) {
        unsigned char byte = (unsigned char)*p->at++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    p->damaged = true;
    return false;
}

bool protobuf_take(struct protobuf *p, uint64_t count, struct protobuf *bytes)
{
    *bytes = (struct protobuf){p->at, p->at, false};
    if (p->damaged || count > (uint64_t)(p->end - p->at)) {
        p->damaged = true;
        return false;
    }
    p->at += count;
    bytes->end = p->at;
    return true;
}

/** Read a number of 4 or 8 bytes (`size`), the lowest byte first, into *value.  Return false if fewer are left. */
static bool next_fixed(struct protobuf *p, size_t size, uint64_t *value)
{
    struct protobuf bytes;
    *value = 0;
    if (!protobuf_take(p, size, &bytes))
        return false;
    for (size_t i = size; i > 0; i--)
        *value = *value << 8 | (unsigned char)bytes.at[i - 1];
    return true;
}

bool protobuf_next(struct protobuf *p, struct protobuf_field *field)
{
    uint64_t key = 0, size = 0;
    *field = (struct protobuf_field){0};
    if (!protobuf_next_varint(p, &key))
        return false;
    field->number = (uint32_t)(key >> 3);
    switch (key & 7) {
    case VARINT:
        p->damaged = !protobuf_next_varint(p, &field->value);
        break;
    case EIGHT_BYTES:
        return next_fixed(p, 8, &field->value);
    case FOUR_BYTES:
        return next_fixed(p, 4, &field->value);
    case LENGTH_DELIMITED:
        p->damaged = !protobuf_next_varint(p, &size);
        return !p->damaged && protobuf_take(p, size, &field->bytes);
    default: /* groups, which no newer message has */
        p->damaged = true;
    }
    return !p->damaged;
}

bool protobuf_is(const struct protobuf *bytes, const char *text)
{
    size_t length = strlen(text);
    return bytes->at && (size_t)(bytes->end - bytes->at) == length && memcmp(bytes->at, text, length) == 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/program/protobuf.h"

/** Wire types. */
enum { VARINT = 0, LENGTH_DELIMITED = 2 };

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes the fields of protobuf messages to a text, and reads them one by one: numbers, and bytes with their
 *  length. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

void protobuf_add_varint(struct text *t, uint64_t value);
/** Add a whole number as field `number`. */
void protobuf_add_number(struct text *t, uint32_t number, uint64_t value);
/** Add a string, or an encoded message, as field `number`. */
void protobuf_add_bytes(struct text *t, uint32_t number, const char *bytes, size_t count);

/** Bytes to read; `damaged` becomes true if they end in the middle of a field. */
struct protobuf {
    const char *at, *end;
    bool damaged;
};

struct protobuf_field {
    uint32_t number;
    uint64_t value;         /**< of a whole number, and of 4 or 8 bytes */
    struct protobuf bytes;  /**< of a string, a message or a packed list; at NULL: it is a number */
};

/** Read the next number of a packed list, or the length before a message, into *value.  Return false at the end, and if
 *  the bytes are damaged, which sets p->damaged. */
bool protobuf_next_varint(struct protobuf *p, uint64_t *value);
/** Read the next field into *field.  Return false at the end, and if the bytes are damaged, which sets p->damaged. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *field);
/** Set *bytes to the next `count` bytes and skip them.  If fewer are left, return false; p is then damaged. */
bool protobuf_take(struct protobuf *p, uint64_t count, struct protobuf *bytes);
/** Tell whether the bytes are this text. */
bool protobuf_is(const struct protobuf *bytes, const char *text);

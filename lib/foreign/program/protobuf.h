/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fields of protobuf messages: numbers, and bytes with their length; appended to a text, and read one after the
 * other. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

void protobuf_add_varint(struct text *t, uint64_t value);
/** Field `number` of a whole number. */
void protobuf_add_number(struct text *t, uint32_t number, uint64_t value);
/** Field `number` of a string, or of a message in its bytes. */
void protobuf_add_bytes(struct text *t, uint32_t number, const char *bytes, size_t count);

/** Bytes that are read; `damaged` once they end in the middle of a field. */
struct protobuf {
    const char *at, *end;
    bool damaged;
};

struct protobuf_field {
    uint32_t number;
    uint64_t value;         /**< of a whole number, and of 4 or 8 bytes */
    struct protobuf bytes;  /**< of a string, a message or a packed list; at NULL: it is a number */
};

/** The next number of a packed list, or the length before a message; false: the end, or damaged. */
bool protobuf_next_varint(struct protobuf *p, uint64_t *value);
/** The next field; false: the end, or damaged. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *field);
/** So many bytes, which are passed over; false: there are not so many, and p is damaged. */
bool protobuf_take(struct protobuf *p, uint64_t count, struct protobuf *bytes);
/** Whether bytes are this text. */
bool protobuf_is(const struct protobuf *bytes, const char *text);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Fields of protobuf messages, appended to a text: numbers, and bytes with their length. */
#ifndef PROGRAM_PROTOBUF_H
#define PROGRAM_PROTOBUF_H

#include "base/text.h"

void protobuf_add_varint(struct text *t, uint64_t value);
/** Field `number` of a whole number. */
void protobuf_add_number(struct text *t, uint32_t number, uint64_t value);
/** Field `number` of a string, or of a message in its bytes. */
void protobuf_add_bytes(struct text *t, uint32_t number, const char *bytes, size_t count);

#endif

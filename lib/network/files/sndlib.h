/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SNDlib network files, native and XML (sndlib.zib.de, network format 1.0), as a stream of entries. */
#pragma once

#include "rwa/status.h"

#include <stdbool.h>

enum sndlib_kind { SNDLIB_NODE, SNDLIB_LINK, SNDLIB_DEMAND };

/** One entry of a file; its texts are valid during the call. */
struct sndlib_item {
    enum sndlib_kind kind;
    size_t line;
    const char *id;
    const char *from, *to;  /**< link, demand */
    double x, y;            /**< node: its position; NaN where the file has none */
    double value;           /**< demand: routing unit times demand value, in units of the file */
    double unit_bps;        /**< demand: bit/s of the file's unit; 0 when it names none */
};

typedef rwa_status (*sndlib_take)(void *data, const struct sndlib_item *item, rwa_error *err);

/** Tell whether a text begins like a native SNDlib file. */
bool sndlib_is_native(const char *text);
/** Pass every entry of a native SNDlib file to `take`, in order.  RWA_FORMAT with FILE:LINE.  The text is changed while
 *  it is read. */
rwa_status sndlib_read_native(char *text, const char *file, sndlib_take take, void *data, rwa_error *err);
/** Pass every entry of an XML file whose root element is <network> to `take`, in order.  RWA_FORMAT with FILE:LINE. */
rwa_status sndlib_read_xml(const char *text, size_t length, const char *file, sndlib_take take, void *data,
                           rwa_error *err);
/** Return the bit/s of a unit such as "MBITPERSEC", or 0 if the name is no unit. */
double sndlib_unit(const char *name);

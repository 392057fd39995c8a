/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The document of one OpenConfig wavelength-router: its ports as components, its lightpaths as media channels. */
#pragma once

#include "base/names.h"
#include "base/text.h"

enum { PORT_NAME = 48 };

/** Starts as zeros, except for the error records of its texts; one struct builds several documents in turn. */
struct openconfig_document {
    struct text components, channels;
    struct names ports;             /* the ports that are already components of the document */
    uint32_t index;                 /* of the last channel */
};
#define OPENCONFIG_DOCUMENT(error) {.components.err = (error), .channels.err = (error)}

/** Add a media channel from port `source` to port `dest` and, where they are new, the ports.  It has the frequencies
 *  from band_mhz[0] to band_mhz[1], which the document writes as strings, as RFC 7951 wants 64-bit numbers.  Names are
 *  copied without escapes: they may only have letters, digits and characters that JSON does not escape. */
rwa_status openconfig_add(struct openconfig_document *document, const char *name, const uint64_t band_mhz[2],
                          const char *source, const char *dest);
/** Add the whole document to the text t, and make *document ready for the next one.  Return the first failure. */
rwa_status openconfig_end(struct openconfig_document *document, struct text *t);
void openconfig_free(struct openconfig_document *document);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The document of one OpenConfig wavelength-router: its ports as components, its lightpaths as media channels. */
#pragma once

#include "base/text.h"

#include <stdint.h>

enum { PORT_NAME = 48 };

/** Starts as zeros but for the error records of its texts; serves one document after another. */
struct openconfig_document {
    struct text components, channels;
    uint32_t index;                 /* of the last channel */
};

void openconfig_begin(struct openconfig_document *document);
/** Names are copied as they are: letters, digits and signs that JSON leaves alone. */
void openconfig_add_port(struct openconfig_document *document, const char *port);
/** Frequencies in MHz: RFC 7951 writes 64-bit numbers as strings. */
void openconfig_add_channel(struct openconfig_document *document, const char *name, uint64_t lower_mhz, uint64_t upper_mhz,
                            const char *source, const char *dest);
/** The whole document in place of what `out` held.  @return the first failure of either */
rwa_status openconfig_end(struct text *out, const struct openconfig_document *document);
void openconfig_free(struct openconfig_document *document);

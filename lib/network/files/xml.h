/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Parses XML documents by libxml2, which then reads nothing from the network, expands no external entities, and prints
 *  nothing. */
#pragma once

#include "rwa/status.h"

#include <libxml/tree.h>
#include <stdbool.h>

/** Parse a whole document; the caller frees it with xmlFreeDoc().  RWA_FORMAT with FILE:LINE; RWA_NOMEM. */
rwa_status xml_open(xmlDoc **out, const char *text, size_t length, const char *file, rwa_error *err);
/** Tell whether a node is an element of that name, whatever its namespace. */
bool xml_is(const xmlNode *node, const char *name);
/** Return the first child element of that name, or NULL if there is none. */
xmlNode *xml_child(const xmlNode *node, const char *name);
size_t xml_line(const xmlNode *node);
/** Return the text of an attribute as it stands in the document, borrowed; NULL if the attribute is absent or not plain
 *  text. */
const char *xml_attribute_text(const xmlNode *node, const char *name);
/** Return a copy of the text in the child element of that name, without blanks around it; the caller frees it with
 *  xmlFree().  NULL if there is no such child. */
char *xml_child_text(const xmlNode *node, const char *name);

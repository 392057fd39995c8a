/* SPDX-License-Identifier: GPL-3.0-or-later */
/** XML documents by libxml2: no network, no external entities, no output of its own. */
#pragma once

#include "rwa/status.h"

#include <libxml/tree.h>
#include <stdbool.h>

/** Parse a whole document; caller frees with xmlFreeDoc().  RWA_FORMAT with FILE:LINE; RWA_NOMEM. */
rwa_status xml_open(xmlDoc **out, const char *text, size_t length, const char *file, rwa_error *err);
/** true for an element of that name, whatever its namespace. */
bool xml_is(const xmlNode *node, const char *name);
/** The first child of that name, NULL when there is none. */
xmlNode *xml_child(const xmlNode *node, const char *name);
size_t xml_line(const xmlNode *node);
/** The text of an attribute as it stands in the document, borrowed; NULL when there is none, or it is not plain
 *  text. */
const char *xml_attribute_text(const xmlNode *node, const char *name);
/** Copies in UTF-8, caller frees with xmlFree(); NULL when there is none. */
char *xml_attribute(const xmlNode *node, const char *name);
/** The text of the child of that name, blanks around it taken off. */
char *xml_child_text(const xmlNode *node, const char *name);

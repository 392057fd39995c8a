/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/xml.h"

#include "base/base.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

static rwa_status report(const char *file, rwa_error *err)
{
    const xmlError *why = xmlGetLastError();
    int length = why && why->message ? (int)strcspn(why->message, "\n") : 0;
    if (why && why->code == XML_ERR_NO_MEMORY)
        return base_fail(err, RWA_NOMEM, "out of memory for %s", file);
    return base_fail(err, RWA_FORMAT, "%s:%d: %.*s, expected XML", file, why && why->line > 0 ? why->line : 1,
                     length ? length : 8, length ? why->message : "not XML");
}

rwa_status xml_open(xmlDoc **out, const char *text, size_t length, const char *file, rwa_error *err)
{
    *out = NULL;
    if (length == 0 || length > INT_MAX)
        return base_fail(err, RWA_FORMAT, "%s: %s, expected XML", file, length ? "too large" : "empty");
    xmlResetLastError();
    *out = xmlReadMemory(text, (int)length, NULL, NULL,
                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
    if (*out && xmlDocGetRootElement(*out))
        return RWA_OK;
    xmlFreeDoc(*out);
    *out = NULL;
    return report(file, err);
}

bool xml_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

xmlNode *xml_child(const xmlNode *node, const char *name)
{
    for (xmlNode *child = node ? node->children : NULL; child; child = child->next)
        if (xml_is(child, name))
            return child;
    return NULL;
}

size_t xml_line(const xmlNode *node)
{
    long line = xmlGetLineNo(node);
    return line > 0 ? (size_t)line : 0;
}

const char *xml_attribute_text(const xmlNode *node, const char *name)
{
    const xmlAttr *attribute = node->properties;
    while (attribute && strcmp((const char *)attribute->name, name) != 0)
        attribute = attribute->next;
    const xmlNode *text = attribute ? attribute->children : NULL;
    if (!attribute || (text && (text->type != XML_TEXT_NODE || text->next)))
        return NULL;
    return text ? (const char *)text->content : "";
}

char *xml_child_text(const xmlNode *node, const char *name)
{
    const char *blanks = " \t\r\n";
    const xmlNode *child = xml_child(node, name);
    char *text = child ? (char *)xmlNodeGetContent(child) : NULL;
    if (!text)
        return NULL;
    size_t skip = strspn(text, blanks), length = strlen(text);
    while (length > skip && strchr(blanks, text[length - 1]))
        length--;
    memmove(text, text + skip, length - skip);
    text[length - skip] = '\0';
    return text;
}

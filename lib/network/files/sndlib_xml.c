/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/sndlib.h"

#include "base/base.h"
#include "base/number.h"
#include "network/files/xml.h"

struct xml_reading {
    const char *file;
    sndlib_take take;
    void *data;
    double unit_bps;
    rwa_error *err;
};

static rwa_status missing(const struct xml_reading *r, const xmlNode *node, const char *what)
{
    return base_fail(r->err, RWA_FORMAT, "%s:%zu: <%s>: expected %s", r->file, xml_line(node), (const char *)node->name,
                     what);
}

/** Set *number to the number in the child element `name` of `node`, or to `absent` if there is no such child.  A number
 *  below `least` is an error. */
static rwa_status read_number(const struct xml_reading *r, const xmlNode *node, const char *name, double least,
                              double absent, double *number)
{
    char *text = xml_child_text(node, name);
    rwa_status st = RWA_OK;
    *number = absent;
    if (!text)
        return RWA_OK;
    if (!number_is(text, number) || !isfinite(*number) || *number < least)
        st = base_fail(r->err, RWA_FORMAT, "%s:%zu: <%s> \"%.64s\", expected a %s", r->file, xml_line(node), name, text,
                       least < 0 ? "coordinate" : "number that is not negative");
    xmlFree(text);
    return st;
}

static rwa_status read_capacities(const struct xml_reading *r, const xmlNode *link)
{
    double amount = 0;
    const xmlNode *installed = xml_child(link, "preInstalledModule"), *modules = xml_child(link, "additionalModules");
    if (installed)
        MUST(read_number(r, installed, "capacity", 0, 0, &amount));
    for (const xmlNode *m = modules ? modules->children : NULL; m; m = m->next)
        if (xml_is(m, "addModule"))
            MUST(read_number(r, m, "capacity", 0, 0, &amount));
    return RWA_OK;
}

static rwa_status read_entry(const struct xml_reading *r, const xmlNode *node, enum sndlib_kind kind)
{
    const char *id = xml_attribute_text(node, "id");
    char *from = kind == SNDLIB_NODE ? NULL : xml_child_text(node, "source");
    char *to = kind == SNDLIB_NODE ? NULL : xml_child_text(node, "target");
    double unit = 1, value = 0, x = NAN, y = NAN;
    rwa_status st = RWA_OK;
    if (!id || !*id)
        TRY(missing(r, node, "an id"));
    if (kind != SNDLIB_NODE && (!from || !to))
        TRY(missing(r, node, "<source> and <target>"));
    if (kind == SNDLIB_NODE) {
        TRY(read_number(r, xml_child(node, "coordinates"), "x", -INFINITY, NAN, &x));
        TRY(read_number(r, xml_child(node, "coordinates"), "y", -INFINITY, NAN, &y));
    }
    if (kind == SNDLIB_LINK)
        TRY(read_capacities(r, node));
    if (kind == SNDLIB_DEMAND) {
        TRY(read_number(r, node, "routingUnit", 0, 1, &unit));
        TRY(read_number(r, node, "demandValue", 0, -1, &value));
        if (value < 0)
            TRY(missing(r, node, "<demandValue>"));
    }
    struct sndlib_item item = {kind, xml_line(node), id, from, to, x, y, unit * value, r->unit_bps};
    TRY(r->take(r->data, &item, r->err));
done:
    xmlFree(from);
    xmlFree(to);
    return st;
}

static rwa_status read_section(const struct xml_reading *r, const xmlNode *section, const char *name,
                               enum sndlib_kind kind)
{
    rwa_status st = RWA_OK;
    for (const xmlNode *node = section ? section->children : NULL; node && st == RWA_OK; node = node->next)
        if (xml_is(node, name))
            st = read_entry(r, node, kind);
    return st;
}

rwa_status sndlib_read_xml(const char *text, size_t length, const char *file, sndlib_take take, void *data,
                           rwa_error *err)
{
    struct xml_reading r = {.file = file, .take = take, .data = data, .err = err};
    xmlDoc *doc = NULL;
    char *unit = NULL;
    rwa_status st = RWA_OK;
    TRY(xml_open(&doc, text, length, file, err));
    const xmlNode *root = xmlDocGetRootElement(doc), *structure = xml_child(root, "networkStructure");
    if (!xml_is(root, "network"))
        TRY(missing(&r, root, "the root element <network> of SNDlib"));
    unit = xml_child_text(xml_child(root, "meta"), "unit");
    r.unit_bps = unit ? sndlib_unit(unit) : 0;
    if (!structure)
        TRY(missing(&r, root, "<networkStructure>"));
    TRY(read_section(&r, xml_child(structure, "nodes"), "node", SNDLIB_NODE));
    TRY(read_section(&r, xml_child(structure, "links"), "link", SNDLIB_LINK));
    TRY(read_section(&r, xml_child(root, "demands") ? xml_child(root, "demands") : xml_child(structure, "demands"),
                     "demand", SNDLIB_DEMAND));
done:
    xmlFree(unit);
    xmlFreeDoc(doc);
    return st;
}

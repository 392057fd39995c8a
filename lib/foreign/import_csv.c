/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table that export writes, read as it stands: routes, fibres and wavelengths are in it. */
#include "foreign/import.h"

#include <inttypes.h>
#include <string.h>

#define HEADING "step,src,dst,dir,fiber,wavelength,block,op,hops"
enum { STEP, SRC, DST, DIR, FIBER, WAVELENGTH, BLOCK, OP, HOPS, FIELDS };

struct field_text {
    const char *text;
    size_t length;
};

static bool is_word(const struct field_text *f, const char *word)
{
    return strlen(word) == f->length && memcmp(f->text, word, f->length) == 0;
}

/** Cut a line at its commas. */
static rwa_status cut(const struct import *im, size_t line, const char *text, size_t length, struct field_text fields[FIELDS])
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != ',')
            continue;
        if (count < FIELDS)
            fields[count] = (struct field_text){text + start, i - start};
        count++;
        start = i + 1;
    }
    return count == FIELDS ? RWA_OK : import_fail(im, line, "%zu fields, expected %d: %s", count, FIELDS, HEADING);
}

static rwa_status number(const struct import *im, size_t line, const struct field_text *f, const char *what, uint32_t *out)
{
    uint64_t value = 0;
    bool digits = f->length > 0 && f->length <= 10;
    for (size_t i = 0; i < f->length && digits; i++) {
        digits = f->text[i] >= '0' && f->text[i] <= '9';
        value = value * 10 + (uint64_t)(f->text[i] - '0');
    }
    *out = (uint32_t)value;
    if (digits && value <= UINT32_MAX)
        return RWA_OK;
    return import_fail(im, line, "%s \"%.*s\", expected a whole number below 2^32", what, (int)(f->length < 40 ? f->length : 40),
                       f->text);
}

static rwa_status read_words(const struct import *im, size_t line, const struct field_text *fields, rwa_lightpath *lp)
{
    lp->direction = is_word(&fields[DIR], "ccw") ? RWA_CCW : RWA_CW;
    lp->op = is_word(&fields[OP], "reduce") ? RWA_REDUCE : RWA_COPY;
    if (lp->direction == RWA_CW && !is_word(&fields[DIR], "cw"))
        return import_fail(im, line, "dir \"%.*s\", expected cw or ccw", (int)(fields[DIR].length < 40 ? fields[DIR].length : 40),
                           fields[DIR].text);
    if (lp->op == RWA_COPY && !is_word(&fields[OP], "copy"))
        return import_fail(im, line, "op \"%.*s\", expected copy or reduce", (int)(fields[OP].length < 40 ? fields[OP].length : 40),
                           fields[OP].text);
    return RWA_OK;
}

static rwa_status add_line(struct import *im, size_t line, const char *text, size_t length)
{
    struct field_text fields[FIELDS];
    rwa_lightpath lp = {.orbit = 1};
    uint32_t block = 0, hops = 0;
    rwa_error why = {0};
    rwa_status st = RWA_OK;
    TRY(cut(im, line, text, length, fields));
    TRY(number(im, line, &fields[STEP], "step", &lp.step));
    TRY(number(im, line, &fields[SRC], "src", &lp.src));
    TRY(number(im, line, &fields[DST], "dst", &lp.dst));
    TRY(read_words(im, line, fields, &lp));
    TRY(number(im, line, &fields[FIBER], "fiber", &lp.fiber));
    TRY(number(im, line, &fields[WAVELENGTH], "wavelength", &lp.wavelength));
    TRY(number(im, line, &fields[BLOCK], "block", &block));
    TRY(number(im, line, &fields[HOPS], "hops", &hops));
    lp.block = block;
    st = rwa_schedule_add(im->sched, &lp, &why);
    if (st == RWA_BADARG)
        return import_fail(im, line, "%s", why.text);
    if (st == RWA_OK && hops != rwa_network_hops(im->net, lp.src, lp.dst, lp.direction))
        st = import_fail(im, line, "%" PRIu32 " hops, on this network the way has %" PRIu32, hops,
                         rwa_network_hops(im->net, lp.src, lp.dst, lp.direction));
    else if (st != RWA_OK)
        st = base_fail(im->err, st, "%s", why.text);
done:
    return st;
}

static rwa_status read_csv(struct import *im)
{
    rwa_network_kind kind = rwa_network_get_kind(im->net);
    size_t line = 0;
    rwa_status st = RWA_OK;
    if (kind != RWA_RING && kind != RWA_LINE)
        return base_fail(im->err, RWA_BADARG, "csv: its routes are those of a ring or a line, not of a %s",
                         rwa_network_kind_name(kind));
    TRY(import_collective(im, 0, 0, 0));
    TRY(rwa_schedule_create(&im->sched, im->net, &im->coll, "csv-import", im->err));
    for (const char *text = im->text, *next; *text != '\0'; text = next) {
        size_t length = strcspn(text, "\n"), kept = length > 0 && text[length - 1] == '\r' ? length - 1 : length;
        next = text + length + (text[length] == '\n');
        struct field_text whole = {text, kept};
        if (++line > 1)
            TRY(add_line(im, line, text, kept));
        else if (!is_word(&whole, HEADING))
            TRY(import_fail(im, line, "expected the heading %s", HEADING));
    }
    if (rwa_schedule_records(im->sched) == 0)
        TRY(import_fail(im, line, "no lightpath follows the heading"));
    im->found.steps = rwa_schedule_steps(im->sched);
done:
    return st;
}

const struct import_format import_csv = {"csv", "the table that export writes, with its routes and wavelengths", "step,", read_csv};

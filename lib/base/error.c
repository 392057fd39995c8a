/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "base/text.h"

NAMED(rwa_status_text, rwa_status, RWA_STATUS_MAP, "unknown status")

const char *rwa_outcome_text(rwa_outcome outcome)
{
    switch (outcome) {
    case RWA_OPTIMAL: return "optimal";
    case RWA_FEASIBLE: return "feasible";
    case RWA_INFEASIBLE: return "infeasible";
    case RWA_UNDECIDED: return "undecided";
    }
    return "unknown outcome";
}

void rwa_error_clear(rwa_error *err)
{
    base_begin(err);
    if (err)
        memset(err, 0, sizeof *err);
}

const char *rwa_version(void)
{
    return RWA_VERSION;
}

rwa_status base_fail(rwa_error *err, rwa_status status, const char *format, ...)
{
    if (err && err->status == RWA_OK) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        rwa_text_make_visible(err->text);   /* names from files may hold anything */
        err->status = status;
    }
    return status;
}

rwa_status base_refuse_null(rwa_error *err, const char *function, const char *names, size_t index)
{
    for (; index > 0; index--)
        names = strchr(names, ',') + 1;
    const char *end = names + strcspn(names, ","), *word = end;
    while (word > names && word[-1] != ' ')
        word--;
    return base_refuse(err, "%s(): %.*s is NULL, expected a pointer", function, (int)(end - word), word);
}

rwa_status base_fail_at(rwa_error *err, const char *file, size_t line, const char *item, const char *format, ...)
{
    char text[RWA_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (line)
        return base_fail(err, RWA_FORMAT, "%s:%zu: %s", file, line, text);
    if (item[0])
        return base_fail(err, RWA_FORMAT, "%s: %s: %s", file, item, text);
    return base_fail(err, RWA_FORMAT, "%s: %s", file, text);
}

rwa_status base_blame(rwa_status st, const char *file, uint64_t line, rwa_error *err)
{
    rwa_error why = {0};
    if (st == RWA_OK)
        return RWA_OK;
    if (err)
        why = *err;
    base_begin(err);
    st = st == RWA_BADARG ? RWA_FORMAT : st;
    return line ? base_fail(err, st, "%s:%" PRIu64 ": %s", file, line, why.text)
                : base_fail(err, st, "%s: %s", file, why.text);
}

size_t base_find_name(const char *(*listed)(size_t i), const char *name)
{
    size_t i = 0;
    while (listed(i) && strcmp(listed(i), name) != 0)
        i++;
    return listed(i) ? i : SIZE_MAX;
}

rwa_status base_find_listed(size_t *found, const char *(*listed)(size_t i), const char *what, const char *name,
                            rwa_error *err)
{
    char names[RWA_ERROR_TEXT] = "";
    size_t used = 0;
    *found = base_find_name(listed, name);
    for (size_t i = 0; listed(i) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0          ? ""
                                 : listed(i + 1) ? ", "
                                                 : " or ",
                                 listed(i));
    return *found != SIZE_MAX ? RWA_OK
                              : base_refuse(err, "%s \"%.64s\": unknown, expected %s", what, name, names);
}

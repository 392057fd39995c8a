/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include "base/base.h"

rwa_status json_open(json_t **out, const char *text, size_t length, const char *file, rwa_error *err)
{
    json_error_t where;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (*out)
        return RWA_OK;
    if (json_error_code(&where) == json_error_out_of_memory)
        return base_fail(err, RWA_NOMEM, "out of memory for %s", file);
    return base_fail(err, RWA_FORMAT, "%s:%d: %s, expected JSON", file, where.line > 0 ? where.line : 1, where.text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/take.h"

#include "base/json.h"

rwa_status take_expected(const struct taker *t, const char *name, const char *what)
{
    return base_fail(t->err, RWA_FORMAT, "%s:1: \"%s\": expected %s", t->file, name, what);
}

bool take_has(const json_t *object, const char *name)
{
    return json_object_get(object, name) != NULL;
}

rwa_status take_integer(const struct taker *t, const json_t *object, const char *name, uint64_t max, uint64_t *out)
{
    return json_whole(json_object_get(object, name), max, out) ? RWA_OK
           : base_fail(t->err, RWA_FORMAT, "%s:1: \"%s\": expected an integer from 0 to %" PRIu64, t->file, name, max);
}

rwa_status take_u32(const struct taker *t, const json_t *object, const char *name, uint32_t *out)
{
    uint64_t value = 0;
    rwa_status st = take_integer(t, object, name, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return st;
}

rwa_status take_optional(const struct taker *t, const json_t *object, const char *name, uint32_t *out)
{
    return take_has(object, name) ? take_u32(t, object, name, out) : RWA_OK;
}

rwa_status take_numbers(const struct taker *t, const json_t *object, const char *name, uint32_t **out, size_t *count)
{
    const json_t *array = json_object_get(object, name);
    *count = json_array_size(array);
    if (!json_is_array(array))
        return take_expected(t, name, "an array of integers");
    MUST(base_new(*out, *count, t->err));
    for (size_t i = 0; i < *count; i++)
        if (!json_u32(json_array_get(array, i), &(*out)[i]))
            return take_expected(t, name, "an array of integers");
    return RWA_OK;
}

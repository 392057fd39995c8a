/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/take.h"

#include "base/json.h"

void take_need(struct taker *t, bool good, const char *name, const char *what)
{
    if (!good && t->status == RWA_OK)
        t->status = base_fail(t->err, RWA_FORMAT, "%s:1: \"%s\": expected %s", t->file, name, what);
}

bool take_keep(struct taker *t, rwa_status st)
{
    if (t->status == RWA_OK)
        t->status = base_blame(st, t->file, 1, t->err);
    return t->status == RWA_OK;
}

uint64_t take_integer(struct taker *t, const json_t *object, const char *name, uint64_t max)
{
    char what[48];
    uint64_t value = 0;
    bool good = json_whole(json_object_get(object, name), max, &value);
    snprintf(what, sizeof what, "an integer from 0 to %" PRIu64, max);
    take_need(t, good, name, what);
    return good ? value : 0;
}

uint32_t take_optional(struct taker *t, const json_t *object, const char *name, uint32_t absent)
{
    return json_object_get(object, name) ? (uint32_t)take_integer(t, object, name, UINT32_MAX) : absent;
}

uint32_t *take_numbers(struct taker *t, const json_t *object, const char *name, size_t *count)
{
    const json_t *array = json_object_get(object, name);
    uint32_t *list = NULL;
    *count = json_array_size(array);
    bool good = json_is_array(array) && take_keep(t, base_new(list, *count, t->err));
    for (size_t i = 0; i < *count && good; i++)
        good = json_u32(json_array_get(array, i), &list[i]);
    take_need(t, good, name, "an array of integers");
    return list;
}

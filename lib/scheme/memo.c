/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/memo.h"

/** An entry of the memo: the key, followed by the value. */
struct memo_entry {
    size_t key_size;
    unsigned char *bytes;
};

static struct memo_entry *entry_of(const struct memo *memo, const void *key, size_t key_size)
{
    for (struct memo_entry *e = memo ? memo->list : NULL; memo && e < memo->list + memo->count; e++)
        if (e->key_size == key_size && memcmp(e->bytes, key, key_size) == 0)
            return e;
    return NULL;
}

const void *memo_find(const struct memo *memo, const void *key, size_t key_size)
{
    const struct memo_entry *e = entry_of(memo, key, key_size);
    return e ? e->bytes + key_size : NULL;
}

rwa_status memo_keep(struct memo *memo, const void *key, size_t key_size, const void *found, size_t size,
                     rwa_error *err)
{
    struct memo_entry *e = entry_of(memo, key, key_size);
    if (!memo)
        return RWA_OK;
    if (!e) {
        MUST(base_reserve(memo->list, memo->count + 1, err));
        e = &memo->list[memo->count];
        *e = (struct memo_entry){.key_size = key_size};
    }
    MUST(base_reserve(e->bytes, key_size + size, err));
    memo->count += e == memo->list + memo->count;   /* a new entry counts once it has its bytes */
    memcpy(e->bytes, key, key_size);
    memcpy(e->bytes + key_size, found, size);
    return RWA_OK;
}

void memo_close(struct memo *memo)
{
    for (size_t i = 0; i < memo->count; i++)
        free(memo->list[i].bytes);
    free(memo->list);
    *memo = (struct memo){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Results about a network that callers keep with it, to compute them once.  A network never changes once it is built, nor do they. */
#include "network/network.h"

enum { NOTES_MOST = 64 };

/** Notes are only added, and never moved. */
struct note {
    struct note *before;
    size_t number, key_size, size;
    unsigned char bytes[];      /* the result, then its key */
};

const void *network_note(const rwa_network *net, const void *key, size_t key_size)
{
    for (const struct note *n = atomic_load(&net->notes.last); n; n = n->before)
        if (n->key_size == key_size && memcmp(n->bytes + n->size, key, key_size) == 0)
            return n->bytes;
    return NULL;
}

void network_keep_note(const rwa_network *net, const void *key, size_t key_size, const void *found, size_t size)
{
    struct network_notes *notes = (struct network_notes *)&net->notes; /* beside what never changes */
    struct note *last = atomic_load(&notes->last);
    struct note *n = last && last->number >= NOTES_MOST ? NULL : base_array(1, sizeof *n + size + key_size, NULL);
    if (!n)
        return;
    *n = (struct note){.key_size = key_size, .size = size};
    memcpy(n->bytes, found, size);
    memcpy(n->bytes + size, key, key_size);
    do {
        n->before = last;
        n->number = last ? last->number + 1 : 1;
    } while (!atomic_compare_exchange_weak(&notes->last, &last, n));
}

void network_copy_notes(struct rwa_network *to, const struct rwa_network *from, enum network_note word)
{
    for (const struct note *n = atomic_load(&from->notes.last); n; n = n->before) {
        const void *key = n->bytes + n->size;
        if (memcmp(key, &(uint32_t){word}, sizeof(uint32_t)) == 0)
            network_keep_note(to, key, n->key_size, n->bytes, n->size);
    }
}

void notes_free(struct network_notes *notes)
{
    for (struct note *n = atomic_load(&notes->last), *before; n; n = before) {
        before = n->before;
        free(n);
    }
}

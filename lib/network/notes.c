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

/** Networks that differ in their wavelengths alone share them. */
static struct network_notes *notes_of(const rwa_network *net)
{
    while (net->made_from)
        net = net->made_from;
    return (struct network_notes *)&net->notes; /* beside what never changes */
}

const void *network_note(const rwa_network *net, const void *key, size_t key_size)
{
    for (const struct note *n = atomic_load(&notes_of(net)->last); n; n = n->before)
        if (n->key_size == key_size && memcmp(n->bytes + n->size, key, key_size) == 0)
            return n->bytes;
    return NULL;
}

void network_keep_note(const rwa_network *net, const void *key, size_t key_size, const void *found, size_t size)
{
    struct network_notes *notes = notes_of(net);
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

void notes_free(struct network_notes *notes)
{
    for (struct note *n = atomic_load(&notes->last), *before; n; n = before) {
        before = n->before;
        free(n);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign/program/accesses.h"

/** A block at a node. */
struct cell {
    uint32_t written;       /* by this operation; ACCESS_NONE: the node's own */
    uint32_t last_read;     /* the latest since then, in `reads` */
};

struct block_read {
    uint32_t by, before;
};

rwa_status accesses_open(struct accesses *a, const struct messages *p)
{
    size_t cells = (size_t)(p->nodes * p->blocks);
    *a = (struct accesses){.p = p, .memory = {.err = p->r->err}, .err = p->r->err};
    MUST(base_fits_memory((double)cells * sizeof *a->cells, "this program", a->err));
    arena_new(&a->memory, a->cells, cells);
    MUST(arena_status(&a->memory));
    for (size_t i = 0; i < cells; i++)
        a->cells[i] = (struct cell){ACCESS_NONE, ACCESS_NONE};
    return RWA_OK;
}

void accesses_free(struct accesses *a)
{
    arena_free(&a->memory);
    free_all(a->reads, a->awaits);
}

static rwa_status await(struct accesses *a, uint32_t operation)
{
    if (operation == ACCESS_NONE || (a->await_count > 0 && a->awaits[a->await_count - 1] == operation))
        return RWA_OK;
    return base_append(a->awaits, a->await_count, a->await_capacity, a->err, operation);
}

rwa_status accesses_find(struct accesses *a, uint32_t node, const struct message *m, bool writes)
{
    assert(node < a->p->nodes && m->first + m->count <= a->p->blocks);
    a->await_count = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        const struct cell *c = &a->cells[node * a->p->blocks + m->first + k];
        MUST(await(a, c->written));
        for (uint32_t read = c->last_read; writes && read != ACCESS_NONE; read = a->reads[read].before)
            MUST(await(a, a->reads[read].by));
    }
    return RWA_OK;
}

rwa_status accesses_record(struct accesses *a, uint32_t node, const struct message *m, bool writes, uint32_t operation)
{
    assert(node < a->p->nodes && operation != ACCESS_NONE);
    for (uint32_t k = 0; k < m->count; k++) {
        struct cell *c = &a->cells[node * a->p->blocks + m->first + k];
        if (writes) {
            *c = (struct cell){operation, ACCESS_NONE};
            continue;
        }
        if (!a->p->reduction)
            continue; /* it would be written with what it holds */
        MUST(base_grow((void **)&a->reads, &a->read_capacity, a->read_count + 1, sizeof *a->reads, a->err));
        a->reads[a->read_count] = (struct block_read){operation, c->last_read};
        c->last_read = (uint32_t)a->read_count++;
    }
    return RWA_OK;
}

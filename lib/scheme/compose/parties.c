/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/parties.h"

rwa_status parties_create(struct parties *out, size_t count, size_t groups, rwa_error *err)
{
    *out = (struct parties){.party = base_array(count, sizeof *out->party, err), .first = base_array(groups + 1, sizeof *out->first, err),
                            .times = {1, 1}};
    return out->party && out->first ? RWA_OK : RWA_NOMEM;
}

void parties_free(struct parties *p)
{
    for (size_t i = 0; p->party && i < p->count; i++)
        block_set_free(&p->party[i].holds);
    free_all(p->party, p->first);
    *p = (struct parties){0};
}

struct party *parties_add(struct parties *p, uint32_t node)
{
    struct party *party = &p->party[p->count++];
    *party = (struct party){.node = node};
    return party;
}

void parties_end_group(struct parties *p)
{
    p->first[++p->groups] = p->count;
}

rwa_status parties_join(struct block_set *set, const struct parties *p, size_t from, size_t to, size_t but, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t i = from; i < to && st == RWA_OK; i++)
        if (i != but)
            st = block_set_join(set, &p->party[i].holds, err);
    return st;
}

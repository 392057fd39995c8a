/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/menu.h"

#include <stdlib.h>
#include <string.h>

static size_t segments(const struct menu *menu)
{
    return menu->segment[menu->route[menu->demands]];
}

rwa_status placement_create(struct placement *p, const struct menu *menu, rwa_error *err)
{
    p->route = base_array(menu->demands, sizeof *p->route, err);
    p->wave = base_array(segments(menu), sizeof *p->wave, err);
    if (!p->route || !p->wave)
        return RWA_NOMEM;
    for (uint32_t d = 0; d < menu->demands; d++)
        p->route[d] = MENU_NONE;
    return RWA_OK;
}

void placement_free(struct placement *p)
{
    free(p->route);
    free(p->wave);
    p->route = NULL;
    p->wave = NULL;
}

void placement_copy(struct placement *to, const struct placement *from, const struct menu *menu)
{
    to->waves = from->waves;
    to->placed = from->placed;
    memcpy(to->route, from->route, menu->demands * sizeof *to->route);
    memcpy(to->wave, from->wave, segments(menu) * sizeof *to->wave);
}

static size_t words(uint32_t waves)
{
    return ((size_t)waves + 63) / 64;
}

rwa_status table_create(struct table *t, const struct menu *menu, uint32_t waves, rwa_error *err)
{
    rwa_status st = RWA_OK;
    t->menu = menu;
    TRY(base_fits_memory(4.0 * waves * menu->links, "the table of channels", err));
    t->owner = base_array((size_t)waves * menu->links, sizeof *t->owner, err);
    t->full = base_array(words(waves) * menu->links, sizeof *t->full, err);
    if (!t->owner || !t->full)
        return RWA_NOMEM;
    TRY(placement_create(&t->at, menu, err));
    table_clear(t, waves);
done:
    return st;
}

void table_free(struct table *t)
{
    placement_free(&t->at);
    free(t->owner);
    free(t->full);
    memset(t, 0, sizeof *t);
}

static void own(struct table *t, uint32_t wave, uint32_t link, uint32_t owner)
{
    uint64_t *full = &t->full[wave / 64 * (size_t)t->menu->links + link];
    uint64_t bit = UINT64_C(1) << wave % 64;
    t->owner[(size_t)wave * t->menu->links + link] = owner;
    *full = owner == TABLE_FREE ? *full & ~bit : *full | bit;
}

/* Fibres that a link lacks, and channels that are taken. */
static void mark_taken(struct table *t)
{
    const struct menu *menu = t->menu;
    for (uint32_t l = 0; l < menu->links && menu->fibers_of; l++)
        for (uint32_t w = 0; w < t->waves; w++)
            if (w % menu->fibers >= menu->fibers_of[l])
                own(t, w, l, TABLE_TAKEN);
    for (size_t i = 0; i < menu->taken_count; i++)
        if (menu->taken[i].wave < t->waves)
            own(t, menu->taken[i].wave, menu->taken[i].link, TABLE_TAKEN);
}

void table_clear(struct table *t, uint32_t waves)
{
    const struct menu *menu = t->menu;
    size_t cells = (size_t)waves * menu->links;
    t->waves = t->at.waves = waves;
    t->at.placed = 0;
    for (uint32_t d = 0; d < menu->demands; d++)
        t->at.route[d] = MENU_NONE;
    for (size_t i = 0; i < cells; i++)
        t->owner[i] = TABLE_FREE;
    memset(t->full, 0, words(waves) * menu->links * sizeof *t->full);
    for (uint32_t l = 0; l < menu->links && waves % 64 > 0; l++)
        t->full[waves / 64 * (size_t)menu->links + l] = UINT64_MAX << waves % 64; /* beyond the last wave */
    mark_taken(t);
}

uint64_t table_open(const struct table *t, size_t segment, uint32_t word)
{
    const struct menu *menu = t->menu;
    const uint64_t *full = t->full + (size_t)word * menu->links;
    uint64_t shut = 0;
    for (size_t k = menu->hop[segment]; k < menu->hop[segment + 1] && shut != UINT64_MAX; k++)
        shut |= full[menu->link[k]];
    return ~shut;
}

uint32_t table_lowest(const struct table *t, size_t segment)
{
    for (uint32_t word = 0; word < words(t->waves); word++) {
        uint64_t open = table_open(t, segment, word);
        if (open)
            return 64 * word + (uint32_t)__builtin_ctzll(open);
    }
    return t->waves;
}

static void give(struct table *t, size_t route, uint32_t owner)
{
    const struct menu *menu = t->menu;
    for (size_t s = menu->segment[route]; s < menu->segment[route + 1]; s++)
        for (size_t k = menu->hop[s]; k < menu->hop[s + 1]; k++)
            own(t, t->at.wave[s], menu->link[k], owner);
}

void table_put(struct table *t, uint32_t demand, size_t route)
{
    give(t, route, demand);
    t->at.route[demand] = route;
    t->at.placed++;
}

void table_lift(struct table *t, uint32_t demand)
{
    give(t, t->at.route[demand], TABLE_FREE);
    t->at.route[demand] = MENU_NONE;
    t->at.placed--;
}

void table_load(struct table *t, const struct placement *from)
{
    const struct menu *menu = t->menu;
    for (uint32_t d = 0; d < menu->demands; d++) {
        size_t route = from->route[d];
        bool inside = route != MENU_NONE;
        for (size_t s = inside ? menu->segment[route] : 0; inside && s < menu->segment[route + 1]; s++) {
            t->at.wave[s] = from->wave[s];
            inside = from->wave[s] < t->waves;
        }
        if (inside)
            table_put(t, d, route);
    }
}

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
    t->slot = base_array((size_t)menu->links + 1, sizeof *t->slot, err);
    if (!t->slot)
        return RWA_NOMEM;
    for (uint32_t l = 0; l < menu->links; l++)
        t->slot[l + 1] = t->slot[l] + (menu->fibers ? menu->fibers[l] : 1);
    TRY(base_fits_memory(4.0 * waves * t->slot[menu->links], "the table of channels", err));
    t->owner = base_array((size_t)waves * t->slot[menu->links], sizeof *t->owner, err);
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
    free(t->slot);
    free(t->owner);
    free(t->full);
    memset(t, 0, sizeof *t);
}

static bool is_taken(const struct menu *menu, uint32_t wave, uint32_t link)
{
    return menu->taken && menu->taken[wave / 64 * (size_t)menu->links + link] >> wave % 64 & 1;
}

void table_clear(struct table *t, uint32_t waves)
{
    const struct menu *menu = t->menu;
    size_t slots = t->slot[menu->links];
    t->waves = t->at.waves = waves;
    t->at.placed = 0;
    for (uint32_t d = 0; d < menu->demands; d++)
        t->at.route[d] = MENU_NONE;
    memset(t->full, 0, words(waves) * menu->links * sizeof *t->full);
    for (uint32_t l = 0; l < menu->links && waves % 64 > 0; l++)
        t->full[waves / 64 * (size_t)menu->links + l] = UINT64_MAX << waves % 64; /* beyond the last wavelength */
    for (uint32_t w = 0; w < waves; w++)
        for (uint32_t l = 0; l < menu->links; l++) {
            bool taken = is_taken(menu, w, l);
            for (uint32_t s = t->slot[l]; s < t->slot[l + 1]; s++)
                t->owner[w * slots + s] = taken ? TABLE_TAKEN : TABLE_FREE;
            t->full[w / 64 * (size_t)menu->links + l] |= (uint64_t)(taken || t->slot[l] == t->slot[l + 1]) << w % 64;
        }
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

static void take(struct table *t, uint32_t demand, uint32_t wave, uint32_t link)
{
    uint32_t *owner = t->owner + (size_t)wave * t->slot[t->menu->links];
    uint32_t s = t->slot[link], free_left = 0;
    while (owner[s] != TABLE_FREE)
        s++;
    owner[s] = demand;
    for (; s < t->slot[link + 1]; s++)
        free_left += owner[s] == TABLE_FREE;
    if (free_left == 0)
        t->full[wave / 64 * (size_t)t->menu->links + link] |= UINT64_C(1) << wave % 64;
}

static void release(struct table *t, uint32_t demand, uint32_t wave, uint32_t link)
{
    uint32_t *owner = t->owner + (size_t)wave * t->slot[t->menu->links];
    uint32_t s = t->slot[link];
    while (owner[s] != demand)
        s++;
    owner[s] = TABLE_FREE;
    t->full[wave / 64 * (size_t)t->menu->links + link] &= ~(UINT64_C(1) << wave % 64);
}

void table_put(struct table *t, uint32_t demand, size_t route)
{
    const struct menu *menu = t->menu;
    for (size_t s = menu->segment[route]; s < menu->segment[route + 1]; s++)
        for (size_t k = menu->hop[s]; k < menu->hop[s + 1]; k++)
            take(t, demand, t->at.wave[s], menu->link[k]);
    t->at.route[demand] = route;
    t->at.placed++;
}

void table_lift(struct table *t, uint32_t demand)
{
    const struct menu *menu = t->menu;
    size_t route = t->at.route[demand];
    for (size_t s = menu->segment[route]; s < menu->segment[route + 1]; s++)
        for (size_t k = menu->hop[s]; k < menu->hop[s + 1]; k++)
            release(t, demand, t->at.wave[s], menu->link[k]);
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

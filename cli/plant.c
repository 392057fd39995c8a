/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plant.h"

struct plant plant;

const option plant_options[] = {{"device", "NAME|FILE", "fibre profile: spans, amplifiers, nodes (docs/guide/fiber.md)",
                                 IS_TEXT(plant.device)},
                                {0}};
const option modulation_options[] = {
    {"modulations", "NAME|FILE", "table of modulation formats (coherent, if a device is given)", IS_TEXT(plant.table)},
    {0}};

int plant_open(int needs_profile)
{
    const char *device = !plant.device && needs_profile ? "ssmf" : plant.device;
    const char *table = plant.table ? plant.table : device ? "coherent" : "reach";
    if (!device && !plant.table)
        return 0;
    if (device)
        MUST(fail_name(rwa_fiber_profile_open(&plant.profile, device, new_error()),
                       suggest_from(rwa_fiber_profile_builtin, device)));
    MUST(fail_name(rwa_modulations_open(&plant.modulations, table, new_error()),
                   suggest_from(rwa_modulations_builtin, table)));
    return CALL(rwa_transmission_create, &plant.transmission, plant.modulations, plant.profile, 0);
}

size_t formats(void)
{
    return rwa_modulations_count(plant.modulations);
}

rwa_modulation format_at(size_t i)
{
    rwa_modulation m;
    rwa_modulations_get(&m, plant.modulations, i);
    return m;
}

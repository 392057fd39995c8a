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

rwa_modulation format_at(size_t i)
{
    rwa_modulation m;
    rwa_modulations_get(&m, plant.modulations, i);
    return m;
}

static size_t formats(void)
{
    return rwa_modulations_count(plant.modulations);
}

static int reaches(const rwa_modulation_choice *c)
{
    return rwa_modulation_choice_reaches(c, plant.transmission);
}

void say_formats(const rwa_modulation_choice *worst)
{
    say("Formats           %-12s %8s %6s %10s %10s %8s\n", "worst case", "Gbit/s", "slots", "GSNR", "required",
        "margin");
    for (size_t i = 0; i < formats(); i++) {
        rwa_modulation m = format_at(i);
        say("                  %-12s %8g %6u %10.2f %10.2f %+8.2f  %s\n", m.name, m.rate_bps / 1e9, m.slots,
            worst[i].gsnr_db, m.required_gsnr_db, worst[i].margin_db,
            reaches(&worst[i]) ? "reaches" : "does not reach");
    }
}

json_t *choice_json(const rwa_modulation_choice *chosen)
{
    if (chosen->modulation == RWA_NONE)
        return json_null();
    rwa_modulation m = format_at(chosen->modulation);
    return JSON("modulation:s carriers:u slots:u rate_bps:f length_km:f gsnr_db:f required_gsnr_db:f reach_km:f "
                "margin_db:f reaches:b",
                m.name, chosen->carriers, chosen->width, m.rate_bps * chosen->carriers, chosen->length_km,
                chosen->gsnr_db, m.required_gsnr_db, m.reach_km, chosen->margin_db, reaches(chosen));
}

json_t *formats_json(const rwa_modulation_choice *worst)
{
    json_t *all = json_array();
    for (size_t i = 0; i < formats(); i++)
        json_array_append_new(all, choice_json(&worst[i]));
    return all;
}

/* Report which formats would take fewer slots than the chosen one (any number, if none was chosen) but lack GSNR or
 * reach, and how much.  worst[] has, for each format of the table, its choice on this route in the worst case. */
static void say_narrower(const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen, double rate_bps)
{
    for (size_t i = 0; i < formats(); i++) {
        rwa_modulation m = format_at(i);
        double width = ceil(rate_bps / m.rate_bps * (1 - 1e-12)) * m.slots;
        if ((chosen->modulation != RWA_NONE && width >= chosen->width) || reaches(&worst[i]))
            continue;
        say("  %s would take %.0f slots, but ", m.name, width);
        if (isfinite(worst[i].margin_db))
            say("lacks %.2f dB\n", -worst[i].margin_db);
        else
            say("reaches %.1f km\n", m.reach_km);
    }
}

void say_choice(const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen, double rate_bps)
{
    if (chosen->modulation == RWA_NONE) {
        say("Choice            none: no format carries %g Gbit/s over %.1f km", rate_bps / 1e9, chosen->length_km);
    } else {
        say("Choice            %s for %g Gbit/s: %s, %u slots of 12.5 GHz", format_at(chosen->modulation).name,
            rate_bps / 1e9, counted(chosen->carriers, "carrier"), chosen->width);
        if (isfinite(chosen->margin_db))
            say(", %.2f dB of margin", chosen->margin_db);
    }
    say("\n");
    say_narrower(worst, chosen, rate_bps);
}

/* ---- assignments ---- */

static int choose_again(rwa_modulation_choice *out, const rwa_assignment *r, uint64_t i, const rwa_route *route)
{
    const rwa_network *net = rwa_assignment_network(r);
    const double *rates = rwa_demands_rates(rwa_assignment_demands(r));
    int flexible = rwa_network_slot_hz(net) > 0;
    double rate_bps =
        flexible && rates && rates[route->demand] > 0 ? rates[route->demand] : rwa_network_rate_bps(net);
    uint32_t *links = NULL;
    if (OUT_OF_MEMORY(links, route->hops))
        return fail_memory();
    for (uint32_t k = 0; k < route->hops; k++)
        links[k] = rwa_assignment_link(r, i, k);
    int code = CALL(rwa_transmission_choose_route, out, plant.transmission, net, links, route->hops, rate_bps,
                    flexible ? 0 : rwa_transmission_channel_slots(plant.transmission));
    free(links);
    return code;
}

int plant_count(plant_usage *out, const rwa_assignment *result)
{
    *out = (plant_usage){calloc(formats(), sizeof *out->lightpaths), NAN};
    if (!out->lightpaths)
        return fail_memory();
    for (uint64_t i = 0; i < rwa_assignment_count(result); i++) {
        rwa_modulation_choice c = {.modulation = RWA_NONE};
        rwa_route route;
        rwa_assignment_get(&route, result, i);
        if (route.hops > 0)
            MUST(choose_again(&c, result, i, &route));
        if (c.modulation == RWA_NONE)
            continue;
        out->lightpaths[c.modulation]++;
        out->least_margin_db = fmin(out->least_margin_db, c.margin_db);
    }
    return 0;
}

void say_usage(const plant_usage *usage)
{
    const char *before = "";
    say("Formats           ");
    for (size_t i = 0; i < formats(); i++)
        if (usage->lightpaths[i] > 0) {
            say("%s%s for %" PRIu64, before, format_at(i).name, usage->lightpaths[i]);
            before = ", ";
        }
    if (!*before)
        say("none");
    if (isfinite(usage->least_margin_db))
        say("; least margin %.2f dB if every channel were lit", usage->least_margin_db);
    say("\n");
}

json_t *usage_json(const plant_usage *usage)
{
    json_t *all = json_array();
    for (size_t i = 0; i < formats(); i++)
        if (usage->lightpaths[i] > 0)
            json_array_append_new(all, JSON("modulation:s lightpaths:U", format_at(i).name, usage->lightpaths[i]));
    return JSON("device:s modulations:s formats:o least_margin_db:f",
                plant.profile ? rwa_fiber_profile_name(plant.profile) : NULL,
                rwa_modulations_name(plant.modulations), all, usage->least_margin_db);
}

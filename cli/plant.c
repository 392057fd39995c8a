/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plant.h"

#include "suggest.h"

const option plant_options[] = {
    {"device", 0, "NAME|FILE", "fibre profile: spans, amplifiers, nodes (docs/fiber.md)", NULL,
     IS_TEXT(plant_choice, device)},
    {0}};
const option modulation_options[] = {
    {"modulations", 0, "NAME|FILE", "table of modulation formats", "coherent, if a device is given",
     IS_TEXT(plant_choice, table)},
    {0}};

void plant_init(void *chosen)
{
    *(plant_choice *)chosen = (plant_choice){0};
}

int plant_open(plant_choice *f, int needs_profile, uint32_t slots)
{
    rwa_error err = {0};
    rwa_status status = RWA_OK;
    char question[SUGGEST_TEXT];
    const char *device = f->device == NULL && needs_profile ? "ssmf" : f->device;
    const char *table = f->table != NULL ? f->table : device != NULL ? "coherent" : "reach";
    int code = 0;
    if (device == NULL && f->table == NULL)
        return 0;
    if (device != NULL && (status = rwa_fiber_profile_open(&f->profile, device, &err)) == RWA_BADARG)
        suggest_add(&err, suggest_from(rwa_fiber_profile_builtin, device, question));
    if (status == RWA_OK && (status = rwa_modulations_open(&f->modulations, table, &err)) == RWA_BADARG)
        suggest_add(&err, suggest_from(rwa_modulations_builtin, table, question));
    code = fail_status(status, &err, 0);
    THEN(fail_status(rwa_transmission_create(&f->transmission, f->modulations, f->profile, slots, &err), &err, 0));
    return code;
}

void plant_close(plant_choice *f)
{
    rwa_transmission_free(f->transmission);
    rwa_modulations_free(f->modulations);
    rwa_fiber_profile_free(f->profile);
}

static rwa_modulation format_at(const plant_choice *f, size_t i)
{
    rwa_modulation m;
    rwa_modulations_get(&m, f->modulations, i);
    return m;
}

void print_formats(FILE *to, const plant_choice *f, const rwa_modulation_choice *worst)
{
    fprintf(to, "Formats           %-12s %8s %6s %10s %10s %8s\n", "worst case", "Gbit/s", "slots", "GSNR", "required", "margin");
    for (size_t i = 0; i < rwa_modulations_count(f->modulations); i++) {
        rwa_modulation m = format_at(f, i);
        fprintf(to, "                  %-12s %8g %6" PRIu32 " %10.2f %10.2f %+8.2f  %s\n", m.name, m.rate_bps / 1e9, m.slots,
                worst[i].gsnr_db, m.required_gsnr_db, worst[i].margin_db,
                rwa_modulation_choice_reaches(&worst[i], f->transmission) ? "reaches" : "does not reach");
    }
}

json_t *choice_json(const plant_choice *f, const rwa_modulation_choice *chosen)
{
    if (chosen->modulation == RWA_NO_MODULATION)
        return json_null();
    rwa_modulation m = format_at(f, chosen->modulation);
    return json_add(json_object(), "modulation:s carriers:u slots:u rate_bps:f length_km:f gsnr_db:f required_gsnr_db:f reach_km:f "
                    "margin_db:f reaches:b", m.name, chosen->carriers, chosen->width, m.rate_bps * chosen->carriers, chosen->length_km,
                    chosen->gsnr_db, m.required_gsnr_db, m.reach_km, chosen->margin_db,
                    rwa_modulation_choice_reaches(chosen, f->transmission));
}

json_t *formats_json(const plant_choice *f, const rwa_modulation_choice *worst)
{
    json_t *all = json_array();
    for (size_t i = 0; i < rwa_modulations_count(f->modulations); i++)
        json_array_append_new(all, choice_json(f, &worst[i]));
    return all;
}

/* Formats that would take fewer slots lack GSNR or reach. */
static void print_narrower(FILE *to, const plant_choice *f, const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen,
                           double rate_bps)
{
    for (size_t i = 0; i < rwa_modulations_count(f->modulations); i++) {
        rwa_modulation m = format_at(f, i);
        double width = ceil(rate_bps / m.rate_bps * (1 - 1e-12)) * m.slots;
        if ((chosen->modulation != RWA_NO_MODULATION && width >= chosen->width) ||
            rwa_modulation_choice_reaches(&worst[i], f->transmission))
            continue;
        if (isfinite(worst[i].margin_db))
            fprintf(to, "  %s would take %.0f slots, but lacks %.2f dB\n", m.name, width, -worst[i].margin_db);
        else
            fprintf(to, "  %s would take %.0f slots, but reaches %.1f km\n", m.name, width, m.reach_km);
    }
}

void print_choice(FILE *to, const plant_choice *f, const rwa_modulation_choice *worst, const rwa_modulation_choice *chosen, double rate_bps)
{
    fprintf(to, "Choice            ");
    if (chosen->modulation == RWA_NO_MODULATION) {
        fprintf(to, "none: no format carries %g Gbit/s over %.1f km\n", rate_bps / 1e9, chosen->length_km);
        print_narrower(to, f, worst, chosen, rate_bps);
        return;
    }
    rwa_modulation m = format_at(f, chosen->modulation);
    fprintf(to, "%s for %g Gbit/s: %" PRIu32 " carrier%s, %" PRIu32 " slots of 12.5 GHz", m.name, rate_bps / 1e9, chosen->carriers,
            plural(chosen->carriers), chosen->width);
    if (isfinite(chosen->margin_db))
        fprintf(to, ", %.2f dB of margin", chosen->margin_db);
    fprintf(to, "\n");
    print_narrower(to, f, worst, chosen, rate_bps);
}

/* ---- assignments ---- */

static rwa_status choose_again(rwa_modulation_choice *out, const plant_choice *f, const rwa_assign_result *r, uint64_t i,
                               const rwa_route *route, rwa_error *err)
{
    const rwa_network *net = rwa_assign_result_network(r);
    const double *rates = rwa_demands_rates(rwa_assign_result_demands(r));
    int flexible = rwa_network_slot_hz(net) > 0;
    double rate_bps = flexible && rates != NULL && rates[route->demand] > 0 ? rates[route->demand] : rwa_network_rate_bps(net);
    uint32_t *links = calloc(route->hops, sizeof *links);
    if (links == NULL)
        return RWA_NOMEM;
    for (uint32_t k = 0; k < route->hops; k++)
        links[k] = rwa_assign_result_link(r, i, k);
    rwa_status status = rwa_transmission_choose_route(out, f->transmission, net, links, route->hops, rate_bps,
                                                      flexible ? 0 : rwa_transmission_channel_slots(f->transmission), err);
    free(links);
    return status;
}

int plant_count(plant_usage *out, const plant_choice *f, const rwa_assign_result *result)
{
    rwa_error err = {0};
    rwa_status status = RWA_OK;
    *out = (plant_usage){calloc(rwa_modulations_count(f->modulations), sizeof *out->lightpaths), NAN};
    if (out->lightpaths == NULL)
        return fail_memory();
    for (uint64_t i = 0; i < rwa_assign_result_routes(result) && status == RWA_OK; i++) {
        rwa_modulation_choice c = {.modulation = RWA_NO_MODULATION};
        rwa_route route;
        rwa_assign_result_get(&route, result, i);
        if (route.hops == 0)
            continue;
        status = choose_again(&c, f, result, i, &route, &err);
        if (status != RWA_OK || c.modulation == RWA_NO_MODULATION)
            continue;
        out->lightpaths[c.modulation]++;
        out->least_margin_db = fmin(out->least_margin_db, c.margin_db);
    }
    return fail_status(status, &err, 0);
}

void print_usage(FILE *to, const plant_choice *f, const plant_usage *usage)
{
    const char *before = "";
    fprintf(to, "Formats           ");
    for (size_t i = 0; i < rwa_modulations_count(f->modulations); i++)
        if (usage->lightpaths[i] > 0) {
            fprintf(to, "%s%s for %" PRIu64, before, format_at(f, i).name, usage->lightpaths[i]);
            before = ", ";
        }
    if (*before == '\0')
        fprintf(to, "none");
    if (isfinite(usage->least_margin_db))
        fprintf(to, "; least margin %.2f dB in the worst case", usage->least_margin_db);
    fprintf(to, "\n");
}

json_t *usage_json(const plant_choice *f, const plant_usage *usage)
{
    json_t *all = json_array();
    for (size_t i = 0; i < rwa_modulations_count(f->modulations); i++)
        if (usage->lightpaths[i] > 0)
            json_array_append_new(all, json_add(json_object(), "modulation:s lightpaths:U", format_at(f, i).name, usage->lightpaths[i]));
    return json_add(json_object(), "device:s modulations:s formats:o least_margin_db:f",
                    f->profile != NULL ? rwa_fiber_profile_name(f->profile) : NULL, rwa_modulations_name(f->modulations), all,
                    usage->least_margin_db);
}

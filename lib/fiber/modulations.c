/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading tables of modulation formats. */
#include "fiber/fiber.h"

#include "profile/fields.h"

enum { MODULATIONS_MAX = 256 };

/* An entry as its file gives it. */
struct modulation_entry {
    double bits_per_symbol, baud_gbd, slots, rate_gbps, reach_km, gsnr_db, osnr_db;
};

#define AT(f) #f, offsetof(struct modulation_entry, f)
#define RATIO(f, where) {AT(f), FIELD_OPTIONAL | FIELD_NULLABLE, -50, 100, NAN, "a number of dB " where ", -50 to 100"}

static const struct field fields[] = {
    {AT(bits_per_symbol), FIELD_ABOVE_LEAST, 0, 64, 0, "a number above 0"},
    {AT(baud_gbd), FIELD_ABOVE_LEAST, 0, 1000, 0, "a number of Gbaud above 0"},
    {AT(slots), FIELD_INTEGER, 1, 1600, 0, "an integer from 1 to 1600"},
    {AT(rate_gbps), FIELD_OPTIONAL | FIELD_ABOVE_LEAST, 0, 1e6, NAN, "a number of Gbit/s above 0"},
    {AT(reach_km), FIELD_OPTIONAL | FIELD_NULLABLE | FIELD_ABOVE_LEAST, 0, 1e9, NAN, "a number of km above 0"},
    RATIO(gsnr_db, "in the signal bandwidth"),
    RATIO(osnr_db, "in 0.1 nm"),
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Return the reach of a format in km: reach_km, the value of that field of `object`; INFINITY if the field is null,
 * which means no limit. */
static double reach_of(const json_t *object, double reach_km)
{
    return json_is_null(json_object_get(object, "reach_km")) ? INFINITY : reach_km;
}

static rwa_status check_entry(const rwa_modulation *m, const struct modulation_entry *e, const char *file,
                              const char *where, rwa_error *err)
{
    if (m->baud > m->slots * RWA_SLOT_HZ)
        return base_fail(err, RWA_FORMAT, "%s: %s.baud_gbd: is %g, expected at most the %g GHz of its slots", file,
                         where, e->baud_gbd, m->slots * RWA_SLOT_HZ / 1e9);
    if (m->rate_bps > e->bits_per_symbol * m->baud * (1 + 1e-12))
        return base_fail(err, RWA_FORMAT, "%s: %s.rate_gbps: is %g, expected at most bits_per_symbol times baud_gbd",
                         file, where, e->rate_gbps);
    if (!isnan(e->gsnr_db) && !isnan(e->osnr_db))
        return base_fail(err, RWA_FORMAT, "%s: %s.osnr_db: expected it or gsnr_db, not both", file, where);
    return RWA_OK;
}

static rwa_status read_name(rwa_modulations *table, size_t i, const json_t *object, const char *file, const char *where,
                            rwa_error *err)
{
    const char *name = json_text(object, "name");
    if (!name || !*name)
        return base_fail(err, RWA_FORMAT, "%s: %s.name: expected a string", file, where);
    for (size_t k = 0; k < i; k++)
        if (strcmp(table->list[k].name, name) == 0)
            return base_fail(err, RWA_FORMAT, "%s: %s.name: is %s again, expected another name", file, where, name);
    table->list[i].name = arena_copy_text(&table->profile.memory, name);
    return arena_status(&table->profile.memory);
}

static rwa_status read_entry(rwa_modulations *table, size_t i, json_t *object, const char *file, rwa_error *err)
{
    static const char *const others[] = {"name", NULL};
    char where[32];
    struct modulation_entry e = {0};
    rwa_modulation *m = &table->list[i];
    snprintf(where, sizeof where, "modulations[%zu]", i);
    if (!json_is_object(object))
        return base_fail(err, RWA_FORMAT, "%s: %s: is %s, expected an object", file, where, json_kind(object));
    MUST(fields_check_names(fields, FIELDS, others, object, file, where, err));
    MUST(read_name(table, i, object, file, where, err));
    for (size_t k = 0; k < FIELDS; k++)
        MUST(field_read(&e, &fields[k], object, file, where, err));
    m->bits_per_symbol = e.bits_per_symbol;
    m->baud = e.baud_gbd * 1e9;
    m->slots = (uint32_t)e.slots;
    m->rate_bps = isnan(e.rate_gbps) ? e.bits_per_symbol * m->baud : e.rate_gbps * 1e9;
    m->reach_km = reach_of(object, e.reach_km);
    m->required_gsnr_db = isnan(e.osnr_db) ? e.gsnr_db : e.osnr_db - fiber_db(m->baud / RWA_SLOT_HZ);
    return check_entry(m, &e, file, where, err);
}

static rwa_status read_entries(void *made, json_t *list, const char *file, rwa_error *err)
{
    rwa_modulations *table = made;
    size_t count = json_array_size(list);
    if (count == 0 || count > MODULATIONS_MAX)
        return base_fail(err, RWA_FORMAT, "%s: modulations: has %zu entries, expected 1 to %d", file, count,
                         MODULATIONS_MAX);
    MUST(arena_arrays(&table->profile.memory, count, table->list));
    table->count = count;
    for (size_t i = 0; i < count; i++)
        MUST(read_entry(table, i, json_array_get(list, i), file, err));
    return RWA_OK;
}

static const struct profile_kind kind = {embedded_modulations, "table of modulation formats", "modulations", JSON_ARRAY,
                                         read_entries};

PROFILE_FUNCTIONS(rwa_modulations, embedded_modulations)
GETTER(size_t, rwa_modulations_count, rwa_modulations, count)

void rwa_modulations_get(rwa_modulation *out, const rwa_modulations *table, size_t i)
{
    *out = table->list[i];
}

uint32_t rwa_modulations_find(const rwa_modulations *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->list[i].name, name) == 0)
            return (uint32_t)i;
    return RWA_NONE;
}

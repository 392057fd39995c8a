/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports for programs: JSON and CSV. */
#include "print.h"

#include <stdarg.h>

/* ---- JSON ---- */

json_t *json_count(uint64_t value)
{
    return value <= (uint64_t)INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

static json_t *positive(uint64_t value)
{
    return value > 0 ? json_count(value) : json_null();
}

json_t *json_list(size_t count, json_t *(*each)(size_t i))
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, each(i));    /* which does nothing with NULL */
    return all;
}

json_t *json_counts(const uint64_t *list, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_count(list[i]));
    return all;
}

static json_t *verdict_or_null(rwa_verdict verdict)
{
    return verdict == RWA_UNCHECKED ? json_null() : json_boolean(verdict == RWA_PASS);
}

json_t *json_add(json_t *object, const char *members, ...)
{
    json_t *all = object;
    va_list values;
    va_start(values, members);
    for (const char *p = members, *colon; *p; p = colon + 2 + (colon[2] == ' ')) {
        char name[64];      /* no phrase(): the values may be phrases that wait for their turn */
        const char *text;
        double figure;
        json_t *value = NULL;
        colon = strchr(p, ':');
        assert(colon && (size_t)(colon - p) < sizeof name && (colon[2] == ' ' || !colon[2]));
        snprintf(name, sizeof name, "%.*s", (int)(colon - p), p);
        switch (colon[1]) {
        case 'u': value = json_count(va_arg(values, uint32_t)); break;
        case 'U': value = json_count(va_arg(values, uint64_t)); break;
        case 'z': value = json_count(va_arg(values, size_t)); break;
        case 'I': value = json_integer((json_int_t)va_arg(values, int64_t)); break;
        case 'p': value = positive(va_arg(values, uint32_t)); break;
        case 'P': value = positive(va_arg(values, uint64_t)); break;
        case 'f': case 'F':
            figure = va_arg(values, double);
            value = isfinite(figure) && (colon[1] == 'f' || figure > 0) ? json_real(figure) : json_null();
            break;
        case 's':
            text = va_arg(values, const char *);
            value = text ? json_string(text) : json_null();
            break;
        case 'b': value = json_boolean(va_arg(values, int)); break;
        case 'v': value = verdict_or_null((rwa_verdict)va_arg(values, int)); break;
        case 'o': value = va_arg(values, json_t *); break;
        default: assert(0);
        }
        if (json_object_set_new(all, name, value) != 0) {   /* no memory */
            json_decref(all);
            all = NULL;
        }
    }
    va_end(values);
    return all;
}

json_t *json_unchecked(const char *why)
{
    json_t *unchecked = json_array();
    if (why)
        json_array_append_new(unchecked, json_string(why));
    for (size_t i = 0; rwa_device_unchecked(target.device, i); i++)
        json_array_append_new(unchecked, json_string(rwa_device_unchecked(target.device, i)));
    return unchecked;
}

json_t *json_power(const rwa_check_report *check)
{
    if (!target.device || !check->power_checked)
        return json_null();
    const rwa_power_report *p = &check->power;
    return JSON(
        "device:s feasible:v unchecked:o worst_loss_db:f margin_db:f worst_snr_db:f worst_ber:f worst_log10_ber:f "
        "worst_lightpath:U worst_ber_lightpath:U least_margin_lightpath:U ber_max:f failing:U",
        rwa_device_name(target.device), p->verdict, json_unchecked(check->power_unchecked), p->worst_loss_db,
        p->margin_db, p->worst_snr_db, p->worst_ber, p->worst_log10_ber, p->worst_lightpath,
        p->worst_ber_lightpath, p->least_margin_lightpath, p->ber_max, p->failing);
}

int is_on_steps(const rwa_bound *bound)
{
    return strcmp(bound->unit, "steps") == 0;
}

json_t *json_bound(const rwa_bound *bound)
{
    return bound->value > 0 && bound->name ? JSON("name:s steps:U", bound->name, bound->value) : json_null();
}

json_t *add_bound(json_t *object, const rwa_bound *bound, uint32_t steps, int optimal)
{
    int has = bound->value > 0 && bound->name;
    json_t *gap = has ? json_integer((json_int_t)steps - (json_int_t)bound->value) : json_null();
    return json_add(object, "bound:o gap_steps:o optimal:b", json_bound(bound), gap, optimal);
}

char *text_of_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    return text;
}

int print_json(json_t *object)
{
    char *text = text_of_json(object);
    if (!text)
        return fail_memory();
    fprintf(report_stream(), "%s\n", text);
    free(text);
    return 0;
}

int print_answer(void (*text)(void), json_t *(*json)(void), int (*csv)(void))
{
    if (output.format == AS_JSON)
        return print_json(json());
    if (output.format != AS_TEXT)
        return csv();
    text();
    return 0;
}

/* ---- CSV ---- */

/* Return the member of a JSON value at a path, in which dots separate members and indexes of arrays; NULL if there is
 * none. */
static const json_t *member_at(const json_t *value, const char *path)
{
    size_t end = strcspn(path, ".,:\"");
    const char *name = phrase("%.*s", (int)end, path);
    value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10)) : json_object_get(value, name);
    return path[end] == '.' ? member_at(value, path + end + 1) : value;
}

static void print_cell(FILE *to, const json_t *value, int digits, int quoted)
{
    const char *text = json_string_value(value);
    if (text && (quoted || strpbrk(text, ",\"")))
        print_quoted(to, text, '"');
    else if (text)
        fputs(text, to);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "yes" : "no", to);
    else if (json_is_integer(value))
        fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value) && digits >= 0)
        fprintf(to, "%.*f", digits, json_real_value(value));
    else if (json_is_real(value))
        fprintf(to, "%.9g", json_real_value(value));
}

void csv_line(FILE *to, const json_t *row, const char *columns)
{
    for (const char *p = columns; *p; p += *p == ',') {
        size_t length = strcspn(p, ","), name = strcspn(p, ",=:\"");
        const char *path = p[name] == '=' ? p + name + 1 : p, *colon = memchr(p, ':', length);
        if (!row)
            fprintf(to, "%.*s", (int)name, p);
        else
            print_cell(to, member_at(row, path), colon ? atoi(colon + 1) : -1, p[length - 1] == '"');
        p += length;
        fputc(*p == ',' ? ',' : '\n', to);
    }
}

int print_csv(const char *columns, json_t *rows)
{
    csv_line(stdout, NULL, columns);
    for (size_t i = 0; i < json_array_size(rows); i++)
        csv_line(stdout, json_array_get(rows, i), columns);
    json_decref(rows);
    return rows ? 0 : fail_memory();
}

json_t *json_setting(json_t *object, const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    object = json_add(object, "collective:s nodes:u wavelengths:u fibers:u", rwa_collective_name(coll->kind),
                      rwa_network_nodes(net), rwa_network_wavelengths(net), rwa_network_fibers(net));
    if (coll->nodes < rwa_network_nodes(net))
        object = json_add(object, "members:u", coll->nodes);
    if (faults.channel_count > 0)
        object = json_add(object, "reserved:z", faults.channel_count);
    if (faults.link_count > 0)
        object = json_add(object, "failed:z", faults.link_count);
    return object;
}

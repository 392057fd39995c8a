/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <stdarg.h>

const choice text_json[] = {{"text", AS_TEXT}, {"json", AS_JSON}, {NULL, 0}};
const choice text_json_csv[] = {{"text", AS_TEXT}, {"json", AS_JSON}, {"csv", AS_CSV}, {NULL, 0}};
const option report_options[] = {
    {"format", 0, "FORMAT", "text or json", "text", IS_CHOICE(output_choice, format, text_json)}, {0}};
const option table_options[] = {
    {"format", 0, "FORMAT", "text, json or csv", "text", IS_CHOICE(output_choice, format, text_json_csv)}, {0}};

FILE *report_stream(const output_choice *o)
{
    return o->file != NULL && strcmp(o->file, "-") == 0 ? stderr : stdout;
}

int names_file(const output_choice *o)
{
    return o->file != NULL && strcmp(o->file, "-") != 0;
}

void print_written(FILE *to, const output_choice *o)
{
    if (names_file(o))
        fprintf(to, "Written           %s\n", o->file);
}

void print_programs(FILE *to, const rwa_programs *programs)
{
    if (programs->path != NULL && programs->count > 0)
        fprintf(to, "Integer programs  %" PRIu32 " written: %s%s\n", programs->count, programs->path, programs->count > 1 ? " and on" : "");
    else if (programs->path != NULL)
        fputs("Integer programs  none was solved, so none was written\n", to);
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- JSON ---- */

json_t *json_count(uint64_t value)
{
    return value <= (uint64_t)INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

json_t *json_figure(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
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
    va_list args;
    va_start(args, members);
    for (const char *p = members, *colon; *p != '\0'; p = colon + 2 + (colon[2] == ' ')) {
        char name[64];
        const char *text;
        json_t *value = NULL;
        colon = strchr(p, ':');
        assert(colon != NULL && (size_t)(colon - p) < sizeof name && (colon[2] == ' ' || colon[2] == '\0'));
        snprintf(name, sizeof name, "%.*s", (int)(colon - p), p);
        switch (colon[1]) {
        case 'u': value = json_count(va_arg(args, uint32_t)); break;
        case 'U': value = json_count(va_arg(args, uint64_t)); break;
        case 'z': value = json_count(va_arg(args, size_t)); break;
        case 'I': value = json_integer((json_int_t)va_arg(args, int64_t)); break;
        case 'f': value = json_figure(va_arg(args, double)); break;
        case 's':
            text = va_arg(args, const char *);
            value = text != NULL ? json_string(text) : json_null();
            break;
        case 'b': value = json_boolean(va_arg(args, int)); break;
        case 'v': value = verdict_or_null((rwa_verdict)va_arg(args, int)); break;
        case 'o': value = va_arg(args, json_t *); break;
        default: assert(0);
        }
        if (json_object_set_new(all, name, value) != 0) {   /* no memory */
            json_decref(all);
            all = NULL;
        }
    }
    va_end(args);
    return all;
}

json_t *json_unchecked(const rwa_device *device, const char *why)
{
    json_t *unchecked = json_array();
    if (why != NULL)
        json_array_append_new(unchecked, json_string(why));
    for (size_t i = 0; rwa_device_unchecked(device, i) != NULL; i++)
        json_array_append_new(unchecked, json_string(rwa_device_unchecked(device, i)));
    return unchecked;
}

json_t *json_power(const rwa_check_report *check, const rwa_device *device)
{
    if (device == NULL || !check->power_checked)
        return json_null();
    const rwa_power_report *p = &check->power;
    json_t *unchecked = json_unchecked(device, check->power_unchecked);
    return json_add(json_object(), "device:s feasible:v unchecked:o worst_loss_db:f margin_db:f worst_snr_db:f worst_ber:f "
                    "worst_log10_ber:f", rwa_device_name(device), p->verdict, unchecked, p->worst_loss_db, p->margin_db,
                    p->worst_snr_db, p->worst_ber, p->worst_log10_ber);
}

json_t *json_bound(const rwa_bound *bound)
{
    return bound->value > 0 && bound->name != NULL ? json_add(json_object(), "name:s steps:U", bound->name, bound->value) : json_null();
}

static char *json_text(json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    return text;
}

int json_print(FILE *to, json_t *object)
{
    char *text = json_text(object);
    if (text == NULL)
        return fail_memory();
    fprintf(to, "%s\n", text);
    free(text);
    return 0;
}

int report_finish(const output_choice *o, json_t *json, int code)
{
    rwa_error err = {0};
    int printed = 0;
    if (o->file != NULL) {
        char *text = json_text(json);
        printed = fail_status(text != NULL ? rwa_text_write(text, o->file, &err) : RWA_NOMEM, &err, 1);
        free(text);
    } else if (o->format == AS_JSON) {
        printed = json_print(stdout, json);
    } else {
        json_decref(json);
    }
    return printed != 0 ? printed : finish(code);
}

/* ---- text ---- */

const char *node_text(char *to, size_t size, const rwa_network *net, uint32_t node)
{
    const char *name = rwa_network_node_name(net, node);
    int used = snprintf(to, size, "%" PRIu32, node);
    if (name != NULL && strcmp(name, to) != 0)
        snprintf(to + used, size - (size_t)used, " (%s)", name);
    return rwa_text_make_visible(to);
}

void print_quoted(FILE *to, const char *text, char quote)
{
    fputc(quote, to);
    for (; *text != '\0'; text++) {
        if (*text == quote)
            fputc(quote, to);
        fputc(*text, to);
    }
    fputc(quote, to);
}

void print_figure(FILE *to, double value, char end)
{
    if (isfinite(value))
        fprintf(to, "%.9g", value);
    fputc(end, to);
}

const char *time_text(char *to, size_t size, double seconds)
{
    if (!isfinite(seconds))
        snprintf(to, size, "-");
    else if (seconds >= 1)
        snprintf(to, size, "%.4g s", seconds);
    else if (seconds >= 1e-3)
        snprintf(to, size, "%.4g ms", seconds * 1e3);
    else
        snprintf(to, size, "%.4g us", seconds * 1e6);
    return to;
}

const char *size_text(char *to, size_t size, double bytes)
{
    if (bytes >= 1e9)
        snprintf(to, size, "%.4g GB", bytes / 1e9);
    else if (bytes >= 1e6)
        snprintf(to, size, "%.4g MB", bytes / 1e6);
    else if (bytes >= 1e3)
        snprintf(to, size, "%.4g kB", bytes / 1e3);
    else
        snprintf(to, size, "%.4g B", bytes);
    return to;
}

void print_fibers(FILE *to, const rwa_network *net)
{
    uint32_t least = rwa_network_fibers(net), most = least;
    for (uint32_t i = 0; rwa_network_topology(net) == RWA_GRAPH && i < rwa_network_links(net); i++) {
        uint32_t fibers = rwa_network_link(net, i).fibers;
        least = i == 0 || fibers < least ? fibers : least;
        most = i == 0 || fibers > most ? fibers : most;
    }
    if (least < most)
        fprintf(to, "%" PRIu32 " to ", least);
    fprintf(to, "%" PRIu32 " fibre%s", most, plural(most));
}

void print_setting(FILE *to, const char *name, const rwa_network *net, const rwa_collective *coll)
{
    static const struct { double unit; const char *name; } units[] = {{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};
    uint32_t wavelengths = rwa_network_wavelengths(net);
    double rate = rwa_network_rate_bps(net);
    size_t i = 0;
    while (i < 3 && rate < units[i].unit)
        i++;
    fprintf(to, "%s on %s: %" PRIu32 " wavelength%s x ", rwa_collective_name(coll->kind), name, wavelengths, plural(wavelengths));
    print_fibers(to, net);
    fprintf(to, " each way, %g %s", rate / units[i].unit, units[i].name);
}

void print_lightpaths(FILE *to, uint64_t count, uint32_t longest)
{
    fprintf(to, "Lightpaths        %" PRIu64 "\nLongest lightpath %" PRIu32 " hop%s\n", count, longest, plural(longest));
}

void print_tunings(FILE *to, const rwa_check_report *check)
{
    fprintf(to, "Tunings           %" PRIu64 ", cost %" PRIu64 ", all done after %" PRIu64 " step%s\n", check->tunings,
            check->tuning_cost, check->finish_steps, plural(check->finish_steps));
}

void print_lacking(FILE *to, const rwa_device *device, const char *begin)
{
    const char *field;
    for (size_t i = 0; (field = rwa_device_unchecked(device, i)) != NULL; i++)
        fprintf(to, "%s%s", i == 0 ? begin : ", ", field);
    if (rwa_device_unchecked(device, 0) != NULL)
        fputc('\n', to);
}

void print_power(FILE *to, const rwa_check_report *check, const rwa_device *device)
{
    if (device == NULL || !check->power_checked) {
        fprintf(to, "Power             not checked (give --device)\n");
        return;
    }
    if (check->power_unchecked != NULL) {
        fprintf(to, "Power             not checked on %s: %s\n", rwa_device_name(device), check->power_unchecked);
        return;
    }
    const rwa_power_report *p = &check->power;
    fprintf(to, "Power             %s on %s", p->verdict == RWA_PASS ? "ok" : p->verdict == RWA_FAIL ? "FAILS" : "not fully checked",
            rwa_device_name(device));
    if (check->off_grid > 0)
        fprintf(to, ", %" PRIu64 " lightpath%s outside its grid of wavelengths 0..%" PRIu32, check->off_grid, plural(check->off_grid),
                rwa_device_wavelengths(device) - 1);
    if (isfinite(p->worst_loss_db))
        fprintf(to, ", worst loss %.2f dB", p->worst_loss_db);
    if (isfinite(p->margin_db))
        fprintf(to, ", margin %.2f dB", p->margin_db);
    if (isfinite(p->worst_log10_ber))
        fprintf(to, ", worst bit error rate 1e%.1f", p->worst_log10_ber);
    fputc('\n', to);
    print_lacking(to, device, "                  the profile lacks: ");
}

/* How many violations among those named are of the kind and the line of violation i, and whether it is the first of them. */
static size_t count_alike(const rwa_check_report *check, size_t i, int *first)
{
    size_t alike = 0;
    *first = 1;
    for (size_t k = 0; k < check->named; k++) {
        if (k != i && (check->first_line[i] == 0 || check->first_line[k] != check->first_line[i] ||
                       check->first[k].kind != check->first[i].kind))
            continue;
        *first = *first && k >= i;
        alike++;
    }
    return alike;
}

void print_violations(FILE *to, const rwa_check_report *check, const char *file)
{
    for (size_t i = 0; i < check->named; i++) {
        int first;
        size_t alike = count_alike(check, i, &first);
        if (!first)
            continue;
        fputs("  ", to);
        if (file != NULL && check->first_line[i] > 0)
            fprintf(to, "%s:%" PRIu64 ": ", file, check->first_line[i]);
        fprintf(to, "%s: %s\n", rwa_violation_name(check->first[i].kind), check->first[i].text);
        if (alike > 1)
            fprintf(to, "    and %zu more of this line\n", alike - 1);
    }
    if (check->violations > check->named)
        fprintf(to, "  ... and %" PRIu64 " more\n", check->violations - (uint64_t)check->named);
}

const char *check_text(const rwa_check_report *check)
{
    return check->ok ? "ok" : check->named > 0 ? check->first[0].text : "violations";
}

void print_missing(FILE *to, const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    const char *before = "Without           ";
    rwa_network_faults(&faults, net);
    uint32_t idle = rwa_network_nodes(net) - coll->nodes;
    if (idle > 0) {
        fprintf(to, "%s%" PRIu32 " node%s that take%s no part", before, idle, plural(idle), idle == 1 ? "s" : "");
        before = ", ";
    }
    if (faults.channel_count > 0) {
        fprintf(to, "%s%zu reserved channel%s", before, faults.channel_count, plural(faults.channel_count));
        before = ", ";
    }
    if (faults.link_count > 0) {
        fprintf(to, "%s%zu failed link%s, each direction counted", before, faults.link_count, plural(faults.link_count));
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', to);
}

json_t *json_missing(json_t *object, const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    if (coll->nodes < rwa_network_nodes(net))
        object = json_add(object, "members:u", coll->nodes);
    if (faults.channel_count > 0)
        object = json_add(object, "reserved:z", faults.channel_count);
    if (faults.link_count > 0)
        object = json_add(object, "failed:z", faults.link_count);
    return object;
}

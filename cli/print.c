/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

json_t *json_count(uint64_t value)
{
    return value <= (uint64_t)INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

json_t *json_figure(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_power(const rwa_check *check, const rwa_device *device)
{
    if (device == NULL || !check->power_checked)
        return json_null();
    const rwa_power_report *p = &check->power;
    json_t *unchecked = json_array();
    for (size_t i = 0; rwa_device_unchecked(device, i) != NULL; i++)
        json_array_append_new(unchecked, json_string(rwa_device_unchecked(device, i)));
    json_t *feasible = p->verdict == RWA_UNCHECKED ? json_null() : json_boolean(p->verdict == RWA_PASS);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "device", rwa_device_name(device), "feasible", feasible,
                     "unchecked", unchecked, "worst_loss_db", json_figure(p->worst_loss_db), "margin_db",
                     json_figure(p->margin_db), "worst_snr_db", json_figure(p->worst_snr_db), "worst_ber",
                     json_figure(p->worst_ber), "worst_log10_ber", json_figure(p->worst_log10_ber));
}

int json_print(FILE *to, json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    if (text == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    fprintf(to, "%s\n", text);
    free(text);
    return 0;
}

void rate_text(char *to, size_t size, double bps)
{
    static const struct { double unit; const char *name; } units[] = {{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};
    size_t i = 0;
    while (i < 3 && bps < units[i].unit)
        i++;
    snprintf(to, size, "%g %s", bps / units[i].unit, units[i].name);
}

void time_text(char *to, size_t size, double seconds)
{
    if (!isfinite(seconds))
        snprintf(to, size, "-");
    else if (seconds >= 1)
        snprintf(to, size, "%.4g s", seconds);
    else if (seconds >= 1e-3)
        snprintf(to, size, "%.4g ms", seconds * 1e3);
    else
        snprintf(to, size, "%.4g us", seconds * 1e6);
}

void print_time(FILE *to, double seconds)
{
    char text[32];
    time_text(text, sizeof text, seconds);
    fputs(text, to);
}

void print_power(FILE *to, const rwa_check *check, const rwa_device *device)
{
    if (device == NULL || !check->power_checked) {
        fprintf(to, "Power             not checked (give --device)\n");
        return;
    }
    const rwa_power_report *p = &check->power;
    fprintf(to, "Power             %s on %s", p->verdict == RWA_PASS ? "ok" : p->verdict == RWA_FAIL ? "FAILS" : "not fully checked",
            rwa_device_name(device));
    if (isfinite(p->worst_loss_db))
        fprintf(to, ", worst loss %.2f dB", p->worst_loss_db);
    if (isfinite(p->margin_db))
        fprintf(to, ", margin %.2f dB", p->margin_db);
    if (isfinite(p->worst_log10_ber))
        fprintf(to, ", worst bit error rate 1e%.1f", p->worst_log10_ber);
    fputc('\n', to);
    for (size_t i = 0; rwa_device_unchecked(device, i) != NULL; i++)
        fprintf(to, "%s%s", i == 0 ? "                  the profile does not say: " : ", ", rwa_device_unchecked(device, i));
    if (rwa_device_unchecked(device, 0) != NULL)
        fputc('\n', to);
}

void print_violations(FILE *to, const rwa_check *check)
{
    for (size_t i = 0; i < check->named; i++)
        fprintf(to, "  %s: %s\n", rwa_violation_name(check->first[i].kind), check->first[i].text);
    if (check->violations > check->named)
        fprintf(to, "  ... and %" PRIu64 " more\n", check->violations - (uint64_t)check->named);
}

void print_missing(FILE *to, const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    const char *before = "Without           ";
    rwa_network_faults(net, &faults);
    if (coll->nodes < rwa_network_nodes(net)) {
        fprintf(to, "%s%" PRIu32 " nodes that take no part", before, rwa_network_nodes(net) - coll->nodes);
        before = ", ";
    }
    if (faults.channel_count > 0) {
        fprintf(to, "%s%zu reserved channel%s", before, faults.channel_count, faults.channel_count == 1 ? "" : "s");
        before = ", ";
    }
    if (faults.link_count > 0) {
        fprintf(to, "%s%zu failed link%s, each direction counted", before, faults.link_count, faults.link_count == 1 ? "" : "s");
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', to);
}

void json_missing(json_t *object, const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    rwa_network_faults(net, &faults);
    if (coll->nodes < rwa_network_nodes(net))
        json_object_set_new(object, "members", json_count(coll->nodes));
    if (faults.channel_count > 0)
        json_object_set_new(object, "reserved", json_count(faults.channel_count));
    if (faults.link_count > 0)
        json_object_set_new(object, "failed", json_count(faults.link_count));
}

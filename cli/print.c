/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <strings.h>

struct output output;

const option report_options[] = {
    {"format", "FORMAT", "text or json (text)", IS_CHOICE(output.format, AS_TEXT, "text", "json")}, {0}};
const option table_options[] = {
    {"format", "FORMAT", "text, json or csv (text)", IS_CHOICE(output.format, AS_TEXT, "text", "json", "csv")}, {0}};
const option schedule_file_options[] = {
    {"output", "FILE", "write the schedule; .gz compresses, - is standard output", IS_FILE(output.file)}, {0}};
const option report_file_options[] = {
    {"output", "FILE", "write the JSON report; - is standard output", IS_FILE(output.file)}, {0}};

FILE *report_stream(void)
{
    return output.file && strcmp(output.file, "-") == 0 ? stderr : stdout;
}

int names_file(void)
{
    return output.file && strcmp(output.file, "-") != 0;
}

void say_written(void)
{
    if (names_file())
        say("Written           %s\n", output.file);
}

void say_programs(void)
{
    if (programs.path && programs.count > 0)
        say("Integer programs  %u written: %s%s\n", programs.count, programs.path, programs.count > 1 ? " and on" : "");
    else if (programs.path)
        say("Integer programs  none was solved, so none was written\n");
}

int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), behind = strlen(end);
    return length > behind && strcasecmp(name + length - behind, end) == 0;
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *counted(char to[ITEM_MAX], uint64_t count, const char *noun)
{
    snprintf(to, ITEM_MAX, "%" PRIu64 " %s%s", count, noun, plural(count));
    return to;
}

const char *channels_text(char to[ITEM_MAX], uint64_t count, int slots)
{
    return counted(to, count, slots ? "slot" : "wavelength");
}

uint32_t model_links(const rwa_network *net, rwa_model model)
{
    return model == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_links(net);
}

const char *cell_text(char to[ITEM_MAX], int known, uint64_t value)
{
    snprintf(to, ITEM_MAX, known ? "%" PRIu64 : "-", value);
    return to;
}

/* ---- text ---- */

const char *node_text(char *to, size_t size, const rwa_network *net, uint32_t node)
{
    const char *name = rwa_network_node_name(net, node);
    int used = snprintf(to, size, "%u", node);
    if (name && strcmp(name, to) != 0)
        snprintf(to + used, size - (size_t)used, " (%s)", name);
    return rwa_text_make_visible(to);
}

void print_quoted(FILE *to, const char *text, char quote)
{
    fputc(quote, to);
    for (; *text; text++) {
        if (*text == quote)
            fputc(quote, to);
        fputc(*text, to);
    }
    fputc(quote, to);
}

/* Write a value in the first unit of a list, the largest first, that is not larger than the value, or else in the last
 * unit.  Return the text. */
static const char *scaled_text(char to[ITEM_MAX], double value, const unit *units, int digits)
{
    while (value < units->factor && units[1].name)
        units++;
    snprintf(to, ITEM_MAX, "%.*g %s", digits, value / units->factor, units->name);
    return isfinite(value) ? to : "-";
}

const char *time_text(char to[ITEM_MAX], double seconds)
{
    static const unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {NULL, 0}};
    return scaled_text(to, seconds, units, 4);
}

const char *size_text(char to[ITEM_MAX], double bytes)
{
    static const unit decimal[] = {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {NULL, 0}},
                      binary[] = {{"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}, {NULL, 0}};
    char other[ITEM_MAX];
    scaled_text(to, bytes, decimal, 4);
    scaled_text(other, bytes, binary, 4);
    return strlen(other) < strlen(to) ? strcpy(to, other) : to;
}

const char *load_text(char to[ITEM_MAX], uint32_t blocks, uint64_t bytes)
{
    int used = blocks > 1 ? snprintf(to, ITEM_MAX, "%ux", blocks) : 0;
    strcpy(to + used, SIZE_TEXT((double)bytes));
    return to;
}

void say_fibers(const rwa_network *net)
{
    uint32_t least = rwa_network_fibers(net), most = least;
    for (uint32_t i = 0; rwa_network_topology(net) == RWA_GRAPH && i < rwa_network_links(net); i++) {
        uint32_t fibers = rwa_network_link(net, i).fibers;
        least = i == 0 || fibers < least ? fibers : least;
        most = i == 0 || fibers > most ? fibers : most;
    }
    if (least < most)
        say("%u to ", least);
    say("%u fibre%s", most, plural(most));
}

/* Tell whether the message is one vector, not one of each node. */
static int is_of_one(const rwa_collective *coll)
{
    return rwa_collective_is_reduction(coll->kind) || coll->kind == RWA_BROADCAST;
}

uint64_t message_bytes(const rwa_collective *coll)
{
    uint64_t all = coll->block_bytes * coll->blocks;
    return coll->message_bytes > 0 ? coll->message_bytes : is_of_one(coll) ? all : all / coll->nodes;
}

void say_task(const rwa_network *net, const rwa_collective *coll)
{
    say("%s of %s%s on ", rwa_collective_name(coll->kind), SIZE_TEXT((double)message_bytes(coll)),
        is_of_one(coll) ? "" : " a node");
    if (target.spec)
        say("%s", target.spec);
    else
        say("%s:%u", rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net));
}

static const char *rate_text(char to[ITEM_MAX], double bps)
{
    static const unit units[] = {{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1}, {NULL, 0}};
    return scaled_text(to, bps, units, 6);
}

void say_channels(const rwa_network *net)
{
    say("Network           %s x ", COUNTED(rwa_network_wavelengths(net), "wavelength"));
    say_fibers(net);
    say(" each way of a link, %s each\n", rate_text((char[ITEM_MAX]){0}, rwa_network_rate_bps(net)));
}

const char *cost_text(rwa_cost_model model)
{
    static const char *const counted_by[] = {[RWA_COST_PAPER] = "as if all lightpaths were set up before each step",
                                             [RWA_COST_CIRCUIT] = "with lightpaths set up only when they change",
                                             [RWA_COST_OVERLAP] = "with idle channels tuned while others send"};
    return counted_by[model];
}

/* Return the time to convert a byte from optical to electrical and back, in nanoseconds. */
static double converted_ns(void)
{
    return 1e9 * cost.cycles_per_flit / ((double)cost.flit_bytes * cost.clock_hz);
}

const char *byte_text(char to[ITEM_MAX], double rate_bps)
{
    snprintf(to, ITEM_MAX, "%.4g ns at %s + %.4g ns of O/E/O", 8e9 / rate_bps,
             rate_text((char[ITEM_MAX]){0}, rate_bps), converted_ns());
    return to;
}

/* Report the terms of a schedule's time: set-ups, start-ups and bytes. */
static void say_terms(const rwa_check_report *c, double rate_bps)
{
    int paper = cost.model == RWA_COST_PAPER;
    double starts_s = paper ? 0 : c->steps * cost.alpha_s,
           sent_s = 1e-9 * (8e9 / rate_bps + converted_ns()) * (double)c->fullest_bytes,
           set_up_s = (double)(paper ? c->steps : c->epochs) * cost.reconfig_s,
           rest_s = c->time_s - starts_s - sent_s - set_up_s;    /* O/E/O takes as long for a packet that is not full */
    say("  the sum of      ");
    if (cost.model == RWA_COST_OVERLAP)
        say("%s of set-up that nothing hides + ", TIME_TEXT(c->time_s - starts_s - sent_s));
    else
        say("%" PRIu64 " x %s of set-up + ", paper ? c->steps : c->epochs, TIME_TEXT(cost.reconfig_s));
    if (starts_s > 0)
        say("%u x %s of start-up + ", c->steps, TIME_TEXT(cost.alpha_s));
    say("%" PRIu64 " bytes on the fullest lightpaths x (%s)", c->fullest_bytes, BYTE_TEXT(rate_bps));
    if (cost.model != RWA_COST_OVERLAP && rest_s > 1e-6 * c->time_s)
        say(" + %s for packets that are not full", TIME_TEXT(rest_s));
    say("\n");
}

void say_time(double time_s, const rwa_check_report *c, double rate_bps)
{
    say("Time              %s %s (--cost %s)\n", TIME_TEXT(time_s), cost_text(cost.model),
        rwa_cost_model_name(cost.model));
    if (isfinite(c->time_s))
        say_terms(c, rate_bps);
}

void say_routes(const char *label, uint64_t routes, uint64_t backups)
{
    say("%-18s%" PRIu64, label, routes - backups);
    if (backups > 0)
        say(" and %s", COUNTED(backups, "backup"));
}

void say_lightpaths(const rwa_check_report *check)
{
    say_routes("Lightpaths", check->lightpaths, check->backups);
    say("%s, the longest of %s\n", check->steps > 0 ? ", counted in every step" : "",
        COUNTED(check->longest_hops, "hop"));
}

void say_tunings(const rwa_check_report *check)
{
    say("Tunings           %" PRIu64 ", cost %" PRIu64 ", all done after %" PRIu64 " step%s\n", check->tunings,
            check->tuning_cost, check->finish_steps, plural(check->finish_steps));
}

void say_lacking(const char *begin)
{
    const char *field;
    for (size_t i = 0; (field = rwa_device_unchecked(target.device, i)); i++)
        say("%s%s", i == 0 ? begin : ", ", field);
    if (rwa_device_unchecked(target.device, 0))
        say("\n");
}

const char *power_text(rwa_verdict verdict)
{
    return verdict == RWA_PASS ? "ok" : verdict == RWA_FAIL ? "FAILS" : "not fully checked";
}

void say_power(const rwa_check_report *check)
{
    if (!target.device || !check->power_checked) {
        say("Power             not checked (give --device)\n");
        return;
    }
    if (check->power_unchecked) {
        say("Power             not checked on %s: %s\n", rwa_device_name(target.device), check->power_unchecked);
        return;
    }
    const rwa_power_report *p = &check->power;
    say("Power             %s%s on %s", power_text(p->verdict),
        p->verdict == RWA_FAIL && p->margin_db >= 0 && p->worst_ber > p->ber_max ? " by bit error rate" : "",
        rwa_device_name(target.device));
    if (check->off_grid > 0)
        say(", %" PRIu64 " lightpath%s outside its grid of wavelengths 0..%u", check->off_grid, plural(check->off_grid),
                rwa_device_wavelengths(target.device) - 1);
    if (isfinite(p->worst_loss_db))
        say(", worst loss %.2f dB", p->worst_loss_db);
    if (isfinite(p->margin_db))
        say(", least margin %.2f dB (lightpath %" PRIu64 ")", p->margin_db, p->least_margin_lightpath);
    if (isfinite(p->worst_log10_ber))
        say(", worst bit error rate %s", BER_TEXT(p->worst_log10_ber));
    if (p->worst_ber > p->ber_max)
        say(" (lightpath %" PRIu64 "), above %g", p->worst_ber_lightpath, p->ber_max);
    say("\n");
    say_lacking("                  the profile lacks: ");
}

/* Tell whether an earlier violation of the same line has the same kind. */
static int is_repeated(const rwa_check_report *check, size_t i)
{
    size_t k = 0;
    while (k < i && (check->first_line[i] == 0 || check->first_line[k] != check->first_line[i] ||
                     check->first[k].kind != check->first[i].kind))
        k++;
    return k < i;
}

void say_violations(const rwa_check_report *check, const char *file)
{
    size_t said = 0;
    for (size_t i = 0; i < check->named; i++) {
        if (is_repeated(check, i))
            continue;
        said++;
        say("  ");
        if (file && check->first_line[i] > 0)
            say("%s:%" PRIu64 ": ", file, check->first_line[i]);
        say("%s: %s\n", rwa_violation_name(check->first[i].kind), check->first[i].text);
    }
    say_more(check->violations, said);
}

uint64_t worst_lightpath(const rwa_power_report *power)
{
    return power->margin_db < 0 ? power->least_margin_lightpath : power->worst_lightpath;
}

void say_unserved(const rwa_assignment *a)
{
    const rwa_network *net = rwa_assignment_network(a);
    uint64_t seen = 0;
    rwa_route route;
    for (uint64_t i = 0; i < rwa_assignment_count(a); i++) {
        rwa_assignment_get(&route, a, i);
        if (route.hops > 0 || seen++ >= RWA_UNSERVED_NAMED)
            continue;
        const rwa_demand *d = &rwa_demands_list(rwa_assignment_demands(a))[route.demand];
        say("  not served: demand %zu, %s to %s%s%s\n", route.demand, NODE_TEXT(net, d->src), NODE_TEXT(net, d->dst),
            route.why ? ": " : "", route.why ? route.why : "");
    }
    say_more(seen, RWA_UNSERVED_NAMED);
}

void say_next(const char *what, const char *name, const char *without, const char *more)
{
    static int any;
    char *options = args.quiet ? NULL : without ? options_text("", without) : calloc(1, 1);
    if (options)
        say("%-18s# %s\n%18srwa %s%s%s%s\n", any++ ? "" : "Next", what, "", name, options, *more ? " " : "", more);
    free(options);
}

reason reason_of(const char *name, const char *scheme, const char *why)
{
    reason r = {.name = name};
    char named[80], text[RWA_ERROR_TEXT];
    size_t length = (size_t)snprintf(named, sizeof named, "scheme %s ", scheme);
    fields_as_flags(text, sizeof text, why);
    const char *at = strstr(text, named);
    int before = at ? (int)(at - text) : (int)strlen(text);
    assert(length < sizeof named);
    snprintf(r.why, sizeof r.why, "%.*s%s%s", before, text, at ? "this scheme " : "", at ? at + length : "");
    return r;
}

void say_reasons(const char *label, reason *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!list[i].name)
            continue;
        say("%-18s%s", label, list[i].name);
        label = "";
        for (size_t k = i + 1; k < count; k++)
            if (list[k].name && strcmp(list[k].why, list[i].why) == 0) {
                say(", %s", list[k].name);
                list[k].name = NULL;
            }
        say(": %s\n", list[i].why);
    }
}

void say_more(uint64_t all, uint64_t named)
{
    if (all > named)
        say("  ... and %" PRIu64 " more\n", all - named);
}

void say_used(const rwa_check_report *c, uint64_t used)
{
    int above = c->ok && c->bound > 0 && !c->bound_of_served && c->unserved == 0 && used >= c->bound;
    say("%-18s%" PRIu64, c->counts_slots ? "Slots" : "Wavelengths", used);
    if (above && used > c->bound)
        say(", %" PRIu64 " above the lower bound", used - c->bound);
    say("%s\n", above && used == c->bound ? ", as few as the lower bound" : "");
    say_bound(c, NULL);
}

const char *bound_text(char to[ITEM_MAX], const rwa_check_report *c)
{
    snprintf(to, ITEM_MAX, "%s%s",
             c->bound_of_served ? COUNTED(c->bound, "lightpath") : CHANNELS(c->bound, c->counts_slots),
             c->bound_of_routes ? " for these routes" : "");
    return to;
}

void say_bound(const rwa_check_report *c, const char *name)
{
    const char *proven = c->bound_verdict == RWA_PASS   ? "recomputed: it holds"
                         : c->bound_verdict == RWA_FAIL ? "NOT proven"
                                                        : "not recomputed";
    if (c->bound > 0)
        say("%-18s%s%s (%s)\n", c->bound_of_served ? "Upper bound" : "Lower bound", BOUND_TEXT(c),
            !c->bound_of_served && c->unserved > 0 ? " to serve all" : "", name ? name : proven);
    if (c->bound > 0 || *c->bound_proof)
        say("  %s.\n",
            *c->bound_proof ? c->bound_proof : "It has no witness that can be checked; solving again can confirm it");
}

const char *rules_text(int of_schedule)
{
    return of_schedule ? ": channels, continuity, causality, completeness" : ": channels, continuity";
}

const char *check_text(const rwa_check_report *check)
{
    return check->ok ? "ok" : check->named > 0 ? check->first[0].text : "violations";
}

void say_missing(const rwa_network *net, const rwa_collective *coll)
{
    rwa_faults faults;
    const char *before = "Without           ";
    rwa_network_faults(&faults, net);
    uint32_t idle = rwa_network_nodes(net) - coll->nodes;
    if (idle > 0) {
        say("%s%u node%s that take%s no part", before, idle, plural(idle), idle == 1 ? "s" : "");
        before = ", ";
    }
    if (faults.channel_count > 0) {
        say("%s%zu reserved channel%s", before, faults.channel_count, plural(faults.channel_count));
        before = ", ";
    }
    if (faults.link_count > 0) {
        say("%s%zu failed link%s, each direction counted", before, faults.link_count, plural(faults.link_count));
        before = ", ";
    }
    if (*before == ',')
        say("\n");
}

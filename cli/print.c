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

const char *counted(uint64_t count, const char *noun)
{
    return phrase("%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

const char *channels_text(uint64_t count, int slots)
{
    return counted(count, slots ? "slot" : "wavelength");
}

uint32_t model_links(const rwa_network *net, rwa_model model)
{
    return model == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_links(net);
}

const char *cell_text(uint64_t value)
{
    return value > 0 ? phrase("%" PRIu64, value) : "-";
}

/* ---- text ---- */

const char *node_text(const rwa_network *net, uint32_t node)
{
    const char *name = rwa_network_node_name(net, node), *number = phrase("%u", node);
    return name && strcmp(name, number) != 0 ? rwa_text_make_visible(phrase("%s (%s)", number, name)) : number;
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

/* Return a value as text with `digits` significant digits, in the first unit of `units` that the value reaches, else in
 * the last one.  Larger units come first.  "-" if the value is not finite. */
static const char *scaled_text(double value, const char *units, int digits)
{
    while (value < unit_factor(units) && strchr(units, ' '))
        units = strchr(units, ' ') + 1;
    return isfinite(value)
               ? phrase("%.*g %.*s", digits, value / unit_factor(units), (int)strcspn(units, " "), units) : "-";
}

const char *time_text(double seconds)
{
    return scaled_text(seconds, "s ms us", 4);
}

const char *size_text(double bytes)
{
    const char *decimal = scaled_text(bytes, "GB MB kB B", 4), *binary = scaled_text(bytes, "GiB MiB KiB B", 4);
    return strlen(binary) < strlen(decimal) ? binary : decimal;
}

const char *load_text(uint32_t blocks, uint64_t bytes)
{
    return phrase("%s%s", blocks > 1 ? phrase("%ux", blocks) : "", size_text((double)bytes));
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
    say("%s", counted(most, "fibre"));
}

/* Tell whether the message of a collective is a single vector, as in a broadcast or a reduction, and not one message
 * for each node. */
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
    say("%s of %s%s on ", rwa_collective_name(coll->kind), size_text((double)message_bytes(coll)),
        is_of_one(coll) ? "" : " a node");
    if (target.spec)
        say("%s", target.spec);
    else
        say("%s:%u", rwa_topology_name(rwa_network_topology(net)), rwa_network_nodes(net));
}

static const char *rate_text(double bps)
{
    return scaled_text(bps, "Gbit/s Mbit/s kbit/s bit/s", 6);
}

void say_channels(const rwa_network *net)
{
    say("Network           %s x ", counted(rwa_network_wavelengths(net), "wavelength"));
    say_fibers(net);
    say(" each way of a %s, %s each\n", network_is_tuned(net) ? "node" : "link", rate_text(rwa_network_rate_bps(net)));
}

const char *cost_text(rwa_cost_model model)
{
    static const char *const counted_by[] = {[RWA_COST_PAPER] = "as if all lightpaths were set up before each step",
                                             [RWA_COST_CIRCUIT] = "with lightpaths set up only when they change",
                                             [RWA_COST_OVERLAP] = "with idle channels tuned while others send"};
    return counted_by[model];
}

/* Return the time, in nanoseconds, to convert a byte from optical to electrical and back, by the options of the cost
 * model. */
static double converted_ns(void)
{
    return 1e9 * cost.cycles_per_flit / ((double)cost.flit_bytes * cost.clock_hz);
}

const char *byte_text(double rate_bps)
{
    return phrase("%.4g ns at %s + %.4g ns of O/E/O", 8e9 / rate_bps, rate_text(rate_bps), converted_ns());
}

/* Report the terms that add up to a schedule's time: set-ups, start-ups and bytes. */
static void say_terms(const rwa_check_report *c, double rate_bps)
{
    int paper = cost.model == RWA_COST_PAPER;
    double starts_s = paper ? 0 : c->steps * cost.alpha_s,
           sent_s = 1e-9 * (8e9 / rate_bps + converted_ns()) * (double)c->fullest_bytes,
           set_up_s = (double)(paper ? c->steps : c->epochs) * cost.reconfig_s,
           rest_s = c->time_s - starts_s - sent_s - set_up_s;    /* O/E/O takes as long for a packet that is not full */
    say("  the sum of      ");
    if (cost.model == RWA_COST_OVERLAP)
        say("%s of set-up that nothing hides + ", time_text(c->time_s - starts_s - sent_s));
    else
        say("%" PRIu64 " x %s of set-up + ", paper ? c->steps : c->epochs, time_text(cost.reconfig_s));
    if (starts_s > 0)
        say("%u x %s of start-up + ", c->steps, time_text(cost.alpha_s));
    say("%" PRIu64 " bytes on the fullest lightpaths x (%s)", c->fullest_bytes, byte_text(rate_bps));
    if (cost.model != RWA_COST_OVERLAP && rest_s > 1e-6 * c->time_s)
        say(" + %s of O/E/O for packets of %" PRIu64 " bytes that are not full", time_text(rest_s), cost.packet_bytes);
    say("\n");
}

void say_time(double time_s, const rwa_check_report *c, double rate_bps)
{
    say("Time              %s %s (--cost %s)\n", time_text(time_s), cost_text(cost.model),
        rwa_cost_model_name(cost.model));
    if (isfinite(c->time_s))
        say_terms(c, rate_bps);
}

void say_routes(const char *label, uint64_t routes, uint64_t backups)
{
    say("%-18s%" PRIu64, label, routes - backups);
    if (backups > 0)
        say(" and %s", counted(backups, "backup"));
}

void say_lightpaths(const rwa_check_report *check)
{
    say_routes("Lightpaths", check->lightpaths, check->backups);
    say("%s, the longest of %s\n", check->steps > 0 ? ", counted in every step" : "",
        counted(check->longest_hops, "hop"));
}

void say_tunings(const rwa_check_report *check)
{
    /* a file that was found wrong is not opened, so its network is unknown */
    rwa_topology kind = target.net ? rwa_network_topology(target.net) : (rwa_topology)0;
    say("Tunings           %" PRIu64 " %s", check->tunings,
        !kind             ? "of circuits, ports, lasers or receivers"
        : kind == RWA_OCS ? "one-way circuits set up, each as soon as its ports are free"
        : kind == RWA_RON ? "ports turned"
                          : "lasers or receivers retuned");
    if (check->tuning_cost > 0)
        say(", %" PRIu64 " steps in all; the plan ends after %s", check->tuning_cost,
            counted(check->finish_steps, "step"));
    say("\n");
}

void say_lacking(const char *begin)
{
    const char *field;
    for (size_t i = 0; (field = rwa_device_unchecked(target.device, i)); i++)
        say("%s%s", i == 0 ? begin : ", ", field);
    if (rwa_device_unchecked(target.device, 0))
        say("\n");
}

const char *verdict_text(rwa_verdict verdict, const char *passed, const char *failed, const char *open)
{
    return verdict == RWA_PASS ? passed : verdict == RWA_FAIL ? failed : open;
}

const char *power_text(rwa_verdict verdict)
{
    return verdict_text(verdict, "ok", "FAILS", "not fully checked");
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
        say(", %s outside its grid of wavelengths 0..%u", counted(check->off_grid, "lightpath"),
            rwa_device_wavelengths(target.device) - 1);
    if (isfinite(p->worst_loss_db))
        say(", worst loss %.2f dB", p->worst_loss_db);
    if (isfinite(p->margin_db))
        say(", least margin %.2f dB (lightpath %" PRIu64 ")", p->margin_db, p->least_margin_lightpath);
    if (isfinite(p->worst_log10_ber))
        say(", worst bit error rate %s", ber_text(p->worst_log10_ber));
    if (p->worst_ber > p->ber_max)
        say(" (lightpath %" PRIu64 "), above %g", p->worst_ber_lightpath, p->ber_max);
    say("\n");
    say_lacking("                  the profile lacks: ");
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
        say("  not served: demand %zu, %s to %s%s%s\n", route.demand, node_text(net, d->src), node_text(net, d->dst),
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
    const char *named = phrase("scheme %s ", scheme);
    const char *text = as_flags(why), *at = strstr(text, named);
    int before = at ? (int)(at - text) : (int)strlen(text);
    snprintf(r.why, sizeof r.why, "%.*s%s%s", before, text, at ? "this scheme " : "", at ? at + strlen(named) : "");
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

void say_proof(const char *proof, int indent)
{
    const char *end;
    while (indent > 0 && (end = strstr(proof, "; "))) {
        say("%.*s;\n%*s", (int)(end - proof), proof, indent, "");
        proof = end + 2;
    }
    say("%s\n", proof);
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

const char *bound_text(const rwa_check_report *c)
{
    return phrase("%s%s",
                  c->bound_of_served ? counted(c->bound, "lightpath") : channels_text(c->bound, c->counts_slots),
                  c->bound_of_routes ? " for these routes" : "");
}

void say_bound(const rwa_check_report *c, const char *name)
{
    const char *proven = verdict_text(c->bound_verdict, "recomputed: it holds", "NOT proven", "not recomputed");
    if (c->bound > 0)
        say("%-18s%s%s (%s)\n", c->bound_of_served ? "Upper bound" : "Lower bound", bound_text(c),
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
        say("%s%s that take%s no part", before, counted(idle, "node"), idle == 1 ? "s" : "");
        before = ", ";
    }
    if (faults.channel_count > 0) {
        say("%s%s", before, counted(faults.channel_count, "reserved channel"));
        before = ", ";
    }
    if (faults.link_count > 0) {
        say("%s%s, each direction counted", before, counted(faults.link_count, "failed link"));
        before = ", ";
    }
    if (*before == ',')
        say("\n");
}

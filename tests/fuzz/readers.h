/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every reader of foreign bytes, as one function from a file to a status, with what must hold whatever the bytes are.
 * A broken promise aborts, so that a fuzzer and a test notice it alike.
 */
#pragma once

#include "tests/support/journal_seal.h"
#include "tests/support/plain_read.h"
#include "tests/support/report.h"

#include <sys/stat.h>

struct fuzz_reader {
    const char *name;
    const char *file;   /* the name its input is given, for the readers that look at the ending */
    rwa_status (*read)(const char *path, rwa_error *err);
};

#define FUZZ_EXPECT(truth)                                                       \
    do {                                                                         \
        if (!(truth)) {                                                          \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth);  \
            abort();                                                             \
        }                                                                        \
    } while (0)

/* Nodes up to which more is done with what was read than reading it, and up to which a collective is planned. */
enum { FUZZ_SMALL = 64, FUZZ_PLANNED = 12 };

/* ---- schedules ---- */

/** Written and read again it is the same schedule. */
static inline void fuzz_write_again(const rwa_schedule *sched, const rwa_check_report *verdict, const char *path)
{
    char copy[512];
    rwa_schedule *again = NULL;
    rwa_check_report same;
    snprintf(copy, sizeof copy, "%s.again", path);
    FUZZ_EXPECT(rwa_schedule_write(sched, copy, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_schedule_read(&again, copy, NULL, NULL) == RWA_OK);
    FUZZ_EXPECT(report_schedule(&same, again, NULL, NULL) == RWA_OK);
    FUZZ_EXPECT(same.violations == verdict->violations && same.lightpaths == verdict->lightpaths);
    rwa_schedule_free(again);
    remove(copy);
}

/** Drawing and exporting may refuse a schedule, but must not crash. */
static inline void fuzz_show(const rwa_schedule *sched)
{
    static const char *const formats[] = {"csv", "nodes", "settings", "harvest", "msccl", "mscclpp", "sndlib", "gnpy"};
    rwa_device *device = NULL;
    rwa_export_options opts;
    char *text = NULL;
    rwa_export_options_init(&opts);
    FUZZ_EXPECT(rwa_device_open(&device, "onoc-typical", NULL) == RWA_OK);
    opts.device = device;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        rwa_schedule_export(sched, formats[i], "/dev/null", &opts, NULL);
    rwa_view_text(&text, sched, NULL, NULL);
    rwa_text_free(text);
    rwa_view_svg(&text, sched, NULL, NULL);
    rwa_text_free(text);
    rwa_view_html(&text, &sched, 1, NULL, NULL);
    rwa_text_free(text);
    rwa_device_free(device);
}

/** The second judge finds the same kinds of violation, where it knows such schedules. */
static inline void fuzz_second_judge(const rwa_check_report *verdict, const char *path)
{
    static struct setting s;
    if (!plain_read(&s, path))
        return;
    unsigned expected = second_opinion(&s), found = kinds_of(verdict);
    if (comparable(expected) != comparable(found))
        fprintf(stderr, "kinds of violation: %#x, by the second judge %#x\n", found, expected);
    FUZZ_EXPECT(comparable(expected) == comparable(found));
}

/** Judged from the file and from memory alike. */
static inline rwa_status fuzz_schedule(const char *path, rwa_error *err)
{
    rwa_schedule *sched = NULL;
    rwa_check_report streamed, whole;
    rwa_status st = report_file(&streamed, path, NULL, err);
    if (st == RWA_OK)
        fuzz_second_judge(&streamed, path);
    if (rwa_schedule_read(&sched, path, NULL, NULL) == RWA_OK && st == RWA_OK) {
        FUZZ_EXPECT(report_schedule(&whole, sched, NULL, NULL) == RWA_OK);
        FUZZ_EXPECT(streamed.violations == whole.violations && streamed.lightpaths == whole.lightpaths);
        if (rwa_network_nodes(rwa_schedule_network(sched)) <= FUZZ_SMALL && whole.lightpaths <= 1000) {
            fuzz_write_again(sched, &whole, path);
            fuzz_show(sched);
        }
    }
    rwa_schedule_free(sched);
    return st;
}

/** Signal to noise of an assignment: the checker says what the library says, whatever the lengths, widths and
 *  formats. */
static inline void fuzz_gsnr(const rwa_assignment *result)
{
    rwa_fiber_profile *profile = NULL;
    rwa_modulations *table = NULL;
    rwa_transmission *transmission = NULL;
    rwa_check_options opts;
    rwa_check_report check;
    uint64_t routes = rwa_assignment_count(result);
    rwa_gsnr *gsnr = calloc(routes + 1, sizeof *gsnr);
    FUZZ_EXPECT(gsnr && rwa_fiber_profile_open(&profile, "ssmf-roadm", NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_modulations_open(&table, "coherent", NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_transmission_create(&transmission, table, profile, 0, NULL) == RWA_OK);
    rwa_check_options_init(&opts);
    opts.transmission = transmission;
    FUZZ_EXPECT(report_assignment(&check, result, &opts, NULL) == RWA_OK);
    if (check.ok && rwa_assignment_gsnr(gsnr, result, transmission, NULL) == RWA_OK)
        FUZZ_EXPECT(check.gsnr_checked <= routes);
    rwa_transmission_free(transmission);
    rwa_modulations_free(table);
    rwa_fiber_profile_free(profile);
    free(gsnr);
}

/** A valid assignment stays one when it is written and read again. */
static inline rwa_status fuzz_assignment(const char *path, rwa_error *err)
{
    char copy[512];
    rwa_assignment *result = NULL, *again = NULL;
    rwa_check_report check, same;
    rwa_status st = rwa_assignment_read(&result, path, err);
    if (st == RWA_OK) {
        FUZZ_EXPECT(report_assignment(&check, result, NULL, NULL) == RWA_OK);
        fuzz_gsnr(result);
        snprintf(copy, sizeof copy, "%s.again", path);
        FUZZ_EXPECT(rwa_assignment_write(result, copy, NULL) == RWA_OK);
        FUZZ_EXPECT(rwa_assignment_read(&again, copy, NULL) == RWA_OK);
        FUZZ_EXPECT(report_assignment(&same, again, NULL, NULL) == RWA_OK);
        FUZZ_EXPECT(check.violations == same.violations);
        remove(copy);
    }
    rwa_assignment_free(again);
    rwa_assignment_free(result);
    return st;
}

/** What a journal gives can be used, exported and opened again. */
static inline rwa_status fuzz_journal(const char *path, rwa_error *err)
{
    rwa_network *net = NULL;
    rwa_state *state = NULL;
    rwa_assignment *result = NULL;
    rwa_state_options o;
    rwa_placed placed;
    rwa_request q;
    rwa_state_options_init(&o);
    FUZZ_EXPECT(rwa_network_parse(&net, "ring:6", NULL, NULL) == RWA_OK);
    journal_seal(path);
    rwa_status st = rwa_state_open(&state, net, &o, path, err);
    if (st == RWA_OK) {
        size_t count = rwa_state_count(state);
        FUZZ_EXPECT(rwa_state_export(&result, state, NULL) == RWA_OK);
        rwa_request_init(&q, 0, 3);
        FUZZ_EXPECT(rwa_state_add(&placed, state, &q, NULL) == RWA_OK);
        while (rwa_state_undo(state, 1, NULL) == RWA_OK)
            count = rwa_state_count(state);
        rwa_state_free(state);
        FUZZ_EXPECT(rwa_state_open(&state, net, &o, path, NULL) == RWA_OK && rwa_state_count(state) == count);
    }
    rwa_assignment_free(result);
    rwa_state_free(state);
    rwa_network_free(net);
    return st;
}

/* ---- networks, and demands on them ---- */

static inline void fuzz_walk(const rwa_network *net)
{
    uint32_t nodes = rwa_network_nodes(net), links = rwa_network_links(net);
    FUZZ_EXPECT(nodes >= 2 && nodes <= RWA_NODES_MAX);
    for (uint32_t l = 0; l < links; l++) {
        rwa_link link = rwa_network_link(net, l);
        FUZZ_EXPECT(link.from < nodes && link.to < nodes && link.from != link.to && link.fibers > 0 &&
                    link.length_km >= 0);
    }
    for (uint32_t v = 0; v < nodes; v++) {
        const char *name = rwa_network_node_name(net, v);
        FUZZ_EXPECT(!name || strlen(name) < 100000);
    }
}

/** Written as JSON and read again it has the same links and slots. */
static inline void fuzz_network_again(const rwa_network *net, const char *path)
{
    char copy[512];
    rwa_network *again = NULL;
    snprintf(copy, sizeof copy, "%s.again.json", path);
    FUZZ_EXPECT(rwa_network_write(net, "json", copy, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_network_read(&again, copy, NULL, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_network_nodes(again) == rwa_network_nodes(net) &&
                rwa_network_links(again) == rwa_network_links(net));
    FUZZ_EXPECT(rwa_network_slot_hz(again) == rwa_network_slot_hz(net));
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link a = rwa_network_link(net, l), b = rwa_network_link(again, l);
        FUZZ_EXPECT(a.from == b.from && a.to == b.to && a.fibers == b.fibers && a.length_km == b.length_km);
    }
    rwa_network_free(again);
    remove(copy);
}

/** On a small network an all-gather is planned, or refused in a line, whatever is reserved, parallel or one-way; the
 *  plan passed its check. */
static inline void fuzz_plan(const rwa_network *net)
{
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL;
    rwa_error err = {0};
    rwa_plan_options_init(&opts);
    opts.scheme = "nearest";
    if (rwa_collective_init(&coll, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 4096, 0, NULL) != RWA_OK)
        return;
    if (rwa_plan_make(&plan, net, &coll, &opts, &err) == RWA_OK)
        FUZZ_EXPECT(rwa_plan_summary(plan)->outcome == RWA_INFEASIBLE || rwa_plan_summary(plan)->check->ok);
    else
        FUZZ_EXPECT(err.text[0] && !strpbrk(err.text, "\n\r\033"));
    rwa_plan_free(plan);
}

static inline rwa_status fuzz_network(const char *path, rwa_error *err)
{
    static const char *const formats[] = {"graphml", "sndlib", "gnpy"};
    rwa_network *net = NULL;
    rwa_status st = rwa_network_read(&net, path, NULL, err);
    if (st == RWA_OK)
        fuzz_walk(net);
    if (st == RWA_OK && rwa_network_nodes(net) <= FUZZ_SMALL && rwa_network_links(net) <= 1000) {
        fuzz_network_again(net, path);
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
            rwa_network_write(net, formats[i], "/dev/null", NULL);
        if (rwa_network_nodes(net) <= FUZZ_PLANNED && rwa_network_channels(net) <= 1000)
            fuzz_plan(net);
    }
    rwa_network_free(net);
    return st;
}

static inline rwa_status fuzz_demands(const char *path, rwa_error *err)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    FUZZ_EXPECT(rwa_network_open(&net, "abilene12-15", NULL, NULL) == RWA_OK);
    rwa_status st = rwa_demands_read(&demands, path, net, RWA_DIRECTED, err);
    if (st == RWA_OK) {
        const rwa_demand *list = rwa_demands_list(demands);
        const uint32_t *widths = rwa_demands_widths(demands);
        const double *rates = rwa_demands_rates(demands);
        for (size_t i = 0; i < rwa_demands_count(demands); i++) {
            FUZZ_EXPECT(list[i].src < 12 && list[i].dst < 12 && list[i].src != list[i].dst && list[i].count > 0);
            FUZZ_EXPECT(!widths || (widths[i] > 0 && widths[i] <= RWA_CHANNELS_MAX));
            FUZZ_EXPECT(!rates || (rates[i] >= 0 && rates[i] < 1e300));
        }
        rwa_demands_is_all_to_all(demands, RWA_DIRECTED);
    }
    rwa_demands_free(demands);
    rwa_network_free(net);
    return st;
}

/* ---- devices, settings, traffic, task graphs ---- */

static inline rwa_status fuzz_device(const char *path, rwa_error *err)
{
    rwa_device *device = NULL;
    rwa_network *net = NULL;
    rwa_power power[2];
    rwa_lightpath light[2] = {{.step = 1, .src = 0, .dst = 3, .orbit = 1}, {.step = 1, .src = 3, .dst = 5, .orbit = 1}};
    rwa_status st = rwa_device_open(&device, path, err);
    if (st == RWA_OK) {
        FUZZ_EXPECT(rwa_device_wavelengths(device) > 0 && rwa_device_rate_bps(device) > 0);
        FUZZ_EXPECT(rwa_network_parse(&net, "ring:8", NULL, NULL) == RWA_OK);
        FUZZ_EXPECT(rwa_power_step(power, device, RWA_POWER_RINGS, net, light, 2, NULL) == RWA_OK);
        FUZZ_EXPECT(rwa_power_step(power, device, RWA_POWER_PAPER, net, light, 2, NULL) == RWA_OK);
        rwa_device_reach(device, RWA_POWER_RINGS, 1024, rwa_device_wavelengths(device));
        for (size_t i = 0; rwa_device_unchecked(device, i); i++)
            FUZZ_EXPECT(*rwa_device_unchecked(device, i));
    }
    rwa_network_free(net);
    rwa_device_free(device);
    return st;
}

static inline rwa_status fuzz_fiber(const char *path, rwa_error *err)
{
    rwa_fiber_profile *profile = NULL;
    rwa_gsnr gsnr[2];
    rwa_span spans[2] = {{80, 1}, {40, 0}};
    rwa_status st = rwa_fiber_profile_open(&profile, path, err);
    if (st == RWA_OK) {
        FUZZ_EXPECT(rwa_fiber_profile_slots(profile) > 0 && rwa_fiber_profile_spans(profile, 1000) > 0);
        rwa_carrier carriers[2] = {{193e12, 32e9, rwa_fiber_profile_launch_dbm(profile, 32e9)}, {193.1e12, 64e9, 3}};
        if (rwa_gsnr_line(gsnr, profile, spans, 2, carriers, 2, NULL) == RWA_OK)
            FUZZ_EXPECT(gsnr[0].gsnr_db <= gsnr[0].osnr_db && gsnr[0].gsnr_db <= gsnr[0].nli_db &&
                        gsnr[0].length_km == 120);
    }
    rwa_fiber_profile_free(profile);
    return st;
}

static inline rwa_status fuzz_modulations(const char *path, rwa_error *err)
{
    rwa_modulations *table = NULL;
    rwa_fiber_profile *profile = NULL;
    rwa_transmission *transmission[2] = {NULL, NULL};
    rwa_modulation_choice choice;
    double km = 400;
    rwa_status st = rwa_modulations_open(&table, path, err);
    FUZZ_EXPECT(rwa_fiber_profile_open(&profile, "ssmf-roadm", NULL) == RWA_OK);
    if (st == RWA_OK) {
        rwa_transmission_create(&transmission[0], table, NULL, 0, NULL);
        rwa_transmission_create(&transmission[1], table, profile, 0, NULL);
    }
    for (int i = 0; i < 2; i++) {
        if (!transmission[i])
            continue;
        FUZZ_EXPECT(rwa_transmission_choose(&choice, transmission[i], &km, 1, 100e9, 320, NULL) == RWA_OK);
        FUZZ_EXPECT(choice.width <= 320 && (choice.width > 0) == (choice.modulation != RWA_NONE));
        rwa_transmission_free(transmission[i]);
    }
    rwa_fiber_profile_free(profile);
    rwa_modulations_free(table);
    return st;
}

static inline rwa_status fuzz_openconfig(const char *path, rwa_error *err)
{
    rwa_media_check *check = NULL;
    rwa_status st = rwa_media_check_file(&check, path, NULL, err);
    FUZZ_EXPECT(st != RWA_OK ||
                rwa_media_check_summary(check)->ok == (rwa_media_check_summary(check)->violations == 0));
    rwa_media_check_free(check);
    return st;
}

static inline rwa_status fuzz_traffic(const char *path, rwa_error *err)
{
    rwa_traffic *traffic = NULL;
    rwa_circuits *circuits = NULL;
    rwa_status st = rwa_traffic_read(&traffic, path, err);
    if (st == RWA_OK) {
        for (size_t i = 0; i < rwa_traffic_flows(traffic); i++) {
            rwa_flow flow = rwa_traffic_flow(traffic, i);
            FUZZ_EXPECT(flow.src < rwa_traffic_nodes(traffic) && flow.dst < rwa_traffic_nodes(traffic) &&
                        flow.bytes > 0);
        }
        if (rwa_traffic_nodes(traffic) <= FUZZ_SMALL)
            rwa_circuits_make(&circuits, traffic, 3, NULL, NULL);
    }
    rwa_circuits_free(circuits);
    rwa_traffic_free(traffic);
    return st;
}

static inline rwa_status fuzz_tasks(const char *path, rwa_error *err)
{
    rwa_tasks *tasks = NULL, *parts = NULL;
    rwa_placement *placement = NULL;
    rwa_traffic *traffic = NULL;
    rwa_placement_options opts;
    rwa_placement_options_init(&opts);
    opts.devices = 3;
    opts.degree = 1;
    rwa_status st = rwa_tasks_read(&tasks, path, err);
    if (st == RWA_OK && rwa_tasks_count(tasks) <= FUZZ_SMALL) {
        rwa_tasks_split(&parts, tasks, 1e-3, 2, NULL);
        if (rwa_placement_make(&placement, parts ? parts : tasks, &opts, NULL) == RWA_OK)
            rwa_placement_traffic(&traffic, placement, NULL);
    }
    rwa_traffic_free(traffic);
    rwa_placement_free(placement);
    rwa_tasks_free(parts);
    rwa_tasks_free(tasks);
    return st;
}

/** The bytes of a file, until the next call. */
static inline const char *fuzz_bytes(size_t *length, const char *path)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    FUZZ_EXPECT(file != NULL);
    *length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return bytes;
}

static inline void fuzz_put(const char *folder, const char *name, const char *bytes, size_t length)
{
    char path[540];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    FUZZ_EXPECT(file != NULL && fwrite(bytes, 1, length, file) == length);
    fclose(file);
}

static inline void fuzz_drop(const char *folder, const char *name)
{
    char path[540];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

/** The index of a playbook of a plan on ring:4. */
static inline rwa_status fuzz_playbook(const char *path, rwa_error *err)
{
    static const char plan[] = "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,"
                               "\"wavelengths\":1},\"collective\":\"all-gather\",\"blocks\":4,\"block_bytes\":1,"
                               "\"steps\":2,\"scheme\":\"\"}\n"
                               "{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,"
                               "\"block\":0,\"orbit\":4,\"period\":1}\n"
                               "{\"step\":1,\"src\":0,\"dst\":3,\"dir\":\"ccw\",\"fiber\":0,\"wavelength\":0,"
                               "\"block\":0,\"orbit\":4,\"period\":1}\n"
                               "{\"step\":2,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,"
                               "\"block\":3,\"orbit\":4,\"period\":1}\n";
    char folder[512];
    rwa_playbook *book = NULL;
    size_t length = 0;
    const char *bytes = fuzz_bytes(&length, path);
    snprintf(folder, sizeof folder, "%s.plays", path);
    mkdir(folder, 0777);
    fuzz_put(folder, "plan.jsonl", plan, strlen(plan));
    fuzz_put(folder, "playbook.json", bytes, length);
    rwa_status st = rwa_playbook_read(&book, folder, NULL, err);
    for (uint32_t f = 0; st == RWA_OK && f < rwa_playbook_failures(book); f++)
        for (uint32_t step = 1; rwa_playbook_play(book, f, step); step++) {
            rwa_schedule *sched = NULL;     /* its file is not there; a link to this folder may not lead out of it */
            FUZZ_EXPECT(rwa_playbook_schedule(&sched, book, f, step, NULL) != RWA_OK);
        }
    rwa_playbook_free(book);
    fuzz_drop(folder, "playbook.json");
    fuzz_drop(folder, "plan.jsonl");
    remove(folder);
    return st;
}

/* ---- other planners' schedules ---- */

/** Every imported schedule can be checked, unless it claims more blocks than fit this machine, and what was assigned
 *  here clashes with nothing. */
static inline rwa_status fuzz_import_on(const char *path, const rwa_network *net, rwa_error *err)
{
    rwa_schedule *sched = NULL;
    rwa_import found;
    rwa_check_report check;
    rwa_status st = rwa_schedule_import(&sched, &found, path, net, NULL, err);
    if (st == RWA_OK) {
        rwa_status judged = report_schedule(&check, sched, NULL, NULL);
        FUZZ_EXPECT(judged == RWA_OK || judged == RWA_NOMEM);
        FUZZ_EXPECT(judged != RWA_OK || !found.routes_assigned || check.by_kind[RWA_VIOLATION_CHANNEL] == 0);
    }
    rwa_schedule_free(sched);
    return st;
}

/** A folder of traces: the bytes between marks are those of one node after the other. */
static inline rwa_status fuzz_import_chakra(const char *path, rwa_error *err)
{
    static const char mark[] = "\n--\n", *const names[] = {"t.0.et", "t.1.et", "t.2.et", "t.3.et"};
    char folder[512];
    rwa_network *net = NULL;
    size_t length = 0, at = 0;
    const char *bytes = fuzz_bytes(&length, path);
    snprintf(folder, sizeof folder, "%s.traces", path);
    mkdir(folder, 0777);
    for (int node = 0; node < 4; node++) {
        size_t end = at;
        while (end < length && (length - end < sizeof mark - 1 || memcmp(bytes + end, mark, sizeof mark - 1) != 0))
            end++;
        fuzz_put(folder, names[node], bytes + at, end - at);
        at = end < length ? end + sizeof mark - 1 : length;
    }
    FUZZ_EXPECT(rwa_network_parse(&net, "ring:4", NULL, NULL) == RWA_OK);
    rwa_status st = fuzz_import_on(folder, net, err);
    rwa_network_free(net);
    for (int node = 0; node < 4; node++)
        fuzz_drop(folder, names[node]);
    remove(folder);
    return st;
}

/** On a network that is given, and on the one that a file names. */
static inline rwa_status fuzz_import(const char *path, rwa_error *err)
{
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.wavelengths = 2;
    FUZZ_EXPECT(rwa_network_parse(&net, "ring:4", &opts, NULL) == RWA_OK);
    rwa_status st = fuzz_import_on(path, net, err);
    fuzz_import_on(path, NULL, NULL);
    rwa_network_free(net);
    return st;
}

/* ---- words ---- */

/** "ring:8 broadcast" or "ring:8 random:9": a network, and a collective or demands. */
static inline rwa_status fuzz_words(const char *path, rwa_error *err)
{
    char text[200] = "", *word = NULL;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    size_t length = 0;
    const char *bytes = fuzz_bytes(&length, path);
    memcpy(text, bytes, length < sizeof text ? length : sizeof text - 1);
    if ((word = strchr(text, ' ')))
        *word++ = '\0';
    if (strchr(text, '/'))  /* a file of any kind */
        return RWA_OK;
    rwa_status st = rwa_network_open(&net, text, NULL, err);
    if (st != RWA_OK || rwa_network_nodes(net) > 4096)
        goto done;
    fuzz_walk(net);
    int kind = word ? rwa_collective_find(word) : 0;
    for (size_t i = 0; kind && rwa_scheme_name(i); i++)
        rwa_scheme_fits(i, net, (rwa_collective_kind)kind);
    if (word && !strchr(word, '.') && rwa_network_nodes(net) <= 256)
        rwa_demands_open(&demands, word, net, RWA_DIRECTED, 1, NULL);
done:
    rwa_demands_free(demands);
    rwa_network_free(net);
    return st;
}

static const struct fuzz_reader fuzz_readers[] = {
    {"schedule", "x.jsonl", fuzz_schedule},
    {"assignment", "x.jsonl", fuzz_assignment},
    {"journal", "x.journal", fuzz_journal},
    {"network-graphml", "x.graphml", fuzz_network},
    {"network-gml", "x.gml", fuzz_network},
    {"network-sndlib", "x.txt", fuzz_network},
    {"network-sndlib-xml", "x.xml", fuzz_network},
    {"network-gnpy", "x.json", fuzz_network},
    {"network-json", "x.json", fuzz_network},
    {"network-edges", "x.txt", fuzz_network},
    {"demands-csv", "x.csv", fuzz_demands},
    {"demands-json", "x.json", fuzz_demands},
    {"demands-sndlib", "x.txt", fuzz_demands},
    {"demands-sndlib-xml", "x.xml", fuzz_demands},
    {"device", "x.json", fuzz_device},
    {"fiber", "x.json", fuzz_fiber},
    {"modulations", "x.json", fuzz_modulations},
    {"openconfig", "x.json", fuzz_openconfig},
    {"traffic", "x.json", fuzz_traffic},
    {"tasks", "x.json", fuzz_tasks},
    {"playbook", "x.json", fuzz_playbook},
    {"import-csv", "x.csv", fuzz_import},
    {"import-msccl", "x.xml", fuzz_import},
    {"import-harvest", "x.json", fuzz_import},
    {"import-chakra", "x.et", fuzz_import_chakra},
    {"import-mscclpp", "x.json", fuzz_import},
    {"import-teccl", "x.json", fuzz_import},
    {"import-forestcoll", "x.xml", fuzz_import},
    {"words", "x.txt", fuzz_words},
};
enum { FUZZ_READERS = sizeof fuzz_readers / sizeof *fuzz_readers };

static inline const struct fuzz_reader *fuzz_find(const char *name)
{
    for (size_t i = 0; i < FUZZ_READERS; i++)
        if (strcmp(fuzz_readers[i].name, name) == 0)
            return &fuzz_readers[i];
    return NULL;
}

/** A failure is told in one line, a success leaves the record alone. */
static inline rwa_status fuzz_read(const struct fuzz_reader *reader, const char *path)
{
    rwa_error err = {0};
    rwa_status st = reader->read(path, &err);
    FUZZ_EXPECT(err.status == st);
    FUZZ_EXPECT(st == RWA_OK || err.text[0]);
    FUZZ_EXPECT(!strpbrk(err.text, "\n\r\033"));
    return st;
}

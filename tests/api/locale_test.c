/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A program whose locale writes 2,5 for 2.5 reads and writes the same files as any other.  Such a locale is compiled
 * for the test where the machine has localedef; elsewhere there is nothing to test.
 */
#include "tests/support/files.h"
#include "tests/support/suite.h"

#include "rwa.h"

#include <locale.h>

static const char comma_locale[] = "xx_XX";
static int there_is_one;
static char folder[] = "/tmp/rwa-locale-XXXXXX";
static char *texts[2][16];  /* what was written without and with the comma */

static const char *const networks[][2] = {
    {"n.json", "{\"nodes\":3,\"links\":[[0,1,2.5],[1,2,2.5],[2,0,2.5]]}"},
    {"n.txt", "A B 2.5\nB C 2.5\nC A 2.5\n"},
    {"n.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 length 2.5 ] ]"},
    {"n.graphml",
     "<graphml><key id=\"k\" for=\"edge\" attr.name=\"km\" attr.type=\"double\"/><graph edgedefault=\"undirected\">"
     "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data "
     "key=\"k\">2.5</data></edge></graph></graphml>"},
};

static int has_comma(void)
{
    char number[8];
    snprintf(number, sizeof number, "%.1f", 2.5);
    return number[1] == ',';
}

/** Only numbers matter, so that is all the locale has: localedef warns of the rest, and makes it all the same. */
static void use_comma(void)
{
    static const char source[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                 "grouping 3;3\nEND LC_NUMERIC\n";
    char command[256];
    struct file file = file_make("source", source, strlen(source));
    if (mkdtemp(folder)) {
        snprintf(command, sizeof command, "localedef -c -i %s -f ANSI_X3.4-1968 --no-archive %s/%s > /dev/null 2>&1",
                 file.path, folder, comma_locale);
        if (system(command) == -1)
            fprintf(stderr, "(no shell) ");
    }
    setenv("LOCPATH", folder, 1);
    there_is_one = setlocale(LC_NUMERIC, comma_locale) != NULL;
    if (!there_is_one)
        printf("(no locale with a decimal comma: skipped) ");
    file_drop(&file);
}

static void lengths_are_read(void)
{
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct file file = file_make(networks[i][0], networks[i][1], strlen(networks[i][1]));
        rwa_network *net = NULL;
        rwa_error err = {0};
        OK(rwa_network_read(&net, file.path, NULL, &err));
        CU_ASSERT_EQUAL(net ? rwa_network_link(net, 0).length_km : 0, 2.5);
        if (!net)
            fprintf(stderr, "%s: %s\n", networks[i][0], err.text);
        rwa_network_free(net);
        file_drop(&file);
    }
}

static void amounts_are_read(void)
{
    static const char csv[] = "src,dst,bytes\n0,1,2.5\n";
    struct file file = file_make("t.csv", csv, strlen(csv));
    rwa_traffic *traffic = NULL;
    OK(rwa_traffic_read(&traffic, file.path, NULL));
    CU_ASSERT_EQUAL(traffic ? rwa_traffic_flow(traffic, 0).bytes : 0, 2.5);
    rwa_traffic_free(traffic);
    file_drop(&file);
}

static char *contents(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *file = fopen(path, "r");
    if (text && file)
        text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

/** Everything that writes numbers, into texts[comma]. */
static void write_everything(int comma)
{
    static const rwa_link links[] = {{0, 1, 2.5, 0}, {1, 2, 0.25, 0}};
    rwa_network *net = NULL, *ring = NULL;
    rwa_network_options opts;
    rwa_collective coll;
    rwa_plan *plan = NULL;
    rwa_device *device = NULL;
    rwa_export_options eo;
    rwa_view_options vo;
    rwa_schedule *sched = NULL;
    struct file file = file_make("out", "", 0);
    size_t n = 0;
    rwa_network_options_init(&opts);
    opts.both_ways = 1;
    OK(rwa_device_open(&device, "onoc-typical", NULL));
    OK(rwa_network_create_graph(&net, 3, links, 2, &opts, NULL));
    OK(rwa_collective_init(&coll, RWA_ALL_GATHER, 3, 0, 64, 0, NULL));
    OK(rwa_schedule_create(&sched, net, &coll, "x", NULL));
    OK(rwa_schedule_write(sched, file.path, NULL));
    texts[comma][n++] = contents(file.path);
    OK(rwa_network_parse(&ring, "ring:5", NULL, NULL));
    OK(rwa_collective_init(&coll, RWA_ALL_GATHER, 5, 0, 64, 0, NULL));
    OK(rwa_plan_make(&plan, ring, &coll, NULL, NULL));
    rwa_export_options_init(&eo);
    eo.device = device;
    eo.step = 1;
    eo.node = 1;
    for (size_t i = 0; rwa_schedule_format_name(i) && n < 12; i++)
        if (rwa_schedule_export(rwa_plan_schedule(plan), rwa_schedule_format_name(i), file.path, &eo, NULL) == RWA_OK)
            texts[comma][n++] = contents(file.path);
    rwa_view_options_init(&vo);
    vo.device = device;
    rwa_view_svg(&texts[comma][n++], rwa_plan_schedule(plan), &vo, NULL);
    rwa_view_text(&texts[comma][n++], rwa_plan_schedule(plan), &vo, NULL);
    const rwa_schedule *one = rwa_plan_schedule(plan);
    rwa_view_html(&texts[comma][n++], &one, 1, &vo, NULL);
    rwa_schedule_free(sched);
    rwa_plan_free(plan);
    rwa_network_free(ring);
    rwa_network_free(net);
    rwa_device_free(device);
    file_drop(&file);
}

static void a_point_is_written(void)
{
    write_everything(0);
}

static void files_are_the_same(void)
{
    write_everything(1);
    for (size_t i = 0; i < 16; i++) {
        CU_ASSERT_EQUAL(!texts[0][i], !texts[1][i]);
        if (!texts[0][i] || !texts[1][i])
            continue;
        CU_ASSERT_STRING_EQUAL(texts[0][i], texts[1][i]);
        if (strcmp(texts[0][i], texts[1][i]) != 0)
            fprintf(stderr, "text %zu differs\n", i);
    }
}

static void the_program_keeps_its_locale(void)
{
    CU_ASSERT_EQUAL(has_comma(), there_is_one);
}

static void clean_up(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    for (size_t i = 0; i < 32; i++)
        free(texts[i / 16][i % 16]);
}

int main(void)
{
    return RUN_TESTS("locale", a_point_is_written, use_comma, lengths_are_read, amounts_are_read, files_are_the_same,
                     the_program_keeps_its_locale, clean_up);
}

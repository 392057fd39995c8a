/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A program whose locale writes 2,5 for 2.5 reads and writes the same files as any other.  Such a locale is compiled
 * for the test where the machine has localedef; elsewhere there is nothing to test.
 */
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/request.h"

#include <locale.h>

static const char comma_locale[] = "xx_XX";
static int there_is_one;
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
    char command[512];
    OK(rwa_text_write(source, in_dir("source"), NULL));
    snprintf(command, sizeof command, "localedef -c -i %s -f ANSI_X3.4-1968 --no-archive %s > /dev/null 2>&1",
             in_dir("source"), in_dir(comma_locale));
    if (system(command) == -1)
        fprintf(stderr, "(no shell) ");
    setenv("LOCPATH", dir, 1);
    there_is_one = setlocale(LC_NUMERIC, comma_locale) != NULL;
    if (!there_is_one)
        printf("(no locale with a decimal comma: skipped) ");
}

static void numbers_are_read(void)
{
    rwa_traffic *traffic = NULL;
    for (size_t i = 0; i < COUNT(networks); i++) {
        rwa_network *net = NULL;
        OK(rwa_text_write(networks[i][1], in_dir(networks[i][0]), NULL));
        OK(rwa_network_read(&net, in_dir(networks[i][0]), NULL, NULL));
        CU_ASSERT_EQUAL(rwa_network_link(net, 0).length_km, 2.5);
        rwa_network_free(net);
    }
    OK(rwa_text_write("src,dst,bytes\n0,1,2.5\n", in_dir("t.csv"), NULL));
    OK(rwa_traffic_read(&traffic, in_dir("t.csv"), NULL));
    CU_ASSERT_EQUAL(rwa_traffic_flow(traffic, 0).bytes, 2.5);
    rwa_traffic_free(traffic);
}

/** Everything that writes numbers, into texts[comma]. */
static void write_everything(int comma)
{
    static const rwa_schedule *lengths; /* words with a point are read before there is a comma */
    const rwa_device *device = device_named("onoc-typical");
    const rwa_schedule *sched = schedule_on("ring:5 w=8 bytes=64");
    rwa_export_options eo = exporting(device);
    rwa_view_options vo;
    size_t n = 0;
    lengths = comma ? lengths : empty_on("links:0-1@2.5,1-2@0.25 bytes=64");
    OK(rwa_schedule_write(lengths, in_dir("out"), NULL));
    texts[comma][n++] = text_of(in_dir("out"));
    eo.step = 1;
    eo.node = 1;
    for (size_t i = 0; rwa_schedule_format_name(i) && n < 12; i++)
        if (rwa_schedule_export(sched, rwa_schedule_format_name(i), in_dir("out"), &eo, NULL) == RWA_OK)
            texts[comma][n++] = text_of(in_dir("out"));
    rwa_view_options_init(&vo);
    vo.device = device;
    char *views[3] = {NULL};
    OK(rwa_view_svg(&views[0], sched, &vo, NULL));
    OK(rwa_view_text(&views[1], sched, &vo, NULL));
    OK(rwa_view_html(&views[2], &sched, 1, &vo, NULL));
    for (size_t i = 0; i < COUNT(views); i++) {
        texts[comma][n++] = strdup(views[i]);
        rwa_text_free(views[i]);
    }
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
        if (texts[0][i] && texts[1][i])
            CU_ASSERT_STRING_EQUAL(texts[0][i], texts[1][i]);
        free(texts[0][i]);
        free(texts[1][i]);
    }
}

static void the_program_keeps_its_locale(void)
{
    CU_ASSERT_EQUAL(has_comma(), there_is_one);
}

TESTS_IN_FOLDER("locale", a_point_is_written, use_comma, numbers_are_read, files_are_the_same,
                the_program_keeps_its_locale)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"
#include "tests/support/files.h"
#include "tests/support/request.h"

enum form { WORDS, SVG, HTML };

/** A view of a schedule, valid until the next one; options in words, "ascii=1 columns=%u step=1 node=0 block=5". */
static const char *view_of(const rwa_schedule *sched, enum form form, const char *format, ...)
{
    static char *text;
    rwa_view_options o;
    char words[64];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    rwa_view_options_init(&o);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        CU_ASSERT_EQUAL(sscanf(word, "ascii=%d", &o.ascii) + sscanf(word, "color=%d", &o.color) +
                            sscanf(word, "columns=%" SCNu32, &o.columns) + sscanf(word, "step=%" SCNu32, &o.step) +
                            sscanf(word, "node=%" SCNu64, &o.node) + sscanf(word, "block=%" SCNu64, &o.block), 1);
    rwa_text_free(text);
    text = NULL;
    OK(form == HTML   ? rwa_view_html(&text, &sched, 1, &o, NULL)
       : form == WORDS ? rwa_view_text(&text, sched, &o, NULL)
                      : rwa_view_svg(&text, sched, &o, NULL));
    return text;
}

/** Characters, not bytes: continuation bytes of UTF-8 are not counted, nor are colour escapes. */
static size_t widest_line(const char *text)
{
    size_t widest = 0, width = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\033') {
            p = strchr(p, 'm');
            continue;
        }
        width = *p == '\n' ? 0 : width + ((*p & 0xC0) != 0x80);
        RAISE(widest, width);
    }
    return widest;
}

/* One lightpath of two hops that starts at node 3: it covers links 3 and 0, so its run is cut at the border. */
static void a_run_round_node_0_is_drawn_in_two_pieces(void)
{
    rwa_schedule *sched = empty_on("ring:4 w=1");
    rwa_lightpath lp = {.step = 1, .src = 3, .dst = 1, .orbit = 1, .block = 3, .direction = RWA_CW};
    OK(rwa_schedule_add(sched, &lp, NULL));
    const char *text = view_of(sched, WORDS, "ascii=1 columns=40");
    /* six characters a link: |-3--- and ----->, the second half first */
    expect_part(text, "----->  .     .   |-3---\n");
    expect_part(text, "25.0 % of all channels busy, 6 idle; longest lightpath 2 hops");
}

/** How often the rows of a grid (those that begin with a wavelength) name each block below `count`. */
static void count_named(uint32_t *named, uint32_t count, const char *text)
{
    const char *line = text;
    for (const char *end = strchr(line, '\n'); end; line = end + 1, end = strchr(line, '\n')) {
        const char *p = line + strspn(line, " ");
        if (*p != 'w')
            continue;
        for (p += strcspn(p, " "); p < end; p++)
            if (*p >= '0' && *p <= '9') {
                char *after = NULL;
                unsigned long block = strtoul(p, &after, 10);
                CU_ASSERT_FATAL(block < count);
                named[block]++;
                p = after;
            }
    }
}

/* The first step sends every block once each way, so a number cut in two by the border would be another block's. */
static void no_number_is_cut_at_the_border(void)
{
    const rwa_schedule *sched = schedule_on("ring:16 w=2 by wavefront");
    uint32_t named[16] = {0};
    const char *text = view_of(sched, WORDS, "ascii=1 step=1");
    count_named(named, 16, text);
    for (uint32_t block = 0; block < 16; block++)
        CU_ASSERT_EQUAL(named[block], 2);
}

static void lines_keep_the_width_of_the_terminal(void)
{
    static const char *const networks[] = {"ring:16 w=2", "line:9 w=3", "ring:64 w=8", "ring:200 w=200"};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const rwa_schedule *sched = schedule_on("%s by optree", networks[i]);
        for (uint32_t columns = 72; columns <= 200; columns += 64)
            for (int look = 0; look < 4; look++) {
                int color = look & 1, ascii = look >> 1;
                const char *text = view_of(sched, WORDS, "columns=%u color=%d ascii=%d step=1", columns, color, ascii);
                const char *grid = strstr(text, "\nstep 1");
                CU_ASSERT_PTR_NOT_NULL_FATAL(grid);
                CU_ASSERT(widest_line(strchr(grid + 1, '\n')) <= (columns > 80 ? columns : 80));
                for (const char *p = text; ascii && *p; p++)
                    CU_ASSERT((unsigned char)*p < 128);
                CU_ASSERT(color || !strchr(text, '\033'));
            }
    }
}

/* Every node but the owner gets a block exactly once in an all-gather tree, so N - 1 arrows are named and drawn, also
   where a lightpath carries several blocks and its record stands for those of all nodes. */
static void a_followed_block_visits_every_node(void)
{
    static const char *const lines[] = {"ring:12 w=2 by optree", "ring:12 w=2 by standing"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const rwa_schedule *sched = schedule_on("%s", lines[i]);
        CU_ASSERT_EQUAL(count_of(view_of(sched, WORDS, "block=5"), ">"), 11);
        CU_ASSERT_EQUAL(count_of(view_of(sched, SVG, "block=5"), "<path stroke=\"none\""), 11);
    }
}

/* A drawing has one <title> a run; runs round node 0 have two in their grid, so the grid has at least one a
   lightpath. */
static void a_drawing_shows_every_lightpath(void)
{
    const rwa_schedule *sched = schedule_on("ring:16 w=2 by one-stage");
    uint64_t lightpaths = rwa_schedule_lightpaths(sched);
    const char *text = view_of(sched, SVG, "");
    CU_ASSERT(count_of(text, "<title>") >= 2 * lightpaths + 1);
    CU_ASSERT_EQUAL(count_of(text, "<g"), count_of(text, "</g>"));
    CU_ASSERT_EQUAL(count_of(text, "<text"), count_of(text, "</text>"));
    CU_ASSERT_PTR_NULL(strstr(text, "nan"));
}

/** A schedule of one lightpath over the first link of a network. */
static rwa_schedule *over_link_0(const char *network)
{
    rwa_schedule *sched = empty_on("%s", network);
    rwa_link link = rwa_network_link(rwa_schedule_network(sched), 0);
    rwa_lightpath lp = {.step = 1, .src = link.from, .dst = link.to, .orbit = 1, .block = link.from};
    OK(rwa_schedule_add_path(sched, &lp, (uint32_t[]){link.from, link.to}, 2, NULL));
    return sched;
}

/** Centres of the circles of a drawing; at most `most`. */
static uint32_t read_circles(double *x, double *y, uint32_t most, const char *svg)
{
    uint32_t count = 0;
    for (const char *p = svg; (p = strstr(p, "<circle class=\"node\" cx=\"")) != NULL && count < most; p++)
        count += sscanf(p, "<circle class=\"node\" cx=\"%lf\" cy=\"%lf\"", &x[count], &y[count]) == 2;
    return count;
}

/* Nodes are circles of radius 8: wherever igraph puts them, none may cover another, or its number could not be read. */
static void nodes_of_every_network_stand_apart(void)
{
    static const char *const shapes[] = {"torus:4x4",  "mesh:3x5",         "hypercube:4", "tree:2x3",
                                         "fat-tree:4", "circulant:11:1,3", "torus:8x8"};
    uint32_t drawn = 0;
    for (size_t i = 0; i < COUNT(shapes) || rwa_network_builtin(i - COUNT(shapes)); i++) {
        const char *spec = i < COUNT(shapes) ? shapes[i] : rwa_network_builtin(i - COUNT(shapes));
        double x[64], y[64];
        uint32_t nodes = rwa_network_nodes(network_on("%s", spec));
        if (nodes <= 64) {
            rwa_schedule *sched = over_link_0(spec);
            char *text = strdup(view_of(sched, SVG, ""));
            CU_ASSERT_STRING_EQUAL(text, view_of(sched, SVG, ""));
            CU_ASSERT_EQUAL_FATAL(read_circles(x, y, 64, text), nodes);
            for (uint32_t a = 0; a < nodes; a++)
                for (uint32_t b = a + 1; b < nodes; b++)
                    if ((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]) < 16 * 16) {
                        printf("%s: nodes %u and %u overlap\n", spec, a, b);
                        CU_FAIL("nodes overlap");
                    }
            drawn++;
            free(text);
        }
    }
    CU_ASSERT(drawn > 12);
}

/* Each lightpath has a <title> in the grid for each link it takes; the picture is a map of 32 links in each step,
   with titles.  A followed block leaves only its lightpaths, which also lie on the map: all nodes but its owner get it
   once. */
static void lightpaths_are_drawn_along_their_links(void)
{
    const rwa_schedule *sched = schedule_on("torus:4x4 w=2 by torus-wavefront");
    uint64_t hops = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        uint32_t nodes = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(rwa_schedule_path(&nodes, sched, i));
        hops += (uint64_t)lightpath_of(sched, i).orbit * (nodes - 1);
    }
    const char *text = view_of(sched, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "<title>"), hops + 1 + 32 * rwa_schedule_steps(sched));
    CU_ASSERT_EQUAL(count_of(text, "class=\"link\""), 32 * rwa_schedule_steps(sched));
    text = view_of(sched, SVG, "block=3");
    CU_ASSERT_EQUAL(count_of(text, "<path stroke=\"none\""), 15);
    CU_ASSERT_PTR_NULL(strstr(text, "nan"));
}

/* One lightpath over one link: its row says the block from arrow to arrow, and every other one is idle. */
static void a_network_is_a_table_of_links(void)
{
    rwa_schedule *sched = over_link_0("mesh:2x2 w=2");
    const rwa_network *net = rwa_schedule_network(sched);
    const char *text = view_of(sched, WORDS, "ascii=1");
    rwa_link link = rwa_network_link(net, 0);
    char row[80];
    snprintf(row, sizeof row, "%5u > %-6u|-%u-> ", link.from, link.to, link.from);
    expect_part(text, row);
    CU_ASSERT_EQUAL(count_of(text, "  .   "), 2 * rwa_network_links(net) - 1);
    expect_part(text, "15 idle; longest lightpath 1 hop");
}

static uint64_t taps_of(const rwa_schedule *sched)
{
    uint64_t taps = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++)
        taps += (uint64_t)lightpath_of(sched, i).orbit * lists_of(sched, i).tap_count;
    return taps;
}

/* A dot for every tap in the ring, one in the grid, and one in the legend; in characters a mark each and one in the
   legend, and no number of a block is cut by one.  Lightpaths without taps have none of that. */
static void every_tap_is_drawn(void)
{
    static const char *const networks[] = {"ring:16 w=2", "ring:32 w=4", "ring:24 w=12"};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const rwa_schedule *sched = schedule_on("%s drops=4 bytes=64 by wavefront", networks[i]);
        uint64_t taps = taps_of(sched), marks = 0;
        CU_ASSERT(taps > 0);
        const char *text = view_of(sched, SVG, "");
        CU_ASSERT_EQUAL(count_of(text, "class=\"tap\""), 2 * taps + 1);
        CU_ASSERT_EQUAL(count_of(text, "reads the lightpath on its way"), 1);
        for (uint32_t step = 1; step <= rwa_schedule_steps(sched); step++) {
            uint32_t named[64] = {0};
            text = view_of(sched, WORDS, "columns=200 step=%u", step);
            marks += count_of(text, "┬") - 1;
            count_named(named, 64, text);
        }
        CU_ASSERT_EQUAL(marks, taps);
    }
    const rwa_schedule *plain = schedule_on("ring:16 w=2 by wavefront");
    const char *text = view_of(plain, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "class=\"tap\"") + count_of(text, "on its way"), 0);
    text = view_of(plain, WORDS, "");
    CU_ASSERT_EQUAL(count_of(text, "┬") + count_of(text, "on its way"), 0);
}

/* Round node 0, clockwise from node 3 to node 2 with readers 0 and 1, and the other way: in the row of six characters a
   link each mark ends the link that leads to its reader, and the block stands in what is left of the longer piece. */
static void taps_round_node_0_stand_where_the_light_comes(void)
{
    rwa_schedule *sched = empty_on("ring:4 w=1");
    rwa_lightpath there = {.step = 1, .src = 3, .dst = 2, .orbit = 1, .block = 3, .direction = RWA_CW};
    rwa_lightpath back = {.step = 1, .src = 2, .dst = 3, .orbit = 1, .block = 2, .direction = RWA_CCW};
    rwa_lists up = {.taps = (uint32_t[]){0, 1}, .tap_count = 2}, down = {.taps = (uint32_t[]){1, 0}, .tap_count = 2};
    OK(rwa_schedule_add_lists(sched, &there, &up, NULL));
    OK(rwa_schedule_add_lists(sched, &back, &down, NULL));
    const char *text = view_of(sched, WORDS, "ascii=1 columns=40");
    expect_part(text, "--3--+----->  .   |----+\n");
    expect_part(text, "+-2---+----|  .   <-----\n");
    text = view_of(sched, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "class=\"tap\""), 9);
}

/* In a network of listed links a reader stands at the end of the link that leads to it, in the picture, the grid and
   the table. */
static void taps_on_listed_links_are_drawn(void)
{
    rwa_schedule *sched = empty_on("mesh:3x3 w=1");
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 5, .orbit = 1, .block = 0};
    rwa_lists lists = {.path = (uint32_t[]){0, 1, 2, 5}, .path_nodes = 4, .taps = (uint32_t[]){1, 2}, .tap_count = 2};
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    const char *text = view_of(sched, WORDS, "ascii=1");
    expect_part(text, "0 > 1     |-0-+ \n");
    expect_part(text, "1 > 2     --0-+ \n");
    expect_part(text, "2 > 5     --0-> \n");
    text = view_of(sched, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "class=\"tap\""), 3);     /* in the grid and the legend */
    text = view_of(sched, SVG, "block=0");
    CU_ASSERT_EQUAL(count_of(text, "class=\"tap\""), 5);
}

/* One link of a ring of 8 fails in both directions from step 2 on: every later step marks its arc, and step 1 is
   kept. */
static void repaired_plans_show_what_failed(void)
{
    static const uint32_t links[] = {3, 11};
    const rwa_schedule *plan = schedule_on("ring:8 w=2 by ring-both");
    rwa_plan *repaired = NULL;
    OK(rwa_plan_repair(&repaired, plan, links, 2, 2, NULL, NULL));
    const rwa_schedule *sched = rwa_plan_schedule(keep_plan(repaired));
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    const char *text = view_of(sched, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "class=\"failed\""), rwa_schedule_steps(sched) - 1 + 1); /* and the legend */
    CU_ASSERT_EQUAL(count_of(text, ", kept</text>"), 1);
    CU_ASSERT_EQUAL(count_of(text, "failed: 3 - 4 from step 2 on</text>"), 1);
    text = view_of(sched, HTML, "");
    CU_ASSERT_EQUAL(count_of(text, "failed:[[3,2],[11,2],],kept:1,failures:\"3 - 4 from step 2 on\""), 1);
    text = view_of(sched, WORDS, "");
    CU_ASSERT_EQUAL(count_of(text, "Failed: 3 - 4 from step 2 on\nKept from before the failure: step 1\n"), 1);
    text = view_of(plan, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "class=\"failed\"") + count_of(text, "kept"), 0);
}

/* Every block of a lightpath is named, and nodes by their names. */
static void several_blocks_are_named(void)
{
    static const char *const names[] = {"Aar <au>", "Bern", "Chur (GR)"};
    struct request r = request_of("links:0-1,1-2 broadcast bytes=1000 blocks=10");
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 2, .orbit = 1};
    rwa_lists lists = {.path = (uint32_t[]){0, 1, 2},
                       .path_nodes = 3,
                       .blocks = (uint32_t[]){2, 0, 1, 9, 5, 4},
                       .block_count = 6};
    r.network.node_names = names;
    rwa_schedule *sched = empty_for(r);
    OK(rwa_schedule_add_lists(sched, &lp, &lists, NULL));
    const char *text = view_of(sched, WORDS, "node=0");
    expect_part(text, "sends    blocks 0-2, 4-5, 9 to   2 (Chur (GR))");
    text = view_of(sched, WORDS, "block=5");
    expect_part(text, "1 lightpath:\n          Aar <au> > Chur (GR)\n");
    text = view_of(sched, SVG, "");
    CU_ASSERT_EQUAL(count_of(text, "wavelength 0, blocks 0-2, 4-5, 9</title>"), 2); /* on two links of the grid */
    CU_ASSERT_EQUAL(count_of(text, ">Aar &lt;au&gt;</text>"), 1);
    CU_ASSERT_EQUAL(count_of(text, ">Chur</text>"), 1);
    text = view_of(sched, HTML, "");
    CU_ASSERT_EQUAL(count_of(text, ",[[0,2],[4,5],[9,9],]"), 1);
    CU_ASSERT_EQUAL(count_of(text, ",\"Aar \\u003cau\\u003e\"],") + count_of(text, ",\"Chur (GR)\"],"), 2);
}

/* A viewer that ignores CSS backgrounds still sees white below the picture; steps beyond the sheet are counted. */
static void drawings_have_a_ground(void)
{
    static const char *const specs[] = {"ring:8", "line:40", "mesh:3x3"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        const rwa_schedule *sched = schedule_on("%s w=1", specs[i]);
        uint32_t steps = rwa_schedule_steps(sched);
        char left_out[64];
        const char *text = view_of(sched, SVG, "");
        CU_ASSERT_EQUAL(count_of(text, "<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>"), 1);
        CU_ASSERT_EQUAL(count_of(text, "background"), 0);
        snprintf(left_out, sizeof left_out, ">%u further steps are left out<", steps > 24 ? steps - 24 : 0);
        CU_ASSERT_EQUAL(count_of(text, left_out), steps > 24);
    }
}

struct span {
    double from, to;
};
COMPARATOR(by_begin, struct span, UP(from))

/** The spans of time that a drawing of links against time has, of tuning and of each step. */
static size_t read_spans(struct span *list, size_t most, const char *svg)
{
    static const char tune[] = "class=\"tune\" d=\"M", send[] = "class=\"send\" d=\"M";
    size_t count = 0;
    for (const char *p = svg; count < most && (p = strstr(p, "class=\"")) != NULL; p++) {
        struct span *s = &list[count];
        if (strncmp(p, tune, strlen(tune)) == 0)
            count += sscanf(p + strlen(tune), "%lf %*uh%lfv", &s->from, &s->to) == 2;
        else if (strncmp(p, send, strlen(send)) == 0)
            count += sscanf(p + strlen(send), "%lf %*fh%lfv", &s->from, &s->to) == 2;
        else
            continue;
        s->to += s->from;
    }
    return count;
}

/* Without start-up times some lightpath is tuned or sends at any time, so the bars leave no gap from the begin of the
   axis to its end.  Where nothing is tuned while others send, they do not overlap either: their sum is the plan's
   time, which the last step's title says. */
static void bars_sum_up_to_the_time_of_the_plan(void)
{
    static const char *const lines[] = {"ring:16 w=2 by optree",      "ring:12 w=3 all-reduce",
                                        "line:9 w=1 root=1 broadcast", "torus:4x4 w=2",
                                        "mesh:6x6 w=1 all-to-all",    "nsfnet14-21 w=4 root=1 reduce"};
    for (size_t i = 0; i < 3 * COUNT(lines); i++) {
        const rwa_schedule *sched = schedule_on("%s", lines[i / 3]);
        rwa_cost_options cost;
        rwa_view_options o;
        struct span spans[512];
        char *text = NULL, words[64];
        double time_s = 0, end = 0, sum = 0;
        rwa_cost_options_init(&cost);
        rwa_view_options_init(&o);
        o.cost = &cost;
        o.gantt = 1;
        cost.model = (rwa_cost_model)(i % 3);
        OK(rwa_cost_schedule(&time_s, sched, &cost, NULL));
        OK(rwa_view_svg(&text, sched, &o, NULL));
        size_t count = read_spans(spans, COUNT(spans), text), links = rwa_network_links(rwa_schedule_network(sched));
        CU_ASSERT_FATAL(count > rwa_schedule_steps(sched) && count < COUNT(spans));
        qsort(spans, count, sizeof *spans, by_begin);
        end = spans[0].from;
        for (size_t k = 0; k < count; k++) {
            CU_ASSERT(spans[k].from < end + 0.01);
            sum += spans[k].to - spans[k].from;
            RAISE(end, spans[k].to);
        }
        CU_ASSERT_DOUBLE_EQUAL(end - spans[0].from, 960, 0.01);
        CU_ASSERT(cost.model == RWA_COST_OVERLAP ? sum > 959.9 : fabs(sum - 960) < 0.1);
        snprintf(words, sizeof words, " to %.6g us", 1e6 * time_s);
        expect_part(text, words);
        CU_ASSERT_EQUAL(count_of(text, " &gt; "), links < 64 ? links : 64);
        CU_ASSERT_EQUAL(count_of(text, "the 64 fullest of"), links > 64);
        rwa_text_free(text);
        cost.alpha_s = 1e-6;    /* the paper's model has no start-up; in the others every step has one */
        OK(rwa_view_svg(&text, sched, &o, NULL));
        CU_ASSERT_EQUAL(count_of(text, "<rect class=\"start\""), i % 3 == 0 ? 0 : rwa_schedule_steps(sched));
        rwa_text_free(text);
    }
}

/* Star, ron and ocs have no links; a block can be followed all the same: everybody else gets it once. */
static void blocks_are_followed_where_there_are_no_links(void)
{
    CU_ASSERT_EQUAL(count_of(view_of(schedule_on("star:6 w=6"), WORDS, "block=2"), ">"), 5);
}

/* A scheme's name comes from a file: it must not end the script or the title it is written into. */
static void a_hostile_name_stays_text(void)
{
    rwa_schedule *sched = empty_on("ring:4 w=1 by %s", "</script><b \"x\\'&\033[2J");
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 1, .orbit = 1, .block = 0, .direction = RWA_CW};
    OK(rwa_schedule_add(sched, &lp, NULL));
    const char *text = view_of(sched, HTML, "");
    CU_ASSERT_EQUAL(count_of(text, "</script>"), count_of(text, "<script>"));
    CU_ASSERT_PTR_NULL(strstr(text, "<b "));
    text = view_of(sched, WORDS, "");
    CU_ASSERT_PTR_NULL(strchr(text, '\033'));
}

static void pages_stay_small_and_alone(void)
{
    const rwa_schedule *both[2] = {schedule_on("ring:1024 w=64 by optree"), schedule_on("ring:64 w=4 by one-stage")};
    char *text = NULL;
    OK(rwa_view_html(&text, both, 2, NULL, NULL));
    CU_ASSERT(strlen(text) < 5000000);
    /* the only address is the name of the SVG namespace */
    CU_ASSERT_EQUAL(count_of(text, "http"),
                    count_of(text, "http://www.w3.org/2000/svg") + count_of(text, "http-equiv"));
    rwa_text_free(text);
}

static void what_is_outside_is_refused(void)
{
    const rwa_schedule *plan = schedule_on("ring:5 w=2 by optree");
    const rwa_schedule *sched = plan, *five[5] = {sched, sched, sched, sched, sched};
    rwa_schedule *none = empty_on("ring:4 w=1");
    rwa_view_options o;
    char *text = NULL;
#define REFUSED(member, value)                                                    \
    rwa_view_options_init(&o);                                                    \
    o.member = value;                                                             \
    CU_ASSERT_EQUAL(rwa_view_text(&text, sched, &o, NULL), RWA_BADARG);           \
    CU_ASSERT_PTR_NULL(text)
    REFUSED(step, rwa_schedule_steps(sched) + 1);
    REFUSED(node, 5);
    REFUSED(block, 5);
    REFUSED(columns, 39);
    REFUSED(gantt, 1);      /* without a cost model */
    REFUSED(struct_size, 0);
    CU_ASSERT_EQUAL(rwa_view_text(&text, none, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_view_svg(&text, none, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_view_html(&text, five, 5, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_view_html(&text, five, 0, NULL, NULL), RWA_BADARG);
}

TESTS("view", a_run_round_node_0_is_drawn_in_two_pieces, no_number_is_cut_at_the_border,
      lines_keep_the_width_of_the_terminal, a_followed_block_visits_every_node, a_drawing_shows_every_lightpath,
      nodes_of_every_network_stand_apart, lightpaths_are_drawn_along_their_links, a_network_is_a_table_of_links,
      every_tap_is_drawn, taps_round_node_0_stand_where_the_light_comes, taps_on_listed_links_are_drawn,
      blocks_are_followed_where_there_are_no_links, a_hostile_name_stays_text, pages_stay_small_and_alone,
      repaired_plans_show_what_failed, several_blocks_are_named, drawings_have_a_ground,
      bars_sum_up_to_the_time_of_the_plan, what_is_outside_is_refused)

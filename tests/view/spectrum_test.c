/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Spectrum maps against the lightpaths that they show. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/random.h"

enum { LIGHTPATHS = 6, SLOTS = 30, NODES = 4 };

struct light {
    uint32_t src, dst, wavelength, width, guard;
};

/** Lightpaths on line:4, none on slots of another: each next one is above all before it. */
static rwa_assignment *stack(struct light *list)
{
    struct request q = request_of("line:4 w=%d slot=12.5e9 undirected", SLOTS);
    char *end = q.pairs;
    uint32_t above = 0;
    for (size_t i = 0; i < LIGHTPATHS; i++) {
        struct light *l = &list[i];
        l->src = any(NODES - 1);
        l->dst = l->src + 1 + any(NODES - 1 - l->src);
        l->width = 1 + any(3);
        l->guard = any(2);
        l->wavelength = above + any(2);
        above = l->wavelength + l->width + l->guard;
        end += sprintf(end, "%u>%u,", l->src, l->dst);
        q.widths.at[q.widths.count++] = l->width;
    }
    rwa_assignment *r = unassigned_for(q);
    for (size_t i = 0; i < LIGHTPATHS; i++) {
        rwa_route route = {.demand = i,
                           .hops = list[i].dst - list[i].src,
                           .direction = RWA_CW,
                           .wavelength = list[i].wavelength};
        OK(rwa_assignment_add_wide(r, &route, list[i].width, list[i].guard, NULL));
    }
    return r;
}

/** The sign of lightpath i is its number; of its guard '-'. */
static char expected(const struct light *list, uint32_t link, uint32_t slot)
{
    for (uint32_t i = 0; i < LIGHTPATHS; i++) {
        const struct light *l = &list[i];
        if (link >= l->src && link < l->dst && slot >= l->wavelength && slot < l->wavelength + l->width + l->guard)
            return slot < l->wavelength + l->width ? (char)('0' + i) : '-';
    }
    return '.';
}

static void every_slot_is_shown(void)
{
    for (int round = 0; round < 50; round++) {
        struct light list[LIGHTPATHS];
        rwa_assignment *r = stack(list);
        char *text = NULL;
        OK(rwa_view_spectrum_text(&text, r, NULL, NULL));
        for (uint32_t link = 0; link + 1 < NODES; link++) {
            char label[] = "\n0-1 ";
            label[1] = (char)('0' + link);
            label[3] = (char)('1' + link);
            const char *row = strstr(text, label);
            CU_ASSERT_PTR_NOT_NULL_FATAL(row);
            for (uint32_t slot = 0; slot < SLOTS; slot++)
                CU_ASSERT_EQUAL(row[6 + slot], expected(list, link, slot)); /* "slot " is the widest label */
        }
        rwa_text_free(text);
    }
}

/* A run for every hop of the signal, and one of the guard. */
static void drawings_have_every_hop(void)
{
    for (int round = 0; round < 20; round++) {
        struct light list[LIGHTPATHS];
        rwa_assignment *r = stack(list);
        char *text = NULL;
        OK(rwa_view_spectrum_svg(&text, r, NULL, NULL));
        for (uint32_t i = 0; i < LIGHTPATHS; i++) {
            char signal[] = "class=\"l0\"", guard[] = "class=\"l0 guard\"";
            signal[8] = guard[8] = (char)('0' + i);
            CU_ASSERT_EQUAL(count_of(text, signal), list[i].dst - list[i].src);
            CU_ASSERT_EQUAL(count_of(text, guard), list[i].guard ? list[i].dst - list[i].src : 0);
        }
        CU_ASSERT_EQUAL(count_of(text, "http://") + count_of(text, "https://"), 1);  /* the name space,
                                                                                              nothing to load */
        rwa_text_free(text);
    }
}

/* Several slots to a column, and colours, keep the rows in shape. */
static void narrow_terminals_are_served(void)
{
    struct light list[LIGHTPATHS];
    rwa_assignment *r = stack(list);
    rwa_view_options o;
    char *text = NULL;
    rwa_view_options_init(&o);
    o.columns = 40;
    o.title = "a < b";
    OK(rwa_view_spectrum_text(&text, r, &o, NULL));
    for (const char *line = text; *line && strncmp(line, "\nA run", 6) != 0;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
        CU_ASSERT_TRUE(strcspn(line, "\n") <= 40 || strncmp(line, "A run", 5) == 0);
    rwa_text_free(text);
    o.color = 1;
    OK(rwa_view_spectrum_text(&text, r, &o, NULL));
    CU_ASSERT_TRUE(count_of(text, "\033[48;5;") > 0 &&
                   count_of(text, "\033[48;5;") == count_of(text, "\033[0m"));
    rwa_text_free(text);
    o.columns = 39;
    CU_ASSERT_EQUAL(rwa_view_spectrum_text(&text, r, &o, NULL), RWA_BADARG);
}

static void an_empty_assignment_is_told(void)
{
    const rwa_assignment *r = unassigned_on("line:2 directed pairs=0>1");
    char *text = NULL;
    CU_ASSERT_EQUAL(rwa_view_spectrum_text(&text, r, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_view_spectrum_svg(&text, r, NULL, NULL), RWA_BADARG);
}

/* Three shared backups over the first link, on slots 0 to 2, 2 to 4 and 6 to 8: slot 2 alone is shared. */
static void shared_slots_are_marked(void)
{
    rwa_assignment *r = unassigned_on("line:3 directed pairs=0>1x3");
    const uint32_t lowest[] = {0, 2, 6};
    char *text = NULL, *svg = NULL;
    for (int i = 0; i < 3; i++) {
        rwa_route route = {.copy = (uint32_t)i,
                           .hops = 1,
                           .direction = RWA_CW,
                           .wavelength = lowest[i],
                           .role = RWA_SHARED_BACKUP};
        OK(rwa_assignment_add_wide(r, &route, 3, 0, NULL));
    }
    OK(rwa_view_spectrum_text(&text, r, NULL, NULL));
    expect_part(text, "00%11.222");
    expect_part(text, "% shared by several backups");
    OK(rwa_view_spectrum_svg(&svg, r, NULL, NULL));
    CU_ASSERT_EQUAL(count_of(svg, "class=\"shared\""), 1);
    CU_ASSERT_EQUAL(count_of(svg, "Dark slots are shared"), 1);
    rwa_text_free(text);
    rwa_text_free(svg);
}

TESTS("spectrum maps", every_slot_is_shown, drawings_have_every_hop, narrow_terminals_are_served,
      an_empty_assignment_is_told, shared_slots_are_marked)

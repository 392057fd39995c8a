/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "schedule/scan.h"

#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/same.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>
#include <zlib.h>

#define HEADER                                                                                                      \
    "{\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":8,\"fibers\":2,"           \
    "\"wavelengths\":4},\"collective\":\"all-gather\",\"blocks\":8,\"block_bytes\":64,\"steps\":1,\"scheme\":\"x\"}"
#define RECORD "{\"step\":1,\"src\":0,\"dst\":2,\"dir\":\"cw\",\"fiber\":1,\"wavelength\":3,\"block\":0}"

static int files_in_dir(void)
{
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));)
        count += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return count;
}

static size_t get_file(const char *path, char *data, size_t room)
{
    FILE *f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    size_t size = fread(data, 1, room, f);
    fclose(f);
    return size;
}

static rwa_schedule *schedule_by(const char *scheme, rwa_collective_kind kind, uint32_t steps)
{
    rwa_schedule *s = empty_on("ring:8 bytes=1000 %s by %s", rwa_collective_name(kind), scheme);
    for (uint32_t step = 1; step <= steps; step++)
        for (uint32_t i = 0; i < 8; i++) {
            bool orbit = i % 3 == 2;
            rwa_lightpath lp = {.step = step, .src = i, .dst = (i + 1 + step % 3) % 8, .wavelength = i * 7, .block = i,
                                .orbit = orbit ? 8 : 1, .period = orbit ? 64 - i : 0,
                                .direction = i & 1 ? RWA_CCW : RWA_CW,
                                .op = kind == RWA_ALL_REDUCE && (i & 2) ? RWA_REDUCE : RWA_COPY};
            OK(rwa_schedule_add(s, &lp, NULL));
        }
    return s;
}

static rwa_schedule *ring_schedule(rwa_collective_kind kind, uint32_t steps)
{
    return schedule_by("by \"hand\"", kind, steps);
}

static void round_trip(rwa_collective_kind kind, const char *name, uint32_t steps)
{
    rwa_schedule *a = ring_schedule(kind, steps), *b = NULL;
    rwa_error err = {0};
    OK(rwa_schedule_write(a, in_dir(name), &err));
    CU_ASSERT_EQUAL(files_in_dir(), 1);
    OK(rwa_schedule_read(&b, in_dir(name), NULL, &err));
    expect_same_schedule(a, b);
    keep_schedule(b);
    unlink(in_dir(name));
}

static void test_round_trips(void)
{
    round_trip(RWA_ALL_GATHER, "a.jsonl", 3);
    round_trip(RWA_ALL_REDUCE, "a.jsonl.gz", 3);
    /* several buffers long, both ways */
    round_trip(RWA_ALL_REDUCE, "a.jsonl", 2000);
    round_trip(RWA_ALL_GATHER, "a.jsonl.gz", 2000);
}

/* Cuts of epochs are in the header, survive writing, reading and expanding, and need not be there. */
static void test_cuts_of_epochs(void)
{
    static const uint32_t cuts[] = {2, 3, 5}, wrong[][2] = {{1, 2}, {3, 3}, {3, 2}, {2, 6}};
    rwa_schedule *a = ring_schedule(RWA_ALL_GATHER, 5), *b = NULL, *c = NULL;
    rwa_reader *reader = NULL;
    rwa_error err = {0};
    const uint32_t *read = cuts;
    CU_ASSERT_EQUAL(rwa_schedule_epoch_cuts(&read, a), 0);
    CU_ASSERT_PTR_NULL(read);
    OK(rwa_schedule_cut_epochs(a, cuts, 3, &err));
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(rwa_schedule_cut_epochs(a, wrong[i], 2, &err), RWA_BADARG);
    OK(rwa_schedule_write(a, in_dir("a"), &err));
    OK(rwa_reader_open(&reader, in_dir("a"), NULL, &err));
    CU_ASSERT_EQUAL_FATAL(rwa_reader_header(reader)->cut_count, 3);
    CU_ASSERT_EQUAL(memcmp(rwa_reader_header(reader)->cuts, cuts, sizeof cuts), 0);
    OK(rwa_schedule_read(&b, in_dir("a"), NULL, &err));
    OK(rwa_schedule_expand(&c, b, &err));
    CU_ASSERT_EQUAL_FATAL(rwa_schedule_epoch_cuts(&read, c), 3);
    CU_ASSERT_EQUAL(memcmp(read, cuts, sizeof cuts), 0);
    OK(rwa_schedule_cut_epochs(c, NULL, 0, &err));
    CU_ASSERT_EQUAL(rwa_schedule_epoch_cuts(&(const uint32_t *){NULL}, c), 0);
    rwa_reader_free(reader);
    keep_schedule(b);
    keep_schedule(c);
    unlink(in_dir("a"));
}

/* ---- the scanner against a JSON library ---- */

static const char *const u32s[] = {"step", "src", "dst", "fiber", "wavelength"};

static bool integer_or_absent(const json_t *o, const char *name, bool needed)
{
    const json_t *v = json_object_get(o, name);
    return v ? json_is_integer(v) && json_integer_value(v) >= 0 : !needed;
}

static bool word_or_absent(const json_t *o, const char *name, const char *a, const char *b, bool needed)
{
    const json_t *v = json_object_get(o, name);
    const char *text = json_string_value(v);
    return v ? text && (strcmp(text, a) == 0 || strcmp(text, b) == 0) : !needed;
}

static bool array_or_absent(const json_t *o, const char *name)
{
    const json_t *v = json_object_get(o, name);
    bool good = !v || json_array_size(v) > 0;
    for (size_t i = 0; i < json_array_size(v); i++)
        good = good && json_is_integer(json_array_get(v, i)) && json_integer_value(json_array_get(v, i)) >= 0;
    return good;
}

/** Members that depend on the header: how the route is said, and what version 2 allows. */
static bool right_specials(const json_t *o, const struct scan_rules *rules)
{
    bool block = json_object_get(o, "block") != NULL, blocks = json_object_get(o, "blocks") != NULL;
    bool turn = json_object_get(o, "dir") != NULL, path = json_object_get(o, "path") != NULL;
    if (turn == rules->path || path != rules->path)
        return false;
    if (rules->version == 1)
        return block && !blocks && !json_object_get(o, "taps");
    return block != blocks;
}

static bool by_library(const char *text, size_t length, const struct scan_rules *rules)
{
    json_t *o = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    bool good = json_is_object(o) && integer_or_absent(o, "block", false) && integer_or_absent(o, "orbit", false) &&
                integer_or_absent(o, "period", false) && word_or_absent(o, "dir", "cw", "ccw", false) &&
                word_or_absent(o, "op", "copy", "reduce", false) && array_or_absent(o, "path") &&
                array_or_absent(o, "blocks") && array_or_absent(o, "taps") && right_specials(o, rules);
    for (size_t i = 0; good && i < COUNT(u32s); i++)
        good = integer_or_absent(o, u32s[i], true);
    json_decref(o);
    return good;
}

static size_t random_line(char *out, size_t room)
{
    static const char *const extra[] = {"",
                                        "\"op\":\"reduce\",",
                                        "\"orbit\" : 4,",
                                        "\"note\":[1,{\"deep\":null}],",
                                        "\"why\":\"\\u00e9\\ud83d\\ude00\xC3\xA9\xE2\x82\xAC\",",
                                        "\"r\":-1.25,",
                                        "\"path\":[0],",
                                        "\"st\\u0065ps\":true,",
                                        "\"period\":3,",
                                        "\"taps\":[ 1,2 ],",
                                        "\"blocks\":[],",
                                        "\"taps\":[1,\"2\"],",
                                        "\"path\":[0,3 ,-0],"};
    static const char *const routes[] = {"\"dir\":\"cw\"", "\"dir\":\"ccw\"", "\"path\":[4,1,0]"};
    static const char *const loads[] = {"\"block\":", "\"block\":1", "\"blocks\":[3,1],\"x\":"};
    static const char alphabet[] = "{}[]\",:\\ 0123456789-+.eEtrufalsn\x01\x80\xC3\t";
    size_t n = (size_t)snprintf(out, room,
                                "{%s\"step\":%u,\"src\": %u,\"dst\":%u,%s,\"fiber\":%u,\"wav\\u0065length\":%u,"
                                "%s%u}",
                                extra[any(COUNT(extra))],
                                (unsigned)any(3), (unsigned)any(99),
                                (unsigned)any(4000000000u), routes[any(3)],
                                (unsigned)any(2), (unsigned)any(9),
                                loads[any(3)], (unsigned)any(9));
    size_t where = any(n);
    char c = alphabet[any(sizeof alphabet - 1)];
    switch (any(5)) {
    case 0:
        out[where] = c;
        return n;
    case 1:
        memmove(out + where + 1, out + where, n - where);
        out[where] = c;
        return n + 1;
    case 2:
        memmove(out + where, out + where + 1, n - where - 1);
        return n - 1;
    case 3:
        return where;
    default:
        return n;
    }
}

static void test_scanner_agrees(void)
{
    seed = 20240607;
    int accepted = 0, refused = 0;
    struct scan_lists lists = {0};
    for (int i = 0; i < 60000; i++) {
        char text[512];
        rwa_lightpath lp;
        rwa_error err = {0};
        size_t n = random_line(text, sizeof text - 1);
        struct line line = {"f", 7, text, n, false};
        struct scan_rules rules = {8, any(2), 1 + any(2)};
        bool good = scan_record(&lp, &lists, &line, &rules, &err) == RWA_OK;
        if (good != by_library(text, n, &rules))
            fprintf(stderr, "scanner %s: %.*s (%s)\n", good ? "accepts" : "refuses", (int)n, text, err.text);
        CU_ASSERT_EQUAL(good, by_library(text, n, &rules));
        CU_ASSERT(good || strncmp(err.text, "f:7: ", 5) == 0);
        *(good ? &accepted : &refused) += 1;
    }
    CU_ASSERT(accepted > 3000 && refused > 3000);
    scan_release(&lists);
}

static void test_saturates(void)
{
    static const char text[] =
        "{\"step\":4294967296,\"src\":99999999999999999999999,\"dst\":4294967295,\"dir\":\"ccw\","
        "\"fiber\":0,\"wavelength\":0,\"block\":18446744073709551616,\"orbit\":2}";
    struct line line = {"f", 2, text, sizeof text - 1, false};
    rwa_lightpath lp;
    struct scan_lists lists = {0};
    struct scan_rules rules = {.channels = 8, .version = 1};
    OK(scan_record(&lp, &lists, &line, &rules, NULL));
    CU_ASSERT(lp.step == UINT32_MAX && lp.src == UINT32_MAX && lp.dst == UINT32_MAX && lp.block == UINT64_MAX);
    CU_ASSERT(lp.orbit == 2 && lp.period == 8 && lp.direction == RWA_CCW);
}

/* ---- bad files ---- */

static void refuse_bytes(const char *data, size_t size, const char *words)
{
    rwa_error err = {0};
    rwa_schedule *s = NULL;
    file_write(in_dir("bad"), data, size);
    CU_ASSERT_EQUAL(rwa_schedule_read(&s, in_dir("bad"), NULL, &err), RWA_FORMAT);
    CU_ASSERT_PTR_NULL(s);
    expect_part(err.text, words);
    expect_part(err.text, "bad:");
    unlink(in_dir("bad"));
}

/** The part of a case before a separator; *rest is what comes behind it. */
static char *part_of(char **rest, const char *separator)
{
    char *part = *rest, *end = strstr(part, separator);
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    *end = '\0';
    *rest = end + strlen(separator);
    return part;
}

/** Until the next call; quotes may be single ones. */
static char *case_of(const char *text)
{
    static char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *quote = copy; (quote = strchr(quote, '\'')) != NULL;)
        *quote = '"';
    return copy;
}

/** Cases are "'steps':1 > 'steps':2: 2 steps": a header and record with one place replaced, and what is said. */
static void refuse_changed(const char *const *cases, size_t count)
{
    static const char good[] = HEADER "\n" RECORD "\n";
    for (size_t i = 0; i < count; i++) {
        char text[1024], *says = case_of(cases[i]), *from = part_of(&says, " > "), *to = part_of(&says, ": ");
        const char *where = strstr(good, from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(where);
        int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(where - good), good, to, where + strlen(from));
        refuse_bytes(text, (size_t)n, says);
    }
}

static void test_bad_headers(void)
{
    refuse_bytes("", 0, ":1: empty");
    refuse_bytes("\0\1\2\xFF\n", 5, ":1: ");
    refuse_bytes(HEADER, 60, "cut short");
    refuse_bytes("[]\n", 3, "JSON object");
    static const char *const changes[] = {
        "'version':1 > 'version':5: 'version'",
        "'version':1 > 'version':2,'slots':0: 'slots'",
        "rwa-schedule > rwa-other: 'format'",
        "'ring' > 'moebius': 'kind'",
        "'ring' > 'torus': 'links'",
        "'ring' > 'graph','links':[[0,1],[1]]: 'links'",
        "'ring' > 'graph','links':[[0,8]]: node 8",
        "'ring' > 'graph','links':[[0,1]],'link_fibers':[1,1]: 'link_fibers'",
        "'ring' > 'graph','links':[[0,1]],'link_fibers':[0]: 'link_fibers'",
        "'ring' > 'graph','links':[[0,1]],'names':['a']: 'names'",
        "'ring' > 'graph','links':[[0,1]],'lengths_km':['1']: 'lengths_km'",
        "'ring' > 'graph','links':[[0,1]],'lengths_km':[-1]: length",
        "'ring' > 'graph','links':[[0,1]],'reserved':[[0,1]]: 'reserved'",
        "'ring' > 'graph','links':[[0,1]],'reserved':[[1,0,0]]: reserved",
        "'ring' > 'ring','reserved':[[0,0,0]]: 'reserved'",
        "'ring' > 'ring','reserved':[8]: reserved channel 8",
        "'ring' > 'ring','failed':[1]: 'failed'",
        "'ring' > 'ring','failed':['up:1']: 'failed'",
        "'ring' > 'star','failed':['1']: failed links",
        "'ring' > 'torus','links':[[0,1]],'shape':[2,4]: those of the shape",
        "'ring' > 'torus','links':[[0,1]],'shape':[4]: :1: ",
        "'nodes':8 > 'nodes':1: :1: ",
        "'nodes':8, > : 'nodes'",
        "'blocks':8 > 'blocks':'8': 'blocks'",
        "'blocks':8 > 'blocks':0: 'blocks'",
        "'steps':1 > 'steps':-1: 'steps'",
        "'steps':1 > 'steps':4294967296: 'steps'",
        "'steps':1 > 'steps':2: 2 steps",
        "'steps':1 > 'steps':1,'epochs':2: 'epochs'",
        "'steps':1 > 'steps':1,'epochs':[2.5]: 'epochs'",
        "'steps':1 > 'steps':1,'epochs':[2]: ascending steps from 2 to the last one",
        "'steps':1 > 'steps':3,'epochs':[3,2]: ascending steps",
        "'steps':1 > 'steps':3,'epochs':[1]: ascending steps",
        "'block_bytes':64 > 'block_bytes':6.4: 'block_bytes'",
        "all-gather > broadcast: 'root'",
        "'fibers':2 > 'fibers':null: 'fibers'"};
    refuse_changed(changes, COUNT(changes));
}

/** A case is "3: 'runs':[]: 'runs'": the version of a header, what a record carries, and what is said. */
static void refuse_carried(const char *text)
{
    char file[1024], *says = case_of(text), *version = part_of(&says, ": "), *carried = part_of(&says, ": ");
    int n = snprintf(
        file, sizeof file,
        "{\"format\":\"rwa-schedule\",\"version\":%s,\"network\":{\"kind\":\"ring\",\"nodes\":8,"
        "\"fibers\":1,\"wavelengths\":4},\"collective\":\"all-gather\",\"blocks\":64,\"block_bytes\":8,\"steps\":1,"
        "\"slots\":16,\"scheme\":\"x\"}\n{\"step\":1,\"src\":0,\"dst\":1,\"dir\":\"cw\",\"fiber\":0,\"wavelength\":0,%"
        "s}\n",
        version, carried);
    refuse_bytes(file, (size_t)n, says);
}

static void test_bad_runs(void)
{
    static const char *const carried[] = {
        "2: 'runs':[[0,2,1]]: 'runs': not supported in version 2",
        "3: 'runs':[]: 'runs'",
        "3: 'runs':[0,2,1]: 'runs'",
        "3: 'runs':[[0,2]]: three integers",
        "3: 'runs':[[0,2,1,1]]: three integers",
        "3: 'runs':[[0,0,1]]: count at least 1",
        "3: 'runs':[[0,2,1]],'block':0: not beside",
        "3: 'runs':[[0,2,1]],'blocks':[0,1]: not beside",
        "3: 'runs':[[63,2,1]]: block 64: expected below 64",
        "3: 'runs':[[1,4294967295,4294967295]]: :2: ",
        "3: 'runs':[[0,9,1],[0,9,1]]: s 16 slots",
        "3: 'runs':[[0,65,0]]: :2: ",
        "3: 'runs':[[0,2,1]: the end of the array"};
    for (size_t i = 0; i < COUNT(carried); i++)
        refuse_carried(carried[i]);
}

static void test_bad_records(void)
{
    static const char *const changes[] = {
        "'src':0, > : :2: 'src': missing",
        "'src':0 > 'src':-1: :2: 'src'",
        "'src':0 > 'src':0.5: :2: 'src'",
        "'src':0 > 'src':00: :2: column",
        "'src':0 > 'src':0,'src':0: given twice",
        "'src':0 > 'src':8: :2: ",
        "'src':0 > 'path':[0,1]: not supported",
        "'block':0 > 'runs':[[0,2,1]]: not supported in version 1",
        "'cw' > 'up': 'dir'",
        "'block':0} > 'block':0} x: nothing after",
        "'block':0}\n > 'block':0}\n\n: :3: ",
        "'block':0}\n > 'block':0: cut short",
        "'block':0} > 'block':0,'x':[1,}: :2: column",
        "'block':0} > 'block':0,'x':1e999}: a number of at most 1.8e308"};
    refuse_changed(changes, COUNT(changes));
    char *huge = malloc(1 << 21);
    memset(huge, ' ', 1 << 21);
    memcpy(huge, HEADER "\n", sizeof HEADER);
    refuse_bytes(huge, 1 << 21, ":2: line longer than 1048576 bytes");
    memset(huge, '[', 1 << 21);
    memcpy(huge, HEADER "\n{\"a\":", sizeof HEADER + 5);
    refuse_bytes(huge, 60000, "nested");
    free(huge);
}

static void test_last_line_without_newline(void)
{
    rwa_schedule *s = NULL;
    file_write(in_dir("open"), HEADER "\n" RECORD, sizeof HEADER + sizeof RECORD - 1);
    OK(rwa_schedule_read(&s, in_dir("open"), NULL, NULL));
    keep_schedule(s);
    unlink(in_dir("open"));
}

static void test_damaged_gzip(void)
{
    static char bytes[1 << 16];
    rwa_schedule *s = ring_schedule(RWA_ALL_GATHER, 50);
    OK(rwa_schedule_write(s, in_dir("z.gz"), NULL));
    size_t n = get_file(in_dir("z.gz"), bytes, sizeof bytes);
    unlink(in_dir("z.gz"));
    for (size_t cut = 1; cut < n; cut += 1 + n / 40)
        refuse_bytes(bytes, n - cut, "");
    memcpy(bytes + n, "garbage", 7);
    refuse_bytes(bytes, n + 7, "followed by bytes that are not gzip");
    memset(bytes + n, 0, 512);
    refuse_bytes(bytes, n + 512, "followed by bytes that are not gzip");
    refuse_bytes(bytes, n + 1, "followed by bytes that are not gzip");
    bytes[n / 2] ^= 0x55;
    refuse_bytes(bytes, n, "");
}

/* Spaces are packed a thousand times: what unpacks to 64 MiB is read, however small it was, and 65 MiB of them are
   refused. */
static void test_gzip_bombs(void)
{
    static char spaces[1 << 20];
    memset(spaces, ' ', sizeof spaces);
    for (int size = 64; size <= 65; size++) {
        rwa_network *net = NULL;
        rwa_error err = {0};
        gzFile file = gzopen(in_dir("bomb.json.gz"), "wb");
        for (int i = 1; i < size; i++)
            CU_ASSERT_EQUAL(gzwrite(file, spaces, sizeof spaces), sizeof spaces);
        memcpy(spaces + sizeof spaces - 27, "{\"nodes\":2,\"links\":[[0,1]]}", 27);
        CU_ASSERT_EQUAL(gzwrite(file, spaces, sizeof spaces), sizeof spaces);
        memset(spaces, ' ', sizeof spaces);
        gzclose(file);
        CU_ASSERT_EQUAL(rwa_network_read(&net, in_dir("bomb.json.gz"), NULL, &err), size == 64 ? RWA_OK : RWA_FORMAT);
        CU_ASSERT_EQUAL(strstr(err.text, "256 times its size") != NULL, size == 65);
        rwa_network_free(net);
        unlink(in_dir("bomb.json.gz"));
    }
}

/* RFC 1952, section 2.2: a gzip file is a series of members, and their contents are joined. */
static void test_two_gzip_members(void)
{
    static char bytes[1 << 16];
    rwa_schedule *s = ring_schedule(RWA_ALL_GATHER, 50);
    OK(rwa_schedule_write(s, in_dir("plain"), NULL));
    size_t n = get_file(in_dir("plain"), bytes, sizeof bytes);
    gzFile first = gzopen(in_dir("two.gz"), "wb");
    CU_ASSERT_EQUAL(gzwrite(first, bytes, (unsigned)(n / 3)), (int)(n / 3));
    gzclose(first);
    gzFile second = gzopen(in_dir("two.gz"), "ab");
    CU_ASSERT_EQUAL(gzwrite(second, bytes + n / 3, (unsigned)(n - n / 3)), (int)(n - n / 3));
    gzclose(second);
    rwa_schedule *back = NULL;
    OK(rwa_schedule_read(&back, in_dir("two.gz"), NULL, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_records(back), rwa_schedule_records(s));
    keep_schedule(back);
    unlink(in_dir("plain"));
    unlink(in_dir("two.gz"));
}

static int stop_at_half(void *asked, const char *phase, double fraction)
{
    (void)phase;
    ++*(int *)asked;
    return fraction > 0.5;
}

/* Stopped in the middle: nothing under the name, nothing beside it. */
static void test_stopped_write(void)
{
    int asked = 0;
    rwa_schedule *s = ring_schedule(RWA_ALL_GATHER, 20000);
    CU_ASSERT_EQUAL(rwa_schedule_write_polled(s, in_dir("stop"), stop_at_half, &asked, NULL), RWA_CANCELLED);
    CU_ASSERT(asked >= 2);
    CU_ASSERT_EQUAL(files_in_dir(), 0);
}

static void test_unreadable(void)
{
    rwa_schedule *s = NULL;
    CU_ASSERT_EQUAL(rwa_schedule_read(&s, in_dir("absent"), NULL, NULL), RWA_IO);
    CU_ASSERT_EQUAL(rwa_schedule_read(&s, dir, NULL, NULL), RWA_IO);
}

static void refuse_write(const char *path)
{
    rwa_error err = {0};
    rwa_schedule *s = ring_schedule(RWA_ALL_GATHER, 2);
    CU_ASSERT_EQUAL(rwa_schedule_write(s, path, &err), RWA_IO);
    expect_part(err.text, ": cannot write: ");
    CU_ASSERT_EQUAL(files_in_dir(), 0);
}

/* It is the caller's name that is at fault, not memory. */
static void test_name_in_no_encoding(void)
{
    rwa_error err = {0};
    rwa_schedule *s = schedule_by("by \xff", RWA_ALL_GATHER, 2);
    CU_ASSERT_EQUAL(rwa_schedule_write(s, in_dir("name"), &err), RWA_BADARG);
    expect_part(err.text, "is not UTF-8");
    CU_ASSERT_EQUAL(files_in_dir(), 0);
}

static void test_unwritable(void)
{
    struct stat info;
    refuse_write(in_dir("no/such/file"));
    refuse_write(dir);
    if (stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode)) {
        refuse_write("/dev/full");
        /* the same through gzip */
        CU_ASSERT_EQUAL(symlink("/dev/full", in_dir("full.gz")), 0);
        rwa_schedule *s = ring_schedule(RWA_ALL_GATHER, 2);
        CU_ASSERT_EQUAL(rwa_schedule_write(s, in_dir("full.gz"), NULL), RWA_IO);
        CU_ASSERT_EQUAL(files_in_dir(), 1);
        unlink(in_dir("full.gz"));
    }
}

TESTS_IN_FOLDER("io", test_round_trips, test_scanner_agrees, test_saturates, test_bad_headers, test_bad_records,
                test_bad_runs, test_last_line_without_newline, test_damaged_gzip, test_cuts_of_epochs,
                test_gzip_bombs, test_two_gzip_members, test_stopped_write, test_unreadable, test_unwritable,
                test_name_in_no_encoding)

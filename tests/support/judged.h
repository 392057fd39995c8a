/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A schedule file written line by line in a test, then judged. */
#pragma once

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <unistd.h>

enum { JUDGED_LINES = 64 };

/** The header of a schedule; quotes may be single ones, here and in any header. */
#define SCHEDULE(network, collective) SCHEDULE_OF("8", network, collective)
#define SCHEDULE_OF(bytes, network, collective)                                                                        \
    "{'format':'rwa-schedule','version':3,'network':{" network "},'block_bytes':" bytes                                \
    ",'scheme':'by hand'," collective "}"

/**
 * A header and its records, each without the newline: as in a file, or in words, "2 0>3 cw 0/1 b4 taps=1,2 orbit=6
 * period=3 op=reduce": step (of an assignment: demand, "d2"), source and destination, direction or path=0,1,3, fibre
 * and wavelength, block, other members.  An empty one is left out; NULL ends them.
 */
struct judged {
    const char *header;
    const char *lines[JUDGED_LINES];
};

static inline void judged_write_word(FILE *out, const char *word)
{
    unsigned a, b;
    char name[32];
    int length = 0;
    if (sscanf(word, "%u>%u", &a, &b) == 2)
        fprintf(out, ",\"src\":%u,\"dst\":%u", a, b);
    else if (sscanf(word, "%u/%u", &a, &b) == 2)
        fprintf(out, ",\"fiber\":%u,\"wavelength\":%u", a, b);
    else if (sscanf(word, "b%u", &a) == 1)
        fprintf(out, ",\"block\":%u", a);
    else if (sscanf(word, "%31[a-z]=%n", name, &length) == 1 && length > 0)
        fprintf(out,
                strstr("paths,blocks,taps,links,wavelengths", name) ? ",\"%s\":[%s]"
                : strstr("op,role", name)                           ? ",\"%s\":\"%s\""
                                                                    : ",\"%s\":%s",
                name, word + length);
    else
        fprintf(out, ",\"dir\":\"%s\"", word);
}

static inline void judged_write(FILE *out, const char *line)
{
    char words[256];
    snprintf(words, sizeof words, "%s", line);
    bool in_words = *line && strchr("0123456789d", *line);
    char *word = in_words ? strtok(words, " ") : NULL;
    if (word)
        fprintf(out, "{\"%s\":%s", *word == 'd' ? "demand" : "step", word + (*word == 'd'));
    while (word && (word = strtok(NULL, " ")) != NULL)
        judged_write_word(out, word);
    if (*line)
        fprintf(out, "%s\n", in_words ? "}" : line);
}

/** A file of this, for the caller to unlink; false: none can be made. */
static inline bool judged_file(char path[], const struct judged *file)
{
    int fd = mkstemp(path);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!stream)
        return false;
    for (const char *c = file->header; *c; c++)
        fputc(*c == '\'' ? '"' : *c, stream);
    fputc('\n', stream);
    for (const char *const *line = file->lines; *line; line++)
        judged_write(stream, *line);
    fclose(stream);
    return true;
}

static inline rwa_status judged_check_with(rwa_check_report *out, const struct judged *file,
                                           const rwa_check_options *opts, rwa_error *err)
{
    char path[] = "/tmp/rwa-judged-XXXXXX";
    memset(out, 0, sizeof *out);
    rwa_status st = judged_file(path, file) ? report_file(out, path, opts, err) : RWA_IO;
    unlink(path);
    return st;
}

/** The schedule, for the caller to free. */
static inline rwa_schedule *judged_schedule(const struct judged *file)
{
    char path[] = "/tmp/rwa-judged-XXXXXX";
    rwa_schedule *sched = NULL;
    OK(judged_file(path, file) ? rwa_schedule_read(&sched, path, NULL, NULL) : RWA_IO);
    unlink(path);
    return sched;
}

static inline rwa_status judged_check(rwa_check_report *out, const struct judged *file)
{
    return judged_check_with(out, file, NULL, NULL);
}

static inline void judged_expect_ok(const struct judged *file)
{
    rwa_check_report c;
    OK(judged_check(&c, file));
    CU_ASSERT_TRUE(c.ok);
    for (size_t i = 0; i < c.named; i++)
        fprintf(stderr, "expected ok, got %s: %s\n", rwa_violation_name(c.first[i].kind), c.first[i].text);
}

/** A case is "4: 2 2>5 cw 0/0 b0: channel: meets another": with line 4 replaced, or appended, a
 *  violation of this kind says this. */
static inline void judged_expect_case(const struct judged *right, const char *text)
{
    struct judged file = *right;
    rwa_check_report c;
    char words[256], kind[32] = "";
    int colon = (int)(strstr(strstr(text, ": ") + 2, ": ") - text), says = 0;
    size_t i = strtoul(text, NULL, 10);
    bool said = false;
    snprintf(words, sizeof words, "%.*s", colon, text);
    CU_ASSERT_EQUAL_FATAL(sscanf(text + colon, ": %31[a-z]: %n", kind, &says), 1);
    file.lines[i] = strstr(words, ": ") + 2;
    OK(judged_check(&c, &file));
    for (size_t k = 0; k < c.named; k++)
        said = said || (strcmp(rwa_violation_name(c.first[k].kind), kind) == 0 &&
                        strstr(c.first[k].text, text + colon + says));
    CU_ASSERT(!c.ok && said);
    if (!said)
        fprintf(stderr, "%s\n  got %s\n", text, c.named ? c.first[0].text : "ok");
}

static inline void judged_expect_cases(const struct judged *right, const char *const *cases)
{
    for (; *cases; cases++)
        judged_expect_case(right, *cases);
}

#define judged_expect(right, ...) judged_expect_cases(right, (const char *const[]){__VA_ARGS__, NULL})

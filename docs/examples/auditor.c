/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check schedules of any planner, and the optical power of their lightpaths.  Usage: auditor DEVICE FILE...
 * Exit 0: all pass; 1: one fails or stays unchecked; 2: a file is unreadable. */
#include <rwa.h>
#include <stdio.h>

static const char *power_word(rwa_verdict verdict)
{
    return verdict == RWA_PASS ? "pass" : verdict == RWA_FAIL ? "FAIL" : "not checked";
}

static void print_verdict(const char *file, const rwa_check_report *check)
{
    uint64_t power = check->by_kind[RWA_VIOLATION_POWER];
    printf("%s: schedule %s, power %s", file, check->violations == power ? "right" : "WRONG",
           power_word(check->power.verdict));
    /* A figure that rests on something the profile leaves open is NaN, which is not equal to itself. */
    if (check->power.margin_db == check->power.margin_db)
        printf(", least margin %.2f dB", check->power.margin_db);
    printf(", longest lightpath %u hops\n", (unsigned)check->longest_hops);
    for (size_t i = 0; i < check->named && i < 3; i++)
        printf("  %s\n", check->first[i].text);
}

int main(int argc, char **argv)
{
    rwa_device *device = NULL;
    rwa_check_options opts;
    rwa_error err = {0};
    int worst = 0;
    if (argc < 3)
        return fputs("usage: auditor DEVICE FILE...\n", stderr), 2;
    if (rwa_device_open(&device, argv[1], &err) != RWA_OK)
        return fprintf(stderr, "auditor: %s\n", err.text), 2;
    rwa_check_options_init(&opts);
    opts.device = device;
    for (int i = 2; i < argc; i++) {
        rwa_check *check = NULL;
        int grade;
        if (rwa_check_file(&check, argv[i], &opts, &err) != RWA_OK) {
            fprintf(stderr, "auditor: %s\n", err.text);
            grade = 2;
        } else {
            const rwa_check_report *found = rwa_check_summary(check);
            print_verdict(argv[i], found);
            grade = !found->ok || found->power.verdict != RWA_PASS;
        }
        rwa_check_free(check);
        worst = grade > worst ? grade : worst;
    }
    rwa_device_free(device);
    return worst;
}

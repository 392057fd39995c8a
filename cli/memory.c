/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE     /* RLIMIT_DATA counts private mappings too, on Linux from 4.7 */
#include "cli.h"

#include <sys/resource.h>
#include <unistd.h>

/* Return the number that fscanf() reads with `format` from a file of the kernel, such as one in /proc; 0 if it is
 * unknown. */
static uint64_t number_in(const char *path, const char *format)
{
    uint64_t number = 0;
    FILE *info = fopen(path, "r");
    if (!info)
        return 0;
    if (fscanf(info, format, &number) != 1)
        number = 0;
    fclose(info);
    return number;
}

int memory_limit(uint64_t most)
{
    struct rlimit limit;
    /* Pages of private writable memory, as RLIMIT_DATA counts it; what new processes can get without swapping. */
    uint64_t used = (uint64_t)sysconf(_SC_PAGESIZE) * number_in("/proc/self/statm", "%*u %*u %*u %*u %*u %" SCNu64);
    uint64_t kilobytes = number_in("/proc/meminfo", "MemTotal: %*u kB MemFree: %*u kB MemAvailable: %" SCNu64);
    uint64_t bytes = most > 0 ? most : 1024 * kilobytes;
    if (bytes == 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return 0;
    if (used > bytes && most == 0)  /* a sanitizer maps more memory than the machine has */
        return 0;
    if (used > bytes)
        return fail(EXIT_BAD_INPUT,
                    "--memory-limit %" PRIu64 ": the command itself takes more, expected at least %" PRIu64, most,
                    used);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
        limit.rlim_cur = (rlim_t)bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0 || most == 0
               ? 0
               : fail(EXIT_MACHINE, "--memory-limit: the system refuses it");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "option.h"

#include <errno.h>
#include <stdarg.h>

int fail(int code, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_clear();
    fprintf(stderr, "rwa: %s\n", rwa_text_make_visible(text));
    return code;
}

int fail_memory(void)
{
    return fail(EXIT_MACHINE, "out of memory");
}

int fail_status(rwa_status status, const rwa_error *err, int writing)
{
    char text[1024];
    int code = EXIT_MACHINE;
    if (status == RWA_OK)
        return 0;
    if (status == RWA_BADARG || status == RWA_FORMAT || (status == RWA_IO && !writing))
        code = EXIT_BAD_INPUT;
    else if (status == RWA_CANCELLED)
        code = EXIT_STOPPED;
    if (err->text[0] == '\0')
        return fail(code, "%s", rwa_status_text(status));
    return fail(code, "%s", status == RWA_BADARG || status == RWA_CANCELLED ? fields_as_flags(text, sizeof text, err->text) : err->text);
}

int finish(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == EPIPE)
        return EXIT_MACHINE;
    return fail(EXIT_MACHINE, "standard output: %s", errno != 0 ? strerror(errno) : "could not be written");
}

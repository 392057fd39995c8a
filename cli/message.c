/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <errno.h>
#include <stdarg.h>

/* The error record of the last call by CALL() or WRITE(). */
static rwa_error last_error;

char *phrase(const char *format, ...)
{
    static _Thread_local char ring[32][PHRASE_MAX];
    static _Thread_local size_t next;
    char *to = ring[next++ % (sizeof ring / sizeof *ring)];
    va_list values;
    va_start(values, format);
    vsnprintf(to, PHRASE_MAX, format, values);
    va_end(values);
    return to;
}

int fail(int code, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
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
    int code = EXIT_MACHINE;
    if (status == RWA_OK)
        return 0;
    if (status == RWA_BADARG || status == RWA_FORMAT || (status == RWA_IO && !writing))
        code = EXIT_BAD_INPUT;
    else if (status == RWA_CANCELLED)
        code = EXIT_STOPPED;
    if (!err->text[0])
        return fail(code, "%s", rwa_status_text(status));
    return fail(code, "%s", status == RWA_BADARG || status == RWA_CANCELLED ? as_flags(err->text) : err->text);
}

rwa_error *new_error(void)
{
    last_error = (rwa_error){0};
    return &last_error;
}

int fail_call(rwa_status status, int writing)
{
    progress_clear();
    return fail_status(status, &last_error, writing);
}

int fail_name(rwa_status status, const char *question)
{
    size_t used = strlen(last_error.text);
    if (status == RWA_BADARG)
        snprintf(last_error.text + used, sizeof last_error.text - used, "%s", question);
    return fail_call(status, 0);
}

int finish(int code)
{
    print_said(WRAP_HANG, 0);
    errno = 0;
    if (code == EXIT_MACHINE || (fflush(stdout) == 0 && !ferror(stdout)))
        return code;
    if (errno == EPIPE)
        return EXIT_MACHINE;
    return fail(EXIT_MACHINE, "standard output: %s", errno != 0 ? strerror(errno) : "could not be written");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that stop long work, and progress on the terminal. */
#include "cli.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop_asked;
static double asked_at;
static int progress_shown;

/* Signal handler: note that the user has asked to stop.  A second signal ends the process at once, unless it comes
 * within half a second: the same request may reach the process twice, once for itself and once for its group. */
static void on_signal(int number)
{
    if (stop_asked && clock_s() - asked_at > 0.5) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!stop_asked)
        asked_at = clock_s();
    stop_asked = 1;
}

void signals_install(void)
{
    struct sigaction act = {.sa_handler = on_signal}, hangup;
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it */
        sigaction(SIGHUP, &act, NULL);
    act.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &act, NULL);
    sigaction(SIGXFSZ, &act, NULL);     /* writing beyond the size limit then fails */
}

double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Return 1 at most ten times a second, when progress may be shown: output to a terminal is slow, and so is isatty(). */
static int time_to_show(void)
{
    static double last;
    double seconds = clock_s();
    if (seconds - last < 0.1)
        return 0;
    last = seconds;
    return 1;
}

static int shown(void)
{
    return !args.quiet && time_to_show() && isatty(STDERR_FILENO);
}

int signals_asked(void)
{
    return stop_asked != 0;
}

int poll_progress(void *none, const char *phase, double fraction)
{
    (void)none;
    if (shown()) {
        progress_shown = 1;
        if (fraction >= 0)
            fprintf(stderr, "\r\033[K%s %3.0f%%", phase, 100 * fraction);
        else
            fprintf(stderr, "\r\033[K%s", phase);
    }
    return signals_asked();
}

void progress_bar(size_t done, size_t all, double fraction, double begin_s)
{
    static const char full[] = "########################", empty[] = "........................";
    int width = (int)sizeof full - 1, bar = (int)(fraction * width);
    double left = (clock_s() - begin_s) * (1 - fraction) / fraction;
    if (!shown())
        return;
    progress_shown = 1;
    fprintf(stderr, "\r\033[K[%.*s%.*s] %zu of %zu", bar, full, width - bar, empty, done, all);
    if (fraction <= 0)  /* nothing known yet */
        return;
    if (left >= 3600)
        fprintf(stderr, ", %.1f h left", left / 3600);
    else
        fprintf(stderr, ", %.0f %s left", ceil(left >= 60 ? left / 60 : left), left >= 60 ? "min" : "s");
}

void progress_clear(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = 0;
}

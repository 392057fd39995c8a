/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Independent jobs on several threads: the results are the same whatever the number of threads. */
#pragma once

#include "cli.h"

enum { THREADS_MAX = 1024 };

/* Job `index`: what it makes it keeps apart from other jobs.  It passes poll and poll_data to the library. */
typedef rwa_status pool_job(size_t index, rwa_poll poll, void *poll_data, rwa_error *err);

/* Run jobs 0 ... count - 1 on so many threads (0: as many as processors), with a bar of progress.  After a failure or a
 * signal no job begins and those that run are stopped.  work: of each job, for the time left; NULL: they are alike.
 * *done: so many jobs, from the first on, have succeeded.  0; or EXIT_STOPPED after a signal; or the exit code of the
 * first that failed, after one line on standard error. */
int pool_run(uint32_t threads, size_t count, double (*work)(size_t index), pool_job *job, size_t *done);

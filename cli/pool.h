/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs independent jobs on several threads; the results do not depend on the number of threads. */
#pragma once

#include "cli.h"

enum { THREADS_MAX = 1024 };

/* Does job `index`.  It stores its results apart from those of other jobs, and passes poll and poll_data to the
 * library. */
typedef rwa_status pool_job(size_t index, rwa_poll poll, void *poll_data, rwa_error *err);

/* Run jobs 0 ... count - 1 on `threads` threads (0: as many as processors), with a progress bar; once in a process.
 * After a failure or a signal no job begins, and the running ones are stopped.
 * work: the relative work of a job, for the estimate of the time left; NULL: all jobs take equally long
 * *done: the number of jobs, from the first on, that have succeeded
 * Returns 0; EXIT_STOPPED after a signal; or the exit code of the first job that failed, after one line on standard
 * error. */
int pool_run(uint32_t threads, size_t count, double (*work)(size_t index), pool_job *job, size_t *done);

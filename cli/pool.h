/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Independent jobs on several threads: the results are the same whatever the number of threads. */
#pragma once

#include "cli.h"

enum { THREADS_MAX = 1024 };

/* Job `index`: what it makes it keeps in `data`, apart from other jobs.  It passes poll and poll_data to the library. */
typedef rwa_status pool_job(void *data, size_t index, rwa_poll poll, void *poll_data, rwa_error *err);

/* Run jobs 0 ... count - 1 on so many threads (0: as many as processors), with a bar of progress.  After a failure or a signal no
 * job begins and those that run are stopped.  work: of each job, for the time left; NULL: they are alike.
 * *done: so many jobs, from the first on, have succeeded.  Returns the status of the first that failed. */
rwa_status pool_run(const common *c, uint32_t threads, size_t count, const double *work, pool_job *job, void *data, size_t *done,
                    rwa_error *err);

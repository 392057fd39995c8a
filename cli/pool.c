/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include <pthread.h>
#include <unistd.h>

static pool_job *do_job;
static double (*known_work)(size_t index);  /* NULL: all jobs take equally long */
static double begin_s, all_work, ended_work;
static size_t jobs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* of the progress, and of the variables below */
static size_t next, ended;
static char *succeeded;     /* of each job */
static size_t failed;       /* the job whose failure is reported, unless its status is RWA_OK */
static rwa_status failure;
static rwa_error reason;

/* Poll function of every job: show how many of all jobs have ended.  Return 1 if the job must stop, after a signal or
 * after another job has failed; else 0. */
static int poll_pool(void *none, const char *phase, double fraction)
{
    (void)none;
    (void)phase;
    (void)fraction;
    pthread_mutex_lock(&lock);
    progress_bar(ended, jobs, ended_work / all_work, begin_s);
    int stop = failure != RWA_OK;
    pthread_mutex_unlock(&lock);
    return stop || signals_asked();
}

static double work_of(size_t index)
{
    return known_work ? known_work(index) : 1;
}

/* Store the failure of job `index` in `failed`, `failure` and `reason`, unless a job with a lower index has failed.
 * RWA_CANCELLED, of a job that was only stopped, counts only while no job has failed otherwise. */
static void note_failure(size_t index, rwa_status status, const rwa_error *err)
{
    if (failure != RWA_OK && failure != RWA_CANCELLED && (status == RWA_CANCELLED || failed < index))
        return;
    failed = index;
    failure = status;
    reason = *err;
}

static void *work(void *none)
{
    pthread_mutex_lock(&lock);
    while (failure == RWA_OK && !signals_asked() && next < jobs) {
        rwa_error err = {0};
        size_t index = next++;
        double part = work_of(index);
        pthread_mutex_unlock(&lock);
        rwa_status status = do_job(index, poll_pool, NULL, &err);
        pthread_mutex_lock(&lock);
        ended++;
        ended_work += part;
        succeeded[index] = status == RWA_OK;
        if (status != RWA_OK)
            note_failure(index, status, &err);
    }
    pthread_mutex_unlock(&lock);
    return none;
}

/* Run the jobs on `threads` threads, this one among them; on fewer if the system refuses some. */
static void run_threads(size_t threads)
{
    pthread_t list[THREADS_MAX];
    size_t started = 0;
    while (started + 1 < threads && pthread_create(&list[started], NULL, work, NULL) == 0)
        started++;
    work(NULL);
    while (started > 0)
        pthread_join(list[--started], NULL);
}

int pool_run(uint32_t threads, size_t count, double (*work_of_job)(size_t index), pool_job *job, size_t *done)
{
    size_t wanted = threads;
    if (wanted == 0)
        wanted = sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (size_t)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    wanted = wanted > count ? count : wanted > THREADS_MAX ? THREADS_MAX : wanted;
    MUST(NEW(succeeded, count + 1));
    do_job = job;
    known_work = work_of_job;
    jobs = count;
    begin_s = clock_s();
    for (size_t i = 0; i < count; i++)
        all_work += work_of(i);
    run_threads(wanted);
    progress_clear();
    *done = strlen(succeeded);     /* ones, and a zero behind the last job */
    if (failure != RWA_OK && failure != RWA_CANCELLED)
        return fail_status(failure, &reason, 1);
    return *done < count ? EXIT_STOPPED : EXIT_YES;
}

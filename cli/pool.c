/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include <pthread.h>
#include <unistd.h>

static struct {
    pool_job *job;
    double (*work)(size_t index);   /* NULL: all jobs take equally long */
    double begin_s, all_work, ended_work;
    size_t count;
    pthread_mutex_t lock;   /* of the progress, and of the members below */
    size_t next, ended;
    char *succeeded;        /* of each job */
    size_t failed;          /* the job whose failure is reported, unless its status is RWA_OK */
    rwa_status status;
    rwa_error err;
} p = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The thread that polls shows the progress of all. */
static int poll_pool(void *none, const char *phase, double fraction)
{
    (void)none;
    (void)phase;
    (void)fraction;
    pthread_mutex_lock(&p.lock);
    progress_bar(p.ended, p.count, p.ended_work / p.all_work, p.begin_s);
    int stop = p.status != RWA_OK;
    pthread_mutex_unlock(&p.lock);
    return stop || signals_asked();
}

static double work_of(size_t index)
{
    return p.work ? p.work(index) : 1;
}

/* Keep the failure of the first job.  A job that was only stopped (RWA_CANCELLED) counts if no other one failed. */
static void note_failure(size_t index, rwa_status status, const rwa_error *err)
{
    if (p.status != RWA_OK && p.status != RWA_CANCELLED && (status == RWA_CANCELLED || p.failed < index))
        return;
    p.failed = index;
    p.status = status;
    p.err = *err;
}

static void *work(void *none)
{
    pthread_mutex_lock(&p.lock);
    while (p.status == RWA_OK && !signals_asked() && p.next < p.count) {
        rwa_error err = {0};
        size_t index = p.next++;
        double part = work_of(index);
        pthread_mutex_unlock(&p.lock);
        rwa_status status = p.job(index, poll_pool, NULL, &err);
        pthread_mutex_lock(&p.lock);
        p.ended++;
        p.ended_work += part;
        p.succeeded[index] = status == RWA_OK;
        if (status != RWA_OK)
            note_failure(index, status, &err);
    }
    pthread_mutex_unlock(&p.lock);
    return none;
}

/* Work in this thread and, as far as they can be created, in further ones. */
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

int pool_run(uint32_t threads, size_t count, double (*work_of_jobs)(size_t index), pool_job *job, size_t *done)
{
    size_t wanted = threads;
    if (wanted == 0)
        wanted = sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (size_t)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    wanted = wanted > count ? count : wanted > THREADS_MAX ? THREADS_MAX : wanted;
    if (OUT_OF_MEMORY(p.succeeded, count + 1))
        return fail_memory();
    p.job = job;
    p.work = work_of_jobs;
    p.count = count;
    p.begin_s = clock_s();
    for (size_t i = 0; i < count; i++)
        p.all_work += work_of(i);
    run_threads(wanted);
    progress_clear();
    *done = strlen(p.succeeded);     /* ones, and a zero behind the last job */
    if (p.status != RWA_OK && p.status != RWA_CANCELLED)
        return fail_status(p.status, &p.err, 1);
    return *done < count ? EXIT_STOPPED : EXIT_YES;
}

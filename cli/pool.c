/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

typedef struct result { int ended; rwa_status status; rwa_error err; } result;

typedef struct worker_pool {
    pool_job *job;
    double (*work)(size_t index);   /* NULL: all jobs take equally long */
    double all_work, ended_work;
    size_t count;
    pthread_mutex_t lock;   /* of the members below */
    pthread_cond_t changed;
    size_t next, ended, running;
    int failed;
    result *results;
} pool;

static int poll_pool(void *data, const char *phase, double fraction)
{
    pool *p = data;
    (void)phase;
    (void)fraction;
    pthread_mutex_lock(&p->lock);
    int stop = p->failed;
    pthread_mutex_unlock(&p->lock);
    return stop || signals_asked();
}

static double work_of(const pool *p, size_t index)
{
    return p->work ? p->work(index) : 1;
}

static void *work(void *data)
{
    pool *p = data;
    pthread_mutex_lock(&p->lock);
    while (!p->failed && !signals_asked() && p->next < p->count) {
        result *r = &p->results[p->next];
        size_t index = p->next++;
        pthread_mutex_unlock(&p->lock);
        rwa_status status = p->job(index, poll_pool, p, &r->err);
        pthread_mutex_lock(&p->lock);
        r->status = status;
        r->ended = 1;
        p->ended++;
        p->ended_work += work_of(p, index);
        p->failed = p->failed || status != RWA_OK;
        pthread_cond_signal(&p->changed);
    }
    p->running--;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Show progress until all threads have ended.  Call it with the lock held. */
static void show_progress(pool *p)
{
    double begin = clock_s();
    while (p->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        progress_bar(p->ended, p->count, p->ended_work / p->all_work, begin);
    }
}

static void run_threads(pool *p, size_t threads)
{
    pthread_t list[THREADS_MAX];
    size_t started = 0;
    pthread_mutex_lock(&p->lock);
    while (started < threads && pthread_create(&list[started], NULL, work, p) == 0) {
        started++;
        p->running++;
    }
    if (started > 0)
        show_progress(p);
    p->running += started == 0;
    pthread_mutex_unlock(&p->lock);
    if (started == 0) /* no thread could be created: work in this one */
        work(p);
    while (started > 0)
        pthread_join(list[--started], NULL);
}

/* Report the first job that failed, and return the exit code.  A job that was only stopped (RWA_CANCELLED) counts if no
 * other one failed. */
static int conclude(const pool *p, size_t *done)
{
    const result *first = NULL;
    while (*done < p->count && p->results[*done].ended && p->results[*done].status == RWA_OK)
        ++*done;
    for (size_t i = *done; i < p->count; i++)
        if (p->results[i].ended && p->results[i].status != RWA_OK && (!first || first->status == RWA_CANCELLED))
            first = &p->results[i];
    if (first && first->status != RWA_CANCELLED)
        return fail_status(first->status, &first->err, 1);
    return *done < p->count ? EXIT_STOPPED : EXIT_YES;
}

int pool_run(uint32_t threads, size_t count, double (*work_of_jobs)(size_t index), pool_job *job, size_t *done)
{
    pool p = {.job = job, .work = work_of_jobs, .count = count};
    size_t wanted = threads;
    if (wanted == 0)
        wanted = sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (size_t)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    wanted = wanted > count ? count : wanted > THREADS_MAX ? THREADS_MAX : wanted;
    if (OUT_OF_MEMORY(p.results, count + 1))
        return fail_memory();
    for (size_t i = 0; i < count; i++)
        p.all_work += work_of(&p, i);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    if (count > 0)
        run_threads(&p, wanted);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    progress_clear();
    int code = conclude(&p, done);
    free(p.results);
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include "base/base.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#undef free

/* ---- the allocator: chosen once, before the first allocation; from then on only read ---- */

enum { UNDECIDED, THE_C_LIBRARYS, THE_PROGRAMS };
static atomic_int decided = UNDECIDED;
static rwa_allocator programs;

rwa_status rwa_set_allocator(const rwa_allocator *allocator, rwa_error *err)
{
    base_begin(err);
    int undecided = UNDECIDED;
    rwa_allocator ours = {0};
    MUST(base_take_options(&ours, sizeof ours, allocator, "rwa_allocator", err));
    if (!ours.allocate || !ours.resize || !ours.release)
        return base_refuse(err, "allocator: expected all of allocate, resize and release");
    if (atomic_load(&decided) == UNDECIDED)
        programs = ours;
    if (!atomic_compare_exchange_strong(&decided, &undecided, THE_PROGRAMS))
        return base_refuse(err, "allocator: memory is in use already, expected to be set once, before anything else");
    return RWA_OK;
}

static bool is_programs(void)
{
    int now = atomic_load_explicit(&decided, memory_order_acquire);
    if (now == UNDECIDED && atomic_compare_exchange_strong(&decided, &now, THE_C_LIBRARYS))
        now = THE_C_LIBRARYS;
    return now == THE_PROGRAMS;
}

/** Bytes: a huge page of x86-64. */
enum { HUGE_PAGE = 1 << 21 };

/** Ask the system to use huge pages for `memory`, `size` bytes, if that is at least one huge page: they cause fewer
 *  page faults.  Ignore a refusal.  Return `memory`. */
static void *prefer_huge_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (memory && size >= HUGE_PAGE) {
        size_t before = (uintptr_t)memory % (size_t)sysconf(_SC_PAGESIZE);
        madvise((char *)memory - before, before + size, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

/** Return zeroed memory for `size` bytes; NULL if there is not enough memory. */
static void *allocate(size_t size)
{
    if (!is_programs())
        return prefer_huge_pages(calloc(1, size), size);
    void *memory = programs.allocate(programs.data, size);
    return memory ? memset(memory, 0, size) : NULL;
}

static void *resize(void *memory, size_t size)
{
    if (is_programs())
        return programs.resize(programs.data, memory, size);
    return prefer_huge_pages(realloc(memory, size), size);
}

static struct base_header *header_of(void *array)
{
    assert(!array || ((struct base_header *)array)[-1].array == array);
    return array ? (struct base_header *)array - 1 : NULL;
}

void base_free(void *array)
{
    if (!array)
        return;
    if (is_programs())
        programs.release(programs.data, header_of(array));
    else
        free(header_of(array));
}

void base_free_all(void *const *memory, size_t count)
{
    for (size_t i = 0; i < count; i++)
        base_free(memory[i]);
}

/* ---- arrays ---- */

/** Return the bytes of `count` entries, at least one, and the header before them; 0: more than memory can have.  An
 *  address past the end of its memory would be no reference to it for tools that look for leaks. */
static size_t bytes_with_header(size_t count, size_t size)
{
    size_t most = SIZE_MAX - sizeof(struct base_header);
    return size > 0 && count > most / size ? 0 : sizeof(struct base_header) + (count ? count : 1) * size;
}

void *base_array(size_t count, size_t size, rwa_error *err)
{
    size_t bytes = bytes_with_header(count, size);
    struct base_header *header = bytes > 0 ? allocate(bytes) : NULL;
    if (!header) {
        base_fail(err, RWA_NOMEM, "out of memory for %zu entries of %zu bytes", count, size);
        return NULL;
    }
    *header = (struct base_header){header + 1, count * size};
    return header + 1;
}

rwa_status base_resize(void **array, size_t count, size_t size, rwa_error *err)
{
    size_t bytes = bytes_with_header(count, size);
    struct base_header *header = bytes > 0 ? resize(header_of(*array), bytes) : NULL;
    if (!header)
        return base_fail(err, RWA_NOMEM, "out of memory for %zu entries of %zu bytes", count, size);
    *header = (struct base_header){header + 1, count * size};
    *array = header + 1;
    return RWA_OK;
}

rwa_status base_grow(void **array, size_t need, size_t size, rwa_error *err)
{
    size_t had = base_bytes(*array) / size, capacity = had < 16 ? 16 : had;
    if (need <= had)
        return RWA_OK;
    while (capacity < need && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    return base_resize(array, RAISE(capacity, need), size, err);
}

rwa_status base_extend(void **array, size_t *count, size_t size, const void *from, size_t more, rwa_error *err)
{
    if (more == 0)
        return RWA_OK;
    MUST(base_grow(array, *count + more, size, err));
    memcpy((char *)*array + *count * size, from, more * size);
    *count += more;
    return RWA_OK;
}

size_t base_sort_unique(void *list, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *entry = list;
    size_t kept = 0;
    if (count > 0)
        qsort(list, count, size, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare(entry + (kept - 1) * size, entry + i * size) != 0)
            memmove(entry + kept++ * size, entry + i * size, size);
    return kept;
}

/** Return the bytes that this process may have: the machine's memory, or less if a resource limit says so. */
static double most_memory(void)
{
    static const int limits[] = {RLIMIT_DATA, RLIMIT_AS};
    double most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur < most)
            most = (double)limit.rlim_cur;
    return most;
}

rwa_status base_fits_memory(double bytes, const char *what, rwa_error *err)
{
    const double little = 1 << 20; /* bytes; for fewer, the allocation itself may fail */
    if (bytes <= little)
        return RWA_OK;
    double have = most_memory(), unit = have < 10 * 1073741824.0 ? 1048576.0 : 1073741824.0;
    if (bytes > have)
        return base_fail(err, RWA_NOMEM, "%s would need about %.0f %s of memory, expected at most %.0f", what,
                         ceil(bytes / unit), unit > 1e9 ? "GiB" : "MiB", have / unit);
    return RWA_OK;
}

char *base_copy_text(const char *text, rwa_error *err)
{
    size_t length = strlen(text) + 1;
    char *copy = base_array(length, 1, err);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What all modules use: headers of the C library, errors, checked memory, comparators, a seeded random generator, a
 *  clock, and limits on long work. */
#pragma once

#include "rwa/status.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** Begin a public call that takes an rwa_error (may be NULL): clear the failure that an earlier call left there. */
static inline void base_begin(rwa_error *err)
{
    if (err) {
        err->status = RWA_OK;
        err->text[0] = '\0';
    }
}

/** Fail with RWA_BADARG because a pointer passed to the public function `function` is NULL.  `names` is the text of the
 *  arguments of BEGIN(), separated by commas.  The message names the pointer: the last word of item `index` of that
 *  list, from 0. */
rwa_status base_refuse_null(rwa_error *err, const char *function, const char *names, size_t index);

/**
 * Begin a public function that returns a status: clear the error, and return RWA_BADARG for the first listed argument
 * that is NULL.
 * An item may be a condition that ends with the argument: `!count || list` (an array may be NULL when it has no
 * entries).
 */
#define BEGIN(err, ...)                                                             \
    do {                                                                            \
        const bool given_[] = {__VA_ARGS__};                                        \
        base_begin(err);                                                            \
        for (size_t i_ = 0; i_ < sizeof given_ / sizeof *given_; i_++)              \
            if (!given_[i_])                                                        \
                return base_refuse_null((err), __func__, #__VA_ARGS__, i_);         \
    } while (0)

/** Begin a public function that creates something, as BEGIN() does.  *out is NULL until it succeeds. */
#define BEGIN_NEW(out, err, ...)            \
    do {                                    \
        if (out)                            \
            *(out) = NULL;                  \
        BEGIN(err, out, __VA_ARGS__);       \
    } while (0)

/** Define a public function that returns a member of an object. */
#define GETTER(type, name, object, member)  \
    type name(const object *of)             \
    {                                       \
        return of->member;                  \
    }

/** Define a public function that returns the address of a member (GETTER_ADDRESS()), or entry i of an array in an
 *  object. */
#define GETTER_ADDRESS(type, name, object, member)  \
    const type *name(const object *of)              \
    {                                               \
        return &of->member;                         \
    }
#define GETTER_ENTRY(type, name, object, array)     \
    type name(const object *of, size_t i)           \
    {                                               \
        return of->array[i];                        \
    }

/** Define a public function that returns a text of entry i of a table, or NULL past its end.  `member` includes its `.`
 *  or `->`. */
#define LISTED(name, table, member)                                             \
    const char *name(size_t i)                                                  \
    {                                                                           \
        return i < sizeof(table) / sizeof *(table) ? (table)[i] member : NULL;  \
    }

/** Return the index of a name in a table, or SIZE_MAX if the table does not have it.  listed(i) returns name i of the
 *  table, NULL past its end. */
size_t base_find_name(const char *(*listed)(size_t i), const char *name);
/** Set *found to the index of a name in a table.  listed(i) returns name i of the table, NULL past its end.  RWA_BADARG
 *  if the table does not have the name; the message says which names it has, and begins with `what`: 'scheme "x":
 *  unknown, expected …'. */
rwa_status base_find_listed(size_t *found, const char *(*listed)(size_t i), const char *what, const char *name,
                            rwa_error *err);

/** Define a public function that returns the text of an enum value after its map of X(id, number, text).  For other
 *  numbers it returns `none`. */
#define NAMED(name, type, map, none)    \
    const char *name(type value)        \
    {                                   \
        map(NAMED_TEXT)                 \
        return none;                    \
    }
#define NAMED_TEXT(id, number, text) if (value == (number)) return text;

/** Record a failure, its status and a message, in *err, unless one is recorded there already.  Return `status` in
 *  either case.  err may be NULL. */
rwa_status base_fail(rwa_error *err, rwa_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Record a failure RWA_BADARG with a message, as base_fail() does. */
#define base_refuse(err, ...) base_fail((err), RWA_BADARG, __VA_ARGS__)

/** Record a failure RWA_FORMAT at a place in a file, and return it, as base_fail() does.  The message begins with
 *  "FILE:LINE: "; if line is 0, with "FILE: ITEM: "; if `item` is empty too, with "FILE: ". */
rwa_status base_fail_at(rwa_error *err, const char *file, size_t line, const char *item, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Name the place in a file at which a call failed; `st` is what the call returned.  Put "FILE:LINE: " (line 0: "FILE:
 *  ") before the text that the call recorded in *err.  Return st, but RWA_FORMAT in place of RWA_BADARG.  If st is
 *  RWA_OK, only return it. */
rwa_status base_blame(rwa_status st, const char *file, uint64_t line, rwa_error *err);

/** Make a call that may fail, in a function with a local `st` and one exit `done:`, which releases what the function
 *  owns.  On failure go to `done`. */
#define TRY(expr)                 \
    do {                          \
        st = (expr);              \
        if (st != RWA_OK)         \
            goto done;            \
    } while (0)

/** Make a call that may fail, in a function that owns nothing.  A failure is returned at once. */
#define MUST(expr)                     \
    do {                               \
        rwa_status must_ = (expr);     \
        if (must_ != RWA_OK)           \
            return must_;              \
    } while (0)

/** Allocate a zeroed array of `count` entries of `size` bytes.  Return NULL, with the failure recorded, if the product
 *  overflows or memory is out.  For count 0 the pointer is not NULL, but points to nothing. */
void *base_array(size_t count, size_t size, rwa_error *err);

/** Allocate an array for a pointer: RWA_OK, or RWA_NOMEM with the pointer NULL. */
#define base_new(array, count, err) (((array) = base_array((count), sizeof *(array), (err))) ? RWA_OK : RWA_NOMEM)

/** The memory before each array from base_array(), base_grow() or base_resize() says how large the array is, so that
 *  arrays grow without a count of the caller's. */
struct base_header {
    _Alignas(max_align_t) const void *array;    /* so that asserts recognise other arrays, which cannot grow */
    size_t bytes;
};

/** Return the number of entries for which such an array has memory; 0 if it is NULL. */
#define base_capacity(array) (base_bytes(array) / sizeof *(array))
static inline size_t base_bytes(const void *array)
{
    const struct base_header *header = array;
    assert(!array || header[-1].array == array);
    return array ? header[-1].bytes : 0;
}

/** Grow *array, of entries of `size` bytes, to at least `need` entries.  If it must grow, its capacity at least
 *  doubles.  On failure (RWA_NOMEM) the array stays as it is. */
rwa_status base_grow(void **array, size_t need, size_t size, rwa_error *err);

/** Grow an array, as base_grow() does. */
#define base_reserve(array, need, err) \
    ((need) <= base_capacity(array) ? RWA_OK : base_grow((void **)&(array), (need), sizeof *(array), (err)))

/** Append `more` entries from another array to a growing one: RWA_OK, or RWA_NOMEM with the array unchanged. */
#define base_append_all(array, count, err, from, more) \
    base_extend((void **)&(array), &(count), sizeof *(array), (from), (more), (err))
rwa_status base_extend(void **array, size_t *count, size_t size, const void *from, size_t more, rwa_error *err);

/** Append a value to the `count` entries of a growing array: RWA_OK, or RWA_NOMEM with the array unchanged. */
#define base_append(array, count, err, ...)                                                                     \
    (base_reserve(array, (size_t)(count) + 1, err) == RWA_OK                                                    \
         ? ((array)[(count)++] = (__VA_ARGS__), RWA_OK) : RWA_NOMEM)

/** Give *array memory for exactly `count` entries of `size` bytes.  On failure (RWA_NOMEM) the array stays as it is. */
rwa_status base_resize(void **array, size_t count, size_t size, rwa_error *err);

/** Return RWA_NOMEM with a message if `what`, which needs this number of bytes, exceeds the machine's physical memory
 *  or the limits of the process. */
rwa_status base_fits_memory(double bytes, const char *what, rwa_error *err);

/** Return a copy of a text, which the caller frees; NULL if memory is out. */
char *base_copy_text(const char *text, rwa_error *err);

/** Initialise a caller's options, the structure `theirs` of `size` bytes.  Set it to zeros, then copy into it the
 *  defaults, which have `known` bytes, as far as they fit.  Then set its first member, struct_size, to `size`. */
void base_init_options(void *theirs, size_t size, const void *defaults, size_t known);
/** Define the public function that initialises options of a type with these defaults. */
#define OPTIONS(type, ...)                                          \
    void type##_init_sized(type *opts, size_t size)                 \
    {                                                               \
        static const type defaults = {__VA_ARGS__};                 \
        base_init_options(opts, size, &defaults, sizeof defaults);  \
    }
/** Set options of a type to their defaults, then copy the caller's options (NULL: none) over them.  RWA_BADARG. */
#define base_options(type, ours, theirs, err) \
    (type##_init(ours), base_take_options((ours), sizeof *(ours), (theirs), #type, (err)))
/** Copy a caller's options, `theirs`, over the defaults in `ours`, as many bytes as their struct_size says; theirs
 *  NULL: keep the defaults.  `size` is the size of `ours`, `name` the name of the type.  RWA_BADARG: a struct_size that
 *  is too small or larger than `size`, or a member outside the range that options.c lists for it. */
rwa_status base_take_options(void *ours, size_t size, const void *theirs, const char *name, rwa_error *err);

/** Copy an answer, `ours` of our_size bytes, into the caller's structure `theirs` of `size` bytes.  If that is smaller,
 *  it gets the first members; if it is larger, the rest becomes zeros. */
void base_give_answer(void *theirs, size_t size, const void *ours, size_t our_size);

/** Return map[number], or `number` itself if `map` is NULL. */
static inline uint32_t base_mapped(const uint32_t *map, uint32_t number)
{
    return map ? map[number] : number;
}

/** Tell whether bit i of a set in 64-bit words is set; set_bit() sets it, clear_bit() clears it. */
static inline bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}
static inline void clear_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/** Set *mask to those of the `count` bits from bit `from` on that lie in the same 64-bit word as the first one.
 *  Return how many they are. */
static inline uint64_t bits_of_word(uint64_t *mask, uint64_t from, uint64_t count)
{
    uint64_t rest = 64 - from % 64, here = count < rest ? count : rest;
    assert(count > 0);
    *mask = UINT64_MAX >> (64 - here) << from % 64;
    return here;
}

/** Return the ending of a plural: "s", or "" for a count of 1. */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/** Return the next random number of 64 bits (splitmix64), and advance the state.  The project has no other source of
 *  randomness. */
static inline uint64_t base_random(uint64_t *state)
{
    /* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) */
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
/** Return a random number that is uniform in 0 … below - 1; below > 0. */
static inline uint64_t base_random_below(uint64_t *state, uint64_t below)
{
    uint64_t value = base_random(state);
    /* From UINT64_MAX - UINT64_MAX % below on values are refused, so that all remainders are equally likely; hardly any
     * value is so large that this division is needed. */
    while (value > UINT64_MAX - below && value >= UINT64_MAX - UINT64_MAX % below)
        value = base_random(state);
    return value % below;
}
/** Raise a variable to `value` if that is larger (LOWER(): lower it if that is smaller).  Both are evaluated more than
 *  once. */
#define RAISE(variable, value) ((variable) = (value) > (variable) ? (value) : (variable))
#define LOWER(variable, value) ((variable) = (value) < (variable) ? (value) : (variable))

/** Shuffle a list so that all orders are equally likely. */
void base_shuffle(uint32_t *list, uint32_t count, uint64_t *state);

/* ---- comparators of qsort() and bsearch(): one line for each key; the first key that differs decides ---- */

/** Return from a comparator if the keys differ; the smaller key comes first. */
#define ASCENDING(a, b)                         \
    do {                                        \
        if ((a) != (b))                         \
            return (a) < (b) ? -1 : 1;          \
    } while (0)
/** Return from a comparator if the keys differ; the larger key comes first. */
#define DESCENDING(a, b) ASCENDING(b, a)
/** Define a comparator of a type by several members, as in COMPARATOR(by_ends, struct pair, UP(src) DOWN(dst)). */
#define COMPARATOR(name, type, keys)                \
    static int name(const void *a, const void *b)   \
    {                                               \
        const type *x = a, *y = b;                  \
        keys                                        \
        return 0;                                   \
    }
#define UP(key) ASCENDING(x->key, y->key);
#define DOWN(key) DESCENDING(x->key, y->key);

/** Sort an array with qsort().  It may be NULL if it has no entries. */
#define base_sort(list, count, compare) ((count) > 0 ? qsort((list), (count), sizeof *(list), (compare)) : (void)0)

/** Sort an array and remove repeated entries, keeping the first of each.  Return the number of entries left. */
size_t base_sort_unique(void *list, size_t count, size_t size, int (*compare)(const void *, const void *));

static inline int order_uint32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int order_uint64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/** Tell whether a text has digits, and nothing else. */
static inline bool base_is_digits(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/** Return the index of the first entry of a sorted list that is equal to `sought` or comes after it; `count` if there
 *  is no such entry. */
static inline size_t base_first_from(const void *list, size_t count, size_t size, const void *sought,
                                     int (*compare)(const void *, const void *))
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (compare((const char *)list + middle * size, sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- binary heaps in arrays, the entry that is before all others on top ---- */

/** Define the functions of a binary heap of a type, ordered by `bool is_before(const type *, const type *)`:
 *  name_push() and name_pop(); name_sink(), which restores the order if an entry may be too near the top; name_rise(),
 *  if the last entry may be too far from the top. */
#define HEAP(name, type, is_before)                                                                                    \
    static inline void name##_sink(type *heap, size_t count, size_t at)                                                \
    {                                                                                                                  \
        type moved = heap[at];                                                                                         \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                                           \
            child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);                                   \
            if (!is_before(&heap[child], &moved))                                                                      \
                break;                                                                                                 \
            heap[at] = heap[child];                                                                                    \
            at = child;                                                                                                \
        }                                                                                                              \
        heap[at] = moved;                                                                                              \
    }                                                                                                                  \
    static inline type name##_pop(type *heap, size_t *count)                                                           \
    {                                                                                                                  \
        assert(*count > 0);                                                                                            \
        type first = heap[0];                                                                                          \
        heap[0] = heap[--*count];                                                                                      \
        name##_sink(heap, *count, 0);                                                                                  \
        return first;                                                                                                  \
    }                                                                                                                  \
    static inline void name##_rise(type *heap, size_t count)                                                           \
    {                                                                                                                  \
        size_t at = count - 1;                                                                                         \
        type moved = heap[at];                                                                                         \
        for (; at > 0 && is_before(&moved, &heap[(at - 1) / 2]); at = (at - 1) / 2)                                    \
            heap[at] = heap[(at - 1) / 2];                                                                             \
        heap[at] = moved;                                                                                              \
    }                                                                                                                  \
    static inline rwa_status name##_push(type **heap, size_t *count, type entry, rwa_error *err)                       \
    {                                                                                                                  \
        MUST(base_append(*heap, *count, err, entry));                                                                  \
        name##_rise(*heap, *count);                                                                                    \
        return RWA_OK;                                                                                                 \
    }

double base_now_s(void);

/** A limit on long work: a deadline, and a function of the caller that is polled.  deadline_s 0: no deadline. */
struct budget {
    double deadline_s;
    rwa_poll poll;
    void *data;
    bool cancelled;
    uint64_t looks;                 /* 1: the budget has ended; n > 1: it ends after n - 1 more calls; 0: no limit on
                                       calls */
    struct rwa_programs *programs;  /* files for integer programs; NULL: none is written */
};
/** Return a budget that ends limit_s seconds from now (0: no deadline) or when the caller's poll function says so. */
struct budget base_budget(double limit_s, rwa_poll poll, void *data);
/** Return a budget that has a share (0 … 1) of the time left of another budget; if that has no deadline, a copy of
 *  it. */
struct budget base_budget_part(const struct budget *whole, double share);
/** Tell whether the work must stop because its time is over or the caller's poll function says so.  The poll function
 *  gets `phase`, the name of the work, and the fraction of it that is done (-1: unknown).  After it has said so,
 *  budget->cancelled is set, and it is not called again. */
bool base_must_stop(struct budget *budget, const char *phase, double fraction);
/** A poll function (rwa_poll) for calls that make a budget of their own.  Its user data is `budget`, a struct budget.
 *  Return 1 if the work of that budget must stop (base_must_stop()), else 0. */
int base_poll_budget(void *budget, const char *phase, double fraction);
/** Tell whether the deadline passed more than 0.1 s ago.  Up to then a call may still return its first answer. */
bool base_is_late(const struct budget *budget);

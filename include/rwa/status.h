/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The status of a call (rwa_status), the outcome of a search (rwa_outcome), and the reason of a failure
 *  (rwa_error). */
#ifndef RWA_STATUS_H
#define RWA_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RWA_LINKAGE extern "C"
#else
#define RWA_LINKAGE
#endif
#if defined(__GNUC__)
#define RWA_API RWA_LINKAGE __attribute__((visibility("default")))
#else
#define RWA_API RWA_LINKAGE
#endif

/** Declare TYPE_init(), which sets a structure of this type to its defaults, and its first member, struct_size, to its
 *  size where the program is compiled. */
#define RWA_INIT(type)                                          \
    RWA_API void type##_init_sized(type *opts, size_t size);    \
    static inline void type##_init(type *opts)                  \
    {                                                           \
        type##_init_sized(opts, sizeof *opts);                  \
    }

/** id, value, text; values are part of the ABI and never change. */
#define RWA_STATUS_MAP(X)                                              \
    X(OK, 0, "success")                                                \
    X(BADARG, -1, "invalid argument")                                  \
    X(NOMEM, -2, "out of memory")                                      \
    X(BACKEND, -3, "a solver library failed")                          \
    X(FORMAT, -4, "the file cannot be read as its format")             \
    X(IO, -5, "a file could not be read or written")                   \
    X(CANCELLED, -6, "stopped by the caller")

/** Whether the call worked.  "No such plan exists" is an outcome, not an error. */
typedef enum rwa_status {
#define X(id, value, text) RWA_##id = value,
    RWA_STATUS_MAP(X)
#undef X
} rwa_status;

/** The outcome of a search. */
typedef enum rwa_outcome {
    RWA_OPTIMAL = 1,   /**< an answer, and a lower bound that proves it cannot be improved */
    RWA_FEASIBLE,      /**< an answer; not proven to be the best */
    RWA_INFEASIBLE,    /**< proven: there is no answer under the given limits */
    RWA_UNDECIDED      /**< a limit ended the search before any answer */
} rwa_outcome;

/** No number, where a node, a link, a format … is expected or answered. */
#define RWA_NONE UINT32_MAX
/** No index, among 64-bit ones. */
#define RWA_NO_INDEX UINT64_MAX

enum { RWA_ERROR_TEXT = 1024 };

/**
 * The first failure of one call, in words.  The caller owns the record and initializes it with `= {0}` (C++: `{}`).
 * Each public function that takes a record clears it first, so one record serves any number of calls.
 */
typedef struct rwa_error {
    rwa_status status;          /**< what the call returned */
    char text[RWA_ERROR_TEXT];  /**< one line, no newline: "FILE:LINE: what is wrong, and what was expected" */
} rwa_error;

/**
 * Called repeatedly by long work.
 * @param data      the caller's pointer, given with the callback
 * @param phase     the name of the present phase; valid during the call
 * @param fraction  the part of the phase that is done, 0 … 1; negative: unknown
 * @return 0 to continue; any other value stops the work, which then returns RWA_CANCELLED or its best checked answer
 */
typedef int (*rwa_poll)(void *data, const char *phase, double fraction);

/**
 * The caller's function that takes the bytes of an output, piece by piece and in order.
 * @param data   the caller's pointer, given with the function
 * @param bytes  `size` bytes, at least 1 and at most 131072; valid during the call; not ended by a 0
 * @return 0 to continue; any other value stops the output, which then returns RWA_CANCELLED
 */
typedef int (*rwa_write)(void *data, const char *bytes, size_t size);

/** Return the fixed English text of a status; rwa_outcome_text() returns that of an outcome.  Never NULL. */
RWA_API const char *rwa_status_text(rwa_status status);
RWA_API const char *rwa_outcome_text(rwa_outcome outcome);

/** Clear the record of a failure: status RWA_OK, empty text.  err may be NULL. */
RWA_API void rwa_error_clear(rwa_error *err);

/** Make an untrusted text one line that is safe for a terminal: replace each control character, also U+0080 to U+009F
 *  in UTF-8, by "?".  Return the text. */
RWA_API char *rwa_text_make_visible(char *text);
/** Write a text to a file.  The file appears whole or not at all; path and errors as rwa_schedule_write(). */
RWA_API rwa_status rwa_text_write(const char *text, const char *path, rwa_error *err);
/** Free a text from this library; NULL is allowed. */
RWA_API void rwa_text_free(char *text);

/** Return the version of the library that is running, such as "0.1.0". */
RWA_API const char *rwa_version(void);
/** rwa_library_name() returns the name of library i = 0, 1, … that this one uses, rwa_library_version() the version of
 *  it that is running; constants; NULL past the end. */
RWA_API const char *rwa_library_name(size_t i);
RWA_API const char *rwa_library_version(size_t i);

/** The source of the library's memory.  GLPK, igraph, jansson, libxml2 and zlib keep their own allocators.  The
 *  functions are called from every thread that calls the library. */
typedef struct rwa_allocator {
    size_t struct_size;                                     /**< sizeof (rwa_allocator) */
    void *(*allocate)(void *data, size_t size);             /**< as malloc(); size is never 0 */
    void *(*resize)(void *data, void *memory, size_t size); /**< as realloc(); memory may be NULL, size is never 0 */
    void (*release)(void *data, void *memory);              /**< as free(); memory is never NULL */
    void *data;                                             /**< handed to each of them */
} rwa_allocator;

/**
 * Replace malloc() by the program's allocator, once, for the whole process.  Call it before any other function of the
 * library and before other threads call the library; it fails when the library has memory in use.
 * @param allocator  copied; its functions must be safe in all threads that call the library
 * @return RWA_OK; RWA_BADARG: a function missing, set before, or memory in use already
 */
RWA_API rwa_status rwa_set_allocator(const rwa_allocator *allocator, rwa_error *err);

#endif

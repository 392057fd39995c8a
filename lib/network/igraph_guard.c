/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/igraph_guard.h"

#include "network/network.h"

#include "base/number.h"

#include <igraph.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The lock guards this and the variables below. */
static char reason[256];
static igraph_error_handler_t *former_error;
static igraph_warning_handler_t *former_warning;
static igraph_attribute_table_t *former_table;
static locale_t former_locale;

static void keep_reason(const char *text, const char *file, int line, igraph_error_t code)
{
    (void)file;
    (void)line;
    (void)code;
    if (!reason[0])
        snprintf(reason, sizeof reason, "%.*s", (int)strcspn(text, "\n"), text);
    IGRAPH_FINALLY_FREE();
}

static void ignore(const char *text, const char *file, int line)
{
    (void)text;
    (void)file;
    (void)line;
}

void igraph_guard_enter(void)
{
    pthread_mutex_lock(&lock);
    reason[0] = '\0';
    former_error = igraph_set_error_handler(keep_reason);
    former_warning = igraph_set_warning_handler(ignore);
    former_table = igraph_set_attribute_table(&igraph_cattribute_table);
    former_locale = number_enter();
}

void igraph_guard_leave(void)
{
    number_leave(former_locale);
    igraph_set_attribute_table(former_table);
    igraph_set_warning_handler(former_warning);
    igraph_set_error_handler(former_error);
    pthread_mutex_unlock(&lock);
}

/** Return the line number in igraph's last error message, such as 3 in "…, line 3 (…)"; 0 if it has none. */
static unsigned long line_of_reason(void)
{
    const char *at = strstr(reason, "line ");
    return at ? strtoul(at + 5, NULL, 10) : 0;
}

rwa_status igraph_guard_status(int code, const char *what, rwa_error *err)
{
    const char *text = reason[0] ? reason : igraph_strerror((igraph_error_t)code);
    rwa_status st = code == IGRAPH_PARSEERROR || code == IGRAPH_EINVAL ? RWA_FORMAT : RWA_BACKEND;
    if (code == IGRAPH_SUCCESS)
        return RWA_OK;
    if (code == IGRAPH_ENOMEM)
        return base_fail(err, RWA_NOMEM, "out of memory for %s", what);
    if (line_of_reason() > 0)
        return base_fail(err, st, "%s:%lu: %s", what, line_of_reason(), text);
    return base_fail(err, st, "%s: %s", what, text);
}

const char *network_igraph_version(void)
{
    const char *version = NULL;
    igraph_version(&version, NULL, NULL, NULL);
    return version;
}

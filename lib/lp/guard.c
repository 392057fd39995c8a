/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lp/guard.h"

#include <glpk.h>
#include <setjmp.h>

struct guard {
    jmp_buf out;    /* GLPK would end the process on an internal error; jump here instead */
    char text[128]; /* GLPK's message */
    size_t length;
};

static void leave(void *info)
{
    struct guard *guard = info;
    longjmp(guard->out, 1);
}

/* Keep the first line of the text that GLPK prints, the error, in `info`, a struct guard; the rest names GLPK's source
 * file.  Return nonzero, so that GLPK prints nothing to the terminal. */
static int listen(void *info, const char *text)
{
    struct guard *guard = info;
    for (; *text && guard->length + 1 < sizeof guard->text; text++) {
        if (*text == '\n')
            guard->length = sizeof guard->text;
        else
            guard->text[guard->length++] = *text;
    }
    return 1;
}

static rwa_status report(const struct guard *guard, rwa_error *err)
{
    if (strstr(guard->text, "memory"))
        return base_fail(err, RWA_NOMEM, "GLPK: %s", guard->text);
    return base_fail(err, RWA_BACKEND, "GLPK: %s", guard->text[0] ? guard->text : "internal error");
}

rwa_status lp_guard(void (*work)(void *job), void *job, bool *fresh, rwa_error *err)
{
    static _Thread_local struct guard own; /* not on the stack, where longjmp may lose variables; one for each
                                              thread, as in GLPK */
    struct guard *guard = &own;
    rwa_status st;
    int ready = glp_init_env();
    *fresh = ready == 0;
    if (ready > 1)
        return base_fail(err, RWA_NOMEM, "GLPK: no memory to start");
    guard->length = 0;
    memset(guard->text, 0, sizeof guard->text);
    if (setjmp(guard->out) == 0) {
        int terminal = glp_term_out(GLP_OFF); /* an internal error turns the terminal on again, so that the hook sees
                                                 only that error */
        glp_term_hook(listen, guard);
        glp_error_hook(leave, guard);
        work(job);
        glp_error_hook(NULL, NULL);
        glp_term_hook(NULL, NULL);
        glp_term_out(terminal);
        st = RWA_OK;
    } else {
        glp_free_env(); /* the only call that GLPK allows after an error; it removes the hooks too */
        *fresh = false;
        st = report(guard, err);
    }
    return st;
}

void lp_leave(bool fresh)
{
    if (fresh)
        glp_free_env();
}

int lp_limits(double lower, double upper)
{
    if (isinf(lower))
        return isinf(upper) ? GLP_FR : GLP_UP;
    if (isinf(upper))
        return GLP_LO;
    return lower < upper ? GLP_DB : GLP_FX;
}

const char *lp_version(void)
{
    return glp_version();
}

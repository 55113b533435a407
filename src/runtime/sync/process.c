#include "runtime/sync/process.h"

#include "runtime/image/constructors.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_user_main(int argc, char **argv, char **envp) __attribute__((weak));

enum { MAX_HANDLERS = 1024, STATUS_BITS = 255 };

/* A handler of atexit (`plain`) or of on_exit (`told`). */
typedef struct handler {
    void (*plain)(void);
    void (*told)(int status, void *argument);
    void *argument;
} handler;

typedef struct handlers {
    handler list[MAX_HANDLERS];
    int count;
} handlers;

/* A call of exit, quick_exit or _exit. */
typedef struct leaving {
    int status;
    uint32_t shadow; /* of the status */
    const hd_site *site;
} leaving;

static struct {
    int argc;
    char **argv;
    handlers at_exit, at_quick_exit;
    int has_handlers; /* handlers were registered while only one thread existed */
    const hd_site *returned_at; /* main's return statement */
    int returned_nothing; /* main has no result */
} process;

/* Arguments that are inputs replace those on the command line, or come after them. */
static char **with_inputs(int argc, char **argv, int count)
{
    char **all = calloc((size_t)count + 1, sizeof *all);
    for (int i = 0; all && i < count; i++) {
        char *input = hd_sources_argument(i);
        all[i] = input ? input : i < argc ? argv[i] : "";
    }
    return all;
}

void hd_process_init(int argc, char **argv)
{
    process.argc = hd_sources_arguments(argc);
    process.argv = hd_sources_has_arguments() ? with_inputs(argc, argv, process.argc) : argv;
}

void hd_process_reset(void)
{
    process.at_exit.count = process.at_quick_exit.count = 0;
    process.has_handlers = 0;
    process.returned_at = NULL;
    process.returned_nothing = 0;
    hd_send_reset();
}

/* The first code of a run on thread T0: inputs that the program does not ask for, constructors, main, exit. */
void hd_process_main(void)
{
    if (!hd_user_main) {
        fprintf(stderr, "heddle: the program has no main that was compiled with heddle cc\n");
        exit(2);
    }
    hd_sources_draw();
    if (hd_has_destructors())
        hd_process_at_exit(hd_destructors_run);
    hd_constructors_run(process.argc, process.argv, environ);
    int status = hd_user_main(process.argc, process.argv, environ);
    hd_call_site = process.returned_at;
    hd_process_exit(process.returned_nothing ? 0 : status, hd_returned_by((const void *)hd_user_main));
}

__attribute__((visibility("default"))) void hd_main_returns(const hd_site *site)
{
    process.returned_at = site;
}

__attribute__((visibility("default"))) void hd_main_returns_nothing(void)
{
    process.returned_nothing = 1;
}

/* Other threads may change the list while one runs it, so uses of it are operations; in programs without handlers
 * there are none. */
static void use(const handlers *h)
{
    if (process.has_handlers || hd_known->handlers)
        hd_access_object(h, hd_call_site);
}

/* Handlers that are registered while several threads exist make uses of the list operations: that is learned. */
static int add_handler(handlers *h, handler what)
{
    if (h->count == MAX_HANDLERS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d handlers of exit are not modelled", MAX_HANDLERS);
    if (!hd_fast_state.waits)
        process.has_handlers = 1;
    else if (!hd_known->handlers) {
        hd_known->handlers = 1;
        hd_learned();
    }
    use(h);
    h->list[h->count++] = what;
    return 0;
}

int hd_process_at_exit(void (*plain)(void))
{
    return add_handler(&process.at_exit, (handler) { .plain = plain });
}

int hd_process_on_exit(void (*told)(int, void *), void *argument)
{
    return add_handler(&process.at_exit, (handler) { .told = told, .argument = argument });
}

int hd_process_at_quick_exit(void (*plain)(void))
{
    return add_handler(&process.at_quick_exit, (handler) { .plain = plain });
}

static void check_leaks(void)
{
    size_t size;
    const hd_site *site;
    if (hd_rt.options->settings.leaks && hd_heap_first_leak(&size, &site))
        hd_end(HD_LEAK, site, "%zu bytes were allocated here and never freed", size);
}

static _Noreturn void end(const leaving *by)
{
    int status = by->status & STATUS_BITS;
    check_leaks();
    hd_rt.outcome->exit_status = (uint16_t)status;
    if (status && !hd_rt.options->settings.any_exit)
        hd_end(HD_EXIT_STATUS, by->site, "exit status %d", status);
    hd_end(HD_FINISHED, NULL, "");
}

static void run_handler(const handler *h, const leaving *by)
{
    if (h->plain) {
        h->plain();
        return;
    }
    hd_branch_follow(by->shadow, by->site);
    h->told(by->status, h->argument);
}

/* If a handler calls exit, that call runs the remaining handlers. */
static void run_handlers(handlers *h, const leaving *by)
{
    for (use(h); h->count; use(h))
        run_handler(&h->list[--h->count], by);
}

/* Other inputs may give another status: whether it is 0 is a branch. */
static void look_at_status(const leaving *by)
{
    if (!by->shadow || hd_rt.options->settings.any_exit)
        return;
    uint32_t seen = hd_follow_make(HD_EXPR_AND, 32, by->shadow, (uint32_t)by->status, 0, STATUS_BITS);
    hd_branch(hd_follow_make(HD_MADE_NE, 32, seen, 0, 0, 0), (by->status & STATUS_BITS) != 0, by->site);
}

/* The end, after the handlers, is an operation: other threads continue until then. Whether it is one must not depend on
 * what other threads have done so far, so it is one if any thread has not been joined, even if all have ended. */
static _Noreturn void exit_after(handlers *h, int status, uint32_t shadow)
{
    leaving by = { status, shadow, hd_call_site };
    look_at_status(&by);
    if (h)
        run_handlers(h, &by);
    hd_call_site = by.site;
    if (hd_fast_state.waits && hd_exploring())
        hd_perform(HD_EXIT, NULL, NULL);
    end(&by);
}

void hd_process_last_thread_ends(void)
{
    leaving by = { 0 };
    run_handlers(&process.at_exit, &by);
    end(&by);
}

void hd_process_exit(int status, uint32_t shadow)
{
    exit_after(&process.at_exit, status, shadow);
}

void hd_process_exit_quickly(int status, uint32_t shadow)
{
    exit_after(&process.at_quick_exit, status, shadow);
}

void hd_process_exit_at_once(int status, uint32_t shadow)
{
    exit_after(NULL, status, shadow);
}

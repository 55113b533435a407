#include "runtime/process.h"

#include "abi/fast.h"
#include "runtime/heap.h"
#include "runtime/libc/libc.h"
#include "runtime/sched.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/sources.h"
#include "runtime/sync/send.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_user_main(int argc, char **argv, char **envp) __attribute__((weak));

enum { MAX_HANDLERS = 64, STATUS_BITS = 255 };

typedef struct handlers {
    void (*list[MAX_HANDLERS])(void);
    int count;
} handlers;

static struct {
    int argc;
    char **argv;
    char *text; /* the arguments' bytes, as given */
    size_t text_size;
    handlers at_exit, at_quick_exit;
    int exit_before_main, quick_exit_before_main; /* of them, set by constructors */
    int exiting;
    const hd_site *returned_at; /* main's return statement */
} process;

/* The user may change its arguments: each run gets a fresh copy of them. Those
 * that are inputs may come behind the others. */
static char **copy_arguments(int *count)
{
    static char **copy;
    static char *bytes;
    *count = hd_sources_arguments(process.argc);
    if (!copy) {
        copy = malloc(sizeof *copy * (size_t)(*count + 1));
        bytes = malloc(process.text_size + 1);
    }
    char *at = bytes, *input;
    for (int i = 0; i < *count; i++) {
        copy[i] = at;
        if ((input = hd_sources_argument(i)))
            copy[i] = input;
        else if (i < process.argc)
            at = stpcpy(at, process.argv[i]) + 1;
        else
            copy[i] = ""; /* between the last one given and an input */
    }
    copy[*count] = NULL;
    return copy;
}

void hd_process_init(int argc, char **argv, char **envp)
{
    process.argc = argc;
    process.argv = argv;
    (void)envp;
    for (int i = 0; i < argc; i++)
        process.text_size += strlen(argv[i]) + 1;
}

void hd_process_save(void)
{
    process.exit_before_main = process.at_exit.count;
    process.quick_exit_before_main = process.at_quick_exit.count;
    hd_send_save();
}

void hd_process_reset(void)
{
    process.at_exit.count = process.exit_before_main;
    process.at_quick_exit.count = process.quick_exit_before_main;
    process.exiting = 0;
    process.returned_at = NULL;
    hd_send_reset();
    hd_libc_reset();
}

void hd_process_main(void)
{
    if (!hd_user_main) {
        fprintf(stderr, "heddle: the program has no main that was compiled with heddle cc\n");
        exit(2);
    }
    int count;
    hd_sources_draw();
    char **arguments = copy_arguments(&count);
    int status = hd_user_main(count, arguments, environ);
    hd_call_site = process.returned_at;
    hd_process_exit(status, hd_returned_by((const void *)hd_user_main));
}

__attribute__((visibility("default"))) void hd_main_returns(const hd_site *site)
{
    process.returned_at = site;
}

static int add_handler(handlers *h, void (*handler)(void))
{
    if (h->count == MAX_HANDLERS)
        return -1;
    h->list[h->count++] = handler;
    return 0;
}

int hd_process_at_exit(void (*handler)(void))
{
    return add_handler(&process.at_exit, handler);
}

int hd_process_at_quick_exit(void (*handler)(void))
{
    return add_handler(&process.at_quick_exit, handler);
}

int hd_process_others_left(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (&hd_threads[i] != hd_current && hd_thread_lives(&hd_threads[i]))
            return 1;
    return 0;
}

static void check_leaks(void)
{
    size_t size;
    const hd_site *site;
    if (hd_rt.options->leaks && hd_heap_first_leak(&size, &site))
        hd_end(HD_LEAK, site, "%zu bytes were allocated here and never freed", size);
}

static _Noreturn void end(int status, const hd_site *site)
{
    check_leaks();
    status &= STATUS_BITS;
    hd_rt.outcome->exit_status = (uint16_t)status;
    if (status && !hd_rt.options->any_exit)
        hd_end(HD_EXIT_STATUS, site, "exit status %d", status);
    hd_end(HD_FINISHED, NULL, "");
}

static _Noreturn void run_handlers(handlers *h, int status, const hd_site *site)
{
    while (h && !process.exiting && h->count)
        h->list[--h->count]();
    process.exiting = 1;
    end(status, site);
}

/* Other inputs may make another status of it. */
static void look_at_status(int status, uint32_t shadow, const hd_site *site)
{
    if (!shadow || hd_rt.options->any_exit)
        return;
    uint32_t seen = hd_follow_make(HD_EXPR_AND, 32, shadow, (uint32_t)status, 0, STATUS_BITS);
    hd_branch(hd_follow_make(HD_MADE_NE, 32, seen, 0, 0, 0), (status & STATUS_BITS) != 0, site);
}

/* Whether it is an operation must not depend on what other threads happen to
 * have done: it is if any thread has not been joined. */
static _Noreturn void exit_after(handlers *h, int status, uint32_t shadow)
{
    const hd_site *site = hd_call_site;
    if (!hd_current)
        exit(status); /* in a constructor */
    look_at_status(status, shadow, site);
    if (hd_fast_state.waits && hd_exploring())
        hd_perform(HD_EXIT, NULL, NULL);
    run_handlers(h, status, site);
}

void hd_process_last_thread_ends(void)
{
    run_handlers(&process.at_exit, 0, NULL);
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

#include "runtime/kernel/rights.h"
#include "runtime/sync/process.h"

#include "abi/system.h"
#include "runtime/image/constructors.h"
#include "runtime/image/snapshot.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/fifo.h"
#include "runtime/kernel/unreceived.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/kernel.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/sync/children.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/fs.h"
#include "runtime/sync/mutex.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/follow.h"
#include "runtime/symbolic/sources.h"

#include <alloca.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int hd_user_main(int argc, char **argv, char **envp) __attribute__((weak));
extern const hd_process_image __start_hd_system[] __attribute__((weak));
extern const hd_process_image __stop_hd_system[] __attribute__((weak));

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
    int signal; /* by which another process has ended this one */
} leaving;

typedef struct process {
    const hd_process_image *image; /* of its program; NULL: that is linked alone */
    int argc;
    char **argv;
    int (*main)(int argc, char **argv, char **envp);
    const hd_init *inits; /* its constructors and destructors; NULL: those of all modules */
    const char *rank; /* hd_process_image */
    int is_main;
    uint32_t crashes;
    int is_doomed; /* it crashes in this run */
    int has_handlers; /* handlers were registered while only one thread existed */
    const hd_site *returned_at; /* main's return statement */
    int returned_nothing; /* main has no result */
    int has_ended, was_killed;
    int has_changed; /* it has become another program */
    handlers at_exit, at_quick_exit; /* last: mostly unused */
} process;

static const hd_init no_inits[1];
static process processes[HD_MOST_PROCESSES];
static uint32_t count = 1; /* numbers from here on are free */
static uint32_t first_count = 1; /* at the start of a run */

uint64_t hd_process_handlers[HD_MOST_PROCESSES][2]; /* the lists, as objects of operations (abi/shown.def) */

static process *self(void)
{
    return &processes[hd_current->process];
}

uint32_t hd_process_count(void)
{
    return count;
}

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

static void set_image(process *p, const hd_process_image *image)
{
    p->image = image;
    p->main = image->main;
    p->inits = image->init_start ? image->init_start : no_inits;
}

static void init_system(void)
{
    for (first_count = 0; __start_hd_system + first_count < __stop_hd_system; first_count++)
        if (__start_hd_system[first_count].path)
            break;
    count = first_count;
}

/* A process may have become another program in the run before. */
static void begin_as(process *p, const hd_process_image *image)
{
    set_image(p, image);
    p->argc = (int)image->argc;
    p->argv = image->argv;
    p->rank = image->rank;
    p->is_main = (int)image->is_main;
    p->crashes = (uint32_t)image->crashes;
}

void hd_process_init(int argc, char **argv)
{
    if (__start_hd_system) {
        init_system();
        return;
    }
    processes[0].argc = hd_sources_arguments(argc);
    processes[0].argv = hd_sources_has_arguments() ? with_inputs(argc, argv, processes[0].argc) : argv;
    processes[0].main = hd_user_main;
}

void hd_process_reset(void)
{
    for (uint32_t i = 0; i < count; i++) {
        process *p = &processes[i];
        p->at_exit.count = p->at_quick_exit.count = 0;
        p->has_handlers = 0;
        p->returned_at = NULL;
        p->returned_nothing = p->has_ended = p->is_doomed = p->has_changed = p->was_killed = 0;
        hd_process_endings[i] = 0;
    }
    count = first_count;
    for (uint32_t i = 0; i < count && __start_hd_system; i++)
        begin_as(&processes[i], &__start_hd_system[i]);
    hd_mortal_processes = hd_known->mortal;
    hd_send_reset();
    hd_children_reset();
}

int hd_process_was_made(uint32_t process)
{
    return process < first_count || hd_children_is_child(process);
}

int hd_process_was_killed(uint32_t process)
{
    return processes[process].was_killed;
}

void hd_process_variables(uint32_t process, void (*visit)(char *start, size_t size))
{
    const hd_process_image *image = processes[process].image;
    if (!image) {
        hd_snapshot_each_of_any_size(visit);
        return;
    }
    visit(image->data_start, (size_t)(image->data_stop - image->data_start));
    visit(image->bss_start, (size_t)(image->bss_stop - image->bss_start));
}

static void copy_handlers(handlers *to, const handlers *from)
{
    to->count = from->count;
    memcpy(to->list, from->list, (size_t)from->count * sizeof *from->list);
}

/* Numbers in between are of threads. */
void hd_process_copy(uint32_t to)
{
    const process *from = self();
    process *p = &processes[to];
    for (; count <= to; count++)
        processes[count].has_ended = 1;
    memcpy(p, from, offsetof(process, at_exit));
    copy_handlers(&p->at_exit, &from->at_exit);
    copy_handlers(&p->at_quick_exit, &from->at_quick_exit);
    p->is_main = p->is_doomed = p->has_changed = p->has_ended = p->was_killed = 0;
    p->crashes = 0;
}

/* --- programs ------------------------------------------------------------------------------ */

static const hd_process_image *first_program(void)
{
    return __start_hd_system + first_count;
}

int hd_process_has_programs(void)
{
    return __start_hd_system && first_program() < __stop_hd_system;
}

int hd_process_program(const char *path)
{
    for (const hd_process_image *i = first_program(); __start_hd_system && i < __stop_hd_system; i++)
        if (!strcmp(i->path, path))
            return (int)(i - first_program());
    return -1;
}

int hd_process_has_changed(uint32_t process)
{
    return processes[process].has_changed;
}

void hd_process_set_program(uint32_t program)
{
    process *p = self();
    p->has_changed = 1;
    set_image(p, first_program() + program);
    p->at_exit.count = p->at_quick_exit.count = 0;
    p->returned_at = NULL;
    p->returned_nothing = 0;
}

static void run_destructors(void)
{
    hd_destructors_run(self()->inits);
}

static size_t count_environment(void)
{
    size_t variables = 0;
    while (environ[variables])
        variables++;
    return variables;
}

/* Constructors, main, exit. */
static _Noreturn void run_main(process *p)
{
    if (hd_has_destructors(p->inits))
        hd_process_at_exit(run_destructors);
    hd_constructors_run(p->inits, p->argc, p->argv, environ);
    int status = p->main(p->argc, p->argv, environ);
    hd_call_site = p->returned_at;
    hd_process_exit(p->returned_nothing ? 0 : status, hd_returned_by((const void *)p->main));
}

void hd_process_run_program(int argc, char **argv, char **envp)
{
    process *p = self();
    p->argc = argc;
    p->argv = argv;
    environ = envp;
    errno = 0;
    run_main(p);
}

static _Noreturn void run_process(void)
{
    process *p = self();
    if (p->rank) {
        /* On the stack of the process's first thread, which does not return before the process ends. */
        size_t before = count_environment() + 1;
        char **all = alloca((before + 1) * sizeof *all);
        all[0] = (char *)p->rank;
        environ = memcpy(all + 1, environ, before * sizeof *all) - sizeof *all;
    }
    run_main(p);
}

static void *start_of_process(void *unused)
{
    (void)unused;
    run_process();
}

/* --- the end of one of several --------------------------------------------------------- */

static int others_run(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (!processes[i].has_ended)
            return 1;
    return 0;
}

/* What a process that ends by itself has not closed. */
static void check_descriptors(void)
{
    const hd_site *made_at;
    const char *what = "file";
    int fd = hd_descriptors_first_open(&what, &made_at);
    if (fd < 0)
        fd = hd_fs_first_open(&made_at);
    if (fd >= 0)
        hd_end(HD_LEAK, made_at, "descriptor %d (%s) was opened here and never closed", fd, what);
}

/* The current thread's process has ended; the thread continues if the execution does. */
static int leave_system(int ended_with, const hd_site *site)
{
    self()->was_killed = WIFSIGNALED(ended_with);
    if (hd_exploring() && hd_rt.options->settings.leaks && !self()->was_killed)
        check_descriptors();
    hd_unreceived_forgive(self()->was_killed);
    if (count > 1 && !self()->is_main)
        hd_mutex_owner_ends(hd_current); /* whether or not another process is there to notice: that is no operation */
    if (hd_exploring() && count > 1) {
        hd_descriptors_close_all(site);
        hd_fs_end_process(site);
    }
    if (hd_exploring())
        hd_children_leave(site);
    if (hd_children_is_child(hd_current->process))
        hd_children_ended(ended_with, site);
    hd_unreceived_forgive(0);
    self()->has_ended = 1;
    return others_run() && !self()->is_main;
}

/* A process ends once. */
static int is_alive(hd_thread *t, hd_op *op)
{
    (void)t;
    return !*(const uint64_t *)hd_op_address(op);
}

/* --- crashes -----------------------------------------------------------------------
 *
 * Which processes crash is a choice at the start of a run. For each of them there is a thread that ends the process, at
 * any time that a schedule gives it. A process that comes to its own end waits for that thread: how it ends without a
 * crash is explored in the runs in which it is not chosen. All processes that may crash have such a thread in all runs,
 * so that the other threads have the same slots in all of them. */

static const hd_site no_place = { .file = "", .function = "crash" };

/* The number of processes from `from` on that may crash; or, with `nth`, the nth of them. */
static uint32_t among_crashing(uint32_t from, uint32_t nth, uint32_t *found)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < count; i++)
        if (processes[i].crashes && ++n == nth)
            *found = i;
    return n;
}

static void choose_victims(void)
{
    uint32_t left = 0, from = 0, victim = 0;
    for (uint32_t i = 0; i < count; i++)
        left = processes[i].crashes > left ? processes[i].crashes : left;
    for (; left && hd_exploring(); left--, from = victim + 1) {
        uint32_t n = among_crashing(from, 0, &victim);
        hd_call_site = &no_place;
        uint32_t chosen = hd_choose(n + 1);
        if (!chosen)
            return;
        among_crashing(from, chosen, &victim);
        processes[victim].is_doomed = 1;
        hd_mortal_processes |= 1ull << victim;
    }
}

/* The end of a mortal process: what its threads have left behind is cleared away by the current one. */
static void end_early(uint32_t process)
{
    const hd_site *site = hd_call_site;
    hd_perform(HD_PROCESS_ENDS, &hd_process_endings[process], is_alive);
    hd_process_endings[process] = 1;
    hd_current->mortal = 0;
    hd_kill_threads(process);
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].process == process && hd_threads[i].view->dead) {
            hd_mutex_owner_ends(&hd_threads[i]);
            hd_descriptors_end_calls(&hd_threads[i], site);
            hd_fifo_end_call(&hd_threads[i], site);
            hd_rights_end_call(&hd_threads[i], site);
        }
}

static void *crash(void *process)
{
    hd_call_site = &no_place;
    if (!self()->is_doomed)
        hd_leave();
    end_early((uint32_t)(uintptr_t)process);
    hd_fs_crash(&no_place);
    if (leave_system(SIGKILL, &no_place))
        hd_leave();
    hd_end(HD_FINISHED, NULL, "");
}

/* No thread of the program: the process does not wait for it to be joined. */
static void spawn_crash(uintptr_t process)
{
    hd_thread *t = hd_spawn(crash, (void *)process, &no_place);
    hd_join_process(t, (uint32_t)process);
    t->joined = 1;
}

/* The first code of a run on thread T0: the other processes, and inputs that the program does not ask for. */
void hd_process_main(void)
{
    if (!processes[0].main) {
        fprintf(stderr, "heddle: the program has no main that was compiled with heddle cc\n");
        exit(2);
    }
    choose_victims();
    hd_join_process(hd_current, 0);
    for (uint32_t i = 1; i < count; i++)
        hd_join_process(hd_spawn(start_of_process, NULL, NULL), i);
    for (uintptr_t i = 0; i < count; i++)
        if (processes[i].crashes)
            spawn_crash(i);
    hd_sources_draw();
    run_process();
}

__attribute__((visibility("default"))) void hd_main_returns(const hd_site *site)
{
    self()->returned_at = site;
}

__attribute__((visibility("default"))) void hd_main_returns_nothing(void)
{
    self()->returned_nothing = 1;
}

/* Other threads may change the list while one runs it, so uses of it are operations; in programs without handlers
 * there are none. */
static void use(const handlers *h)
{
    if (self()->has_handlers || hd_known->handlers)
        hd_access_object(&hd_process_handlers[hd_current->process][h == &self()->at_quick_exit], hd_call_site);
}

/* Handlers that are registered while several threads exist make uses of the list operations: that is learned. */
static int add_handler(handlers *h, handler what)
{
    if (h->count == MAX_HANDLERS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d handlers of exit are not modelled", MAX_HANDLERS);
    if (!hd_fast_state.waits)
        self()->has_handlers = 1;
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
    return add_handler(&self()->at_exit, (handler) { .plain = plain });
}

int hd_process_on_exit(void (*told)(int, void *), void *argument)
{
    return add_handler(&self()->at_exit, (handler) { .told = told, .argument = argument });
}

int hd_process_at_quick_exit(void (*plain)(void))
{
    return add_handler(&self()->at_quick_exit, (handler) { .plain = plain });
}

static void check_memory(void)
{
    size_t size;
    const hd_site *site;
    if (hd_rt.options->settings.leaks && hd_heap_first_leak(&size, &site))
        hd_end(HD_LEAK, site, "%zu bytes were allocated here and never freed", size);
}

/* The execution ends: what is left of processes and messages, if no process is left that could care. */
static void check_rest(void)
{
    const hd_site *site;
    if (!hd_rt.options->settings.leaks || others_run())
        return;
    if (hd_children_first_left(&site))
        hd_end(HD_LEAK, site, "the process that is made here was never waited for");
    hd_unreceived_check();
}

static _Noreturn void end(const leaving *by)
{
    int status = by->status & STATUS_BITS;
    int is_child = hd_children_is_child(hd_current->process);
    if (leave_system(by->signal ? by->signal : status << 8, by->site)
        && (!status || is_child || by->signal || hd_rt.options->settings.any_exit))
        hd_leave();
    if (!is_child && !by->signal)
        check_memory();
    check_rest();
    if (is_child || by->signal)
        hd_end(HD_FINISHED, NULL, "");
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

void hd_process_becomes_mortal(void)
{
    uint64_t bit = 1ull << hd_current->process;
    if (hd_mortal_processes & bit)
        return;
    hd_known->mortal |= bit;
    hd_learned();
}

/* A process that ends before some of its threads is mortal; that is learned. */
static void end_one_of_several(void)
{
    uint64_t bit = 1ull << hd_current->process;
    if (hd_has_siblings())
        hd_process_becomes_mortal();
    if (self()->is_doomed)
        hd_wait_for(HD_WAIT_CRASH, NULL);
    if (hd_mortal_processes & bit)
        end_early(hd_current->process);
    hd_kill_threads(hd_current->process);
}

/* The end is an operation: other threads continue until then. Whether it is one must not depend on what other threads
 * have done so far, so it is one if any thread has not been joined, even if all have ended. */
static _Noreturn void leave(const leaving *by)
{
    hd_call_site = by->site;
    if (hd_exploring() && count > 1 && !self()->is_main)
        end_one_of_several();
    hd_call_site = by->site;
    if (hd_fast_state.waits && hd_exploring() && (count == 1 || self()->is_main))
        hd_perform(HD_EXIT, NULL, NULL);
    end(by);
}

static void flush_streams(const leaving *by)
{
    hd_call_site = by->site;
    hd_library_flush();
}

/* Handlers come before the end. */
static _Noreturn void exit_after(handlers *h, int status, uint32_t shadow)
{
    leaving by = { status, shadow, hd_call_site, 0 };
    look_at_status(&by);
    if (h)
        run_handlers(h, &by);
    if (h == &self()->at_exit)
        flush_streams(&by);
    leave(&by);
}

void hd_process_killed(int signal)
{
    leave(&(leaving) { .site = hd_call_site, .signal = signal });
}

void hd_process_last_thread_ends(void)
{
    leaving by = { 0 };
    run_handlers(&self()->at_exit, &by);
    flush_streams(&by);
    end(&by);
}

void hd_process_exit(int status, uint32_t shadow)
{
    exit_after(&self()->at_exit, status, shadow);
}

void hd_process_exit_quickly(int status, uint32_t shadow)
{
    exit_after(&self()->at_quick_exit, status, shadow);
}

void hd_process_exit_at_once(int status, uint32_t shadow)
{
    exit_after(NULL, status, shadow);
}

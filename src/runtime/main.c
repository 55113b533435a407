/* The real main of the process. If a supervisor has started it, the process becomes a worker: it loads the engine,
 * which runs the program again and again. Run by hand, it is the program, and its threads take turns. */
#include "abi/fast.h"
#include "runtime/core/own.h"
#include "runtime/crash.h"
#include "runtime/image/foreign.h"
#include "runtime/image/modules.h"
#include "runtime/image/owners.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/stdin.h"
#include "runtime/reset/tls.h"
#include "runtime/run.h"
#include "runtime/sched/access.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/sources.h"
#include "runtime/symbolic/symbolic.h"
#include "runtime/sync/process.h"

#include <alloca.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The memory that the runtime and the engine share, also across forked children. */
typedef struct run_area {
    hd_thread_view threads[HD_MAX_THREADS];
    uint32_t thread_count, log_count;
    hd_outcome outcome;
    hd_run_options options;
    hd_facts facts;
    uint32_t expr_count, input_count, given_count;
    hd_given given[HD_INPUT_ROOM];
    hd_input inputs[HD_INPUT_ROOM];
    hd_expr exprs[HD_EXPR_ROOM];
    hd_op log[HD_LOG_ROOM];
    hd_op looks[HD_MAX_THREADS][HD_MOST_LOOKS];
    uint64_t operands[HD_LOG_ROOM];
    uint64_t calls[HD_LOG_ROOM];
    uint32_t covered_count;
    hd_covered covered[HD_COVER_ROOM];
    hd_foreign foreign[HD_FOREIGN_ROOM];
    uint32_t foreign_count;
    hd_message_race message_races[HD_MESSAGE_RACES];
    char wanted[HD_PATH_ROOM];
    hd_stack stacks[HD_LOG_ROOM + HD_MAX_THREADS];
} run_area;

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

enum { PAGE = 4096 };

/* Maps memory at a fixed address: at `offset` in the file that is shared with forked children and the supervisor, or
 * private memory if `fd` is -1. */
static void *map(uint64_t where, size_t size, int fd, uint64_t offset)
{
    int shared = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void *got = mmap((void *)where, size, PROT_READ | PROT_WRITE, shared | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd,
        fd >= 0 ? (off_t)offset : 0);
    if (got != (void *)where)
        fail("heddle: cannot map the memory of a run");
    return got;
}

static run_area *map_run_area(int fd)
{
    uint64_t offset = HD_RUN_BASE - HD_ENGINE_BASE, end = (offset + sizeof(run_area) + PAGE - 1) / PAGE * PAGE;
    map(HD_FAST_BASE, PAGE, -1, 0);
    map(HD_OWNERS_BASE, HD_OWNER_CELLS * sizeof(uint32_t), fd, end);
    return map(HD_RUN_BASE, sizeof(run_area), fd, offset);
}

/* In a forked child, which runs a single execution. */
static void begin_process(void)
{
    hd_crash_watch();
    hd_rewind_never(hd_process_count() > 1 || hd_process_has_programs());
}

static void connect_run_area(run_area *area)
{
    hd_rt.stamp = HD_ABI_STAMP;
    hd_rt.threads = area->threads;
    hd_rt.thread_count = &area->thread_count;
    hd_rt.log = area->log;
    hd_rt.log_count = &area->log_count;
    hd_rt.log_room = HD_LOG_ROOM;
    hd_rt.looks = area->looks;
    hd_rt.operands = area->operands;
    hd_rt.calls = area->calls;
    hd_rt.stacks = area->stacks;
    hd_rt.outcome = &area->outcome;
    hd_rt.options = &area->options;
    hd_rt.run = hd_run;
    hd_rt.begin_process = begin_process;
    hd_rt.block = hd_heap_describe;
    hd_rt.initial = hd_tls_initial;
    hd_rt.enabled = hd_thread_enabled;
    hd_rt.covered = area->covered;
    hd_rt.covered_count = &area->covered_count;
    hd_rt.owners = (uint32_t *)HD_OWNERS_BASE;
    hd_rt.exprs = area->exprs;
    hd_rt.expr_count = &area->expr_count;
    hd_rt.inputs = area->inputs;
    hd_rt.input_count = &area->input_count;
    hd_rt.given = area->given;
    hd_rt.given_count = &area->given_count;
    hd_rt.kept = &area->facts;
    hd_rt.kept_size = sizeof area->facts;
    hd_rt.generation = &area->facts.generation;
    hd_rt.births = area->facts.births;
    hd_rt.channels = area->facts.channels;
    hd_rt.message_races = area->message_races;
    hd_rt.renumbered = &area->facts.renumbered;
    hd_rt.read_terminal = &area->facts.read_terminal;
    hd_rt.wanted = area->wanted;
    hd_rt.foreign = area->foreign;
    hd_rt.foreign_count = &area->foreign_count;
    hd_rt.watch_foreign = hd_foreign_watch;
    hd_access_init(&area->facts);
    hd_compose_init();
}

/* getenv for the time before the C library is initialised. */
static const char *find_variable(char **envp, const char *name)
{
    size_t length = strlen(name);
    for (; *envp; envp++)
        if (!strncmp(*envp, name, length) && (*envp)[length] == '=')
            return *envp + length + 1;
    return NULL;
}

/* A worker binds all functions when it starts (LD_BIND_NOW), because tables that are filled during executions would be
 * restored after them. The variable is hidden from the program. */
static void hide_variable(char **envp, const char *text)
{
    for (; *envp && strcmp(*envp, text) != 0; envp++) { }
    for (; *envp; envp++)
        envp[0] = envp[1];
}

static void prepare(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    hd_owners_find_libc();
    hd_modules_init();
    hd_owners_settle();
    hd_own_init();
    hd_heap_init();
    hd_fibers_init();
    hide_variable(envp, HD_ENV_BIND "=" HD_ENV_BOUND);
    const char *fd = find_variable(envp, HD_ENV_REGION);
    connect_run_area(map_run_area(fd ? atoi(fd) : -1));
    hd_foreign_init(find_variable(envp, HD_ENV_TRUST), hd_rt.foreign, hd_rt.foreign_count);
    if (find_variable(envp, HD_ENV_ENGINE)) {
        hd_symbolic_init(hd_symbolic_has_inputs(find_variable(envp, HD_ENV_SYMBOLIC)));
        hd_passing_init();
    }
    hd_run_before_main();
}

/* Runs before all constructors, including those of libraries: their hooks read memory that is mapped here. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = prepare;

/* Processes need memory that is watched: what libraries keep is exchanged between them. */
static int run_by_hand(void)
{
    if (hd_process_count() > 1) {
        fprintf(stderr, "heddle: a system of processes runs under heddle check and heddle replay only\n");
        return 2;
    }
    hd_rt.options->settings.depth = HD_LOG_ROOM;
    hd_rt.options->show_output = 1;
    hd_rt.options->settings.any_exit = 1;
    hd_crash_init();
    hd_run();
    fflush(NULL);
    if (hd_rt.outcome->kind == HD_FINISHED)
        return hd_rt.outcome->exit_status;
    fprintf(stderr, "heddle: %s\n", hd_rt.outcome->message);
    abort();
}

static __attribute__((noinline)) int run_as_worker(const char *path)
{
    /* RTLD_DEEPBIND: the engine must not call functions of the program that have names of C library functions. */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library) {
        fprintf(stderr, "heddle: cannot load the engine: %s\n", dlerror());
        return 2;
    }
    hd_worker_entry *entry = (hd_worker_entry *)dlsym(library, HD_WORKER_ENTRY);
    if (!entry) {
        fprintf(stderr, "heddle: %s is not heddle's engine\n", path);
        return 2;
    }
    static hd_engine placeholder;
    hd_the_engine = &placeholder;
    hd_crash_init();
    return entry(&hd_rt, &hd_the_engine);
}

/* Moves the stack pointer down to a new page: the engine's frames must not share a page with the arguments and the
 * environment, which are watched. */
static int run_on_pages_below(const char *engine)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), limit = frame & ~(uintptr_t)(PAGE - 1);
    volatile char *room = alloca(frame - limit + PAGE);
    *room = 0;
    hd_rewind_stack((const void *)limit);
    int status = run_as_worker(engine);
    *room = 1; /* prevents a tail call, which would release the memory */
    return status;
}

int main(int argc, char **argv, char **envp)
{
    (void)envp;
    const char *engine = getenv(HD_ENV_ENGINE);
    hd_sources_init();
    tzset(); /* the C library reads the time zone from a file, once: not in the middle of an execution */
    hd_process_init(argc, argv);
    hd_stdin_init(hd_sources_open(NULL));
    hd_heap_save();
    return engine ? run_on_pages_below(engine) : run_by_hand();
}

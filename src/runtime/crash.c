#include "runtime/crash.h"

#include "abi/fast.h"
#include "runtime/core/own.h"
#include "runtime/image/foreign.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/trap.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/sched/stacks.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNAL_STACK = 64 * 1024, QUIET_TICKS = 3 };

static struct {
    uint64_t progress;
    uint32_t ticks;
} watch;

/* Where and how the current thread crashed. */
static struct {
    int signal;
    uint64_t address, pc;
    const void *frame;
    const char *what;
} crash;

static _Noreturn void end_crashed(void)
{
    uint64_t address = crash.address;
    int signal = crash.signal;
    if (hd_rt.options->stacks)
        hd_stacks_record_at(hd_current->id, crash.pc, crash.frame);
    hd_current->view->status = HD_THREAD_DONE; /* keeps the stack just recorded */
    hd_rt.outcome->signal = signal;
    hd_rt.outcome->address = address;
    if (hd_send_is_handled(signal))
        hd_end(HD_MODEL_LIMIT, NULL, "a handler of SIG%s that a fault runs is not modelled yet", sigabbrev_np(signal));
    if (signal == SIGSEGV && hd_fiber_guard_holds(address))
        hd_end(HD_STACK_OVERFLOW, NULL, "stack overflow of thread T%u", hd_number_of(hd_current));
    if (signal == SIGSEGV || signal == SIGBUS)
        hd_end(HD_CRASH, NULL, "%s: invalid %s address 0x%llx", signal == SIGBUS ? "SIGBUS" : "SIGSEGV", crash.what,
            (unsigned long long)address);
    hd_end(HD_CRASH, NULL, "SIG%s: %s", sigabbrev_np(signal), sigdescr_np(signal));
}

/* Runs on the stack of the thread that crashed, not in the signal handler: the crash is an operation (HD_EXIT), and the
 * operations of other threads can come before it. */
static void crash_as_operation(void)
{
    typeof(crash) mine = crash;
    hd_call_site = NULL;
    if (hd_fast_state.waits && hd_exploring())
        hd_perform(HD_EXIT, NULL, NULL);
    crash = mine;
    end_crashed();
}

/* The check of an access to a non-canonical address faults when it reads the shadow, and the processor does not report
 * the address. It is recovered from the instruction, `movsbl base(%reg)` or `cmpb $0, base(%reg)`, except for its
 * lowest three bits. */
static int is_look_at_shadow(const greg_t *registers, uint64_t *address)
{
    static const uint8_t by_number[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8,
        REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
    enum { REX = 0x40, CMPB = 0x80, TWO_BYTES = 0x0f, MOVZB = 0xb6, MOVSB = 0xbe, WITH_INDEX = 4 };
    const uint8_t *code = (const uint8_t *)registers[REG_RIP];
    unsigned high = (*code & 0xf0) == REX ? (*code++ & 1) << 3 : 0;
    int compares = code[0] == CMPB, moves = code[0] == TWO_BYTES && (code[1] == MOVZB || code[1] == MOVSB);
    code += moves ? 2 : 1;
    unsigned base = *code & 7, has_distance = *code++ >> 6 == 2;
    if (base == WITH_INDEX)
        base = *code++ & 7;
    uint32_t distance;
    memcpy(&distance, code, sizeof distance);
    *address = (uint64_t)registers[by_number[high | base]] << 3;
    return (compares || moves) && has_distance && distance == HD_SHADOW_BASE;
}

static void fatal(int signal, const siginfo_t *info, ucontext_t *context)
{
    greg_t *registers = context->uc_mcontext.gregs;
    crash.signal = signal;
    crash.address = (uint64_t)info->si_addr;
    crash.pc = (uint64_t)registers[REG_RIP];
    crash.frame = (const void *)registers[REG_RBP];
    crash.what = registers[REG_ERR] & 2 ? "write of" : "read of";
    if (info->si_code == SI_KERNEL && is_look_at_shadow(registers, &crash.address))
        crash.what = "access near";
    if (hd_current->view->status != HD_THREAD_LOCAL || hd_fiber_guard_holds(crash.address))
        end_crashed();
    hd_trap_divert(context, crash_as_operation, crash.pc + 1); /* as if the instruction had called it */
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    uint64_t address = (uint64_t)info->si_addr;
    if (signal == SIGSEGV && info->si_code == SEGV_ACCERR
        && (hd_rewind_fault(address) || hd_heap_shadow_fault(address)))
        return;
    if (hd_foreign_fault(signal, address, context))
        return;
    if (hd_current && hd_exploring()) {
        fatal(signal, info, context);
        return;
    }
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal, &plain, NULL);
    raise(signal);
}

/* The number of operations and expressions of the run. Both are bounded, so an endless loop makes no progress in the
 * end. */
static uint64_t progress(void)
{
    return (uint64_t)*hd_rt.log_count + *hd_rt.expr_count;
}

/* Fires every second of CPU time. Three ticks without progress mean a loop that never reaches an operation. */
static void on_tick(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    int runs = hd_current && !hd_before_main; /* otherwise the engine is running, which may take its time */
    if (!runs || progress() != watch.progress) {
        watch.progress = runs ? progress() : ~0ull;
        watch.ticks = 0;
        return;
    }
    if (++watch.ticks < QUIET_TICKS)
        return;
    watch.ticks = 0;
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    const void *fp = (const void *)registers[REG_RBP];
    uint64_t pc = hd_stacks_user_pc((uint64_t)registers[REG_RIP], fp, (const void *)registers[REG_RSP]);
    if (hd_rt.options->stacks)
        hd_stacks_record_at(hd_current->id, pc, fp);
    hd_current->view->status = HD_THREAD_DONE;
    hd_rt.outcome->address = pc;
    hd_end(HD_HANG, NULL, "thread T%u loops without any operation that other threads can observe",
        hd_number_of(hd_current));
}

void hd_crash_init(void)
{
    stack_t stack = { .ss_size = SIGNAL_STACK };
    stack.ss_sp = hd_own_alloc(SIGNAL_STACK);
    sigaltstack(&stack, NULL);
    const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT };
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        hd_trap_signal(faults[i], on_fault);
    if (!hd_exploring())
        return;
    hd_trap_signal(SIGPROF, on_tick);
    hd_crash_watch();
}

void hd_crash_new_run(void)
{
    watch.progress = ~0ull;
}

void hd_crash_watch(void)
{
    struct itimerval every = { { 1, 0 }, { 1, 0 } };
    setitimer(ITIMER_PROF, &every, NULL);
}

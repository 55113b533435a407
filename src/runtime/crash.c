#include "runtime/crash.h"

#include "runtime/fiber/fiber.h"
#include "runtime/heap.h"
#include "runtime/sched.h"
#include "runtime/snapshot.h"
#include "runtime/stacks.h"
#include "runtime/sync/send.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNAL_STACK = 64 * 1024, QUIET_TICKS = 3 };

static struct {
    uint32_t log_count, ticks;
} watch;

static const char *access_of(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read";
}

static _Noreturn void fatal(int signal, const siginfo_t *info, const ucontext_t *context)
{
    uint64_t address = (uint64_t)info->si_addr;
    if (hd_rt.options->stacks)
        hd_stacks_record_at(hd_current->id, (uint64_t)context->uc_mcontext.gregs[REG_RIP],
            (const void *)context->uc_mcontext.gregs[REG_RBP]);
    hd_current->view->status = HD_THREAD_DONE; /* keeps the stack just recorded */
    hd_rt.outcome->signal = signal;
    hd_rt.outcome->address = address;
    if (hd_send_is_handled(signal))
        hd_end(HD_MODEL_LIMIT, NULL, "a handler of SIG%s that a fault runs is not modelled yet", sigabbrev_np(signal));
    if (signal == SIGSEGV && hd_fiber_guard_holds(address))
        hd_end(HD_CRASH, NULL, "stack overflow of thread T%u", hd_current->id);
    if (signal == SIGSEGV || signal == SIGBUS)
        hd_end(HD_CRASH, NULL, "%s: invalid %s of address 0x%llx", signal == SIGBUS ? "SIGBUS" : "SIGSEGV",
            access_of(context), (unsigned long long)address);
    hd_end(HD_CRASH, NULL, "SIG%s: %s", sigabbrev_np(signal), sigdescr_np(signal));
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && hd_snapshot_fault((uint64_t)info->si_addr))
        return;
    if (hd_current && hd_exploring())
        fatal(signal, info, context);
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal, &plain, NULL);
    raise(signal);
}

/* Fires every second of CPU time; three times with no operation in between is
 * a loop that will not come to one. */
static void on_tick(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    if (!hd_current || *hd_rt.log_count != watch.log_count) {
        watch.log_count = hd_current ? *hd_rt.log_count : ~0u;
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
    hd_end(HD_HANG, NULL, "thread T%u runs on and on without any operation that others could see", hd_current->id);
}

void hd_crash_init(void)
{
    stack_t stack = { .ss_size = SIGNAL_STACK };
    stack.ss_sp = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, NULL);
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT };
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
    if (!hd_exploring())
        return;
    action.sa_sigaction = on_tick;
    sigaction(SIGPROF, &action, NULL);
    struct itimerval every = { { 1, 0 }, { 1, 0 } };
    setitimer(ITIMER_PROF, &every, NULL);
}

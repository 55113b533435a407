#include "runtime/core/system.h"
#include "runtime/reset/trap.h"

#include "runtime/reset/kernel.h"

#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

enum { RED_ZONE = 128, RESTORER = 0x04000000 };

/* As the kernel has it. */
typedef struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    uint64_t flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

volatile uint8_t hd_trap_selector;
static int works;

void hd_trap_return(void);
extern char exempt_start[] __asm__("__start_hd_trap"), exempt_stop[] __asm__("__stop_hd_trap");

void hd_trap_signal(int signal, void (*handler)(int, siginfo_t *, void *))
{
    kernel_action action = { handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER, hd_trap_return, 0 };
    hd_system(SYS_rt_sigaction, (long)signal, &action, NULL, sizeof action.mask);
}

/* Below the red zone, with the stack aligned as at a call. */
void hd_trap_divert(ucontext_t *context, void (*function)(void), uint64_t caller)
{
    greg_t *registers = context->uc_mcontext.gregs;
    registers[REG_RSP] = ((registers[REG_RSP] - RED_ZONE) & ~15ll) - 8;
    *(uint64_t *)registers[REG_RSP] = caller;
    registers[REG_RIP] = (greg_t)function;
}

/* Of the floating-point state in a frame: as the kernel has left it there, or the old format. */
static size_t bytes_of_state(const void *state)
{
    enum { OLD = 512, WORDS_AT = 464, MAGIC = 0x46505853 };
    uint32_t words[2];
    memcpy(words, (const char *)state + WORDS_AT, sizeof words);
    return words[0] == MAGIC ? words[1] : OLD;
}

/* What the kernel's return from a handler reads: a copy of that is enough to return a second time. */
void hd_trap_detour(ucontext_t *context, void (*function)(ucontext_t *saved))
{
    enum { CONTEXT = offsetof(ucontext_t, uc_sigmask) + sizeof(uint64_t), STATE_ALIGNMENT = 64 };
    greg_t *registers = context->uc_mcontext.gregs;
    size_t bytes = bytes_of_state(context->uc_mcontext.fpregs);
    uint64_t state = ((uint64_t)registers[REG_RSP] - RED_ZONE - bytes) & -(uint64_t)STATE_ALIGNMENT;
    ucontext_t *saved = (ucontext_t *)((state - CONTEXT) & ~15ull);
    memcpy((void *)state, context->uc_mcontext.fpregs, bytes);
    memcpy(saved, context, CONTEXT);
    saved->uc_mcontext.fpregs = (fpregset_t)state;
    registers[REG_RSP] = (greg_t)saved; /* the next frame is below the copy */
    registers[REG_RDI] = (greg_t)saved;
    hd_trap_divert(context, (void (*)(void))function, (uint64_t)registers[REG_RIP]);
}

void hd_trap_resume(ucontext_t *saved, long result)
{
    saved->uc_mcontext.gregs[REG_RAX] = result;
    __asm__ volatile("movq %0, %%rsp\n\tjmp hd_trap_return" : : "r"(saved) : "memory");
    __builtin_unreachable();
}

void hd_trap_let_through(ucontext_t *context, long number)
{
    enum { LENGTH = 2 }; /* of the instruction `syscall` */
    context->uc_mcontext.gregs[REG_RIP] -= LENGTH;
    context->uc_mcontext.gregs[REG_RAX] = number;
    hd_trap_set(0);
}

static void on_call(int signal, siginfo_t *info, void *interrupted)
{
    (void)signal;
    ucontext_t *context = interrupted;
    greg_t *registers = context->uc_mcontext.gregs;
    if (info->si_syscall == SYS_rt_sigreturn) { /* of a handler that is not heddle's */
        registers[REG_RIP] = (greg_t)hd_trap_return;
        return;
    }
    hd_call call = { info->si_syscall,
        { (uint64_t)registers[REG_RDI], (uint64_t)registers[REG_RSI], (uint64_t)registers[REG_RDX],
            (uint64_t)registers[REG_R10], (uint64_t)registers[REG_R8], (uint64_t)registers[REG_R9] },
        context };
    long result = hd_kernel_call(&call);
    if (hd_trap_selector)
        registers[REG_RAX] = result;
}

int hd_trap_start(void)
{
    hd_trap_signal(SIGSYS, on_call);
    works = prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, exempt_start, exempt_stop - exempt_start,
                &hd_trap_selector)
        == 0;
    return works;
}

int hd_trap_works(void)
{
    return works;
}

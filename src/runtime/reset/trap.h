/* Interception of all system calls of an execution, whichever code makes them: the
 * program, a library that heddle did not compile, or the C library itself.
 *
 * While the selector is on, the kernel's syscall user dispatch (Linux 5.11) turns
 * each call into a SIGSYS, and runtime/reset/kernel.c decides what happens with it.
 * A program that makes no system calls pays for two stores of the selector per
 * execution and per decision. The selector is off while the engine runs; the
 * runtime's own calls inside an execution go through hd_system (core/system.h),
 * whose code the kernel exempts. A forked child has to start the interception
 * again. */
#ifndef HD_RUNTIME_RESET_TRAP_H
#define HD_RUNTIME_RESET_TRAP_H

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

extern volatile uint8_t hd_trap_selector;

/* Starts the interception; 0: this kernel does not have it. */
int hd_trap_start(void);

/* Has it been started? */
int hd_trap_works(void);

static inline void hd_trap_set(int on)
{
    hd_trap_selector = (uint8_t)on;
}

/* Sets a signal handler that can return while calls are intercepted: its return is a system call, too. It runs on
 * the alternative stack and may be interrupted. */
void hd_trap_signal(int signal, void (*handler)(int, siginfo_t *, void *));

/* In the handler of a call: repeats the call in place, without interception. */
void hd_trap_let_through(ucontext_t *context, long number);

/* In a handler: the interrupted thread continues in `function`, on its own stack; `function` must not return. In
 * stacks it looks as if `caller` had called it. */
void hd_trap_divert(ucontext_t *context, void (*function)(void), uint64_t caller);

/* In the handler of a call: the thread continues in `function`, on its own stack, with the state in which it made the
 * call (its registers; REG_RAX is for the caller to use); and later behind the call, with a result. */
void hd_trap_detour(ucontext_t *context, void (*function)(ucontext_t *saved));
_Noreturn void hd_trap_resume(ucontext_t *saved, long result);

#endif

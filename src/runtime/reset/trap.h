/* Every system call of an execution, whoever makes it: the program, a library
 * that heddle did not compile, or the C library itself.
 *
 * The kernel's syscall user dispatch (Linux 5.11) turns each of them into a
 * SIGSYS while the selector says so, and runtime/reset/kernel.c decides what becomes
 * of it. A program that makes no system calls pays for two stores of the
 * selector per execution and per pick. While the engine runs, the selector is
 * off; the runtime's own calls inside an execution go through hd_system, whose
 * code the kernel exempts. A forked child has to start again. */
#ifndef HD_RUNTIME_RESET_TRAP_H
#define HD_RUNTIME_RESET_TRAP_H

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

extern volatile uint8_t hd_trap_selector;

/* Begins to dispatch; 0: this kernel cannot. */
int hd_trap_start(void);

static inline void hd_trap_set(int on)
{
    hd_trap_selector = (uint8_t)on;
}

/* Sets a signal handler that can return while calls are dispatched. It runs on
 * the alternative stack and may be interrupted. */
void hd_trap_signal(int signal, void (*handler)(int, siginfo_t *, void *));

/* In a handler of a call: the call is made where it stands, as if there were no
 * dispatch. */
void hd_trap_let_through(ucontext_t *context, long number);

/* In a handler: the interrupted thread goes on in `function`, which must not
 * return, on its own stack. Stacks show that `caller` called it. */
void hd_trap_divert(ucontext_t *context, void (*function)(void), uint64_t caller);

#endif

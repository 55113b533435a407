/* What an execution does to the kernel's side of the process, and how it is
 * undone.
 *
 * Every system call of an execution comes here (runtime/reset/trap.h). There are
 * four kinds. Some change nothing that outlasts them. Some change what can be
 * put back: descriptors that were opened are closed, offsets of those that the
 * process had before are set back, new mappings are removed, and the break, the
 * umask, the working directory, signal handlers and the signal mask are as they
 * were. Some end the execution (exit_group), or cannot be modelled (a thread
 * that heddle does not schedule). All others, and every call that is not in
 * runtime/reset/calls.def, end the execution as HD_NEEDS_FORK. */
#ifndef HD_RUNTIME_RESET_KERNEL_H
#define HD_RUNTIME_RESET_KERNEL_H

#include <stdint.h>
#include <ucontext.h>

typedef struct hd_call {
    long number;
    uint64_t arguments[6];
    ucontext_t *context;
} hd_call;

/* Does, or refuses, a call of the program's; gives its result. */
long hd_kernel_call(hd_call *call);

/* Notes how things are before the first execution. */
void hd_kernel_save(void);

/* Undoes what the execution did. */
void hd_kernel_restore(void);

#endif

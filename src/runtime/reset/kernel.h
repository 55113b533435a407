/* What an execution changes in the kernel's state of the process, and how it is
 * undone.
 *
 * Every system call of an execution comes here (runtime/reset/trap.h). There are
 * four kinds. Some change nothing that outlasts the call. Some change state that
 * can be restored: descriptors that were opened are closed; the offsets of earlier
 * descriptors, the break, the umask, the working directory, signal handlers and
 * the signal mask are restored; new mappings are removed; files are changed in
 * memory (runtime/reset/overlay.h). Some end the execution
 * (exit_group), or cannot be modelled (a thread that heddle does not schedule).
 * All others, and every call that is not in runtime/reset/calls.def, end the
 * execution as HD_NEEDS_FORK: so a call that was overlooked cannot survive an
 * execution. */
#ifndef HD_RUNTIME_RESET_KERNEL_H
#define HD_RUNTIME_RESET_KERNEL_H

#include <stdint.h>
#include <ucontext.h>

typedef struct hd_call {
    long number;
    uint64_t arguments[6];
    ucontext_t *context; /* where it was intercepted; NULL: hd_kernel_make */
} hd_call;

/* Performs or refuses a system call of the program; returns its result. */
long hd_kernel_call(hd_call *call);

/* The same for a call that one of heddle's functions makes for the program: it saves the detour through a signal
 * handler. Returns -1 and sets errno if it fails. */
long hd_kernel_make(long number, long a, long b, long c, long d);

/* The execution writes this many bytes more. Ends it when it has written HD_OUTPUT_MOST: a program that writes without
 * end would fill the disk, or never be done. */
void hd_kernel_writes(uint64_t bytes);

/* Takes the lowest free number of a descriptor from `from` on, for an object that is modelled
 * (runtime/kernel/descriptors.h): a system call on it ends the execution as a model limit, and no other descriptor gets
 * the number. The kernel does not know of it, so taking it costs no system call. Returns the number or minus an error
 * number. It is given back, or with the descriptors of the execution. */
long hd_kernel_reserve(int from);
void hd_kernel_unreserve(int fd);

/* By reserved number: the processes (bits) in which it stands for an object. In others it stands for nothing. */
enum { HD_KERNEL_NUMBERS = 1024 };
extern uint64_t hd_kernel_holders[HD_KERNEL_NUMBERS];

/* Calls that a library makes on the number of a modelled object. They are performed on the thread's own stack, where it
 * can wait; so they are defined above (runtime/face/library_calls.c), like what ends an execution. Is the call one of
 * those that can be performed? Its result, or minus an error number. */
int hd_library_models(long number, const uint64_t arguments[6]);
long hd_library_call(long number, const uint64_t arguments[6]);

/* Before a run; the stream of the descriptor, which has an entry, is about to be used; the current process exits: what
 * its streams have buffered is written. */
void hd_library_calls_reset(void);
void hd_library_use(int fd);
void hd_library_flush(void);

/* Records the state before the first execution. */
void hd_kernel_save(void);

/* Undoes the calls of the execution. */
void hd_kernel_restore(void);

#endif

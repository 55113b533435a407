/* Thread-local variables: every thread has its own copies at the high end of its stack. A copy is made from the
 * initial value at its thread's first use, so that nothing has to be reset. */
#ifndef HD_RUNTIME_RESET_TLS_H
#define HD_RUNTIME_RESET_TLS_H

#include <stddef.h>
#include <stdint.h>

struct hd_thread;

/* At the high end of every stack: the thread's variables, and above them the block that %fs points to on a real
 * thread. */
enum { HD_TLS_SPAN = 64 * 1024, HD_TLS_CONTROL = 4096 };

/* The value of %fs:0 in thread `id`. As in the C library, the first and the third word there are this address
 * itself; all else is 0 at the start of a run. */
void *hd_tls_thread_pointer(uint32_t id);

void hd_tls_new_run(void);

/* Thread `to` is a copy of thread `from`, on a copy of its stack. */
void hd_tls_copy(uint32_t from, uint32_t to);

/* Calls `visit` for what the current thread, which forks, has at the high end of its stack. What it or its copy uses
 * there later is added to the images then. */
void hd_tls_each(void (*visit)(char *start, size_t size));

/* See hd_runtime. */
uint64_t hd_tls_initial(uint64_t address);

/* Another thread gets the stack: it has copies of its own. */
void hd_tls_new_thread(uint32_t id);

#endif

#ifndef HD_RUNTIME_RESET_TLS_H
#define HD_RUNTIME_RESET_TLS_H

#include <stdint.h>

/* At the high end of every stack: the thread's variables, and above them what %fs
 * points to on a real thread. */
enum { HD_TLS_SPAN = 64 * 1024, HD_TLS_CONTROL = 4096 };

/* What %fs:0 is in thread `id`. As in the C library, the first and the third word
 * there are this address itself; all else is 0 at the start of a run. */
void *hd_tls_thread_pointer(uint32_t id);

void hd_tls_new_run(void);

#endif

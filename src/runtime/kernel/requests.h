/* Servers: threads that wait for requests.
 *
 * A process of a system that has done its work and only waits for further requests need not end. When no thread can
 * run any more, a thread is such a server's if it waits at a socket that others can find by a name: one that listens,
 * or a datagram socket with a name, alone or among the descriptors of a poll or an epoll. Deadlocks do not count such
 * threads, nor those of their process that they could unblock (check/deadlock.c). */
#ifndef HD_RUNTIME_KERNEL_REQUESTS_H
#define HD_RUNTIME_KERNEL_REQUESTS_H

#include "runtime/core/state.h"

/* Does the thread, which is blocked, wait for a request? */
int hd_awaits_request(const hd_thread *t);

#endif

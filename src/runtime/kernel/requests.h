/* Servers: threads that wait for requests.
 *
 * A process of a system that has done its work and only waits for further requests need not end. When no thread can
 * run any more, a thread is such a server's if it waits at a socket that others can find by a name: one that listens,
 * or a datagram socket with a name, alone or among the descriptors of a poll or an epoll. A thread that waits for the
 * end of a child which is a server is one, too. Deadlocks do not count such threads, nor those of their process that
 * they could unblock (check/deadlock.c).
 *
 * A wait for connections may have a time limit. A server that looks around every second would never come to rest. So
 * when only servers are left, the execution ends after as many time-outs as there are waits with a limit. */
#ifndef HD_RUNTIME_KERNEL_REQUESTS_H
#define HD_RUNTIME_KERNEL_REQUESTS_H

#include "runtime/core/state.h"

/* Does the thread, which is blocked, wait for a request? */
int hd_awaits_request(const hd_thread *t);

/* Before a run. */
void hd_requests_reset(void);

/* No thread can run. Is there a server in every process that has not ended, and has every wait with a limit timed out
 * since it is so? A thread that waits for datagrams with a time limit is none: it may give up. */
int hd_only_servers_come_round(void);

#endif

/* Sockets: pairs of connected UNIX sockets (socketpair).
 *
 * A socket has a queue of what was sent to it (kernel/queue.h), with two gates (kernel/gate.h): there is data if a
 * message has come or none will come any more; there is always room. A stream is received byte by byte, a datagram or
 * packet as a whole. What no receiver has taken counts with an overhead per message, as in Linux, and stays below the
 * smallest buffer of a socket: more would block the sender sooner or later, which is a model limit.
 *
 * A socket that is closed or shut down shuts the other side of its peer down: the peer's calls find that out by the
 * gates of the two sockets. If a stream or packet socket is closed with messages that it has not received, the next
 * call of its peer that receives and finds nothing fails once with ECONNRESET. */
#ifndef HD_RUNTIME_KERNEL_SOCKET_H
#define HD_RUNTIME_KERNEL_SOCKET_H

#include <stdint.h>

struct hd_description;

enum { HD_SOCKETS = 512 };

/* Before a run: there is none. */
void hd_sockets_reset(void);

/* Makes two sockets of the type (SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET) that are connected to each other, and their
 * descriptions. */
void hd_socket_make_pair(int type, int flags, struct hd_description *ends[2]);

/* shutdown(2): 0 or minus an error number. */
int hd_socket_shut(struct hd_description *d, int how);

int hd_socket_type(const struct hd_description *d);

/* Its queue is valid, its data gate is as its queue and its state say, its room gate is open, and its peer has it as
 * its peer (abi/valid.h). */
int hd_socket_is_valid(uint32_t number);

#endif

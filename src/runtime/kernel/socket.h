/* Sockets: pairs of UNIX sockets (socketpair), UNIX sockets with names, TCP and UDP on the loopback interface.
 *
 * A socket has a queue of what was sent to it (kernel/queue.h), with two gates (kernel/gate.h): there is data if a
 * message has come or none will come any more; there is always room. A stream is received byte by byte, a datagram or
 * packet as a whole. What no receiver has taken counts with an overhead per message, as in Linux, and stays below the
 * smallest buffer of a socket: more would block the sender sooner or later, which is a model limit.
 *
 * A socket that is closed or shut down shuts the other side of its peer down: the peer's calls find that out by the
 * gates of the two sockets. If a stream or packet socket is closed with messages that it has not received, the next
 * call of its peer that receives and finds nothing fails once with ECONNRESET. TCP differs: it is shut down in one
 * direction only, the peer of a closed socket can send once and gets a reset for it, and calls that send find a reset,
 * too.
 *
 * Connections (listener.c). A socket that listens has a queue of connections: its data are connections that wait to be
 * accepted, its room is its backlog. The other end of a connection exists from connect on. It is numbered after its
 * client: sockets are made in pairs of numbers, 2n for socket(2) and 2n + 1 for the other end. So numbers do not depend
 * on the order of connections. A stream socket that is not connected has data, because no call waits for it.
 *
 * Datagrams (datagram.c). A call that sends looks up the name, and then puts the message into the queue that it leads
 * to: two steps, and the name is looked up again if its socket has been closed in between. A message has a note of
 * where it comes from.
 *
 * Conflicts. What a socket is (connected, listening, its names and options) is an object of its own, for the calls that
 * only ask for it. A call that makes it another changes both gates, too, so calls that send, receive or poll need not
 * look at it. An error that a socket has is announced at both gates. */
#ifndef HD_RUNTIME_KERNEL_SOCKET_H
#define HD_RUNTIME_KERNEL_SOCKET_H

#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hd_address;
struct hd_description;

enum { HD_SOCKETS = 1024 };

/* Before a run: there is none. */
void hd_sockets_reset(void);

/* Makes two sockets of the type (SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET) that are connected to each other, and their
 * descriptions. */
void hd_socket_make_pair(int type, int flags, struct hd_description *ends[2]);

/* Makes a socket, which is not connected: part of the step that takes its descriptor. */
struct hd_description *hd_socket_make(int domain, int type, int flags);

/* Calls; 0 or minus an error number. */
int hd_socket_shut(struct hd_description *d, int how);
int hd_socket_bind(struct hd_description *d, const struct hd_address *address, const hd_site *site);
int hd_socket_listen(struct hd_description *d, int backlog, const hd_site *site);
int hd_socket_connect(struct hd_description *d, const struct hd_address *to, const hd_site *site);

/* Returns the new descriptor or minus an error number. */
int hd_socket_accept(struct hd_description *d, int flags, struct hd_address *from, const hd_site *site);

/* Sends a datagram to the address: the number of bytes or minus an error number. */
ssize_t hd_socket_send_to(struct hd_description *d, const void *from, size_t size, const struct hd_address *to);

/* A call that sends gives an address: 1: it is ignored, 0: it counts, or minus an error number. */
int hd_socket_ignores_address(struct hd_description *d, const hd_site *site);

/* Where the message came from that the current thread has just received from the socket. */
void hd_socket_source(struct hd_description *d, struct hd_address *source, const hd_site *site);

/* Its own name, or that of its peer: 0 or minus an error number. */
int hd_socket_name(struct hd_description *d, int is_peer, struct hd_address *name, const hd_site *site);

/* setsockopt and getsockopt with a number: 0 or minus an error number. Any other option is a model limit. */
int hd_socket_set(struct hd_description *d, int level, int option, int value, const hd_site *site);
int hd_socket_get(struct hd_description *d, int level, int option, int *value, const hd_site *site);

int hd_socket_type(const struct hd_description *d);
int hd_socket_domain(const struct hd_description *d);

/* Its queue is valid, its data gate is as its queue and its state say, its room gate is open unless a listener has more
 * connections than its backlog, it has as many connections as it counts, and the peer of a connected one has it as its
 * peer (abi/valid.h). */
int hd_socket_is_valid(uint32_t number);

#endif

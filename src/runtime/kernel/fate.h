/* What a network or a kernel may do with data on its way (abi/fates.h). Each is a choice before or after the call's own
 * step, and there is none unless the user has asked for it (abi/settings.def).
 *
 * --udp=loss,dup,reorder. A datagram of UDP for which there is a receiver arrives once, never, or twice: one choice of
 * up to three outcomes for each datagram that is sent. Its copy arrives in a step of its own, so that others may come
 * between the two, and there is no copy of a copy. A datagram that arrives while n others are queued may overtake 1 to
 * n of them: one choice of n + 1 outcomes, so every order of datagrams that are queued at the same time comes about. It
 * is a choice after the arrival, since n is known then, and one that goes ahead does so in a step of its own. One that
 * a call has seen without taking it (MSG_PEEK, FIONREAD) is not overtaken. Datagrams are not delayed otherwise: a call
 * finds each that has been sent before it, and not lost.
 *
 * --partial. A call on a stream transfers all bytes that it could, or the least number that it may: one choice of two
 * outcomes where these differ. A call that receives from a pipe or a stream socket waits for data first, and looks at
 * how many bytes there are; the least is 1. MSG_PEEK and MSG_WAITALL are never partial. A call that sends is partial
 * only if it does not wait: on a stream socket the least is 1 byte, on a pipe 1, or a page if the pipe is empty, and
 * writes of up to a page are never divided, as POSIX says. */
#ifndef HD_RUNTIME_KERNEL_FATE_H
#define HD_RUNTIME_KERNEL_FATE_H

#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>

struct hd_description;
struct hd_gate;

/* How often the datagram arrives that the current thread sends. */
uint32_t hd_fate_copies(const hd_site *site);

/* How many of the `ahead` others the datagram overtakes that has just arrived. */
uint32_t hd_fate_overtakes(uint32_t ahead, const hd_site *site);

/* Does a call that could transfer `size` bytes transfer a part of them? */
int hd_fate_divides(size_t size, const hd_site *site);

/* How many bytes a call may take that receives up to `size` bytes of a stream: `size`, or 1. It has waited for the gate
 * if it `waits`; 0: there is nothing to take. `count` tells how many bytes there are. */
size_t hd_fate_take(struct hd_description *d, struct hd_gate *data, int waits, size_t size,
    size_t (*count)(const struct hd_description *d));

#endif

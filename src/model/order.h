/* Which message was sent before which: the happen-before graphs of causal
 * ports, for a search that lets processes run ahead of each other.
 *
 * Messages that wait in a port with several senders have an id; everything else
 * knows the ids of those that were sent before it: each waiting message its
 * `before`, each process what precedes whatever it sends next. A message may be
 * received if none before it waits in the same port. Sending adds to the
 * sender's past, receiving adds the message's past to the receiver's: this is
 * the paper's graph with its sub-queues, kept closed under transitivity (the
 * paper's own construction loses an order that passes through a process which
 * sends nothing to the port in between). hd_order_text shows it as sub-queues.
 *
 * One queue per port is stricter than causal order when several ports have
 * several senders: to receive b before a, which waits beside it, says that b
 * was sent first, and with it all that precedes b. With `strict`, receiving
 * therefore puts the received message's past before everything that waits in,
 * or will come to, the port. Then a path exists under one queue per port iff
 * it exists here.
 */
#ifndef HD_MODEL_ORDER_H
#define HD_MODEL_ORDER_H

#include "model/system.h"

typedef struct hd_order_slot {
    uint64_t before;
    uint8_t id; /* HD_NO_ID in ports with one sender */
} hd_order_slot;

enum { HD_NO_ID = 255, HD_MOST_WAITING = 4096 };

typedef struct hd_order {
    bool strict;
    uint64_t ids; /* in use */
    uint64_t past[HD_MOST_SENDERS];
    uint64_t port_past[HD_MOST_PORTS];
    hd_order_slot slots[]; /* per port and position; see hd_order_layout */
} hd_order;

typedef struct hd_order_layout {
    const hd_system *system;
    uint32_t first[HD_MOST_PORTS + 1]; /* slot of a port's first message */
    size_t size; /* of an hd_order */
} hd_order_layout;

void hd_order_layout_init(hd_order_layout *l, const hd_system *system);
void hd_order_init(const hd_order_layout *l, hd_order *o, bool strict);

/* A message of `pid` now stands at `position` of the port, which holds `length`. False: out of ids. */
bool hd_order_send(const hd_order_layout *l, hd_order *o, int pid, int channel, int position, int length);

bool hd_order_first(const hd_order_layout *l, const hd_order *o, int channel, int position, int length);

/* Process `pid` takes the message at `position` of a port that held `length`. */
void hd_order_receive(const hd_order_layout *l, hd_order *o, int pid, int channel, int position, int length);

/* Says that the message at `position` is the first of its port's queue: all
 * others, and those still to come, were sent after it. */
void hd_order_settle(const hd_order_layout *l, hd_order *o, int channel, int position, int length);

/* Could a message that `pid` sends later come first in the port, as it is? */
bool hd_order_may_overtake(const hd_order_layout *l, const hd_order *o, int pid, int channel, int length);

/* Forgets what can no longer matter: `sends[pid]` are the ports a process may
 * still send to. Then writes the graph, with ids in the order of places, so that
 * equal graphs are equal bytes. Gives the number of bytes. */
size_t hd_order_write(const hd_order_layout *l, hd_order *o, const hd_machine *m, const hd_ports *sends, uint8_t *out);

/* The port as sub-queues: one line per sender, "[a b] [c] < sender:k …". */
char *hd_order_text(const hd_order_layout *l, const hd_order *o, const hd_machine *m, int channel, hd_arena *arena);

#endif

/* Which message was sent before which: the happen-before graphs of causal ports, for a search that
 * lets processes run ahead of each other.
 *
 * Each message that waits in a port with several senders has an id. Each waiting message has the
 * set of ids sent before it (`before`), and each process the set of ids that precede whatever it
 * sends next (`past`). A message may be received if none of its predecessors waits in the same
 * port. Sending adds the message to the sender's past; receiving adds the message's past to the
 * receiver's. This is the paper's graph with its sub-queues, kept transitively closed (the paper's
 * construction loses orders that pass through a process which sends nothing to the port in
 * between). hd_model_order_text prints it as sub-queues.
 *
 * One queue per port is stricter than causal order if several ports have several senders: receiving
 * b before a, which waits beside it, implies that b was sent first, and with it everything that
 * precedes b. So with `strict`, receiving a message puts its past before everything that waits in,
 * or will come to, the port. Then a path exists under one queue per port iff it exists here. */
#ifndef HD_MODEL_ORDER_H
#define HD_MODEL_ORDER_H

#include "model/system.h"

typedef struct hd_model_order hd_model_order;

/* Where the messages of a system are in an order. Plain data, the same for all orders of a search. */
typedef struct hd_model_order_layout {
    const hd_model_system *system;
    uint32_t first[HD_MODEL_MOST_PORTS + 1]; /* slot of a port's first message */
    size_t size; /* of an hd_model_order, which is copied as bytes */
    size_t most_written; /* by hd_model_order_write */
} hd_model_order_layout;

void hd_model_order_layout_init(hd_model_order_layout *l, const hd_model_system *system);
void hd_model_order_init(const hd_model_order_layout *l, hd_model_order *o, bool strict);

/* A message of `pid` has been inserted at `position` of the port, which now holds `length`. False:
 * out of ids. */
bool hd_model_order_send(
    const hd_model_order_layout *l, hd_model_order *o, int pid, int channel, int position, int length);

bool hd_model_order_first(
    const hd_model_order_layout *l, const hd_model_order *o, int channel, int position, int length);

/* Process `pid` takes the message at `position` of a port that held `length`. */
void hd_model_order_receive(
    const hd_model_order_layout *l, hd_model_order *o, int pid, int channel, int position, int length);

/* Fixes the message at `position` as the head of its port's queue: all others, and all still to
 * come, were sent after it. */
void hd_model_order_settle(const hd_model_order_layout *l, hd_model_order *o, int channel, int position, int length);

/* Could a message that `pid` sends later be received before all that wait in the port now? */
bool hd_model_order_may_overtake(
    const hd_model_order_layout *l, const hd_model_order *o, int pid, int channel, int length);

/* Drops orders that can no longer matter (`sends[pid]`: the ports that a process may still send
 * to), then writes the graph with ids renumbered by position, so that equal graphs are equal bytes.
 * Returns the number of bytes. */
size_t hd_model_order_write(const hd_model_order_layout *l, hd_model_order *o, const hd_model_machine *m,
    const hd_model_ports *sends, uint8_t *out);

/* Checks, after a move and where the graph is written:
 * - the machine's messages have slots in the same positions; those in ports with several senders have an id
 *   each, the others none, and no other id is in use;
 * - the order relates only messages that wait; it is transitive, also through what processes and ports know,
 *   and no message precedes itself: so some message of every port is first;
 * - messages of one sender to one port precede each other in the order of their positions. */
bool hd_model_order_is_valid(const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m);

/* The port as sub-queues: one line per sender, "[a b] [c] < sender:k …". */
char *hd_model_order_text(
    const hd_model_order_layout *l, const hd_model_order *o, const hd_model_machine *m, int channel, hd_arena *arena);

#endif

/* What channels do, inside the machine: sending, finding the message that a
 * receive is to take, taking it. `line` is where a fault happens. */
#ifndef HD_MODEL_PORTS_H
#define HD_MODEL_PORTS_H

#include "model/machine.h"

int hd_port_length(hd_machine *m, int channel, int line);
bool hd_port_is_full(hd_machine *m, int channel, int line);

/* A rendezvous channel can take a message if no other rendezvous is under way; whether somebody receives it is seen
 * later. */
bool hd_port_can_send(hd_machine *m, int channel, int line);
void hd_port_send(hd_machine *m, int channel, const int32_t *values, int count, bool sorted, int line);

/* Is there a message whose fields have the values (where the mask says so)? The choice-th of them; with `keep` it is
 * the matched one from then on. `operands` are those of MATCH (ops.def). */
bool hd_port_match(hd_machine *m, int channel, const int32_t *values, const int32_t *operands, int choice, bool keep);
int32_t hd_port_field(const hd_machine *m, int index);
void hd_port_remove(hd_machine *m);

/* The first fault of a step counts. */
void hd_machine_fail(hd_machine *m, hd_fault_kind kind, int line);

#endif

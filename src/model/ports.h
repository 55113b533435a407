/* Channel operations of the machine: sending, finding the message that a receive takes, taking it.
 * `line` is the source line for faults. */
#ifndef HD_MODEL_PORTS_H
#define HD_MODEL_PORTS_H

#include "model/machine.h"

int hd_model_port_length(hd_model_machine *m, int channel, int line);
bool hd_model_port_is_full(hd_model_machine *m, int channel, int line);

/* A rendezvous channel accepts a message if no other rendezvous is under way; whether a process
 * receives it is checked later. */
bool hd_model_port_can_send(hd_model_machine *m, int channel, int line);
void hd_model_port_send(hd_model_machine *m, int channel, const int32_t *values, int count, bool sorted, int line);

/* Is there a message whose fields have the values (where the mask says so)? Takes the choice-th
 * such message; with `keep` it becomes the matched one. `operands` are those of MATCH (ops.def). */
bool hd_model_port_match(
    hd_model_machine *m, int channel, const int32_t *values, const int32_t *operands, int choice, bool keep);
int32_t hd_model_port_field(const hd_model_machine *m, int index);
void hd_model_port_remove(hd_model_machine *m);

/* Records a fault; only the first one of a step counts. */
void hd_model_machine_fail(hd_model_machine *m, hd_model_fault_kind kind, int line);

#endif

/* Gates: threads wait until a gate is opened. Once open, it stays so. */
#ifndef HD_RUNTIME_SYNC_GATE_H
#define HD_RUNTIME_SYNC_GATE_H

#include "runtime/sched/sched.h"

typedef struct hd_gate {
    uint32_t open;
    uint64_t now; /* the latest virtual time at which it was opened */
} hd_gate;

void hd_gate_pass(hd_gate *g); /* waits */
int hd_gate_try(hd_gate *g); /* 0: it is shut */
void hd_gate_unbar(hd_gate *g);

#endif

/* Gates: what calls on descriptors wait for.
 *
 * An object through which data passes has two gates: its data, which calls that receive wait for, and its room, which
 * calls that send wait for. A gate is open or shut. To explorers that is a count (abi/ops.def, adds): data has 1 while
 * its gate is open, room has 1 while its gate is shut, so both start at 0. A call is one step: it passes the gate that
 * it waits for, and then announces what it does to the object, with one operation for each gate that it affects. So
 * whether a call is enabled somewhere else follows from the count alone, and its other effects are those of an atomic
 * block, which explorers do not predict.
 *
 * Data that comes and goes in order consists of units (abi/wire.h, hd_stretch). Calls that receive and calls that send
 * commute while there is data between what the one takes and what the other adds, if the queue is far from full.
 *
 * The address of a gate is the object of its operations. Gates are never used for a second object in one execution. */
#ifndef HD_RUNTIME_KERNEL_GATE_H
#define HD_RUNTIME_KERNEL_GATE_H

#include <stddef.h>
#include <stdint.h>

struct timespec;

typedef struct hd_gate {
    uint32_t count;
    uint32_t counts; /* of data: it is a counter (kernel/eventfd.h), whose operations have kinds of their own */
    uint32_t fetched, appended; /* of data with units: how many have been taken and added so far */
} hd_gate;

/* Passes the gate; waits for it if it is shut and `waits` is set. Returns whether it has passed. */
int hd_data_take(hd_gate *data, int waits);
int hd_room_take(hd_gate *room, int waits);

/* The same with a time limit (NULL: none). */
int hd_data_take_until(hd_gate *data, const struct timespec *until);
int hd_room_take_until(hd_gate *room, const struct timespec *until);

/* Passes the gate of data with units, to take up to so many of them. The caller adds to `fetched` what it has taken. */
int hd_data_fetch(hd_gate *data, int waits, size_t units);

/* Opens the gate of data with units: so many are added, and counted. */
void hd_data_append(hd_gate *data, size_t units);

/* Opens the gate: data is added, or there will be no more of it. Shuts the gate, which is open: all data is taken. Room
 * likewise. The caller changes the object after the call, unless it has performed an operation of the same step before.
 */
void hd_data_comes(hd_gate *data);
void hd_data_gone(hd_gate *data);
void hd_room_comes(hd_gate *room);
void hd_room_gone(hd_gate *room);

/* Takes a unit of data that is a counter, or all of it. */
int hd_counter_take(hd_gate *data, int waits);

/* Passes the gate of data, which the call waits for up to the time limit; `outer` is of the step that begins with it
 * (hd_step_begin), which is ended if the time runs out. */
int hd_data_begin_until(hd_gate *data, const struct timespec *until, uint32_t outer);

/* The call changes what belongs to the data, not whether there is some. */
void hd_data_change(hd_gate *data);

/* The call looks at the amount of data. */
void hd_data_look(hd_gate *data);

/* Is the gate open? */
int hd_data_poll(hd_gate *data);
int hd_room_poll(hd_gate *room);

/* Waits until the gate is open, or until the time limit (NULL: none). Returns whether it is. */
int hd_data_await(hd_gate *data, const struct timespec *until);
int hd_room_await(hd_gate *room, const struct timespec *until);

/* Has a wait of the current thread for the gate, at hd_call_site, timed out as often as it may at any time
 * (sched/expiry.h)? */
int hd_data_is_patient(hd_gate *data);
int hd_room_is_patient(hd_gate *room);

#endif

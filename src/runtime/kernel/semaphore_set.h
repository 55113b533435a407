/* Sets of System V semaphores.
 *
 * Each is a semaphore of runtime/sync/semaphore.h. A call with the one operation -1 is a wait, a call with one positive
 * operation consists of posts; so explorers know what these do elsewhere. Any other call (several operations, a greater
 * number, waiting for zero) looks at its semaphores, and if it can go on, the step also waits and posts as often as the
 * values change. If it cannot, it looks again after another thread has changed one of them (sched/spin.h). Setting a
 * value is a look with as many waits or posts as the old value differs from the new one.
 *
 * Removing a set posts each of its semaphores. A wait that passes and then finds the set removed posts again, so that
 * the next one passes, too, and fails.
 *
 * A call with SEM_UNDO has no other effect than one without: what it undoes, it undoes when its process ends, and
 * no other process is there to see that. In a system of several processes it is a model limit. */
#ifndef HD_RUNTIME_KERNEL_SEMAPHORE_SET_H
#define HD_RUNTIME_KERNEL_SEMAPHORE_SET_H

#include "abi/site.h"

#include <stdint.h>

struct sembuf;
struct timespec;

enum { HD_SET_MOST = 32, HD_VALUE_MOST = 32767, HD_CHANGE_MOST = 256 };

/* Before a run: there is none. */
void hd_semaphore_sets_reset(void);

/* semget: an identifier, or minus an error number. */
int hd_semaphore_set_get(int key, int count, int flags, const hd_site *site);

/* semtimedop: 0 or an error number. The operations are not the program's memory. */
int hd_semaphore_set_operate(
    int id, const struct sembuf *ops, uint32_t count, const struct timespec *until, const hd_site *site);

/* semctl. Each gives 0 or an error number. */
int hd_semaphore_set_count(int id, uint32_t *count, const hd_site *site);
int hd_semaphore_set_values(int id, uint16_t *to, const hd_site *site);
int hd_semaphore_set_value(int id, int index, int *value, const hd_site *site);
int hd_semaphore_set_assign(int id, int index, int value, const hd_site *site);
int hd_semaphore_set_assign_all(int id, const uint16_t *values, const hd_site *site);
int hd_semaphore_set_remove(int id, const hd_site *site);

struct semid_ds;
int hd_semaphore_set_status(int id, struct semid_ds *to, const hd_site *site);

/* It has between one and HD_SET_MOST semaphores, and each of them is valid (abi/valid.h). */
int hd_semaphore_set_is_valid(uint32_t number);

#endif

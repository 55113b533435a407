/* Semaphores, stored in the bytes of the program's sem_t. A wait is one operation, enabled while the value is positive;
 * a wait with a time limit is a try. */
#ifndef HD_RUNTIME_SYNC_SEMAPHORE_H
#define HD_RUNTIME_SYNC_SEMAPHORE_H

#include "runtime/sched/sched.h"

typedef struct hd_semaphore {
    uint32_t value;
    uint8_t destroyed;
    uint8_t late; /* initialised while other threads existed */
    uint32_t made; /* HD_MADE; otherwise it is not initialised */
} hd_semaphore;

/* Each gives 0 or an error number. */
int hd_semaphore_init(hd_semaphore *s, uint32_t value);
int hd_semaphore_destroy(hd_semaphore *s);

/* Initialises a semaphore that no thread can have used yet, which is no operation. */
void hd_semaphore_make(hd_semaphore *s, uint32_t value);

int hd_semaphore_wait(hd_semaphore *s);

struct timespec;
/* Fails with ETIMEDOUT at the time limit; without one (NULL), with EAGAIN at once. */
int hd_semaphore_try(hd_semaphore *s, const struct timespec *until);

int hd_semaphore_post(hd_semaphore *s);
int hd_semaphore_value(hd_semaphore *s, int *value);

/* The thread has seen in this step that the value is 0, and goes on for that reason: what has made it 0 happens before
 * what follows. */
void hd_semaphore_pass_zero(hd_semaphore *s);

/* The value of an initialised semaphore is not negative, that is at most INT_MAX, and the number of its tokens
 * (abi/valid.h). */
int hd_semaphore_is_valid(const hd_semaphore *s);

#endif

/* A lock in memory that processes share. It says who holds it: a process that dies with the lock leaves that behind,
 * and what the lock protects cannot be trusted. It is held for microseconds. */
#ifndef HD_BASE_LOCK_H
#define HD_BASE_LOCK_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct hd_lock {
    volatile uint32_t holder; /* its number, from 1; 0: nobody */
} hd_lock;

static inline void hd_lock_take(hd_lock *lock, uint32_t who)
{
    uint32_t nobody = 0;
    while (!__atomic_compare_exchange_n(&lock->holder, &nobody, who + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        nobody = 0;
        sched_yield();
    }
}

static inline void hd_lock_release(hd_lock *lock)
{
    __atomic_store_n(&lock->holder, 0, __ATOMIC_RELEASE);
}

#endif

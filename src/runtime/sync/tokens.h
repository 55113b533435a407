/* The tokens of semaphores. The value of a semaphore is a number of tokens: those that it was initialised with, and one
 * for each post. A wait takes the least of them (hd_token): an initial one if there is any, otherwise the oldest one of
 * the thread with the least slot. Programs cannot tell tokens apart. They are named because a wait that takes one token
 * commutes with the post of a greater one: it takes the same token and is enabled in either order (event/op.h,
 * docs/algorithms/dpor.md).
 *
 * Kept beside the semaphore, because final states must not depend on them. */
#ifndef HD_RUNTIME_SYNC_TOKENS_H
#define HD_RUNTIME_SYNC_TOKENS_H

#include <stdint.h>

void hd_tokens_new_run(void);

/* The semaphore is initialised. */
void hd_tokens_reset(const void *semaphore, uint32_t value);

/* The token that a wait would take; 0: there is none. `value` is that of the semaphore. */
uint32_t hd_tokens_least(const void *semaphore, uint32_t value);

/* The token that a post of the thread would add. */
uint32_t hd_tokens_next(const void *semaphore, uint32_t value, uint32_t slot);

/* Called before the value changes. */
void hd_tokens_take(const void *semaphore, uint32_t value);
void hd_tokens_add(const void *semaphore, uint32_t value, uint32_t slot);

/* Are there as many tokens as the value says? The posters are in the order of their slots, and no more was taken from
 * one than it added (abi/valid.h). */
int hd_tokens_are_valid(const void *semaphore, uint32_t value);

#endif

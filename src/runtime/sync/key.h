/* Thread-specific data: values under keys that the program creates, with destructors that run when a thread ends. The
 * number of a key depends on the thread that creates it and on how many keys that thread has created before, not on
 * other threads. */
#ifndef HD_RUNTIME_SYNC_KEY_H
#define HD_RUNTIME_SYNC_KEY_H

#include <stdint.h>

struct hd_thread;

/* 0 or an error number. */
int hd_key_create(uint32_t *key, void (*destructor)(void *));
int hd_key_delete(uint32_t key);
int hd_key_set(uint32_t key, const void *value);
void *hd_key_get(uint32_t key);

/* The address of the current thread's value; NULL: it has none. */
void *hd_key_slot(uint32_t key);

/* The current thread is ending: runs the destructors of its values. */
void hd_key_thread_ends(void);

/* Thread `copy` is a copy of the current one. */
void hd_key_copy(struct hd_thread *copy);

#endif

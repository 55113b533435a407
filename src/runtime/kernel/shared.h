/* Memory that belongs to no process: POSIX shared memory objects, System V segments, named semaphores.
 *
 * An object is one block of the heap of the thread that gave it its size. All processes of a system are in one address
 * space, so every mapping of the object is the same memory at the same address. Accesses are checked for races and for
 * bounds as those to other blocks.
 *
 * Lifetime. A name, descriptors and mappings lead to the object. When it has been removed (its name is gone) and
 * nothing uses it any more, the block is freed. Beginning and ending a use commute as long as the object is not
 * removed. The end of a use of a removed object may be the last, so it conflicts with every other one. If no object is
 * removed and no call counts the uses while several threads exist (hd_known), uses are no operations.
 *
 * Size. Changing it conflicts with mapping the object and with asking for its size. It cannot change once the object
 * has been mapped: a block does not move. */
#ifndef HD_RUNTIME_KERNEL_SHARED_H
#define HD_RUNTIME_KERNEL_SHARED_H

#include "abi/site.h"

#include <stddef.h>
#include <stdint.h>

#define HD_NO_SHARED UINT32_MAX

typedef enum hd_shared_kind { HD_SHARED_OBJECT, HD_SHARED_SEGMENT, HD_SHARED_SEMAPHORE } hd_shared_kind;

/* Before a run: there is none. */
void hd_shared_reset(void);

/* Makes an object of this size with one use, its name. HD_NO_SHARED: there is no memory. */
uint32_t hd_shared_make(hd_shared_kind kind, size_t size);

/* A use begins or ends. */
void hd_shared_hold(uint32_t number, const hd_site *site);
void hd_shared_release(uint32_t number, const hd_site *site);

/* The object loses its name, with one use, unless it has been removed before: part of a step of the caller. */
void hd_shared_remove(uint32_t number, const hd_site *site);

/* Sets the size: 0 or an error number. What is added is zeroed. */
int hd_shared_resize(uint32_t number, size_t size, const hd_site *site);
size_t hd_shared_size(uint32_t number, const hd_site *site);

/* Maps `size` bytes from `offset` on: a new use. Returns the address; NULL: it was removed, and is not used any more.
 * It is a model limit that the object is smaller. */
void *hd_shared_map(uint32_t number, size_t offset, size_t size, const hd_site *site);

/* The object in whose block the address is; HD_NO_SHARED: there is none. */
uint32_t hd_shared_at(const void *address);

hd_shared_kind hd_shared_kind_of(uint32_t number);

/* Its bytes, for its maker. */
void *hd_shared_block(uint32_t number);

/* Ends the use of a mapping of `size` bytes at the address (any size: 0) and returns 1, or finds none and returns 0. */
int hd_shared_unmap(uint32_t number, const void *address, size_t size, const hd_site *site);

/* The number of mappings, for a call that tells it. */
uint32_t hd_shared_mappings(uint32_t number, const hd_site *site);

/* Has an object of this kind been made with this number? It may have been removed. */
int hd_shared_is(hd_shared_kind kind, uint32_t number);

/* For calls that have counted its uses, or removed it, in this step. */
int hd_shared_is_removed(uint32_t number);
int hd_shared_is_gone(uint32_t number);

/* Its block is allocated and has room for its size; it has a block if it has mappings, and as many uses as mappings or
 * more (abi/valid.h). */
int hd_shared_is_valid(uint32_t number);

#endif

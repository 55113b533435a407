/* POSIX shared memory objects: names, and descriptors for memory that processes share (kernel/shared.h). A name is that
 * of a file in one folder: slashes in front do not count, and there are none inside. */
#ifndef HD_RUNTIME_KERNEL_MEMORY_OBJECT_H
#define HD_RUNTIME_KERNEL_MEMORY_OBJECT_H

#include "abi/site.h"

#include <stdint.h>

struct hd_description;

/* The name without slashes in front; NULL: it is none. */
const char *hd_shared_name(const char *name);

/* shm_open: a descriptor, or minus an error number. */
int hd_memory_object_open(const char *name, int flags, const hd_site *site);

/* 0 or minus an error number. */
int hd_memory_object_unlink(const char *name, const hd_site *site);
int hd_memory_object_resize(struct hd_description *d, int64_t size, const hd_site *site);

/* The memory that the description is for; HD_NO_SHARED: it is for something else. */
uint32_t hd_memory_object_of(const struct hd_description *d);

#endif

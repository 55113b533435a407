/* The state of shared memory, for shared.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_SHARED_INTERNAL_H
#define HD_RUNTIME_KERNEL_SHARED_INTERNAL_H

#include "runtime/kernel/instances.h"
#include "runtime/kernel/shared.h"

#include <stddef.h>

enum { HD_MAPPINGS = 16 };

typedef struct hd_shared_state {
    uint8_t kind; /* hd_shared_kind */
    char *block; /* NULL: it has no bytes */
    size_t size, room; /* of the object, and of its block */
    uint32_t uses; /* the name, descriptors, mappings */
    uint8_t removed, was_mapped;
    struct {
        size_t offset, size;
        uint32_t count;
    } mappings[HD_MAPPINGS]; /* by part */
} hd_shared_state;

extern hd_shared_state hd_shared_states[HD_INSTANCES];

#endif

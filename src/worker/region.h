/* The engine's memory: a memory file that the supervisor creates and every worker maps at one fixed
 * address. So its contents, with all pointers, outlive a worker that dies. */
#ifndef HD_WORKER_REGION_H
#define HD_WORKER_REGION_H

#include "abi/wire.h"
#include "base/error.h"
#include "base/memory.h"

enum { HD_REGION_CLASSES = 48, HD_REGION_FIELDS = 48 };

#define HD_REGION_FIELD_ROOM 0x100000000ull

/* The allocator in the region. Blocks have sizes that are powers of two, except for large blocks:
 * each of those has a *field*, a range of addresses of its own, in which it grows in place. Only
 * the used part of a field takes memory. Open, as it is embedded in the memory that it manages. */
typedef struct hd_region {
    hd_memory memory; /* must be first; its function pointer belongs to this process */
    char *start, *next, *end;
    char *ready; /* memory is populated up to here */
    void *unused[HD_REGION_CLASSES];
    bool has_fields;
    size_t fields[HD_REGION_FIELDS]; /* fields lie above `end`: the size of the block in each; 0: free */
    size_t used; /* bytes in all allocated blocks */
    size_t most; /* limit of `used`: the process ends when a block would exceed it (HD_EXIT_FULL); 0: no limit */
} hd_region;

/* Creates the memory file; returns its descriptor, or -1. */
int hd_region_make(hd_error *error);

/* Maps the engine's part of the file at its fixed address. */
bool hd_region_map(int fd, hd_error *error);

/* Initialises an allocator for [start, end); it has fields if the range is long enough. */
void hd_region_init(hd_region *r, void *start, void *end);

/* The memory in use from `start` on, in HD_REGION_FIELDS + 1 parts: sets *from and returns the size
 * of a part. For checkpoints. */
size_t hd_region_part(const hd_region *r, char *start, uint32_t part, char **from);

/* Checks that no block is lost or given back twice: what is in use and what is free is all that was ever taken, free
 * blocks lie in the region, and a field has at most its range. */
bool hd_region_is_valid(const hd_region *r);

/* To be called in a new process: sets the function pointer. */
void hd_region_attach(hd_region *r);

#endif

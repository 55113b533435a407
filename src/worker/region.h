/* The engine's memory: a file in memory that the supervisor makes and every
 * worker maps at one fixed address, so that what is in it outlives a worker
 * that dies, pointers and all. */
#ifndef HD_WORKER_REGION_H
#define HD_WORKER_REGION_H

#include "abi/wire.h"
#include "base/error.h"
#include "base/memory.h"

enum { HD_REGION_CLASSES = 48 };

/* The allocator in it; blocks are powers of two. */
typedef struct hd_region {
    hd_memory memory; /* must be first; its function is this process's */
    char *next, *end;
    char *ready; /* up to here the system has been asked for memory */
    void *unused[HD_REGION_CLASSES];
    size_t used;
} hd_region;

/* Makes the file; gives its descriptor, or -1. */
int hd_region_make(hd_error *error);

/* Maps the engine's part of it. */
bool hd_region_map(int fd, hd_error *error);

/* A fresh allocator in [start, end). */
void hd_region_init(hd_region *r, void *start, void *end);

/* In a new process: the function pointer again. */
void hd_region_attach(hd_region *r);

#endif

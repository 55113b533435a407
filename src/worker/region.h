/* The engine's memory: a file in memory that the supervisor makes and every
 * worker maps at one fixed address, so that what is in it outlives a worker
 * that dies, pointers and all. */
#ifndef HD_WORKER_REGION_H
#define HD_WORKER_REGION_H

#include "abi/wire.h"
#include "base/error.h"
#include "base/memory.h"

enum { HD_REGION_CLASSES = 48, HD_REGION_FIELDS = 48 };

#define HD_REGION_FIELD_ROOM 0x100000000ull

/* The allocator in it. Blocks are powers of two, but for large ones: each has a
 * field of addresses to itself, in which it grows without being copied. Of a field
 * only what the block takes up is memory. */
typedef struct hd_region {
    hd_memory memory; /* must be first; its function is this process's */
    char *next, *end;
    char *ready; /* up to here the system has been asked for memory */
    void *unused[HD_REGION_CLASSES];
    bool has_fields;
    size_t fields[HD_REGION_FIELDS]; /* behind `end`: the size of the block; 0: none */
    size_t used; /* bytes of all blocks */
} hd_region;

/* Makes the file; gives its descriptor, or -1. */
int hd_region_make(hd_error *error);

/* Maps the engine's part of it. */
bool hd_region_map(int fd, hd_error *error);

/* A fresh allocator in [start, end), if that is long enough with fields. */
void hd_region_init(hd_region *r, void *start, void *end);

/* What is in use behind `start`, in HD_REGION_FIELDS + 1 parts; gives the part's size. */
size_t hd_region_part(const hd_region *r, char *start, uint32_t part, char **from);

/* In a new process: the function pointer again. */
void hd_region_attach(hd_region *r);

#endif

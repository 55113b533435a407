#include "runtime/core/own.h"

#include "abi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *next;

void hd_own_init(void)
{
    void *got = mmap((void *)HD_OWN_BASE, HD_OWN_SIZE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)HD_OWN_BASE) {
        perror("heddle: cannot reserve memory for the runtime");
        exit(2);
    }
    next = got;
}

void *hd_own_alloc(size_t bytes)
{
    enum { ALIGNMENT = 64 };
    void *block = next;
    size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (room > HD_OWN_BASE + HD_OWN_SIZE - (uint64_t)next) {
        fprintf(stderr, "heddle: out of memory of the runtime's own\n");
        exit(2);
    }
    next += room;
    return block;
}

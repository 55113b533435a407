#include "runtime/symbolic/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void *hd_room(size_t bytes)
{
    void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) {
        perror("heddle: no memory for expressions");
        exit(2);
    }
    return got;
}

/* A constructor or a destructor, as the compiler lists them in the section hd_init. */
#ifndef HD_ABI_INIT_H
#define HD_ABI_INIT_H

#include <stdint.h>

typedef struct hd_init {
    void (*function)(int argc, char **argv, char **envp); /* destructors have no arguments */
    uint32_t priority; /* constructors of low ones come first */
    uint32_t is_destructor;
} hd_init;

enum { HD_INIT_LAST = 65535 /* the priority of those that name none */ };

#endif

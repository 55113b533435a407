/* The table of names, for names.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_NAMES_INTERNAL_H
#define HD_RUNTIME_KERNEL_NAMES_INTERNAL_H

#include "runtime/kernel/names.h"

enum { HD_NAMES = 1024 };

typedef struct hd_named {
    uint8_t space;
    uint32_t number;
    char name[HD_NAME_ROOM];
} hd_named;

/* The names that lead to something, in no order. */
extern hd_named hd_names[HD_NAMES];
extern uint32_t hd_name_count;

#endif

/* The tables of descriptors, for descriptors.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_DESCRIPTORS_INTERNAL_H
#define HD_RUNTIME_KERNEL_DESCRIPTORS_INTERNAL_H

#include "abi/system.h"
#include "runtime/kernel/descriptors.h"

/* The descriptors of a process. */
typedef struct hd_descriptors {
    int used; /* entries below this number may have been used in this run */
    struct {
        uint16_t description; /* + 1; 0: none */
        uint8_t closes_on_exec;
        const hd_site *made_at; /* NULL: the process has inherited it */
    } entries[HD_DESCRIPTORS];
} hd_descriptors;

/* By process. */
extern hd_descriptors hd_descriptor_tables[HD_MOST_PROCESSES];

#endif

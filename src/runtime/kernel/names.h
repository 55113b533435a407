/* Names of kernel objects that belong to no process: those of shared memory, semaphores and message queues, and the
 * keys of System V.
 *
 * Each name is an object of operations: making, finding and removing one name conflict, unless none of them changes
 * what it leads to. Different names commute. (Names with the same hash share an object: that adds conflicts, and no
 * others.) A call that fails because the name is there, or is not, has only looked: a loop that tries again waits. */
#ifndef HD_RUNTIME_KERNEL_NAMES_H
#define HD_RUNTIME_KERNEL_NAMES_H

#include "abi/site.h"

#include <stdint.h>

typedef enum hd_name_space {
    HD_NAMES_OF_MEMORY,
    HD_NAMES_OF_SEMAPHORES,
    HD_NAMES_OF_QUEUES,
    HD_KEYS_OF_MEMORY,
    HD_KEYS_OF_SEMAPHORES,
    HD_KEYS_OF_QUEUES,
    HD_NAME_SPACES
} hd_name_space;

enum { HD_NAME_OBJECTS = 256, HD_NAME_ROOM = 256 };

/* Before a run: there are no names. */
void hd_names_reset(void);

/* The number of the object that the name leads to, or -1. `makes`: if there is none, the caller makes one and calls
 * hd_names_add, in the same step. */
int hd_names_find(hd_name_space space, const char *name, int makes, const hd_site *site);
void hd_names_add(hd_name_space space, const char *name, uint32_t number);

/* Removes the name. Returns what it led to, or -1. */
int hd_names_remove(hd_name_space space, const char *name, const hd_site *site);

/* The object is removed by its number: part of a step of the caller. */
void hd_names_remove_number(hd_name_space space, uint32_t number, const hd_site *site);

/* No name is in one space twice (abi/valid.h). */
int hd_names_are_valid(void);

#endif

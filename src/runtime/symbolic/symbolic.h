/* Expressions over inputs in this process: whether there can be any, and their
 * start in every run. */
#ifndef HD_RUNTIME_SYMBOLIC_SYMBOLIC_H
#define HD_RUNTIME_SYMBOLIC_SYMBOLIC_H

#include <stdint.h>

/* Once, before the program's own constructors, if the program is explored.
 * Functions run as their twins if it asks for inputs, or is told to have some. */
void hd_symbolic_init(int has_sources);

void hd_symbolic_new_run(void);

void hd_memory_init(uint64_t *room);

#endif

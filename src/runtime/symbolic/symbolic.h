/* Expressions over inputs at run time: set-up, and reset before every run. */
#ifndef HD_RUNTIME_SYMBOLIC_SYMBOLIC_H
#define HD_RUNTIME_SYMBOLIC_SYMBOLIC_H

#include <stdint.h>

/* Called once, before the program's own constructors, if the program is explored. If the program asks for inputs, or
 * has inputs that it does not ask for, its functions run as twins, which track expressions. */
void hd_symbolic_init(int has_sources);

void hd_symbolic_new_run(void);

void hd_memory_init(uint64_t *room);

#endif

/* Functions of the C library whose results the test decides (--toss; lines of HD_ENV_SYMBOLIC). */
#ifndef HD_RUNTIME_SYMBOLIC_TOSS_H
#define HD_RUNTIME_SYMBOLIC_TOSS_H

#include <stdint.h>

typedef enum hd_tossed {
#define TOSS(name) HD_TOSS_##name,
#include "abi/toss.def"
    HD_TOSSED_COUNT
} hd_tossed;

/* Each call of the function returns one of 0 to n-1; 0: an input. Returns 0 if there is no such function. */
int hd_toss_add(const char *function, uint64_t n);

/* Is the function tossed in this run? Sets `n` as above. */
int hd_toss_is_given(hd_tossed function, uint64_t *n);

#endif

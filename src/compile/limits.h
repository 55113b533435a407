/* What ends a build before it is done: the command's end (base/ending.h), or the memory that a compiler takes, if that
 * is more than they ordinarily take. The compiler that runs is ended with all its children, and nothing is left of what
 * it has written. */
#ifndef HD_COMPILE_LIMITS_H
#define HD_COMPILE_LIMITS_H

#include "base/ending.h"

#include <stdint.h>

typedef struct hd_cc_limits {
    hd_ending *ending;
    uint64_t memory; /* bytes; 0: a quarter of the machine's memory */
    bool met; /* the build was ended; the error says by what */
} hd_cc_limits;

#endif

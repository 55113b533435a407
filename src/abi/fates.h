/* Fates: what may happen to data on its way between threads and processes, or to the disk, if the user asks for it
 * (--udp, --partial, --crash-files).
 *
 * A fate is the outcome of a choice (CHOOSE in abi/ops.def), so it is explored and replayed as every other outcome. The
 * value of such an operation lists the fates in the order of its outcomes, one per byte, below a bit that says that
 * there are some. An outcome behind the end of the list is the last fate of it. Reports name the fate that an execution
 * had. */
#ifndef HD_ABI_FATES_H
#define HD_ABI_FATES_H

#include <stdint.h>

typedef enum hd_fate {
    HD_FATE_NONE,
#define FATE(name, text) HD_FATE_##name,
#include "abi/fates.def"
#undef FATE
} hd_fate;

#define HD_HAS_FATES (1ull << 63)
enum { HD_MOST_FATES = 7 };

/* Appends a fate to the list, which has `count` of them. */
static inline uint64_t hd_fates_add(uint64_t fates, uint32_t count, hd_fate fate)
{
    return fates | HD_HAS_FATES | (uint64_t)fate << 8 * count;
}

/* The fate that an outcome stands for; HD_FATE_NONE: the value lists none. */
static inline hd_fate hd_fate_of(uint64_t value, uint32_t outcome)
{
    uint32_t last = 0;
    if (!(value & HD_HAS_FATES))
        return HD_FATE_NONE;
    while (last + 1 < HD_MOST_FATES && (value >> 8 * (last + 1) & 0xff))
        last++;
    return (hd_fate)(value >> 8 * (outcome < last ? outcome : last) & 0xff);
}

#endif

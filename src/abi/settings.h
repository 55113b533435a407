/* The settings of a check, on which the outcome of an execution depends: the same struct is filled in
 * from the command line, passed to the worker and on to the runtime, and stored in replay files. */
#ifndef HD_ABI_SETTINGS_H
#define HD_ABI_SETTINGS_H

#include <stdint.h>

/* Plain data, as it is part of what processes share. */
typedef struct hd_settings {
    uint32_t depth; /* number of operations after which a thread is stopped */
    uint32_t processors; /* that the program sees */
    uint32_t timeouts; /* number of time-outs of a wait that may come at any time; HD_TIMEOUTS_ANY: all */
#define SETTING(field, word) uint8_t field;
#include "abi/settings.def"
#undef SETTING
} hd_settings;

#define HD_TIMEOUTS_ANY UINT32_MAX
enum { HD_USUAL_PROCESSORS = 2, HD_MOST_PROCESSORS = 1024 };

enum {
    HD_SETTING_COUNT = 0
#define SETTING(field, word) +1
#include "abi/settings.def"
#undef SETTING
};

/* The whole is not compared at once: it has padding. */
static inline int hd_settings_are_same(const hd_settings *a, const hd_settings *b)
{
    return a->depth == b->depth && a->processors == b->processors && a->timeouts == b->timeouts
#define SETTING(field, word) &&a->field == b->field
#include "abi/settings.def"
#undef SETTING
        ;
}

#endif

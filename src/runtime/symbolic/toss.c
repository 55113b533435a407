#include "runtime/symbolic/toss.h"

#include "runtime/core/state.h"

#include <string.h>

static struct {
    int given;
    uint64_t n;
} tosses[HD_TOSSED_COUNT];

int hd_toss_add(const char *function, uint64_t n)
{
    static const char *const names[] = {
#define TOSS(name) #name,
#include "abi/toss.def"
    };
    for (uint32_t i = 0; i < HD_TOSSED_COUNT; i++)
        if (!strcmp(function, names[i])) {
            tosses[i].given = 1;
            tosses[i].n = n;
            return 1;
        }
    return 0;
}

int hd_toss_is_given(hd_tossed function, uint64_t *n)
{
    *n = tosses[function].n;
    return tosses[function].given && hd_exploring();
}

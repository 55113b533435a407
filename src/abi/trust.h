/* Names of HD_ENV_TRUST. */
#ifndef HD_ABI_TRUST_H
#define HD_ABI_TRUST_H

#include <string.h>

/* Is `name` in the list? "libz.so.1" is there as libz.so.1, libz.so or libz. */
static inline int hd_trust_has(const char *list, const char *name)
{
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length && !strncmp(name, list, length) && (!name[length] || name[length] == '.'))
            return 1;
        list += length + (list[length] == ':');
    }
    return 0;
}

#endif

/* followed: none; branches: 300
 * Numbers from strings. */
#include "observe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[5] = "", *end, mixed[24] = "9223372036854775__8", small[4] = "0x";
    heddle_bytes(text, 4, "text");
    observe((uint32_t)atoi(text));
    observe((uint64_t)atol(text));
    observe((uint64_t)atoll(text));
    observe((uint64_t)strtol(text, &end, 10));
    observe((uint64_t)(end - text));
    observe(strtoul(text, &end, 16));
    observe((uint64_t)(end - text));
    observe((uint64_t)strtoll(text, NULL, 0));
    observe(strtoull(text, NULL, 36));
    observe((uint64_t)strtoimax(text, NULL, 8) ^ strtoumax(text, NULL, 2));
    memcpy(mixed + 16, text, 2);
    errno = 0;
    observe((uint64_t)strtol(mixed, &end, 10));
    observe((uint64_t)(end - mixed) << 8 | (uint64_t)errno);
    small[2] = text[2];
    observe((uint64_t)strtol(small, &end, 0));
    observe((uint64_t)(end - small));
    return 0;
}

/* memfrob of glibc: every byte with 42, exclusive or. */
#include "runtime/sched/access.h"
#include "runtime/face/face.h"
#include "runtime/sched/sched.h"

HD_FACE void *hd_memfrob(void *bytes, size_t count)
{
    hd_access_range(bytes, count, hd_call_site, 1);
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)bytes)[i] ^= 42;
    return bytes;
}

#include "runtime/kernel/instances.h"

#include "runtime/sched/sched.h"

_Static_assert(HD_INSTANCES <= UINT16_MAX, "a number fits into `made`");

uint32_t hd_instances_add(hd_instances *i, const char *what)
{
    uint32_t thread = hd_current->id;
    if (i->by[thread] == HD_INSTANCES_EACH)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a thread that makes more than %d %s is not modelled yet",
            HD_INSTANCES_EACH, what);
    uint32_t number = thread * HD_INSTANCES_EACH + i->by[thread]++;
    i->made[i->count++] = (uint16_t)number;
    return number;
}

int hd_instances_has(const hd_instances *i, uint32_t number)
{
    return number < HD_INSTANCES && number % HD_INSTANCES_EACH < i->by[number / HD_INSTANCES_EACH];
}

void hd_instances_reset(hd_instances *i)
{
    for (uint32_t k = 0; k < i->count; k++)
        i->by[i->made[k] / HD_INSTANCES_EACH] = 0;
    i->count = 0;
}

#include "runtime/core/stop.h"

__attribute__((noinline)) void hd_failure_reached(void)
{
    __asm__ volatile("" ::: "memory");
}

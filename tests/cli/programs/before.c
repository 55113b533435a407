#include <assert.h>
#include <stdlib.h>

__attribute__((constructor)) static void boom(void)
{
#ifdef LEAVES
    exit(5);
#elif defined ASSERTS
    assert(1 == 2);
#else
    *(volatile int *)8 = 1;
#endif
}

int main(void)
{
    return 0;
}

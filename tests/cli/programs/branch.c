/* Two branches call functions that are not modelled; a third one fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdlib.h>

#ifdef RIGHT
enum { WRONG = 3 };
#else
enum { WRONG = 2 };
#endif

static atomic_int flag;

static void *set(void *unused)
{
    flag = 1;
    flag = 2;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    int seen = flag;
    assert(seen != WRONG);
    if (seen == 1)
        system("true");
    else if (!seen)
        system("true");
    pthread_join(t, NULL);
}

// A loop that sleeps until a flag is set waits for the flag: it is
// set before the first look or after it.
// EXPECT: complete
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag;

static void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    while (!flag)
        usleep(100);
    pthread_join(t, NULL);
}

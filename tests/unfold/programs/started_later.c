/* Threads that never live together, and nobody looks at what they did: the next is started
 * after the last has been joined, and finds what that one left. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *add(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 10; i++) {
        pthread_t a;
        pthread_create(&a, NULL, add, NULL);
        pthread_join(a, NULL);
    }
    return 0;
}

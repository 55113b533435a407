// A race on main's stack.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static void *set(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}

int main(void)
{
    int x = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, set, &x);
    pthread_create(&b, NULL, set, &x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x - 1;
}

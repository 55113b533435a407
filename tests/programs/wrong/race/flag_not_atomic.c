// A plain flag publishes nothing: the flag races, and so does the data.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static int ready, data, seen;

static void *send(void *unused)
{
    data = 42;
    ready = 1;
    return unused;
}

static void *receive(void *unused)
{
    if (ready)
        seen = data;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, send, NULL);
    pthread_create(&q, NULL, receive, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}

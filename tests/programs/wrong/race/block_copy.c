// memcpy over what another thread reads.
// EXPECT: finding data-race
// DFS: yes
#include <pthread.h>
#include <string.h>

static char text[16], seen;

static void *fill(void *unused)
{
    memcpy(text, "fifteen letters", 16);
    return unused;
}

static void *look(void *unused)
{
    seen = text[5];
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, fill, NULL);
    pthread_create(&q, NULL, look, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}

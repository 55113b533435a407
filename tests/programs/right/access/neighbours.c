// Different bytes of one word commute, and are no data race.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>

static struct {
    char a, b;
    short c;
    int d;
} x;

static void *one(void *unused)
{
    x.a = 1;
    x.d = 4;
    return unused;
}

static void *two(void *unused)
{
    x.b = 2;
    x.c = 3;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x.a == 1 && x.b == 2 && x.c == 3 && x.d == 4);
}

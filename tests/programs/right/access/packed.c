// An access that straddles two words is an access to both.
// EXPECT: complete
// OPTIONS: --races=off
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static struct __attribute__((packed, aligned(8))) {
    char pad[6];
    int value;
    char tail;
} x;
static char seen;

static void *write_it(void *unused)
{
    x.value = -1;
    return unused;
}

static void *read_end(void *unused)
{
    seen = ((char *)&x)[9];
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, write_it, NULL);
    pthread_create(&q, NULL, read_end, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}

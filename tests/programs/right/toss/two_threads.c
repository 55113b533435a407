// Each thread draws one of 3 numbers; the two additions are made in either order, unless both add 0: 9 pairs, 8 of them
// twice.
// EXPECT: complete
// OPTIONS: --toss=rand:3
// TESTS: 17
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;

static void *work(void *unused)
{
    int drawn = rand();
    assert(drawn >= 0 && drawn < 3);
    atomic_fetch_add(&sum, drawn);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum <= 4);
}

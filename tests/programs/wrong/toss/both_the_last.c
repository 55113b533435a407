// Only if both threads draw the last of their numbers is the sum 4: once.
// EXPECT: finding assertion at 26
// OPTIONS: --toss=random:3
// TESTS: 17
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;

static void *work(void *unused)
{
    atomic_fetch_add(&sum, (int)random());
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum != 4);
}

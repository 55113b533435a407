// Two threads each create a third, and it fails if the first one's is the last: the finding names threads that other
// executions create in another order, and the replay must have them under the same numbers.
// EXPECT: finding assertion
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum, last;

static void *leaf(void *who)
{
    last = *(int *)who;
    return NULL;
}

static void *middle(void *who)
{
    pthread_t thread;
    sum++;
    pthread_create(&thread, NULL, leaf, who);
    pthread_join(thread, NULL);
    return NULL;
}

int main(void)
{
    static int names[] = { 1, 2 };
    pthread_t a, b;
    pthread_create(&a, NULL, middle, &names[0]);
    pthread_create(&b, NULL, middle, &names[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(last != 1);
    return 0;
}

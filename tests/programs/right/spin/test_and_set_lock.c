// A lock by test-and-set; the counter needs no other protection.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void *add(void *unused)
{
    while (atomic_flag_test_and_set(&taken)) {
    }
    count++;
    atomic_flag_clear(&taken);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(count == 2);
}

// A ticket lock: tickets in both orders; the second waits or need not.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, serving;
static int count;

static void *add(void *unused)
{
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine) {
    }
    count++;
    atomic_fetch_add(&serving, 1);
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

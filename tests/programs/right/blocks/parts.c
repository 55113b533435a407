// Ranges that overlap in part, at odd addresses, beside accesses to single elements, an atomic one among them.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <string.h>

enum { SIZE = 4096 };

static char block[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused)
{
    pthread_mutex_lock(&lock);
    memset(block, 1, SIZE);
    block[77] = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *move(void *unused)
{
    pthread_mutex_lock(&lock);
    memmove(block + 1003, block + 5, 2000);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    __atomic_fetch_add((long *)(block + 2048), 0x0303030303030303, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, move, NULL);
    pthread_create(&threads[2], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(block[77] == 2 && (block[1075] == 2 || block[1075] == 1));
    assert(block[2048] == 1 || block[2048] == 3 || block[2048] == 4 || block[2048] == 0);
}

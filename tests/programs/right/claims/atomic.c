// Each thread changes three variables under the lock: the accesses are one step, which follows the lock and precedes the
// unlock. The number of traces is that of the locks' orders; dfs has fewer schedules than without the annotation.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;

HEDDLE_ATOMIC static void add(void)
{
    pthread_mutex_lock(&lock);
    x++;
    y += x;
    z += y;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 && y == 3 && z == 4);
}

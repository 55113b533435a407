// Reserves more memory than the heap of an execution may take, and uses a little of it; so do allocators.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

enum { HALF = 700 << 20 };

static char *area;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    area[HALF]++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t a, b;
    area = mmap(NULL, 2ul * HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(area != MAP_FAILED);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(area[HALF] == 2);
    munmap(area, 2ul * HALF);
    return 0;
}

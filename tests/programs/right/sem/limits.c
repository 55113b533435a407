// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void)
{
    sem_t s;
    int value;
    assert(sem_init(&s, 0, (unsigned)INT_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, INT_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    assert(sem_wait(&s) == 0);
    assert(sem_post(&s) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == INT_MAX);
    assert(sem_destroy(&s) == 0);
}

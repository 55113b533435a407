// The environment is shared.
// EXPECT: finding assertion at 21
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *set(void *unused)
{
    setenv("HEDDLE_TEST", "1", 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    const char *value = getenv("HEDDLE_TEST");
    pthread_join(t, NULL);
    assert(!value);
}

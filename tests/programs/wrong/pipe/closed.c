// A thread closes the pipe that another one uses: the number may stand for nothing, or for the next pipe.
// EXPECT: finding assertion at 15
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], others[2];

static void *writes(void *unused)
{
    char c = 0;
    assert(pipe(others) == 0);
    assert(write(ends[1], &c, 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, writes, NULL);
    close(ends[1]);
    pthread_join(t, NULL);
}

// A reader that does not wait finds nothing or everything, and no other thread changes the flag of its description: the
// other end has its own.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
    assert(!(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    assert(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    pthread_create(&t, NULL, writes, NULL);
    long first = read(ends[0], &c, 1);
    assert(first == 1 || errno == EAGAIN);
    pthread_join(t, NULL);
    long second = read(ends[0], &c, 1);
    assert(second == (first == 1 ? -1 : 1));
}

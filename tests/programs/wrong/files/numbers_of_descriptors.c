// The number that open gives depends on what other threads have opened.
// EXPECT: finding assertion at 25
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static int fd[2];

static void *open_one(void *which)
{
    fd[(long)which] = open("/dev/null", O_RDONLY);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, open_one, (void *)0);
    pthread_create(&b, NULL, open_one, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(fd[0] != fd[1]);
    assert(fd[0] < fd[1]);
}

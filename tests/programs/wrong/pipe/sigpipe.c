// The reader may be gone before the writer writes: SIGPIPE ends the process.
// EXPECT: finding crash at 13
// DFS: yes
// TESTS: 2
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
    char c = 0;
    write(ends[1], &c, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, writes, NULL);
    close(ends[0]);
    pthread_join(t, NULL);
}

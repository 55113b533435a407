// A write into a full pipe waits until the reader has made room for a page; a long write is divided, and other writes
// may come in between.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { CAPACITY = 65536 };
static int ends[2];
static char block[CAPACITY + 8192];

static void *writes(void *unused)
{
    assert(write(ends[1], block, sizeof block) == sizeof block);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    static char back[CAPACITY];
    long size = 0, n;
    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, writes, NULL);
    while ((n = read(ends[0], back, sizeof back)) > 0)
        size += n;
    assert(size == sizeof block);
    pthread_join(t, NULL);
}

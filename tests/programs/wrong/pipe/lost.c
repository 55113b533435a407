// Two readers, one message each expected, but the first may take both: the second waits for ever.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 4
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *unused)
{
    char c[2];
    read(ends[0], c, 2);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pipe(ends);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reads, NULL);
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

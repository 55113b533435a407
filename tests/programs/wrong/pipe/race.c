// A pipe orders what comes before a write and what comes after the read that gets its data, and nothing else.
// EXPECT: finding data-race
// DFS: yes
// TESTS: 3
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int before, after;

static void *writes(void *unused)
{
    char c = 0;
    before = 1;
    write(ends[1], &c, 1);
    after = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    pipe(ends);
    pthread_create(&t, NULL, writes, NULL);
    read(ends[0], &c, 1);
    before++;
    after++;
    pthread_join(t, NULL);
}

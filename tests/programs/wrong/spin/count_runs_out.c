// A loop that waits for a while can end in two ways, and each is found: the flag is set, or the count has run out.
// RUN: -DGAVE_UP=1 FINDING=assertion TESTS=5
// RUN: -DGAVE_UP=0 FINDING=assertion TESTS=4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;

static void *sets(void *unused)
{
    ready = 1;
    return unused;
}

static int gives_up(int patience)
{
    while (patience-- > 0 && !ready)
        usleep(1000);
    return !ready;
}

int main(int argc, char **argv)
{
    pthread_t setter;
    (void)argv;
    pthread_create(&setter, NULL, sets, NULL);
    assert(gives_up(1000 * argc) != GAVE_UP);
    pthread_join(setter, NULL);
    return 0;
}

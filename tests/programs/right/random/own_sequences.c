// Random numbers are the same in every run, whatever other threads draw.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

static int first[2];

static void *draws(void *to)
{
    *(int *)to = rand();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    unsigned state = 7, more;
    pthread_create(&a, NULL, draws, &first[0]);
    pthread_create(&b, NULL, draws, &first[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first[0] == first[1] && first[0] == rand());
    srand(1);
    assert(rand() == first[0]);
    srand(2);
    assert(rand() != first[0] && rand_r(&state) >= 0 && drand48() < 1.0);
    assert(getrandom(&more, sizeof more, 0) == sizeof more && getpid() == getpid());
}

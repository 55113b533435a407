// That a cell is shared is learned in the second execution, which is one that is compared: the search starts
// over, and the program is not called nondeterministic.
// EXPECT: complete
// TESTS: 252
#include <pthread.h>

enum { ROUNDS = 5 };

static int rounds, seen, cell;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    cell = 1;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        rounds++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        if (!i && rounds == ROUNDS - 1)
            seen = cell;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

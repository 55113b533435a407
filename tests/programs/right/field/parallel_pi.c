// Each thread computes its part alone, then adds it to the sum under a lock: N! orders.
// EXPECT: complete
// RUN: -DN=3 TESTS=6 DFS=yes
// RUN: -DN=4 TESTS=24
// RUN: -DN=5 TESTS=120
// RUN: -DN=6 TESTS=720
// RUN: -DN=7 TESTS=5040
// RUN: -DN=6 -DTERMS=5000 TESTS=720
// RUN: -DN=7 -DNUMBER=double TESTS=5040
#include <pthread.h>

#ifndef TERMS
#define TERMS 10
#endif
#ifndef NUMBER
#define NUMBER long
#endif

static NUMBER sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_part(void *number)
{
    NUMBER part = 0;
    for (long i = 0; i < TERMS; i++) {
        NUMBER x = (NUMBER)(i + (long)number * TERMS) + 1;
        part += (NUMBER)4 / (1 + x * x);
    }
    pthread_mutex_lock(&lock);
    sum += part;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add_part, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}

// Misuse of a block by two threads is called by what it is.
// RUN: -DHOW=0 FINDING=heap-overflow
// RUN: -DHOW=1 FINDING=double-free
// RUN: -DHOW=2 FINDING=use-after-free
// RUN: -DHOW=3 FINDING=invalid-free
// RUN: -DHOW=4 FINDING=stack-overflow
// OPTIONS: --races=off
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static int turns;

static int deep(volatile int n)
{
    volatile char room[4096];
    room[n % 4096] = 1;
    return deep(n + 1) + room[n % 4096];
}

static void misuse(void)
{
    switch (HOW) {
    case 0:
        block[8] = 1;
        break;
    case 1:
        free(block);
        free(block);
        break;
    case 2:
        free(block);
        *block = 1;
        break;
    case 3:
        free(block + 1);
        break;
    default:
        deep(0);
    }
}

static void *second(void *unused)
{
    pthread_mutex_lock(&lock);
    if (++turns == 2)
        misuse();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    block = malloc(8);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

// What goes wrong in a constructor or a destructor is found.
// RUN: -DHOW=0 -DPLACE=constructor EXPECT='finding assertion at 37'
// RUN: -DHOW=0 -DPLACE=destructor EXPECT='finding assertion at 37'
// RUN: -DHOW=1 -DPLACE=constructor EXPECT='finding crash at 40'
// RUN: -DHOW=1 -DPLACE=destructor EXPECT='finding crash at 40'
// RUN: -DHOW=2 -DPLACE=constructor EXPECT='finding deadlock at 44'
// RUN: -DHOW=2 -DPLACE=destructor EXPECT='finding deadlock at 44'
// RUN: -DHOW=3 -DPLACE=constructor EXPECT='finding exit-status at 47'
// RUN: -DHOW=3 -DPLACE=destructor EXPECT='finding exit-status at 47'
// RUN: -DHOW=4 -DPLACE=constructor EXPECT='finding data-race'
// RUN: -DHOW=4 -DPLACE=destructor EXPECT='finding data-race'
// RUN: -DHOW=5 -DPLACE=constructor EXPECT='finding use-after-free at 57'
// RUN: -DHOW=5 -DPLACE=destructor EXPECT='finding use-after-free at 57'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int *volatile nowhere;

static void *add(void *unused)
{
    x++;
    return unused;
}

/* Two threads, started here: each adds without a lock if it comes to a race. */
__attribute__((PLACE)) static void fail(void)
{
    pthread_t t[2];
    char *volatile block;
    switch (HOW) {
    case 0:
        x = 1;
        assert(x == 0);
        break;
    case 1:
        *nowhere = 1;
        break;
    case 2:
        pthread_mutex_lock(&lock);
        pthread_mutex_lock(&lock);
        break;
    case 3:
        _exit(3);
    case 4:
        for (int i = 0; i < 2; i++)
            pthread_create(&t[i], NULL, add, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(t[i], NULL);
        break;
    default:
        block = malloc(1);
        free(block);
        *block = 1;
    }
}

int main(void)
{
    return 0;
}

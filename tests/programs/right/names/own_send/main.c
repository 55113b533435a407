// Functions of the program that have names of the system's, in another file:
// they are the program's.
// EXPECT: complete
// DFS: yes
// RUN: TESTS=2
// RUN: -no-pie TESTS=2
#include <assert.h>
#include <pthread.h>

void send(int value);
int wait(void);

static void *sends(void *argument)
{
    send(7);
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sends, NULL);
    int (*look)(void) = wait;
    int got = look();
    assert(got == 0 || got == 7);
    pthread_join(t, NULL);
    assert(wait() == 7);
}

// A thread in the slot of one that has ended shares nothing with it: handle, number, thread-local variables, keys,
// cancellation, signal mask, stack. The handle of the first one stays known as joined.
// EXPECT: complete
// TESTS: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local int local = 7;
static pthread_key_t key;
static pid_t numbers[3];
static const void *places[3];

static void *nothing(void *argument)
{
    return argument;
}

static void *work(void *argument)
{
    int number = (int)(long)argument, state;
    sigset_t mask;
    assert(local == 7);
    local = number;
    assert(!pthread_getspecific(key));
    pthread_setspecific(key, &local);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    assert(state == PTHREAD_CANCEL_ENABLE);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &state);
    assert(state == PTHREAD_CANCEL_DEFERRED);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert(!sigismember(&mask, SIGUSR1));
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    numbers[number] = gettid();
    places[number] = &local;
    return NULL;
}

static pthread_t run(int number)
{
    pthread_t thread;
    assert(!pthread_create(&thread, NULL, work, (void *)(long)number));
    assert(!pthread_join(thread, NULL));
    return thread;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_join(thread, NULL);
    }
    pthread_t first = run(1), second = run(2);
    assert(places[1] == places[2]); /* so this test is about one slot */
    assert(!pthread_equal(first, second));
    assert(numbers[1] != numbers[2]);
    assert(pthread_join(first, NULL) == EINVAL);
    assert(pthread_detach(first) == EINVAL);
    assert(pthread_kill(first, 0) == ESRCH);
    assert(pthread_cancel(first) == ESRCH);
    return 0;
}

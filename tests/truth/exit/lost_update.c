// A lost update shows in the exit status alone: of main, of a function, of a thread, of handlers.
// RUN: -DHOW=RETURN EXPECT='finding exit-status at 90'
// RUN: -DHOW=VALUE EXPECT='finding exit-status at 93'
// RUN: -DHOW=EXIT EXPECT='finding exit-status at 36'
// RUN: -DHOW=AT_ONCE EXPECT='finding exit-status at 38'
// RUN: -DHOW=AT_ONCE_TOO EXPECT='finding exit-status at 40'
// RUN: -DHOW=QUICKLY EXPECT='finding exit-status at 42'
// RUN: -DHOW=COMPLAIN EXPECT='finding exit-status at 44'
// RUN: -DHOW=HANDLER EXPECT='finding exit-status at 57'
// RUN: -DHOW=EXIT_IN_HANDLER EXPECT='finding exit-status at 57'
// RUN: -DHOW=THREAD EXPECT='finding exit-status at 36'
// RUN: -DHOW=NONE EXPECT=complete
// RUN: -DHOW=WRAPS EXPECT=complete
// RUN: -DHOW=RETURN OPTIONS=--exit=any EXPECT=complete
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum how { RETURN, VALUE, EXIT, AT_ONCE, AT_ONCE_TOO, QUICKLY, COMPLAIN, HANDLER, EXIT_IN_HANDLER, THREAD, NONE, WRAPS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static int lost(void)
{
    pthread_mutex_lock(&lock);
    int is_lost = x != 2;
    pthread_mutex_unlock(&lock);
    return is_lost;
}

static void fail(enum how how)
{
    if (how == EXIT || how == THREAD)
        exit(EXIT_FAILURE);
    if (how == AT_ONCE)
        _exit(2);
    if (how == AT_ONCE_TOO)
        _Exit(3);
    if (how == QUICKLY)
        quick_exit(4);
    if (how == COMPLAIN)
        errx(5, "x is %d", x);
}

static void *check(void *unused)
{
    if (lost())
        fail(THREAD);
    return unused;
}

static void at_exit(void)
{
    if (lost())
        HOW == HANDLER ? _exit(6) : exit(6);
}

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = seen + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static int end(void)
{
    return HOW == VALUE ? x - 2 : HOW == WRAPS ? 256 : 0;
}

int main(void)
{
    pthread_t t[2], checker;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    if (HOW == HANDLER || HOW == EXIT_IN_HANDLER)
        atexit(at_exit);
    if (HOW == THREAD) {
        pthread_create(&checker, NULL, check, NULL);
        pthread_join(checker, NULL);
    }
    if (x != 2 && HOW == RETURN)
        return 7;
    if (x != 2)
        fail(HOW);
    return end();
}

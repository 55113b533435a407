/* Code that heddle does not see. */
#include <pthread.h>

int plain_next(int n)
{
    return n + 1;
}

int plain_through(int (*back)(int), int n)
{
    return back(n);
}

int plain_unused(void)
{
    return 1;
}

static void *run(void *p)
{
    return p;
}

int plain_thread(void)
{
    pthread_t t;
    return pthread_create(&t, NULL, run, NULL) || pthread_join(t, NULL);
}

static int add_two(int n)
{
    return n + 2;
}

struct plain_table {
    int (*function)(int);
} plain_table = { add_two };

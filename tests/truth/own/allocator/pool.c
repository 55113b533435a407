#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char pool[1 << 14];
static size_t used;

int pool_holds(const void *p)
{
    return (uintptr_t)p - (uintptr_t)pool < sizeof pool;
}

void *malloc(size_t n)
{
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    char *new = pool + used;
    used += (n + 15) & ~(size_t)15;
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    return new;
}

void free(void *p)
{
    (void)p;
    (void)mutex;
}

void *calloc(size_t n, size_t size)
{
    return memset(malloc(n * size), 0, n * size);
}

void *realloc(void *p, size_t n)
{
    return p ? memcpy(malloc(n), p, n) : malloc(n);
}

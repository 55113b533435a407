/* A library with state of every kind: variables, allocated memory, thread-locals, a stream. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int calls, ready = 7;
static __thread int calls_here;
static char large[1 << 20];
static int *list, listed;
static FILE *stream;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

__attribute__((constructor)) static void start(void)
{
    ready++;
    list = malloc(4 * sizeof *list);
    list[0] = 1;
    listed = 1;
}

int keeps_calls(void)
{
    return calls++;
}

int keeps_ready(void)
{
    return ready++;
}

int keeps_calls_here(void)
{
    return calls_here++;
}

int keeps_large(void)
{
    int sum = 0;
    for (size_t i = 0; i < sizeof large; i += 4096)
        sum += large[i]++;
    return sum;
}

/* Grows a block that the constructor allocated. */
int keeps_list(void)
{
    list = realloc(list, (size_t)(listed + 1000) * sizeof *list);
    list[listed] = list[listed - 1] + 1;
    return list[listed++];
}

int keeps_stream(void)
{
    if (!stream)
        stream = fopen("/etc/passwd", "r");
    return fgetc(stream);
}

static void make_key(void)
{
    pthread_key_create(&key, NULL);
}

long keeps_specific(void)
{
    pthread_once(&once, make_key);
    long value = (long)pthread_getspecific(key);
    pthread_setspecific(key, (void *)(value + 1));
    return value;
}

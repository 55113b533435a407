/* Writes through a wild pointer to the address that the argument gives, in
 * every way of ways.def: which one is a choice, so that one exploration goes
 * through them all. The other thread has a bug of its own. Each must be found,
 * whatever was scribbled over before. */
#define _GNU_SOURCE
#include <heddle.h>

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef struct big {
    char bytes[40];
} big;
typedef int vector __attribute__((vector_size(16)));

static void *nothing(void *argument)
{
    return argument;
}

static int nothing_c11(void *argument)
{
    return argument != NULL;
}

static int by_byte(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int by_byte_r(const void *a, const void *b, void *unused)
{
    (void)unused;
    return *(const char *)a - *(const char *)b;
}

static void print_list(int (*print)(char *, const char *, va_list), char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print(to, format, list);
    va_end(list);
}

static void print_list_n(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to, 8, format, list);
    va_end(list);
}

static void print_new(char **to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)!vasprintf(to, format, list);
    va_end(list);
}

static const char *text = "some text";
static char word[32] = "a,b c,d";
static big object;
static unsigned __int128 wide;

#define with_file(use) \
    ({ \
        int fd = open("/proc/self/cmdline", O_RDONLY); \
        use; \
    })
#define with_stream(use) \
    ({ \
        FILE *f = fopen("/proc/self/cmdline", "r"); \
        use; \
    })

static _Atomic int shared, seven = 7;
static char *word_at;
static char *line;
static size_t room;
static pthread_t thread;
static thrd_t c11;
static sem_t semaphore;
static volatile size_t size = 16;
static char *p;

enum {
#define WAY(name, statement) WAY_##name,
#include "ways.def"
#undef WAY
    COUNT
};

static void *first(void *unused)
{
    (void)unused;
    switch (heddle_choose(COUNT + 1)) {
#define WAY(name, statement) \
    case WAY_##name: \
        statement; \
        break;
#include "ways.def"
#undef WAY
    default:
        break;
    }
    atomic_store(&shared, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    assert(atomic_load(&shared) == 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    p = (char *)strtoull(argv[argc - 1], NULL, 16);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* Writes to memory of heddle itself, in another way in every execution: by
 * plain stores and through every library function that writes where it is
 * told. None may get through. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

struct wide {
    char bytes[40];
};

static void *nothing(void *unused)
{
    return unused;
}

static int nothing_int(void *unused)
{
    (void)unused;
    return 0;
}

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* One line per way; the line is how the runner tells them apart. */
static void scribble(unsigned way, char *wild)
{
    static struct wide w;
    static char text[] = "text", line[64] = "a b";
    pthread_t t;
    thrd_t c;
    sem_t s;
    pthread_key_t key;
    char *rest = wild;
    size_t room = 64;
    struct sigaction old;
    FILE *f = fopen("/proc/self/exe", "r");
    int fd = f ? fileno(f) : -1;
    (void)c;
    (void)old;
    (void)room;
    switch (way) {
#define WAY(action) case __COUNTER__: action; break;
#include "ways.def"
#undef WAY
    }
    (void)t;
    (void)s;
    (void)key;
    (void)rest;
    (void)fd;
    (void)w;
    (void)line;
}

int main(int argc, char **argv)
{
    char *wild = (char *)strtoull(argc > 1 ? argv[1] : "0x110000010000", NULL, 0);
    enum { WAYS = __COUNTER__ };
    scribble(heddle_choose(WAYS), wild);
}

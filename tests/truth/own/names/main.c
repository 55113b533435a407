// Functions of the program's own in another file, under names that heddle models, does not model,
// or uses itself: each is called, in every execution.
// CFLAGS: -fno-builtin
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern int calls;
int send(int n), wait(int n), printf(const char *format, ...), sem_post(int *s), open(int n), getenv(int n);
void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *s);
long time(long *t);

static int (*const table[])(int) = { send, wait, open };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *u)
{
    pthread_mutex_lock(&mutex);
    calls++;
    pthread_mutex_unlock(&mutex);
    return u;
}

int main(int argc, char **argv)
{
    static char a[40] = "abc", b[40];
    pthread_t t;
    int s = 3;
    (void)argv;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(calls == 2);
    assert(send(1) == 2 && wait(1) == 3 && open(1) == 4 && getenv(1) == 5 && sem_post(&s) == 4);
    assert(table[argc - 1](1) == 2 && table[argc](1) == 3 && table[argc + 1](1) == 4);
    assert(printf("%d", 21) == 42 && memcpy(b, a, (size_t)(argc + 9)) == b && b[2] == 'c');
    assert(strlen(a) == 1000 && time(NULL) == 7 && calls == 14);
}

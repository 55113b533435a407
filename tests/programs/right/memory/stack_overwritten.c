// A write does not see what the stack held before it: another value there makes no other execution.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct box {
    bool filled;
    int content[400];
    _Atomic int copy[400];
} box;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *given)
{
    box *b = given;
    pthread_mutex_lock(&lock);
    for (int n = 0; b->filled && n < 400; n += 40)
        assert(b->content[n] == 7 && b->copy[n] == 7);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    box b;
    pthread_t thread;
    b.filled = false;
    pthread_create(&thread, NULL, look, &b);
    pthread_mutex_lock(&lock);
    for (int n = 0; n < 400; n += 40)
        b.content[n] = b.copy[n] = 7;
    b.filled = true;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

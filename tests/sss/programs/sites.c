/* Objects of the heap by the place where they are allocated. Two threads work on one counter and a third one on another, each
 * under its lock. With PASSED the first two come to theirs through an array: their accesses may be to whatever is passed on
 * anywhere, which is not the other counter, unless BOTH are. SAME makes both counters in one place. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static struct counter *first, *second;
static atomic_int turns;
#ifdef PASSED
static struct counter *kept[2];
#define MINE kept[0]
#else
#define MINE first
#endif

static void *one(void *unused)
{
    pthread_mutex_lock(&MINE->lock);
    MINE->value++;
    pthread_mutex_unlock(&MINE->lock);
    turns++;
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&second->lock);
    second->value++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_lock(&second->lock);
    second->value++;
    pthread_mutex_unlock(&second->lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
#ifdef SAME
    for (int i = 0; i < 2; i++) {
        struct counter *new = calloc(1, sizeof *new);
        if (i)
            second = new;
        else
            first = new;
    }
#else
    first = calloc(1, sizeof *first);
    second = calloc(1, sizeof *second);
#endif
    pthread_mutex_init(&first->lock, NULL);
    pthread_mutex_init(&second->lock, NULL);
#ifdef PASSED
    kept[0] = first;
#ifdef BOTH
    kept[1] = second;
#endif
#endif
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, one, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return first->value + second->value != 4;
}

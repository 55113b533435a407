/* A cache of two places in front of a slow table, shared by threads. Looking a
 * key up takes the lock; the place that a key goes to is its lowest bit. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { PLACES = 2, EMPTY = -1 };

static struct {
    int key, value;
} places[PLACES] = { { EMPTY, 0 }, { EMPTY, 0 } };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int slow(int key)
{
    return key * 31 + 7;
}

/* The table is not asked under the lock, which is good. The value is stored in
 * another critical section than its key, which is not. */
static int look_up(int key)
{
    int place = key & 1, value = 0, known;
    pthread_mutex_lock(&lock);
    known = places[place].key == key;
    if (known)
        value = places[place].value;
    else
        places[place].key = key;
    pthread_mutex_unlock(&lock);
    if (known)
        return value;
    value = slow(key);
    pthread_mutex_lock(&lock);
    places[place].value = value;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *reader(void *given)
{
    int key = *(int *)given;
    for (int i = 0; i < 2; i++)
        assert(look_up(key) == slow(key));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int keys[2] = { heddle_int("first"), heddle_int("second") };
    heddle_assume(keys[0] != keys[1] && keys[0] >= 0 && keys[1] >= 0);
    pthread_create(&a, NULL, reader, &keys[0]);
    pthread_create(&b, NULL, reader, &keys[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

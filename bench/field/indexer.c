/* The indexer of Flanagan and Godefroid (POPL 2005): N threads put four words
 * each into one hash table; collisions begin with the twelfth thread. A mutex
 * per slot stands for the paper's compare-and-swap. */
#include "field.h"

enum { SLOTS = 128, WORDS = 4 };

static int table[SLOTS];
static pthread_mutex_t locks[SLOTS];

static int claim(int slot, int word)
{
    pthread_mutex_lock(&locks[slot]);
    int is_free = table[slot] == 0;
    if (is_free)
        table[slot] = word;
    pthread_mutex_unlock(&locks[slot]);
    return is_free;
}

static void *indexer(void *argument)
{
    for (int k = 1; k <= WORDS; k++) {
        int word = k * 11 + number(argument), slot = word * 7 % SLOTS;
        while (!claim(slot, word))
            slot = (slot + 1) % SLOTS;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&locks[i], NULL);
    start_all(threads, N, indexer);
    join_all(threads, N);
    return 0;
}

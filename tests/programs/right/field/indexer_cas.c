// The indexer with compare-and-swap instead of locks. A failed compare-and-swap changes nothing, but which thread
// comes first at a slot still decides: the same counts as with locks.
// EXPECT: complete
// RUN: -DN=11 TESTS=1
// RUN: -DN=12 TESTS=8
// RUN: -DN=13 TESTS=64
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 128, WORDS = 4 };

static atomic_int table[SLOTS];

static int put(int slot, int word)
{
    int nothing = 0;
    return atomic_compare_exchange_strong(&table[slot], &nothing, word);
}

static void *index_words(void *number)
{
    for (int k = 1; k <= WORDS; k++) {
        int word = k * 11 + (int)(long)number;
        int slot = word * 7 % SLOTS;
        while (!put(slot, word))
            slot = (slot + 1) % SLOTS;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, index_words, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}

// Threads that put words into one hash table with a lock per slot (Flanagan and Godefroid, POPL 2005).
// Up to 11 threads never meet; each thread more meets an earlier one in 3 slots.
// EXPECT: complete
// RUN: -DN=11 TESTS=1
// RUN: -DN=12 TESTS=8
// RUN: -DN=13 TESTS=64
// RUN: -DN=15 TESTS=4096
#include <pthread.h>

enum { SLOTS = 128, WORDS = 4 };

static int table[SLOTS];
static pthread_mutex_t lock[SLOTS];

static int put(int slot, int word)
{
    pthread_mutex_lock(&lock[slot]);
    int is_free = table[slot] == 0;
    if (is_free)
        table[slot] = word;
    pthread_mutex_unlock(&lock[slot]);
    return is_free;
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

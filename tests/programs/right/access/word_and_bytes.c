// A word is written while two of its bytes are read: each read before or after.
// EXPECT: complete
// OPTIONS: --races=off
// TESTS: 4
// DFS: yes
#include <pthread.h>

static union {
    unsigned word;
    unsigned char byte[4];
} x;
static unsigned char seen[2][16];

static void *write_word(void *unused)
{
    x.word = 0x01020304;
    return unused;
}

static void *read_byte(void *number)
{
    long i = (long)number;
    seen[i][0] = x.byte[i];
    return NULL;
}

int main(void)
{
    pthread_t w, a, b;
    pthread_create(&w, NULL, write_word, NULL);
    pthread_create(&a, NULL, read_byte, (void *)0);
    pthread_create(&b, NULL, read_byte, (void *)1);
    pthread_join(w, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

// One thread writes the low half of a word, one the high half, one reads the whole: before or after each.
// EXPECT: complete
// OPTIONS: --races=off
// TESTS: 4
// DFS: yes
#include <pthread.h>

static union {
    unsigned word;
    unsigned short half[2];
} x;
static unsigned seen;

static void *write_half(void *number)
{
    x.half[(long)number] = 0xffff;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_half, (void *)0);
    pthread_create(&b, NULL, write_half, (void *)1);
    seen = x.word;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

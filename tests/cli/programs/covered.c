/* ROUNDS rounds, each with an operation and 67 blocks of statements, which are reached anew in every round. */
#include <pthread.h>
#include <stdatomic.h>

#define FOUR(code) code code code code
#define BLOCK if (i >= 0) y++;

static atomic_int x;

static void *end(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    int y = 0;
    pthread_create(&t, NULL, end, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        x++;
        FOUR(FOUR(FOUR(BLOCK)))
    }
    pthread_join(t, NULL);
    return y < 0;
}

/* Depends on a count that code which heddle did not compile keeps from one
 * execution to the next (count_in_register.c and others). */
#include <pthread.h>
#include <stdatomic.h>

int next_count(void);

static _Atomic int cells[64], turn;

static void *work(void *unused)
{
    (void)unused;
    turn++;
    cells[next_count() % 64]++;
    turn++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

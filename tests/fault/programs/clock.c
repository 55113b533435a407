/* Depends on the processor's clock, which heddle does not see. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int cells[64], turn;

static unsigned now(void)
{
    unsigned low, high;
    __asm__ volatile(".byte 0x0f, 0x31" : "=a"(low), "=d"(high)); /* rdtsc, not recognised */
    return low >> 4;
}

static void *work(void *unused)
{
    (void)unused;
    turn++;
    cells[now() % 64]++;
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

/* Closes all its descriptors, and with them the line to the supervisor, by
 * means that heddle does not see. Two traces. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int flag;

static void *set(void *unused)
{
    (void)unused;
    flag = 1;
    return NULL;
}

static void *look(void *unused)
{
    (void)unused;
    long result;
    int seen = flag;
    for (long fd = 3; fd < 64; fd++)
        __asm__ volatile("syscall" : "=a"(result) : "0"(3L), "D"(fd) : "rcx", "r11", "memory"); /* close */
    return seen ? &flag : NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* One schedule of two kills the process with a signal that nobody can catch,
 * and says so to nobody. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int flag;

static void die(void)
{
    long pid, unused;
    __asm__ volatile("syscall" : "=a"(pid) : "0"(39L) : "rcx", "r11", "memory"); /* getpid */
    __asm__ volatile("syscall" : "=a"(unused) : "0"(62L), "D"(pid), "S"(9L) : "rcx", "r11", "memory"); /* kill */
}

static void *set(void *unused)
{
    (void)unused;
    flag = 1;
    return NULL;
}

static void *look(void *unused)
{
    (void)unused;
    if (flag)
        die();
    return NULL;
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

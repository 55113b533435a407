// A lock of xchg, pause and mov, as kernels have it.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <pthread.h>

static char taken;
static int x;

static void lock(void)
{
    for (char v = 1;; v = 1) {
        __asm__ volatile("xchgb %0, %1" : "+q"(v), "+m"(taken) : : "memory");
        if (!v)
            return;
        do
            __asm__ volatile("rep; nop; movb %1, %0" : "=q"(v) : "m"(taken) : "memory");
        while (v);
    }
}

static void unlock(void)
{
    __asm__ volatile("movb $0, %0" : "=m"(taken) : : "memory");
}

static void *add(void *unused)
{
    lock();
    x++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
}

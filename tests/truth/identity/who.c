// What tells threads from each other differs by thread, is the same in every execution, and
// fits the thread.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct identity {
    uintptr_t pointer, error;
    pid_t id;
    char *low, *high;
} identity;

static identity all[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t from_assembly(void)
{
    uintptr_t p;
    __asm__("movq %%fs:0, %0" : "=r"(p));
    return p;
}

static uintptr_t slot(unsigned long offset)
{
    uintptr_t p;
    __asm__("movq %%fs:%1, %0" : "=r"(p) : "m"(*(void **)offset));
    return p;
}

static void look(identity *me)
{
    pthread_attr_t attributes;
    size_t size;
    void *low;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    *me = (identity) { (uintptr_t)__builtin_thread_pointer(), (uintptr_t)&errno, gettid(), low, (char *)low + size };
    assert(me->low < (char *)&low && (char *)&low < me->high);
    assert(from_assembly() == me->pointer && slot(0) == me->pointer && slot(16) == me->pointer);
    assert(*(uintptr_t __seg_fs *)0 == me->pointer);
    assert(syscall(SYS_gettid) == me->id);
}

static void *run(void *at)
{
    look(at);
    identity before = *(identity *)at, again;
    pthread_mutex_lock(&lock);
    look(&again);
    pthread_mutex_unlock(&lock);
    assert(again.pointer == before.pointer && again.error == before.error && again.id == before.id);
    return at;
}

int main(void)
{
    pthread_t a, b;
    assert(gettid() == getpid());
    pthread_create(&a, NULL, run, &all[1]);
    pthread_create(&b, NULL, run, &all[2]);
    look(&all[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++) {
            assert(all[i].pointer != all[k].pointer && all[i].error != all[k].error && all[i].id != all[k].id);
            assert(all[i].low >= all[k].high || all[k].low >= all[i].high);
        }
}

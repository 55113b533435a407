#include "runtime/face/face.h"
#include "runtime/sync/thread.h"

#include <pthread.h>

HD_FACE int hd_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &detached);
    return hd_thread_create(thread, start, argument, detached == PTHREAD_CREATE_DETACHED);
}

HD_FACE int hd_pthread_join(pthread_t thread, void **result)
{
    return hd_thread_join(thread, result);
}

HD_FACE int hd_pthread_detach(pthread_t thread)
{
    return hd_thread_detach(thread);
}

HD_FACE _Noreturn void hd_pthread_exit(void *result)
{
    hd_thread_exit(result);
}

HD_FACE pthread_t hd_pthread_self(void)
{
    return hd_thread_self();
}

HD_FACE int hd_pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

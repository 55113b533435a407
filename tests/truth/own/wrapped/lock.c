#include <pthread.h>

int __real_pthread_mutex_lock(pthread_mutex_t *m);
int __wrap_pthread_mutex_lock(pthread_mutex_t *m);

int __wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
#ifdef REALLY
    return __real_pthread_mutex_lock(m);
#else
    return m == NULL ? 2 : 1;
#endif
}

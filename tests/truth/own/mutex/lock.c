#include "lock.h"

int mtx_init(mtx_t *m, int kind)
{
    return kind + pthread_mutex_init(&m->mutex, NULL);
}

int mtx_lock(mtx_t *m)
{
#ifdef BROKEN
    return m == NULL;
#else
    return pthread_mutex_lock(&m->mutex);
#endif
}

int mtx_unlock(mtx_t *m)
{
#ifdef BROKEN
    return m == NULL;
#else
    return pthread_mutex_unlock(&m->mutex);
#endif
}

#include <pthread.h>

typedef struct mtx_t {
    pthread_mutex_t mutex;
} mtx_t;

int mtx_init(mtx_t *m, int kind);
int mtx_lock(mtx_t *m);
int mtx_unlock(mtx_t *m);

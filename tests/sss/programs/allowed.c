/* Persistent sets by the discipline in force (section 8). Two threads look; their code may read x, but does not. Two other
 * threads update x with a lock of their own. Eraser's rule allows any thread the first access to x, so those that update
 * it interfere. MLD' allows it only with a lock, which may be any (LOCKED) as long as x has not been used; and if the same
 * lock has to protect it in all executions, only with the lock that the first one has shown. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn, other;
static int rare, seen, x;

static void *looks(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&outer);
    seen += rare ? x : 1;
    pthread_mutex_unlock(&outer);
#else
    if (turn++ > 1 && rare)
        seen = x;
#endif
    return unused;
}

static void *updates(void *unused)
{
    other++;
    pthread_mutex_lock(&inner);
    x++;
    pthread_mutex_unlock(&inner);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[4];
    rare = count > 1 && arguments[1][0] == 'r';
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? looks : updates, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

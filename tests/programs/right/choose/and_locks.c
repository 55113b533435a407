// 2 orders of a lock times 2 choices of a third thread.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int picked, order;

static void *work(void *number)
{
    pthread_mutex_lock(&lock);
    order = order * 2 + (int)(long)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *pick(void *unused)
{
    picked = (int)heddle_choose(2);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    pthread_create(&c, NULL, pick, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
}

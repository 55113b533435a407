// Money from account to account, locks in the order of the arguments.
// EXPECT: finding deadlock
// TESTS: 3
// DFS: yes
#include <assert.h>
#include <pthread.h>

typedef struct account {
    pthread_mutex_t lock;
    long money;
} account;

static account a = { PTHREAD_MUTEX_INITIALIZER, 10 }, b = { PTHREAD_MUTEX_INITIALIZER, 10 };

static void transfer(account *from, account *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->money--;
    to->money++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused)
{
    transfer(&a, &b);
    return unused;
}

static void *back(void *unused)
{
    transfer(&b, &a);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, forth, NULL);
    pthread_create(&q, NULL, back, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(a.money + b.money == 20);
}

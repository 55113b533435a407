#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct account {
    pthread_mutex_t lock;
    int money;
} account;

static account alice = { PTHREAD_MUTEX_INITIALIZER, 100 }, bob = { PTHREAD_MUTEX_INITIALIZER, 100 };
static int transfers;

static void transfer(account *from, account *to, int money)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->money -= money;
    to->money += money;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    transfers++;
}

static void *pay_bob(void *unused)
{
    transfer(&alice, &bob, 10);
    return unused;
}

static void *pay_alice(void *unused)
{
    transfer(&bob, &alice, 20);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, pay_bob, NULL);
    pthread_create(&b, NULL, pay_alice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(alice.money + bob.money == 200);
    printf("%d transfers\n", transfers);
    return 0;
}

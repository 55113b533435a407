#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct account {
    pthread_mutex_t lock;
    int money;
} account;

static account alice = { PTHREAD_MUTEX_INITIALIZER, 100 }, bob = { PTHREAD_MUTEX_INITIALIZER, 100 };
static _Atomic int transfers;

static void transfer(account *from, account *to, int money)
{
    account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->money -= money;
    to->money += money;
    transfers++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
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

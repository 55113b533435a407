#include "bank.h"

void account_open(account *a, long balance)
{
    pthread_mutex_init(&a->lock, NULL);
    a->balance = balance;
}

int transfer(account *from, account *to, long amount)
{
    int done = 0;
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
        done = 1;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return done;
}

long total(account *accounts, int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&accounts[i].lock);
        sum += accounts[i].balance;
        pthread_mutex_unlock(&accounts[i].lock);
    }
    return sum;
}

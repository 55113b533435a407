/* A small bank: accounts that several tellers use at once. */
#ifndef BANK_H
#define BANK_H

#include <pthread.h>

typedef struct account {
    pthread_mutex_t lock;
    long balance;
} account;

void account_open(account *a, long balance);

/* Moves `amount` if there is that much; 0 if there is not. */
int transfer(account *from, account *to, long amount);

/* What all accounts hold together. */
long total(account *accounts, int count);

#endif

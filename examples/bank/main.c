#include "bank.h"

#include <assert.h>
#include <stdio.h>

enum { ACCOUNTS = 3, OPENING = 100 };

static account accounts[ACCOUNTS];

/* Each teller moves money from one account to the next. */
static void *teller(void *number)
{
    int i = *(int *)number;
    transfer(&accounts[i], &accounts[(i + 1) % ACCOUNTS], 30);
    return NULL;
}

int main(void)
{
    pthread_t tellers[ACCOUNTS];
    int numbers[ACCOUNTS];
    for (int i = 0; i < ACCOUNTS; i++)
        account_open(&accounts[i], OPENING);
    for (int i = 0; i < ACCOUNTS; i++) {
        numbers[i] = i;
        pthread_create(&tellers[i], NULL, teller, &numbers[i]);
    }
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_join(tellers[i], NULL);
    assert(total(accounts, ACCOUNTS) == ACCOUNTS * OPENING);
    printf("the books are right\n");
    return 0;
}

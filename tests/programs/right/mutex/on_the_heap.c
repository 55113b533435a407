// Locks inside objects on the heap, one per object.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct account {
    pthread_mutex_t lock;
    long money;
} account;

static account *accounts[2];

static void *pay(void *unused)
{
    for (int i = 0; i < 2; i++) {
        account *a = accounts[i];
        pthread_mutex_lock(&a->lock);
        a->money++;
        pthread_mutex_unlock(&a->lock);
    }
    return unused;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        accounts[i] = calloc(1, sizeof(account));
        pthread_mutex_init(&accounts[i]->lock, NULL);
    }
    pthread_t p, q;
    pthread_create(&p, NULL, pay, NULL);
    pthread_create(&q, NULL, pay, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(accounts[0]->money == 2 && accounts[1]->money == 2);
}

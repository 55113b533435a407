// Atomic functions on two lists, each with a lock, a head and nodes of its own: all that they access is encapsulated. Calls on
// different lists do not conflict. A method of the log is called inside: it is part of the call on the list.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

struct log {
    int count;
};

struct list {
    pthread_mutex_t lock;
    struct node {
        struct node *next;
        int item;
    } * first;
    struct log log;
};

static struct list lists[2] = { { .lock = PTHREAD_MUTEX_INITIALIZER }, { .lock = PTHREAD_MUTEX_INITIALIZER } };

HEDDLE_METHOD static void note(struct log *l)
{
    l->count++;
}

HEDDLE_ATOMIC static void push(struct list *l, int item)
{
    struct node *n = malloc(sizeof *n);
    pthread_mutex_lock(&l->lock);
    *n = (struct node) { l->first, item };
    l->first = n;
    note(&l->log);
    pthread_mutex_unlock(&l->lock);
}

HEDDLE_ATOMIC static int sum(struct list *l)
{
    int all = 0;
    pthread_mutex_lock(&l->lock);
    for (const struct node *n = l->first; n; n = n->next)
        all += n->item;
    note(&l->log);
    pthread_mutex_unlock(&l->lock);
    return all;
}

static void *work(void *unused)
{
    push(&lists[0], 1);
    push(&lists[1], 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int seen = sum(&lists[0]);
    assert(seen == 0 || seen == 1);
    pthread_join(t, NULL);
    assert(sum(&lists[1]) == 2 && lists[0].log.count == 2);
}

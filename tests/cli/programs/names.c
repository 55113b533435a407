/* One access or more to each kind of storage, by two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum color { RED, GREEN, BLUE };

struct row {
    int key;
    struct row *next;
};

struct queue {
    pthread_mutex_t m;
    int count, items[4];
    enum color color;
    struct row *rows;
    bool full;
    char letter;
    unsigned char byte;
    double weight;
    struct {
        void *self;
    };
};

static struct {
    struct row rows[5];
    int grid[2][3];
} table;
static struct row *head;
static _Thread_local int mine;
static int *theirs;

static void put(struct queue *q, int i)
{
    static int calls;
    q->items[i] = 7;
    q->color = BLUE;
    q->rows[i].key = i;
    q->rows[i].next = q->rows;
    q->full = true;
    q->letter = 'x';
    q->byte = 200;
    q->weight = 2.5;
    q->self = q;
    table.rows[3].next = &table.rows[i];
    table.grid[1][2] = -1;
    head = &q->rows[1];
    (*theirs)++;
    calls++;
}

static void *worker(void *argument)
{
    struct queue *q = argument;
    pthread_mutex_lock(&q->m);
    put(q, 1);
    pthread_mutex_unlock(&q->m);
    return NULL;
}

static void *adds(void *argument)
{
    int *p = argument;
    p[1]++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int numbers[3] = { 0 };
    struct queue *q = calloc(1, sizeof *q);
    q->rows = malloc(4 * sizeof *q->rows);
    mine = 4;
    theirs = &mine;
    pthread_mutex_init(&q->m, NULL);
    pthread_create(&a, NULL, worker, q);
    pthread_create(&b, NULL, adds, numbers);
    pthread_mutex_lock(&q->m);
    put(q, 1);
    pthread_mutex_unlock(&q->m);
    numbers[1] = 3;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(q->count);
    return 0;
}

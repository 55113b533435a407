// Nobody opens the second gate if the first is found shut: two orders, one of them a deadlock.
// EXPECT: finding deadlock
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

typedef struct gate {
    unsigned open;
    unsigned long now;
} gate;

void gate_wait(gate *);
int gate_trywait(gate *);
void gate_open(gate *);

static gate first, second;

static void *waits(void *unused)
{
    gate_wait(&second);
    return unused;
}

static void *opens(void *unused)
{
    gate_open(&first);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, opens, 0);
    if (gate_trywait(&first))
        gate_open(&second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// The gate is opened before x is written.
// EXPECT: finding data-race
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

static gate g;
static int x;

static void *waits(void *unused)
{
    gate_wait(&g);
    return x ? unused : 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, waits, 0);
    gate_open(&g);
    x = 1;
    pthread_join(a, 0);
    return 0;
}

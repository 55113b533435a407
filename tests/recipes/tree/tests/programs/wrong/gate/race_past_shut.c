// A gate that is found shut proves nothing: there is no order.
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

static void *tries(void *unused)
{
    gate_trywait(&g);
    return x ? unused : 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, tries, 0);
    x = 1;
    gate_open(&g);
    pthread_join(a, 0);
    return 0;
}

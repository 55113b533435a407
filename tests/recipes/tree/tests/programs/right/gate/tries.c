// Two openings commute. Of two tries, the first finds the gate before both, after the one, after the other
// or after both; the second is not before the first.
// EXPECT: complete
// TESTS: 9
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

static void *opens(void *unused)
{
    gate_open(&g);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, opens, 0);
    pthread_create(&b, 0, opens, 0);
    gate_trywait(&g);
    gate_trywait(&g);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// What comes before the opening comes before what follows a wait: no race. The additions come in any order.
// EXPECT: complete
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

static gate g;
static int x;
static atomic_int sum;

static void *waits(void *unused)
{
    gate_wait(&g);
    sum += x;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, waits, 0);
    x = 1;
    gate_open(&g);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

/* Two-phase commit with messages: two participants vote, the coordinator decides, and all must agree. With -DHASTY the
 * coordinator commits after the first vote. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { COORDINATOR = 0, N = 2, YES = 1, NO = 0 };

static int get(int mailbox)
{
    int value;
    heddle_receive(mailbox, HEDDLE_ANY, HEDDLE_ANY, &value, sizeof value, NULL);
    return value;
}

static void put(int to, int from, int value)
{
    heddle_send(to, from, 0, &value, sizeof value);
}

static void *participant(void *number)
{
    int id = (int)(long)number, vote = (int)heddle_choose(2);
    put(COORDINATOR, id, vote);
    int decision = get(id);
    assert(decision == NO || vote == YES);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int decision = YES;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, participant, (void *)(i + 1));
#ifdef HASTY
    decision = get(COORDINATOR);
#else
    for (int i = 0; i < N; i++)
        decision &= get(COORDINATOR);
#endif
    for (int i = 1; i <= N; i++)
        put(i, COORDINATOR, decision);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}

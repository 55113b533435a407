/* Leader election in a ring (Chang and Roberts): each process sends its number on; a number that is greater than one's
 * own is passed on, a lesser one is not, and who gets its own number back is the leader, and tells the others. With -DEQUAL
 * two processes have the same number, and there may be two leaders. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

enum { N = 3, ELECTION = 0, LEADER = 1, REPORT = N };
#ifdef EQUAL
static const int numbers[N] = { 2, 1, 2 };
#else
static const int numbers[N] = { 2, 1, 3 };
#endif

static void pass(int from, int kind, int number)
{
    heddle_send((from + 1) % N, from, kind, &number, sizeof number);
}

static void *process(void *place)
{
    int id = (int)(long)place, mine = numbers[id], number;
    bool leads = false;
    heddle_envelope about;
    for (pass(id, ELECTION, mine);;) {
        heddle_receive(id, HEDDLE_ANY, HEDDLE_ANY, &number, sizeof number, &about);
        if (about.tag == LEADER)
            break;
        leads |= number == mine;
        if (number == mine)
            pass(id, LEADER, mine);
        else if (number > mine)
            pass(id, ELECTION, number);
    }
    if (!leads)
        pass(id, LEADER, number);
    heddle_send(REPORT, id, leads, &number, sizeof number);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int leaders = 0, number;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++) {
        heddle_envelope about;
        heddle_receive(REPORT, i, HEDDLE_ANY, &number, sizeof number, &about);
        leaders += about.tag;
    }
    assert(leaders == 1);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}

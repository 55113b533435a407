// Calls that wait when the object is removed end with EIDRM; calls that come later fail with EINVAL.
// EXPECT: complete
// DFS: yes
// TESTS: 2
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/msg.h>
#include <sys/sem.h>

static int set, queue;

static void *waits(void *unused)
{
    struct sembuf one = { 0, -1, 0 }, two = { 0, -2, 0 };
    struct {
        long type;
        char text[1];
    } letter;
    long result = WHICH == 1 ? semop(set, &one, 1)
        : WHICH == 2         ? semop(set, &two, 1)
        : WHICH == 3         ? msgrcv(queue, &letter, 1, 0, 0)
                             : msgrcv(queue, &letter, 1, 7, 0);
    assert(result == -1 && (errno == EIDRM || errno == EINVAL));
    return unused;
}

int main(void)
{
    pthread_t t;
    set = semget(IPC_PRIVATE, 1, 0600);
    queue = msgget(IPC_PRIVATE, 0600);
    pthread_create(&t, NULL, waits, NULL);
    semctl(set, 0, IPC_RMID);
    msgctl(queue, IPC_RMID, NULL);
    pthread_join(t, NULL);
}

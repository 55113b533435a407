// System V objects that another thread uses and removes: what a call finds depends on the schedule.
// AMONG: 12
#include "transcript.h"

#include <pthread.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

static int set, queue;

static void *removes(void *unused)
{
    semctl(set, 0, IPC_RMID);
    msgctl(queue, IPC_RMID, NULL);
    return unused;
}

static void a_removal_among_calls(void)
{
    pthread_t t;
    struct sembuf take = { 0, -1, 0 }, two = { 1, -2, 0 };
    struct {
        long type;
        char text[4];
    } letter = { 1, "abc" };
    set = semget(IPC_PRIVATE, 2, 0600);
    queue = msgget(IPC_PRIVATE, 0600);
    semctl(set, 0, SETVAL, 1);
    pthread_create(&t, NULL, removes, NULL);
    TRY(semop(set, &take, 1));
    TRY(semop(set, &take, 1));
    TRY(semop(set, &two, 1));
    TRY(msgsnd(queue, &letter, 3, 0));
    TRY(msgrcv(queue, &letter, 4, 0, 0));
    TRY(msgrcv(queue, &letter, 4, 2, 0));
    pthread_join(t, NULL);
}

int main(void)
{
    RUN(a_removal_among_calls);
    return finish();
}

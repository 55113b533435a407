// What is not modelled of System V objects ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
// RUN: -DWHICH=5
// RUN: -DWHICH=6
// RUN: -DWHICH=7
#define _GNU_SOURCE
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

static struct {
    long type;
    char text[8192];
} letter = { .type = 1 };

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600), queue = msgget(IPC_PRIVATE, 0600);
    struct sembuf two = { 0, -2, 0 };
    struct timespec soon = { 1, 0 };
    struct msqid_ds about;
    if (WHICH == 1)
        semctl(set, 0, GETNCNT);
    if (WHICH == 2)
        semget(IPC_PRIVATE, 33, 0600);
    if (WHICH == 3)
        semctl(set, 0, SETVAL, 257);
    if (WHICH == 4)
        semtimedop(set, &two, 1, &soon);
    if (WHICH == 5)
        msgrcv(queue, &letter, 1, 0, MSG_COPY | IPC_NOWAIT);
    if (WHICH == 6) {
        msgsnd(queue, &letter, 8192, 0);
        msgsnd(queue, &letter, 8000, 0);
        msgsnd(queue, &letter, 1000, 0); /* 192 bytes are left */
    }
    if (WHICH == 7) {
        msgctl(queue, IPC_STAT, &about);
        msgctl(queue, IPC_SET, &about);
    }
}

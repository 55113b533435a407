// System V shared memory, semaphores and message queues.
#include "transcript.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <time.h>

enum { KEY = 0x4865, OTHER = 0x4866 };

/* Identifiers differ from run to run. */
static int made(const char *call, int id)
{
    said(call, id < 0 ? -1 : 0);
    return id;
}

#define GET(call) made(#call, call)

/* --- shared memory --- */

static void say_segment(int id)
{
    struct shmid_ds d;
    if (TRY(shmctl(id, IPC_STAT, &d)) == 0)
        say("%ld %ld %o\n", (long)d.shm_segsz, (long)d.shm_nattch, d.shm_perm.mode);
}

static void *attached(const char *call, void *p)
{
    said(call, p == (void *)-1 ? -1 : 0);
    return p;
}

#define ATTACH(id) attached("shmat", shmat(id, NULL, 0))

static void segments(void)
{
    shmctl(shmget(KEY, 0, 0), IPC_RMID, NULL);
    GET(shmget(KEY, 100, 0600));
    GET(shmget(KEY, 0, IPC_CREAT | 0600));
    int id = GET(shmget(KEY, 100, IPC_CREAT | 0600));
    GET(shmget(KEY, 100, IPC_CREAT | IPC_EXCL | 0600));
    GET(shmget(KEY, 101, 0600));
    say("%d\n", GET(shmget(KEY, 50, IPC_CREAT | 0600)) == id);
    say_segment(id);
    char *a = ATTACH(id), *b = ATTACH(id);
    say_segment(id);
    a[99] = 9;
    say("%d %d\n", a[0], b[99]);
    TRY(shmdt(a));
    TRY(shmdt(b + 1));
    say_segment(id);
    TRY(shmctl(id, IPC_RMID, NULL));
    GET(shmget(KEY, 100, 0600));
    say_segment(id);
    TRY(shmctl(id, IPC_RMID, NULL));
    char *c = ATTACH(id);
    say("%d\n", c[99]);
    TRY(shmdt(b));
    TRY(shmdt(c));
    TRY(shmdt(c));
    say_segment(id);
    ATTACH(id);
    TRY(shmctl(id, IPC_RMID, NULL));
    ATTACH(-1);
    TRY(shmctl(-1, IPC_RMID, NULL));
}

static void private_segments(void)
{
    int a = GET(shmget(IPC_PRIVATE, 10, 0600)), b = GET(shmget(IPC_PRIVATE, 10, 0600));
    say("%d\n", a == b);
    char *p = ATTACH(a), *q = ATTACH(b);
    *p = 1;
    say("%d\n", *q);
    TRY(shmctl(a, IPC_RMID, NULL));
    TRY(shmctl(b, IPC_RMID, NULL));
    TRY(shmdt(p));
    TRY(shmdt(q));
}

/* --- semaphores --- */

static void say_values(int id)
{
    unsigned short values[8];
    if (TRY(semctl(id, 0, GETALL, values)) == 0)
        say("%d %d %d\n", values[0], values[1], values[2]);
}

static int operate(int id, int index, int change, int flags)
{
    struct sembuf op = { (unsigned short)index, (short)change, (short)flags };
    return semop(id, &op, 1);
}

static void sets(void)
{
    semctl(semget(KEY, 0, 0), 0, IPC_RMID);
    GET(semget(KEY, 3, 0600));
    GET(semget(KEY, 0, IPC_CREAT | 0600));
    GET(semget(KEY, -1, IPC_CREAT | 0600));
    GET(semget(KEY, 32001, IPC_CREAT | 0600));
    int id = GET(semget(KEY, 3, IPC_CREAT | 0600));
    GET(semget(KEY, 3, IPC_CREAT | IPC_EXCL | 0600));
    GET(semget(KEY, 4, 0600));
    say("%d\n", GET(semget(KEY, 0, 0)) == id);
    say_values(id);
    struct semid_ds d;
    TRY(semctl(id, 0, IPC_STAT, &d));
    say("%ld %o %d %x\n", (long)d.sem_nsems, d.sem_perm.mode, d.sem_otime != 0, (unsigned)d.sem_perm.__key);
    TRY(semctl(id, 1, SETVAL, 5));
    TRY(semctl(id, 1, GETVAL));
    TRY(semctl(id, 1, SETVAL, 2));
    TRY(semctl(id, 1, SETVAL, -1));
    TRY(semctl(id, 1, SETVAL, 32768));
    TRY(semctl(id, 3, SETVAL, 1));
    TRY(semctl(id, -1, SETVAL, 1));
    TRY(semctl(id, 3, GETVAL));
    unsigned short values[3] = { 1, 0, 7 }, wrong[3] = { 1, 65535, 1 };
    TRY(semctl(id, 0, SETALL, values));
    TRY(semctl(id, 0, SETALL, wrong));
    say_values(id);
    TRY(operate(id, 0, -1, 0));
    TRY(semctl(id, 0, IPC_STAT, &d));
    say("%d\n", d.sem_otime != 0);
    TRY(semctl(id, 0, IPC_RMID));
    TRY(semctl(id, 0, IPC_RMID));
    TRY(semctl(id, 0, GETVAL));
    TRY(semctl(id, 0, SETVAL, 1));
    TRY(operate(id, 0, -1, 0));
    TRY(operate(id, 0, 1, 0));
    TRY(operate(id, 0, -1, IPC_NOWAIT));
    say_values(id);
    TRY(semctl(-1, 0, GETVAL));
    GET(semget(KEY, 3, 0600));
}

static void operations(void)
{
    struct sembuf ops[501] = { { 0 } };
    struct timespec soon = { 0, 1000 }, bad = { 0, 1000000000 };
    int id = GET(semget(IPC_PRIVATE, 3, 0600));
    TRY(operate(id, 0, 2, 0));
    TRY(operate(id, 0, -1, 0));
    TRY(operate(id, 0, -2, IPC_NOWAIT));
    TRY(operate(id, 0, 0, IPC_NOWAIT));
    TRY(operate(id, 1, 0, 0));
    TRY(operate(id, 0, -1, IPC_NOWAIT));
    TRY(operate(id, 0, -1, IPC_NOWAIT));
    TRY(operate(id, 3, 1, 0));
    TRY(semop(id, ops, 0));
    TRY(semop(id, ops, 501));
    TRY(semop(-1, ops, 1));
    say_values(id);
    ops[0] = (struct sembuf) { 0, 1, 0 };
    ops[1] = (struct sembuf) { 1, 3, 0 };
    ops[2] = (struct sembuf) { 2, 0, 0 };
    TRY(semop(id, ops, 3));
    say_values(id);
    ops[0] = (struct sembuf) { 0, -1, 0 };
    ops[1] = (struct sembuf) { 1, -4, IPC_NOWAIT };
    TRY(semop(id, ops, 2));
    say_values(id);
    ops[0] = (struct sembuf) { 1, -3, 0 };
    ops[1] = (struct sembuf) { 1, 0, 0 };
    ops[2] = (struct sembuf) { 1, 1, 0 };
    TRY(semop(id, ops, 3));
    say_values(id);
    ops[0] = (struct sembuf) { 2, -1, SEM_UNDO };
    TRY(semtimedop(id, ops, 1, &soon));
    TRY(semtimedop(id, ops, 1, &bad));
    TRY(operate(id, 2, 1, SEM_UNDO));
    TRY(semtimedop(id, ops, 1, &soon));
    say_values(id);
    TRY(semctl(id, 0, IPC_RMID));
}

/* --- message queues --- */

struct letter {
    long type;
    char text[16];
};

static int send_letter(int id, long type, const char *text, int flags)
{
    struct letter l = { .type = type };
    strncpy(l.text, text, sizeof l.text);
    return msgsnd(id, &l, strlen(text), flags);
}

static void receive(int id, size_t size, long type, int flags)
{
    struct letter l = { 0 };
    long n = said("msgrcv", msgrcv(id, &l, size, type, flags));
    say_bytes("got", l.text, n);
    say("type %ld\n", n < 0 ? 0 : l.type);
}

static void say_queue(int id)
{
    struct msqid_ds d;
    if (TRY(msgctl(id, IPC_STAT, &d)) == 0)
        say("%ld %ld %o\n", (long)d.msg_qnum, (long)d.__msg_cbytes, d.msg_perm.mode);
}

static void queues(void)
{
    msgctl(msgget(KEY, 0), IPC_RMID, NULL);
    GET(msgget(KEY, 0600));
    int id = GET(msgget(KEY, IPC_CREAT | 0600));
    GET(msgget(KEY, IPC_CREAT | IPC_EXCL | 0600));
    say("%d\n", GET(msgget(KEY, 0)) == id);
    say_queue(id);
    TRY(send_letter(id, 0, "x", 0));
    TRY(send_letter(id, -1, "x", 0));
    TRY(send_letter(-1, 1, "x", 0));
    TRY(send_letter(id, 3, "three", 0));
    TRY(send_letter(id, 1, "one", 0));
    TRY(send_letter(id, 2, "two", 0));
    TRY(send_letter(id, 1, "", 0));
    say_queue(id);
    receive(id, 16, 2, 0);
    receive(id, 16, 2, IPC_NOWAIT);
    receive(id, 16, 3, MSG_EXCEPT);
    receive(id, 16, -2, 0);
    receive(id, 16, -2, IPC_NOWAIT);
    receive(id, 4, 0, 0);
    receive(id, 4, 3, 0);
    receive(id, 4, 0, MSG_NOERROR);
    receive(id, 16, 0, IPC_NOWAIT);
    receive(-1, 16, 0, IPC_NOWAIT);
    receive(id, (size_t)-1, 0, IPC_NOWAIT);
    TRY(send_letter(id, 5, "five", 0));
    TRY(send_letter(id, 4, "four", 0));
    TRY(send_letter(id, 4, "more", 0));
    receive(id, 16, -9, 0);
    receive(id, 16, 0, 0);
    receive(id, 16, -9, 0);
    TRY(msgctl(id, IPC_RMID, NULL));
    TRY(msgctl(id, IPC_RMID, NULL));
    say_queue(id);
    TRY(send_letter(id, 1, "x", 0));
    receive(id, 16, 0, 0);
    receive(id, 16, 1, 0);
    GET(msgget(KEY, 0600));
}

static void a_full_queue(void)
{
    static struct {
        long type;
        char text[8193];
    } l = { .type = 1 };
    int id = GET(msgget(IPC_PRIVATE, 0600));
    TRY(msgsnd(id, &l, 8193, IPC_NOWAIT));
    TRY(msgsnd(id, &l, 8192, IPC_NOWAIT));
    TRY(msgsnd(id, &l, 8191, IPC_NOWAIT));
    TRY(msgsnd(id, &l, 2, IPC_NOWAIT));
    TRY(msgsnd(id, &l, 1, 0));
    TRY(msgsnd(id, &l, 1, IPC_NOWAIT));
    TRY(msgsnd(id, &l, 0, 0));
    TRY(msgrcv(id, &l, 8193, 0, 0));
    TRY(msgsnd(id, &l, 8192, 0));
    TRY(msgctl(id, IPC_RMID, NULL));
}

static void keys(void)
{
    key_t a = ftok("/", 1), b = ftok("/", 2);
    say("%d %d\n", a == b, a == ftok("/", 1));
    TRY(ftok("/missing", 1));
    int memory = GET(shmget(OTHER, 1, IPC_CREAT | 0600)), set = GET(semget(OTHER, 1, IPC_CREAT | 0600)),
        queue = GET(msgget(OTHER, IPC_CREAT | 0600));
    TRY(shmctl(memory, IPC_RMID, NULL));
    TRY(semctl(set, 0, IPC_RMID));
    TRY(msgctl(queue, IPC_RMID, NULL));
}

int main(void)
{
    RUN(segments);
    RUN(private_segments);
    RUN(sets);
    RUN(operations);
    RUN(queues);
    RUN(a_full_queue);
    RUN(keys);
    return finish();
}

// Message queues and System V objects: calls that wait for another thread. Whatever the schedule is, their results are
// the same.
// THREADS: 64
#include "transcript.h"

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/msg.h>
#include <sys/sem.h>

static const char *const name = "/heddle-test-waits";
static mqd_t q;
static sem_t *s;
static int set, queue;

/* Runs `other` in a thread while the case goes on. */
static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void open_queue(void)
{
    struct mq_attr one = { .mq_maxmsg = 1, .mq_msgsize = 8 };
    mq_unlink(name);
    q = TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &one));
}

static void close_queue(void)
{
    TRY(mq_close(q));
    TRY(mq_unlink(name));
}

static void *send_one(void *unused)
{
    mq_send(q, "abc", 3, 5);
    return unused;
}

static void receive_waits(void)
{
    char c[8];
    unsigned priority;
    open_queue();
    pthread_t t = begin(send_one);
    TRY(mq_receive(q, c, 8, &priority));
    say("%u\n", priority);
    pthread_join(t, NULL);
    close_queue();
}

static void *receive_one(void *unused)
{
    char c[8];
    mq_receive(q, c, 8, NULL);
    return unused;
}

static void send_waits(void)
{
    char c[8];
    open_queue();
    TRY(mq_send(q, "first", 5, 0));
    pthread_t t = begin(receive_one);
    TRY(mq_send(q, "second", 6, 9));
    pthread_join(t, NULL);
    TRY(mq_receive(q, c, 8, NULL));
    close_queue();
}

static void poll_waits(void)
{
    open_queue();
    struct pollfd one = { q, POLLIN, 0 };
    pthread_t t = begin(send_one);
    TRY(poll(&one, 1, -1));
    say("%x\n", one.revents);
    pthread_join(t, NULL);
    close_queue();
}

static void *post_named(void *unused)
{
    sem_post(s);
    return unused;
}

static void named_semaphore_waits(void)
{
    sem_unlink(name);
    s = sem_open(name, O_CREAT, 0600, 0);
    pthread_t t = begin(post_named);
    TRY(sem_wait(s));
    pthread_join(t, NULL);
    TRY(sem_unlink(name));
    TRY(sem_close(s));
}

static void operate(int index, int change)
{
    struct sembuf op = { (unsigned short)index, (short)change, 0 };
    said("semop", semop(set, &op, 1));
}

static void add(int index, int change)
{
    struct sembuf op = { (unsigned short)index, (short)change, 0 };
    semop(set, &op, 1);
}

static void *add_two(void *unused)
{
    add(0, 2);
    return unused;
}

static void a_wait_for_one(void)
{
    set = semget(IPC_PRIVATE, 2, 0600);
    pthread_t t = begin(add_two);
    operate(0, -1);
    pthread_join(t, NULL);
    TRY(semctl(set, 0, GETVAL));
    semctl(set, 0, IPC_RMID);
}

static void a_wait_for_two(void)
{
    set = semget(IPC_PRIVATE, 2, 0600);
    pthread_t t = begin(add_two);
    operate(0, -2);
    pthread_join(t, NULL);
    TRY(semctl(set, 0, GETVAL));
    semctl(set, 0, IPC_RMID);
}

static void *take_two(void *unused)
{
    add(0, -2);
    return unused;
}

static void a_wait_for_zero(void)
{
    set = semget(IPC_PRIVATE, 2, 0600);
    semctl(set, 0, SETVAL, 2);
    pthread_t t = begin(take_two);
    operate(0, 0);
    pthread_join(t, NULL);
    semctl(set, 0, IPC_RMID);
}

static void *set_both(void *unused)
{
    unsigned short values[2] = { 1, 3 };
    semctl(set, 0, SETALL, values);
    return unused;
}

static void a_wait_for_both(void)
{
    struct sembuf ops[] = { { 0, -1, 0 }, { 1, -3, 0 } };
    set = semget(IPC_PRIVATE, 2, 0600);
    pthread_t t = begin(set_both);
    TRY(semop(set, ops, 2));
    pthread_join(t, NULL);
    semctl(set, 0, IPC_RMID);
}

struct letter {
    long type;
    char text[8];
};

static void *send_letters(void *unused)
{
    struct letter l = { 3, "three" };
    msgsnd(queue, &l, 5, 0);
    l = (struct letter) { 1, "one" };
    msgsnd(queue, &l, 3, 0);
    return unused;
}

static void a_wait_for_a_message(void)
{
    struct letter l;
    queue = msgget(IPC_PRIVATE, 0600);
    pthread_t t = begin(send_letters);
    TRY(msgrcv(queue, &l, 8, 0, 0));
    say("%ld\n", l.type);
    TRY(msgrcv(queue, &l, 8, 0, 0));
    say("%ld\n", l.type);
    pthread_join(t, NULL);
    msgctl(queue, IPC_RMID, NULL);
}

static void a_wait_for_a_type(void)
{
    struct letter l;
    queue = msgget(IPC_PRIVATE, 0600);
    pthread_t t = begin(send_letters);
    TRY(msgrcv(queue, &l, 8, 1, 0));
    TRY(msgrcv(queue, &l, 8, -9, 0));
    say("%ld\n", l.type);
    pthread_join(t, NULL);
    msgctl(queue, IPC_RMID, NULL);
}

static struct {
    long type;
    char text[8192];
} large = { .type = 1 };

static void *receive_large(void *unused)
{
    static char to[8 + 8192];
    msgrcv(queue, to, 8192, 0, 0);
    return unused;
}

static void a_wait_for_room(void)
{
    queue = msgget(IPC_PRIVATE, 0600);
    TRY(msgsnd(queue, &large, 8192, 0));
    TRY(msgsnd(queue, &large, 8192, 0));
    pthread_t t = begin(receive_large);
    TRY(msgsnd(queue, &large, 100, 0));
    pthread_join(t, NULL);
    msgctl(queue, IPC_RMID, NULL);
}

int main(void)
{
    RUN(receive_waits);
    RUN(send_waits);
    RUN(poll_waits);
    RUN(named_semaphore_waits);
    RUN(a_wait_for_one);
    RUN(a_wait_for_two);
    RUN(a_wait_for_zero);
    RUN(a_wait_for_both);
    RUN(a_wait_for_a_message);
    RUN(a_wait_for_a_type);
    RUN(a_wait_for_room);
    return finish();
}

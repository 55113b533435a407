/* Threads that perform the operations in their arguments on two queues: the first argument has the kind of each, a pipe,
 * a pair of sockets or a message queue with room for four, and how much is in it at first; each further one has the
 * operations of a thread. r02 receives up to two bytes (or a message) from queue 0, s02 sends as many, v00 looks how much
 * there is. */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_THREADS = 4, INITIAL = 1, OF_THREADS = 2, ROOM = 4 };

struct queue {
    char kind;
    int ends[2]; /* for receiving and for sending */
};
long seen[MOST_THREADS]; /* what each thread has learned */

/* Each thread has its own, so no memory is shared. */
static struct script {
    _Alignas(8) char ops[16];
    struct queue queues[2];
} scripts[MOST_THREADS];

static void send_to(const struct queue *q, char byte, int size)
{
    char bytes[2] = { byte, byte };
    if (q->kind == 'm')
        mq_send(q->ends[1], bytes, 1, 0);
    else
        write(q->ends[1], bytes, (size_t)size);
}

static int receive_from(const struct queue *q, int size)
{
    char bytes[8] = { 0 };
    if (q->kind == 'm')
        mq_receive(q->ends[0], bytes, sizeof bytes, NULL);
    else
        read(q->ends[0], bytes, (size_t)size);
    return 6 * bytes[0] + bytes[1];
}

static int size_of(const struct queue *q)
{
    struct mq_attr about;
    int size;
    if (q->kind == 'm')
        return mq_getattr(q->ends[0], &about), (int)about.mq_curmsgs;
    ioctl(q->ends[0], FIONREAD, &size);
    return size;
}

static int perform(const char *op, long id)
{
    const struct queue *q = &scripts[id].queues[op[1] - '0'];
    if (op[0] == 's')
        send_to(q, (char)(OF_THREADS + id), op[2] - '0');
    return op[0] == 's' ? 0 : op[0] == 'r' ? receive_from(q, op[2] - '0') : 40 + size_of(q);
}

static void *work(void *number)
{
    long id = (long)number;
    for (const char *op = scripts[id].ops; *op; op += 3) {
        int learned = perform(op, id);
        if (learned)
            seen[id] = seen[id] * 64 + learned;
    }
    return NULL;
}

static void make(struct queue *q, char kind, int size, const char *name)
{
    struct mq_attr about = { .mq_maxmsg = ROOM, .mq_msgsize = 8 };
    q->kind = kind;
    if (kind == 'm')
        q->ends[0] = q->ends[1] = mq_open(name, O_CREAT | O_RDWR, 0600, &about);
    else if (kind == 's')
        socketpair(AF_UNIX, SOCK_STREAM, 0, q->ends);
    else
        pipe(q->ends);
    for (int i = 0; i < size; i++)
        send_to(q, INITIAL, 1);
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    struct queue queues[2];
    for (int i = 0; i < 2; i++)
        make(&queues[i], argv[1][2 * i], argv[1][2 * i + 1] - '0', i ? "/second" : "/first");
    for (int i = 0; i < argc - 2; i++) {
        strncpy(scripts[i].ops, argv[i + 2], sizeof scripts[i].ops - 1);
        memcpy(scripts[i].queues, queues, sizeof queues);
    }
    for (long i = 0; i < argc - 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < argc - 2; i++)
        pthread_join(threads[i], NULL);
}

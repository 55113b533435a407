"""Generated programs as C: several in one source, chosen by the first argument."""

HEAD = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <limits.h>
#include <poll.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SPINS
#define SPINS 1000
#endif

int x[2];
volatile int v[2];
atomic_int a[2];
union {
    unsigned char b[8];
    unsigned short h[4];
    unsigned w[2];
    unsigned long d;
} u;
long r[8];
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_cond_t c[1] = { PTHREAD_COND_INITIALIZER };
sem_t s[1];
pthread_rwlock_t l[1] = { PTHREAD_RWLOCK_INITIALIZER };
pthread_barrier_t b[1];
pthread_once_t o[1] = { PTHREAD_ONCE_INIT };
int e[3];
struct {
    atomic_int count;
    pthread_mutex_t lock;
    pthread_rwlock_t rwlock;
    sem_t semaphore;
    pthread_once_t once;
    long number;
} *h;
long seen[5];

static const struct timespec soon = { 1, 0 };

/* No function: the bounds of threads tell apart elements with constant indices. */
#define see(thread, value) ({ long new = (value); seen[thread] = seen[thread] * 31 + new + 1; })

static void see_bytes(int thread, const unsigned char *bytes, int size)
{
    for (int i = 0; i < size; i++)
        see(thread, bytes[i]);
}

#define read_event(fd) ({ eventfd_t value; eventfd_read(fd, &value) ? -1 : (long)value; })
#define poll_event(fd, timeout) ({ struct pollfd p = { fd, POLLIN, 0 }; poll(&p, 1, timeout); })

/* Two empty pipes, one of them without waiting, and one that has room for one page. Sizes are in units: bytes or pages. */
static int q[3][2];
static char page[15 * 4096];
#define UNIT(i) ((i) == 2 ? 4096 : 1)
#define write_pipe(i, n) write(q[i][1], page, (n) * UNIT(i))
#define read_pipe(i, n) ({ char to[3 * 4096]; read(q[i][0], to, (n) * UNIT(i)); })
#define size_of_pipe(i) ({ int size = -1; ioctl(q[i][0], FIONREAD, &size); size; })
#define poll_pipe(i, timeout, end) ({ struct pollfd p = { q[i][end], POLLIN | POLLOUT, 0 }; poll(&p, 1, timeout) * 1000 + p.revents; })
#define poll_pipes(timeout) ({ struct pollfd p[] = { { q[0][0], POLLIN, 0 }, { q[1][0], POLLIN, 0 }, { q[2][1], POLLOUT, 0 } }; \
    poll(p, 3, timeout) * 1000 + p[0].revents + 2 * p[1].revents + 3 * p[2].revents; })

static void make_pipes(void)
{
    signal(SIGPIPE, SIG_IGN);
    pipe(q[0]);
    pipe(q[1]);
    fcntl(q[1][0], F_SETFL, O_NONBLOCK);
    fcntl(q[1][1], F_SETFL, O_NONBLOCK);
    pipe(q[2]);
    write(q[2][1], page, sizeof page);
}

/* An epoll with a pipe, an eventfd and a stream: the end that receives, and the one that sends. */
static int w, d[3][2];
#define send_watched(i) ({ eventfd_t one = 1; write(d[i][1], &one, i == 1 ? sizeof one : 1); })
#define receive_watched(i) ({ char to[8]; read(d[i][0], to, i == 1 ? sizeof to : 1); })
#define control(command, i, mode) ({ struct epoll_event event = { .events = mode, .data.u32 = i + 1 }; \
    epoll_ctl(w, EPOLL_CTL_##command, d[i][0], &event) ? errno : 0; })
#define await_watched(most, timeout) ({ struct epoll_event got[3]; int n = epoll_wait(w, got, most, timeout); long sum = n; \
    for (int i = 0; i < n; i++) sum = sum * 100 + got[i].data.u32 * 31 + got[i].events; sum; })
#define poll_watched(timeout) ({ struct pollfd p = { w, POLLIN, 0 }; poll(&p, 1, timeout) * 1000 + p.revents; })

static void watch(unsigned first, unsigned second, unsigned third)
{
    signal(SIGPIPE, SIG_IGN);
    w = epoll_create1(0);
    pipe(d[0]);
    fcntl(d[0][0], F_SETFL, O_NONBLOCK);
    fcntl(d[0][1], F_SETFL, O_NONBLOCK);
    d[1][0] = d[1][1] = eventfd(0, EFD_NONBLOCK);
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, d[2]);
    control(ADD, 0, first);
    control(ADD, 1, second);
    control(ADD, 2, third);
}

/* Two timers, the second of which does not wait, and a pipe; an epoll for all three. Times are in milliseconds. */
static int timers[2], beat[2], all_timers;
#define set_timer(i, value, interval) ({ struct itimerspec to = { .it_value.tv_nsec = (value) * 1000000, \
    .it_interval.tv_nsec = (interval) * 1000000 }; timerfd_settime(timers[i], 0, &to, NULL); })
#define read_timer(i) ({ unsigned long count = 0; read(timers[i], &count, sizeof count) * 10 + (long)count; })
#define poll_timers(which, timeout) ({ struct pollfd p[] = { { timers[0], POLLIN, 0 }, { timers[1], POLLIN, 0 }, { beat[0], POLLIN, 0 } }; \
    poll(p + (which), (which) ? 1 : 3, timeout) * 1000 + p[0].revents + 2 * p[1].revents + 3 * p[2].revents; })
#define await_timers(most, timeout) ({ struct epoll_event got[3]; int n = epoll_wait(all_timers, got, most, timeout); long sum = n; \
    for (int i = 0; i < n; i++) sum = sum * 100 + got[i].data.u32 * 31 + got[i].events; sum; })

static void make_timers(void)
{
    timers[0] = timerfd_create(CLOCK_MONOTONIC, 0);
    timers[1] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    pipe(beat);
    all_timers = epoll_create1(0);
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = { .events = EPOLLIN | (i == 1 ? EPOLLET : 0), .data.u32 = i + 1 };
        epoll_ctl(all_timers, EPOLL_CTL_ADD, i < 2 ? timers[i] : beat[0], &event);
    }
}

/* Pairs of sockets, one of each type. */
static int k[3][2];
#define receive(i, end, n, flags) ({ char to[4] = ""; long got = recv(k[i][end], to, n, flags); got * 100 + to[0]; })
#define poll_socket(i, end, events, timeout) ({ struct pollfd p = { k[i][end], events, 0 }; poll(&p, 1, timeout) * 1000 + p.revents; })

static long pass_socket(int i, int end, int other, int side)
{
    char control[CMSG_SPACE(sizeof(int))] = "";
    struct iovec part = { "r", 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &k[other][side], sizeof(int));
    return sendmsg(k[i][end], &m, 0) < 0 ? -errno : 1;
}

static long take_socket(int i, int end, int flags)
{
    char control[CMSG_SPACE(sizeof(int))], c = 0;
    int fd;
    struct iovec part = { &c, 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    long got = recvmsg(k[i][end], &m, flags);
    if (got < 1 || !m.msg_controllen)
        return got < 0 ? -errno : got * 1000 + c;
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return got * 1000 + send(fd, "t", 1, 0) * 10 + close(fd);
}

static void make_sockets(void)
{
    static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 3; i++)
        socketpair(AF_UNIX, types[i], 0, k[i]);
}

#define receive_mail(how, box, from, kind, ...) ({ int got = 0; heddle_envelope about = { 0 }; \
    how(box, from, kind, &got, sizeof got, &about __VA_OPT__(,) __VA_ARGS__) ? 1 + got * 4 + about.source * 2 + about.tag : -1; })

/* Two queues: with room for one message, and one that does not wait and has room for two. */
static mqd_t queues[2];
#define receive_message(i, until) ({ char to[8] = ""; unsigned rank = 0; long got = mq_timedreceive(queues[i], to, 8, &rank, until); \
    got < 0 ? -errno : got * 1000 + to[0] * 2 + rank; })
#define send_message(i, rank, until) ({ mq_timedsend(queues[i], rank ? "high" : "low", 2 + rank, rank, until) ? -errno : 0; })
#define messages_in(i) ({ struct mq_attr about; mq_getattr(queues[i], &about) ? -1 : about.mq_curmsgs; })
#define poll_queue(i, events, timeout) ({ struct pollfd p = { queues[i], events, 0 }; poll(&p, 1, timeout) * 1000 + p.revents; })

static void make_queues(void)
{
    for (int i = 0; i < 2; i++) {
        struct mq_attr about = { .mq_maxmsg = 1 + i, .mq_msgsize = 8 };
        queues[i] = mq_open(i ? "/second" : "/first", O_CREAT | O_RDWR | (i ? O_NONBLOCK : 0), 0600, &about);
    }
}

/* A set of two semaphores with the values 1 and 0, and a queue. */
static int set, letters;
#define operate(i, n, flags) ({ struct sembuf op = { i, n, flags }; semop(set, &op, 1) ? -errno : 0; })
#define operate_both(m, n, flags) ({ struct sembuf ops[] = { { 0, m, 0 }, { 1, n, flags } }; semop(set, ops, 2) ? -errno : 0; })
#define operate_timed(i) ({ struct sembuf op = { i, -1, 0 }; semtimedop(set, &op, 1, &soon) ? -errno : 0; })
#define values_of() ({ unsigned short all[2] = { 9, 9 }; semctl(set, 0, GETALL, all); all[0] * 10 + all[1]; })
#define send_letter(kind) ({ struct { long type; char text[2]; } m = { kind, "x" }; msgsnd(letters, &m, kind, 0) ? -errno : 0; })
#define receive_letter(kind, flags) ({ struct { long type; char text[2]; } m = { 0 }; \
    long got = msgrcv(letters, &m, 2, kind, flags); got < 0 ? -errno : got * 10 + m.type; })

static void make_sysv(void)
{
    set = semget(IPC_PRIVATE, 2, 0600);
    semctl(set, 0, SETVAL, 1);
    letters = msgget(IPC_PRIVATE, 0600);
}

/* Objects that are opened by name, used and closed. */
static long use_named(int flags)
{
    sem_t *s = sem_open("/named", flags, 0600, 1);
    if (s == SEM_FAILED)
        return -errno;
    int taken = sem_trywait(s) == 0;
    return taken + 2 * sem_close(s);
}

static long use_memory(int flags)
{
    int fd = shm_open("/memory", flags | O_RDWR, 0600);
    if (fd < 0)
        return -errno;
    ftruncate(fd, 4096);
    atomic_int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    long value = (*p)++;
    munmap(p, 4096);
    return value + 10 * fd + close(fd);
}

static long use_segment(int flags, int detaches)
{
    int id = shmget(77, 16, flags | 0600);
    if (id < 0)
        return -errno;
    atomic_int *p = shmat(id, NULL, 0);
    if (p == (void *)-1)
        return -errno;
    long value = (*p)++;
    return detaches ? value + 10 * shmdt(p) : value;
}

static long remove_segment(void)
{
    int id = shmget(77, 0, 0);
    return id < 0 ? -errno : shmctl(id, IPC_RMID, NULL) ? -errno : 0;
}

static long attached_to_segment(void)
{
    struct shmid_ds about;
    int id = shmget(77, 0, 0);
    return id < 0 ? -errno : shmctl(id, IPC_STAT, &about) ? -errno : (long)about.shm_nattch;
}

/* Listeners (UNIX with a backlog of 1, TCP, TCP that does not wait) and a socket beside them; clients: two of UNIX, of
   which one does not wait, and two of TCP. */
static int listeners[4], j[4];
static struct sockaddr_un at_name = { AF_UNIX, "\\0name" };
static struct sockaddr_in at_port[2] = { { AF_INET }, { AF_INET } };

#define address_of(i) ((i) < 1 ? (struct sockaddr *)&at_name : (struct sockaddr *)&at_port[(i) - 1])
#define size_at(i) ((i) < 1 ? 8 : sizeof at_port[0])
#define result_of(call) ({ long result = (call); result < 0 ? -errno : result; })

static void make_connections(void)
{
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 4; i++) {
        if (i < 2)
            at_port[i].sin_port = htons(7000 + i), at_port[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        listeners[i] = socket(i ? AF_INET : AF_UNIX, SOCK_STREAM | (i == 2 ? SOCK_NONBLOCK : 0), 0);
        j[i] = socket(i < 2 ? AF_UNIX : AF_INET, SOCK_STREAM | (i == 1 ? SOCK_NONBLOCK : 0), 0);
    }
    for (int i = 0; i < 3; i++) {
        bind(listeners[i], address_of(i), size_at(i));
        listen(listeners[i], i ? 4 : 0);
    }
}

static long accept_at(int i, int answer)
{
    char c = 0;
    int fd = accept(listeners[i], NULL, NULL);
    if (fd < 0)
        return -errno;
    long got = answer ? send(fd, "z", 1, 0) : recv(fd, &c, 1, MSG_DONTWAIT);
    return fd * 1000 + got * 100 + 10 * close(fd) + c;
}

static long receive_there(int i, int flags)
{
    char c = 0;
    long got = recv(j[i], &c, 1, flags);
    return got < 0 ? -errno : got * 1000 + c;
}

static long names_there(int i)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_storage storage;
    } a, b;
    socklen_t n = sizeof a, m = sizeof b;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    return getsockname(j[i], &a.any, &n) * 7 + getpeername(j[i], &b.any, &m) * 3 + a.in.sin_port + 5 * b.in.sin_port;
}

static long error_there(int i)
{
    int error = 0;
    socklen_t n = sizeof error;
    getsockopt(j[i], SOL_SOCKET, SO_ERROR, &error, &n);
    return error;
}

#define connect_there(i) result_of(connect(j[i], address_of((i) / 2 + (i) / 3), size_at((i) / 2)))
#define shut_there(i, how) ({ long r = connect_there(i); !r || r == -EISCONN ? result_of(shutdown(j[i], how)) : r; })
#define bind_there(fd, i) result_of(bind(fd, address_of(i), size_at(i)))
#define poll_there(fd, wanted, timeout) ({ struct pollfd p = { fd, wanted, 0 }; poll(&p, 1, timeout) * 1000 + p.revents; })

/* Datagram sockets: two of UNIX, two of UDP, of which the first are bound. */
static int y[4];
static struct sockaddr_un at_box[2] = { { AF_UNIX, "\\0boxa" }, { AF_UNIX, "\\0boxb" } };
static struct sockaddr_in at_udp[2] = { { AF_INET }, { AF_INET } };

#define box_of(i, which) ((i) < 2 ? (struct sockaddr *)&at_box[which] : (struct sockaddr *)&at_udp[which])
#define box_size(i) ((i) < 2 ? 7 : sizeof at_udp[0])

static void make_datagrams(void)
{
    for (int i = 0; i < 2; i++)
        at_udp[i].sin_port = htons(7000 + i), at_udp[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < 4; i++)
        y[i] = socket(i < 2 ? AF_UNIX : AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 4; i += 2)
        bind(y[i], box_of(i, 0), box_size(i));
}

static long receive_datagram(int i, int flags)
{
    char c = 0;
    struct sockaddr_in from = { 0 };
    socklen_t n = sizeof from;
    long got = recvfrom(y[i], &c, 1, flags, (struct sockaddr *)&from, &n);
    return got < 0 ? -errno : got * 1000 + c + 7 * from.sin_port;
}

#define send_datagram(i, which) result_of(sendto(y[i], (which) ? "x" : "z", 1, 0, box_of(i, which), box_size(i)))

#define read_byte(fd) ({ unsigned char byte; read(fd, &byte, 1) == 1 ? byte : -1; })
#define size_of(path) ({ struct stat about; stat(path, &about) ? -1 : (long)about.st_size; })
#define make_file(path) close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0600))
#define append_to(path) ({ int fd = open(path, O_CREAT | O_APPEND | O_WRONLY, 0600); write(fd, "b", 1) + 2 * close(fd); })
#define read_from(path) ({ int fd = open(path, O_RDONLY); char to[8]; long n = read(fd, to, 8); n + 10 * close(fd); })

char name[2][4096];
int out; /* open for writing: the first file */

static void remove_files(const char *program)
{
    for (int i = 0; i < 2; i++) {
        snprintf(name[i], sizeof name[i], "%s-file%d", program, i);
        remove(name[i]);
    }
    out = open(name[0], O_CREAT | O_WRONLY, 0600);
}

/* Two opens of one file, a duplicate of the first of them, and an open of another file. */
static int locked[4];
#define lock_record(i, command, type, start, length) ({ struct flock f = { type, SEEK_SET, start, length, 0 }; \\
    fcntl(locked[i], command, &f) ? -errno : 0; })
#define ask_record(i, command, type) ({ struct flock f = { type, SEEK_SET, 0, 0, 0 }; \\
    fcntl(locked[i], command, &f) ? -errno : 100 * f.l_type + 10 * f.l_start + f.l_len; })

/* Those of them that the program uses, as bits. */
static void open_locked(const char *program, int used)
{
    char path[4096];
    snprintf(path, sizeof path, "%s-locked", program);
    if (used & 5)
        locked[0] = open(path, O_CREAT | O_RDWR, 0600);
    if (used & 2)
        locked[1] = open(path, O_CREAT | O_RDWR, 0600);
    if (used & 4)
        locked[2] = dup(locked[0]);
    snprintf(path, sizeof path, "%s-other", program);
    if (used & 8)
        locked[3] = open(path, O_CREAT | O_RDWR, 0600);
}

char fifo[4096];
#define send_fifo(flags) ({ int fd = open(fifo, O_WRONLY | (flags)); long n = fd < 0 || write(fd, "a", 1) < 0 ? -errno : 1; \\
    if (fd >= 0) close(fd); n; })
#define receive_fifo(flags) ({ char to[2]; int fd = open(fifo, O_RDONLY | (flags)); long n = fd < 0 ? -1 : read(fd, to, 2); \\
    if (n < 0) n = -errno; if (fd >= 0) close(fd); n; })
#define kind_of(path) ({ struct stat about; stat(path, &about) ? -1 : (long)S_ISFIFO(about.st_mode); })

static void make_fifo(const char *program)
{
    snprintf(fifo, sizeof fifo, "%s-fifo", program);
    signal(SIGPIPE, SIG_IGN);
    unlink(fifo);
    mkfifo(fifo, 0600);
}

struct node {
    struct node *next;
    int value;
} *list;
pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value, int too_late)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&list_lock);
    n->next = list;
    list = n;
    pthread_mutex_unlock(&list_lock);
    if (too_late)
        n->value++;
}

static long look(void)
{
    pthread_mutex_lock(&list_lock);
    long value = list ? list->value++ : -1;
    pthread_mutex_unlock(&list_lock);
    return value;
}

static long take(int frees)
{
    pthread_mutex_lock(&list_lock);
    struct node *n = list;
    if (n)
        list = n->next;
    if (n && frees)
        n->value = 9;
    pthread_mutex_unlock(&list_lock);
    long value = n ? n->value : -1;
    if (frees)
        free(n);
    return value;
}

static void initialise(void)
{
    x[0] += 1;
}

static void *nothing(void *argument)
{
    return argument;
}

/* From now on, the thread's children get the slots of those that it has joined (HD_FRESH_CHILDREN). */
static void use_up_slots(void)
{
    for (int i = 0; i < 16; i++) {
        pthread_t t;
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
    }
}
"""


def part(kind, index):
    """A piece of the union that all sizes share."""
    return ["u.b[%d]" % index, "u.h[%d]" % (index // 2), "u.w[%d]" % (index // 4), "u.d"][kind]


class Emitter:
    def __init__(self, program, name):
        self.program = program
        self.name = name
        self.lines = []
        self.thread = 0
        self.fresh = 0

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def variable(self):
        self.fresh += 1
        return "v%d" % self.fresh

    def see(self, depth, value):
        self.line(depth, "see(%d, %s);" % (self.thread, value))

    def body(self, depth, head, ops, otherwise=None):
        self.line(depth, head + " {")
        self.ops(depth + 1, ops)
        if otherwise:
            self.line(depth, "} else {")
            self.ops(depth + 1, otherwise)
        self.line(depth, "}")

    HEAP_LOCKS = {
        "lock": ("pthread_mutex_lock(&h->lock)", "pthread_mutex_unlock(&h->lock)"),
        "trylock": ("pthread_mutex_trylock(&h->lock)", "pthread_mutex_unlock(&h->lock)"),
        "rdlock": ("pthread_rwlock_rdlock(&h->rwlock)", "pthread_rwlock_unlock(&h->rwlock)"),
        "wrlock": ("pthread_rwlock_wrlock(&h->rwlock)", "pthread_rwlock_unlock(&h->rwlock)"),
        "wait": ("sem_wait(&h->semaphore)", "sem_post(&h->semaphore)"),
    }

    def guarded(self, depth, lock, unlock, body, otherwise=None):
        self.line(depth, "if (%s == 0) {" % lock)
        self.see(depth + 1, "7")
        self.ops(depth + 1, body)
        self.line(depth + 1, unlock + ";")
        if otherwise:
            self.line(depth, "} else {")
            self.ops(depth + 1, otherwise)
        self.line(depth, "}")

    def repeated_lock(self, depth, lock, unlock, body):
        v = self.variable()
        self.line(depth, "for (int %s = 0; %s < 2; %s++) {" % (v, v, v))
        self.guarded(depth + 1, lock, unlock, body, [])
        self.line(depth, "}")

    def wait(self, depth, op):
        _, cond, mutex, how, variable, value = op
        call = "pthread_cond_wait(&c[%d], &m[%d]);" % (cond, mutex)
        self.line(depth, "pthread_mutex_lock(&m[%d]);" % mutex)
        if how != "always":
            call = "%s (x[%d] == %d) %s" % (how, variable, value, call)
        self.line(depth, call)
        self.see(depth, "3")
        self.line(depth, "pthread_mutex_unlock(&m[%d]);" % mutex)

    def simple(self, op):
        """Operations that are one statement."""
        forms = {
            "read": "see(T, x[{1}]);",
            "write": "x[{1}] = {2};",
            "increment": "x[{1}]++;",
            "copy": "x[{1}] = x[{2}];",
            "read-volatile": "see(T, v[{1}]);",
            "write-volatile": "v[{1}] = {2};",
            "load": "see(T, atomic_load(&a[{1}]));",
            "store": "atomic_store(&a[{1}], {2});",
            "add": "see(T, atomic_fetch_add(&a[{1}], {2}));",
            "or": "see(T, atomic_fetch_or(&a[{1}], {2}));",
            "exchange": "see(T, atomic_exchange(&a[{1}], {2}));",
            "and": "see(T, atomic_fetch_and(&a[{1}], ~{2}));",
            "fill": "memset((char *)r + {1}, {3}, {2});",
            "move": "memmove((char *)r + {1}, (char *)r + {2}, {3});",
            "read-element": "see(T, r[{1}]);",
            "write-element": "r[{1}] = {2};",
            "update-element": "see(T, __atomic_fetch_add(&r[{1}], {2}, __ATOMIC_SEQ_CST));",
            "heap-read": "see(T, h->number);",
            "heap-write": "h->number = {1};",
            "heap-load": "see(T, atomic_load(&h->count));",
            "heap-store": "atomic_store(&h->count, {1});",
            "heap-once": "pthread_once(&h->once, initialise);",
            "heap-post": "sem_post(&h->semaphore);",
            "heap-free": "free(h);",
            "heap-free-if": "if (atomic_load(&a[{1}]) == {2}) free(h);",
            "spin": "while (atomic_load(&a[{1}]) != {2}) {{ }}",
            "signal": "pthread_cond_signal(&c[{1}]);",
            "broadcast": "pthread_cond_broadcast(&c[{1}]);",
            "event-write": "eventfd_write(e[{1}], {2});",
            "event-read": "see(T, read_event(e[{1}]));",
            "event-poll": "see(T, poll_event(e[{1}], {2}));",
            "pipe-write": "see(T, write_pipe({1}, {2}));",
            "pipe-read": "see(T, read_pipe({1}, {2}));",
            "pipe-size": "see(T, size_of_pipe({1}));",
            "pipe-poll": "see(T, poll_pipe({1}, {2}, {3}));",
            "pipe-poll-all": "see(T, poll_pipes({1}));",
            "pipe-close": "see(T, close(q[{1}][{2}]));",
            "pipe-flags": "see(T, fcntl(q[{1}][{2}], F_SETFL, {3} ? O_NONBLOCK : 0));",
            "pipe-copy": "see(T, dup(q[{1}][{2}]));",
            "socket-send": "see(T, send(k[{1}][{2}], \"xy\", {3}, {3} == 2 ? MSG_DONTWAIT : 0));",
            "socket-receive": "see(T, receive({1}, {2}, {3}, {4}));",
            "socket-pass": "see(T, pass_socket({1}, {2}, {3}, {4}));",
            "socket-take": "see(T, take_socket({1}, {2}, {3}));",
            "socket-shut": "see(T, shutdown(k[{1}][{2}], {3}));",
            "socket-poll": "see(T, poll_socket({1}, {2}, {3}, {4}));",
            "socket-close": "see(T, close(k[{1}][{2}]));",
            "mail-send": "heddle_send({1}, {2}, {3}, &(int) {{ {4} }}, sizeof(int));",
            "mail-receive": "see(T, receive_mail(heddle_receive, {1}, {2}, {3}));",
            "mail-try": "see(T, receive_mail(heddle_try_receive, {1}, {2}, {3}));",
            "mail-timed": "see(T, receive_mail(heddle_receive_within, {1}, {2}, {3}, 10));",
            "queue-send": "see(T, send_message({1}, {2}, NULL));",
            "queue-receive": "see(T, receive_message({1}, NULL));",
            "queue-timed-send": "see(T, send_message({1}, 0, &soon));",
            "queue-timed-receive": "see(T, receive_message({1}, &soon));",
            "queue-count": "see(T, messages_in({1}));",
            "queue-poll": "see(T, poll_queue({1}, {2}, {3}));",
            "queue-unlink": "see(T, mq_unlink(\"/first\"));",
            "queue-open": "see(T, mq_open(\"/first\", {1} | O_RDWR | O_NONBLOCK, 0600, NULL));",
            "queue-close": "see(T, mq_close(queues[{1}]));",
            "sysv-operate": "see(T, operate({1}, {2}, {3}));",
            "sysv-both": "see(T, operate_both({1}, {2}, {3}));",
            "sysv-timed": "see(T, operate_timed({1}));",
            "sysv-set": "see(T, semctl(set, {1}, SETVAL, {2}));",
            "sysv-get": "see(T, semctl(set, {1}, GETVAL));",
            "sysv-get-all": "see(T, values_of());",
            "sysv-send": "see(T, send_letter({1}));",
            "sysv-receive": "see(T, receive_letter({1}, {2}));",
            "sysv-remove-set": "see(T, semctl(set, 0, IPC_RMID) ? -errno : 0);",
            "sysv-remove-queue": "see(T, msgctl(letters, IPC_RMID, NULL) ? -errno : 0);",
            "shared-semaphore": "see(T, use_named({1}));",
            "shared-memory": "see(T, use_memory({1}));",
            "shared-segment": "see(T, use_segment({1}, {2}));",
            "shared-unlink-semaphore": "see(T, sem_unlink(\"/named\"));",
            "shared-unlink-memory": "see(T, shm_unlink(\"/memory\"));",
            "shared-remove-segment": "see(T, remove_segment());",
            "shared-count": "see(T, attached_to_segment());",
            "connection-connect": "see(T, connect_there({1}));",
            "connection-accept": "see(T, accept_at({1}, {2}));",
            "connection-send": "see(T, result_of(send(j[{1}], \"x\", 1, 0)));",
            "connection-receive": "see(T, receive_there({1}, {2}));",
            "connection-end": "see(T, close(j[{1}]));",
            "connection-shut": "see(T, shut_there({1}, {2}));",
            "connection-stop": "see(T, {1} ? close(listeners[{2}]) : shutdown(listeners[{2}], SHUT_RDWR));",
            "connection-poll": "see(T, poll_there({1}, {2}, {3}));",
            "connection-bind": "see(T, bind_there({1}, {2}));",
            "connection-listen": "see(T, result_of(listen({1}, 1)));",
            "connection-names": "see(T, names_there({1}));",
            "connection-error": "see(T, error_there({1}));",
            "datagram-send": "see(T, send_datagram({1}, {2}));",
            "datagram-answer": "see(T, result_of(send(y[{1}], \"a\", 1, 0)));",
            "datagram-receive": "see(T, receive_datagram({1}, {2}));",
            "datagram-connect": "see(T, result_of(connect(y[{1}], box_of({1}, {2}), box_size({1}))));",
            "datagram-bind": "see(T, result_of(bind(y[{1}], box_of({1}, {2}), box_size({1}))));",
            "datagram-close": "see(T, close(y[{1}]));",
            "datagram-poll": "see(T, poll_there(y[{1}], {2}, {3}));",
            "timer-set": "see(T, set_timer({1}, {2}, {3}));",
            "timer-read": "see(T, read_timer({1}));",
            "timer-poll": "see(T, poll_timers({1}, {2}));",
            "timer-events": "see(T, await_timers({1}, {2}));",
            "timer-write": "see(T, write(beat[1], \"x\", 1));",
            "timer-sleep": "usleep({1} * 1000);",
            "epoll-send": "see(T, send_watched({1}));",
            "epoll-receive": "see(T, receive_watched({1}));",
            "epoll-wait": "see(T, await_watched({1}, {2}));",
            "epoll-poll": "see(T, poll_watched({1}));",
            "epoll-control": "see(T, control({1}, {2}, {3}));",
            "epoll-close": "see(T, close(d[{1}][{2}]));",
            "descriptor-open": "see(T, open(\"/dev/null\", O_RDONLY));",
            "descriptor-close": "see(T, close({1}));",
            "descriptor-read": "see(T, read_byte({1}));",
            "descriptor-seek": "see(T, lseek({1}, {2}, SEEK_SET));",
            "descriptor-copy": "see(T, dup({1}));",
            "environment-set": "see(T, setenv(\"NAME\", \"{1}\", {1} > 0));",
            "environment-get": "see(T, getenv(\"NAME\") ? getenv(\"NAME\")[0] : -1);",
            "flock-call": "see(T, flock(locked[{1}], {2}) ? -errno : 0);",
            "record-call": "see(T, lock_record({1}, {2}, {3}, {4}, {5}));",
            "record-ask": "see(T, ask_record({1}, {2}, {3}));",
            "record-close": "see(T, close(locked[{1}]));",
            "fifo-send": "see(T, send_fifo({1}));",
            "fifo-receive": "see(T, receive_fifo({1}));",
            "fifo-remove": "see(T, unlink(fifo));",
            "fifo-make": "see(T, mkfifo(fifo, 0600));",
            "fifo-kind": "see(T, kind_of(fifo));",
            "file-make": "see(T, make_file(name[{1}]));",
            "file-folder": "see(T, mkdir(name[{1}], 0700));",
            "file-remove": "see(T, remove(name[{1}]));",
            "file-rename": "see(T, rename(name[{1}], name[1 - {1}]));",
            "file-link": "see(T, link(name[{1}], name[1 - {1}]));",
            "file-symlink": "see(T, symlink(name[1 - {1}], name[{1}]));",
            "file-cut": "see(T, truncate(name[{1}], 1));",
            "file-mode": "see(T, chmod(name[{1}], 0600 + {1}));",
            "file-there": "see(T, access(name[{1}], F_OK));",
            "file-size": "see(T, size_of(name[{1}]));",
            "file-append": "see(T, append_to(name[{1}]));",
            "file-read": "see(T, read_from(name[{1}]));",
            "file-write-open": "see(T, write(out, \"aaa\", {1}));",
            "file-wait": "while (access(name[{1}], F_OK)) {{ }}",
            "futex-wait": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT, {2}, NULL));",
            "futex-timed": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT, {2}, &soon) ? errno : 0);",
            "futex-wake": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAKE, {2}));",
            "futex-wait-bits": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAIT_BITSET, {2}, NULL, NULL, {3}));",
            "futex-wake-bits": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_WAKE_BITSET, {2}, NULL, NULL, {3}));",
            "futex-requeue": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_REQUEUE, {2}, {4}, &a[{3}]));",
            "futex-requeue-if": "see(T, syscall(SYS_futex, &a[{1}], FUTEX_CMP_REQUEUE, {2}, {4}, &a[{3}], {5}));",
            "heap-push": "push({1}, {2:d});",
            "heap-look": "see(T, look());",
            "heap-take": "see(T, take({1}));",
            "sem-wait": "sem_wait(&s[{1}]);",
            "sem-post": "sem_post(&s[{1}]);",
            "sem-try": "see(T, sem_trywait(&s[{1}]));",
            "barrier": "pthread_barrier_wait(&b[{1}]);",
            "barrier-serial": "see(T, pthread_barrier_wait(&b[{1}]));",
            "once": "pthread_once(&o[{1}], initialise);",
            "choose": "see(T, heddle_choose({1}));",
            "toss": "see(T, rand());",
            "assert": "assert(x[{1}] != {2});",
            "assume": "heddle_assume(x[{1}] != {2});",
            "exit": "exit({1});",
            "exit-with": "exit(x[{1}]);",
            "thread-exit": "pthread_exit(NULL);",
            "create": "pthread_create(&t{1}, NULL, {name}_{1}, NULL);",
            "join": "pthread_join(t{1}, NULL);",
            "detach": "pthread_detach(t{1});",
            "use-up": "use_up_slots();",
        }
        form = forms.get(op[0])
        return form and form.replace("(T,", "(%d," % self.thread).format(*op, name=self.name)

    def op(self, depth, op):
        kind = op[0]
        text = self.simple(op)
        if text:
            self.line(depth, text)
        elif kind == "if":
            self.body(depth, "if (x[%d] == %d)" % (op[1], op[2]), op[3], op[4])
        elif kind == "if-chosen":
            self.body(depth, "if (heddle_choose(2))", op[1], op[2])
        elif kind == "if-input":
            self.body(depth, "if (heddle_range(0, %d, \"n\") == 1)" % op[1], op[2], op[3])
        elif kind == "loop":
            v = self.variable()
            self.body(depth, "for (int %s = 0; %s < %d; %s++)" % (v, v, op[1], v), op[2])
        elif kind == "read-part":
            self.see(depth, "(long)" + part(op[1], op[2]))
        elif kind == "write-part":
            self.line(depth, "%s = %d;" % (part(op[1], op[2]), 0x101 * op[3] if op[1] else op[3]))
        elif kind == "initialise":
            self.line(depth, "heddle_init_thread(&x[%d], sizeof x[0]);" % op[1])
            self.line(depth, "x[%d] = %d;" % (op[1], op[2]))
            if op[3] == "tells":
                self.line(depth, "sem_post(&s[0]);")
        elif kind == "look-at-range":
            v = self.variable()
            self.line(depth, "unsigned char %s[%d];" % (v, op[2]))
            self.line(depth, "memcpy(%s, (char *)r + %d, %d);" % (v, op[1], op[2]))
            self.line(depth, "see_bytes(%d, %s, %d);" % (self.thread, v, op[2]))
        elif kind == "lock":
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[1])
            self.ops(depth, op[2])
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[1])
        elif kind == "flock":
            self.line(depth, "flock(locked[%d], %s);" % (op[1], op[2]))
            self.ops(depth, op[3])
            self.line(depth, "flock(locked[%d], LOCK_UN);" % op[1])
        elif kind == "record":
            self.see(depth, "lock_record(%d, %s, %s, %d, %d)" % tuple(op[1:6]))
            self.ops(depth, op[6])
            self.line(depth, "lock_record(%d, %s, F_UNLCK, 0, 0);" % (op[1], op[2]))
        elif kind == "fifo-hold":
            v = self.variable()
            self.line(depth, "int %s = open(fifo, %s);" % (v, op[1]))
            self.see(depth, "%s < 0 ? -errno : 0" % v)
            self.ops(depth, op[2])
            self.line(depth, "if (%s >= 0)" % v)
            self.line(depth + 1, "close(%s);" % v)
        elif kind == "heap-free-held":
            self.line(depth, "if (%s == 0)" % self.HEAP_LOCKS[op[1]][0])
            self.line(depth + 1, "free(h);")
        elif kind == "heap-lock":
            self.guarded(depth, *self.HEAP_LOCKS[op[1]], op[2])
        elif kind == "trylock":
            self.guarded(depth, "pthread_mutex_trylock(&m[%d])" % op[1], "pthread_mutex_unlock(&m[%d])" % op[1], op[2], op[3])
        elif kind in ("rdlock", "wrlock", "tryrdlock", "trywrlock"):
            self.guarded(depth, "pthread_rwlock_%s(&l[%d])" % (kind, op[1]), "pthread_rwlock_unlock(&l[%d])" % op[1], op[2])
        elif kind == "wait":
            self.wait(depth, op)
        elif kind == "timedwait":
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[2])
            self.see(depth, "pthread_cond_timedwait(&c[%d], &m[%d], &soon)" % (op[1], op[2]))
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[2])
        elif kind == "timed-loop":
            v = self.variable()
            self.line(depth, "pthread_mutex_lock(&m[%d]);" % op[2])
            self.line(depth, "for (int %s = 0; %s < %d && x[%d] == %d; %s++)" % (v, v, op[5], op[3], op[4], v))
            self.see(depth + 1, "pthread_cond_timedwait(&c[%d], &m[%d], &soon)" % (op[1], op[2]))
            self.line(depth, "pthread_mutex_unlock(&m[%d]);" % op[2])
        elif kind == "timedlock":
            self.repeated_lock(depth, "pthread_mutex_timedlock(&m[%d], &soon)" % op[1], "pthread_mutex_unlock(&m[%d])" % op[1], op[2])
        elif kind == "timed-rwlock":
            self.repeated_lock(depth, "pthread_rwlock_timed%slock(&l[%d], &soon)" % (op[2], op[1]),
                               "pthread_rwlock_unlock(&l[%d])" % op[1], op[3])
        elif kind == "sem-timed":
            v = self.variable()
            self.line(depth, "for (int %s = 0; %s < 2; %s++)" % (v, v, v))
            self.see(depth + 1, "sem_timedwait(&s[%d], &soon)" % op[1])
        elif kind == "timed-join":
            v = self.variable()
            self.line(depth, "int %s = 0;" % v)
            self.line(depth, "while (%s < 2 && pthread_timedjoin_np(t%d, NULL, &soon))" % (v, op[1]))
            self.see(depth + 1, "%s++" % v)
            self.line(depth, "if (%s == 2)" % v)
            self.line(depth + 1, "pthread_join(t%d, NULL);" % op[1])
        elif kind == "counting-spin":
            v = self.variable()
            self.line(depth, "for (int %s = 0; %s < SPINS; %s++)" % (v, v, v))
            _, how, which, value, other = op
            first = "(atomic_load(&a[%d]) == %d)" % (which, value)
            second = "(atomic_load(&a[%d]) == %d)" % (1 - which, other)
            self.line(depth + 1, "if (%s) {" % {"one": first, "and": first + " & " + second, "or": first + " | " + second}[how])
            self.see(depth + 2, "5")
            self.line(depth + 2, "break;")
            self.line(depth + 1, "}")
        elif kind == "cas":
            v = self.variable()
            self.line(depth, "int %s = %d;" % (v, op[2]))
            self.see(depth, "atomic_compare_exchange_strong(&a[%d], &%s, %d)" % (op[1], v, op[3]))
        elif kind == "cas-loop":
            v = self.variable()
            self.line(depth, "int %s = atomic_load(&a[%d]);" % (v, op[1]))
            self.line(depth, "while (!atomic_compare_exchange_weak(&a[%d], &%s, %s + %d)) { }" % (op[1], v, v, op[2]))
            self.see(depth, v)
        elif kind == "sem-value":
            v = self.variable()
            self.line(depth, "int %s;" % v)
            self.line(depth, "sem_getvalue(&s[%d], &%s);" % (op[1], v))
            self.see(depth, v)
        elif kind == "atomic":
            self.line(depth, "heddle_atomic_begin();")
            self.ops(depth, op[1])
            self.line(depth, "heddle_atomic_end();")
        else:
            raise ValueError("no C for operation '%s'" % kind)

    def ops(self, depth, ops):
        for op in ops:
            self.op(depth, op)

    def function(self, thread):
        self.thread = thread
        self.fresh = 0
        ops = self.program["threads"][thread]
        self.line(0, "static void *%s_%d(void *argument)" % (self.name, thread))
        self.line(0, "{")
        self.line(1, "(void)argument;")
        for op in ops:
            if op[0] == "create":
                self.line(1, "pthread_t t%d;" % op[1])
        self.ops(1, ops)
        self.line(1, "return NULL;")
        self.line(0, "}")
        self.line(0, "")

    def emit(self):
        for t in range(len(self.program["threads"])):
            self.line(0, "static void *%s_%d(void *);" % (self.name, t))
        for t in range(len(self.program["threads"])):
            self.function(t)
        return "\n".join(self.lines)


# What a program with such operations begins with.
PREPARED = (
    ("descriptor", 'assert(open("/proc/self/exe", O_RDONLY) == 3 && dup(3) == 4);'),
    ("sem", "sem_init(&s[0], 0, 1);"),
    ("initialise", "sem_init(&s[0], 0, 0);"), # only who is told goes on
    ("heap", "h = calloc(1, sizeof *h);"),
    ("heap", "pthread_mutex_init(&h->lock, NULL);"),
    ("heap", "pthread_rwlock_init(&h->rwlock, NULL);"),
    ("heap", "sem_init(&h->semaphore, 0, 1);"),
    ("event", "e[0] = eventfd(0, 0);"),
    ("event", "e[1] = eventfd(1, EFD_SEMAPHORE);"),
    ("event", "e[2] = eventfd(0, EFD_NONBLOCK);"),
    ("pipe-", "make_pipes();"),
    ("socket-", "make_sockets();"),
    ("queue-", "make_queues();"),
    ("sysv-", "make_sysv();"),
    ("datagram-", "make_datagrams();"),
    ("connection-", "make_connections();"),
    ("timer-", "make_timers();"),
    ("epoll-", "watch({watched});"),
    ("file-", "remove_files(argv[0]);"),
    ("flock", "open_locked(argv[0], {locked});"),
    ("record", "open_locked(argv[0], {locked});"),
    ("fifo-", "make_fifo(argv[0]);"),
    ("barrier", "pthread_barrier_init(&b[0], NULL, 2);"),
)


def prepared(program):
    """The statements that a program begins with. They are its own: the numbers of its descriptors do not depend on the
    programs beside it."""
    threads = program["threads"]
    told = {"watched": ", ".join(program["watched"]), "locked": locked_by(threads)}
    lines = [line.format(**told) if "{" in line else line for prefix, line in PREPARED if uses(threads, prefix)]
    if "input" in program["features"]: # local states are told in another way once there are inputs: from the start, then
        lines.append('heddle_bool("any");')
    return list(dict.fromkeys(lines))


def emit(programs):
    """The C source of the programs; the first argument says which one runs. With a second one, it runs beside three threads
    that update variables of their own so often, under one lock: most orders of these updates make no difference."""
    parts = [HEAD]
    for i, p in enumerate(programs):
        parts.append("/* seed %d: %s */" % (p["seed"], ", ".join(p["features"])))
        parts.append(Emitter(p, "p%d" % i).emit())
    parts.append(BESIDE)
    parts.append("int main(int argc, char **argv)\n{\n    int which = argc > 1 ? atoi(argv[1]) : 0;\n    begin_beside(argc > 2 ? atoi(argv[2]) : 0);")
    parts.append("    switch (which) {")
    for i, p in enumerate(programs):
        parts.append("".join("        %s\n" % line for line in ["case %d:" % i, *prepared(p), "p%d_0(NULL);" % i, "break;"]))
    parts.append("    }\n    end_beside();\n    return 0;\n}\n")
    return "\n".join(parts)


BESIDE = """static pthread_mutex_t beside_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t beside[3];
static long beside_rows[3], beside_updates;

static void *update_beside(void *row)
{
    for (long i = 0; i < beside_updates; i++) {
        pthread_mutex_lock(&beside_lock);
        ++*(long *)row;
        pthread_mutex_unlock(&beside_lock);
    }
    return NULL;
}

static void begin_beside(long updates)
{
    beside_updates = updates;
    for (int i = 0; i < 3 && updates; i++)
        pthread_create(&beside[i], NULL, update_beside, &beside_rows[i]);
}

static void end_beside(void)
{
    for (int i = 0; i < 3 && beside_updates; i++)
        pthread_join(beside[i], NULL);
}
"""


def uses(ops, prefix):
    if isinstance(ops, list):
        return any(uses(o, prefix) for o in ops)
    return isinstance(ops, str) and ops.startswith(prefix)


def locked_by(ops):
    """The descriptors whose locks the operations use, as bits."""
    if not isinstance(ops, list):
        return 0
    own = 1 << ops[1] if ops and isinstance(ops[0], str) and ops[0].startswith(("flock", "record")) else 0
    for inner in ops:
        own |= locked_by(inner)
    return own

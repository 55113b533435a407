/* Brings the structures of the runtime into interesting states, and breaks them there (breaks.h). */
#include "breaks.h"

#include <assert.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <unistd.h>

static void heap(void)
{
    void *live = malloc(13), *freed = malloc(40), *later = malloc(40), *aligned = aligned_alloc(256, 256);
    free(freed);
    free(later);
    assert(break_heap(live, freed, later) == 0);
    for (int i = 0; i < 3; i++)
        free(malloc(5 << 20)); /* that is more than the quarantine holds */
    assert(break_reusable(freed, later) == 0);
    free(live);
    free(aligned);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static int over;
static pthread_t threads[BLOCKED + 1];

static void *sleeps(void *unused)
{
    pthread_mutex_lock(&mutex);
    sem_post(&ready);
    while (!over)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *joins(void *unused)
{
    pthread_join(threads[SLEEPER], NULL);
    return unused;
}

static void *ends(void *unused)
{
    return unused;
}

static void *blocks(void *unused)
{
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return unused;
}

static int break_connection(void)
{
    struct sockaddr_un at = { AF_UNIX, { 0, 'a' } }, other = { AF_UNIX, { 0, 'b' } };
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(l, (struct sockaddr *)&at, 4) == 0 && bind(c, (struct sockaddr *)&other, 4) == 0);
    assert(listen(l, 0) == 0 && connect(c, (struct sockaddr *)&at, 4) == 0);
    return break_listener();
}

static int break_locks(const char *path)
{
    struct flock first = { .l_type = F_WRLCK, .l_len = 5 }, second = { .l_type = F_WRLCK, .l_start = 10, .l_len = 5 };
    int file = open(path, O_WRONLY);
    assert(fcntl(file, F_SETLK, &first) == 0 && fcntl(file, F_SETLK, &second) == 0);
    int missed = break_file_locks();
    close(file);
    return missed;
}

static int break_kernel(void)
{
    static char pages[8192];
    int p[2], s[2];
    assert(pipe(p) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0);
    assert(write(p[1], pages, sizeof pages) == sizeof pages && write(s[1], "abc", 3) == 3);
    assert(mkdir("/tmp/heddle-valid", 0700) == 0);
    int file = open("/tmp/heddle-valid/file", O_CREAT | O_WRONLY, 0600);
    assert(file >= 0 && write(file, "abc", 3) == 3 && close(file) == 0);
    int missed = break_descriptors(p[0]) + break_pipe() + break_socket() + break_connection() + break_files("/tmp/heddle-valid/file");
    missed += break_locks("/tmp/heddle-valid/file");
    assert(unlink("/tmp/heddle-valid/file") == 0 && rmdir("/tmp/heddle-valid") == 0);
    return missed;
}

/* Run by hand, these objects would be those of the system. */
static int break_objects_of_no_process(void)
{
    struct mq_attr four = { .mq_maxmsg = 4, .mq_msgsize = 8 };
    struct {
        long type;
        char text[1];
    } letter = { .type = 1 };
    if (!break_is_explored())
        return 0;
    int fd = shm_open("/same", O_CREAT | O_RDWR, 0600), set = semget(IPC_PRIVATE, 1, 0600);
    int queue = msgget(IPC_PRIVATE, 0600);
    mqd_t q = mq_open("/same", O_CREAT | O_RDWR, 0600, &four);
    ftruncate(fd, 100);
    mmap(NULL, 100, PROT_READ, MAP_SHARED, fd, 0);
    mq_send(q, "low", 3, 1);
    mq_send(q, "high", 4, 2);
    semctl(set, 0, SETVAL, 1);
    msgsnd(queue, &letter, 1, 0);
    heddle_send(1, 0, 0, "", 0);
    return break_shared() + break_message_queue() + break_semaphore_set() + break_sysv_queue() + break_mailbox() + break_names();
}

static void objects(void)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_barrier_t barrier;
    sem_t semaphore;
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 1);
    assert(break_mutex(&held) == 0);
    assert(break_rwlock(&lock) == 0);
    assert(break_semaphore(&semaphore) == 0);
    assert(break_barrier(&barrier) == 0);
    assert(break_futex() == 0);
    eventfd(3, 0);
    assert(break_eventfd() == 0);
    int epoll = epoll_create1(0);
    for (int i = 0; i < 2; i++)
        epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0), &(struct epoll_event) { .events = EPOLLIN });
    assert(break_epoll() == 0);
    timerfd_create(CLOCK_MONOTONIC, 0);
    assert(break_timer() == 0);
    assert(break_kernel() == 0);
    assert(break_objects_of_no_process() == 0);
    pthread_rwlock_unlock(&lock);
}

/* In every execution, the threads are in their states when the breaks begin. */
static void scheduler(void)
{
    void *(*const bodies[])(void *) = { [SLEEPER] = sleeps, [JOINER] = joins, [ENDED] = ends, [BLOCKED] = blocks };
    sem_init(&ready, 0, 0);
    pthread_mutex_lock(&held);
    for (int i = SLEEPER; i <= BLOCKED; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    pthread_join(threads[ENDED], NULL);
    sem_wait(&ready);
    pthread_mutex_lock(&mutex);
    assert(break_threads() == 0);
    assert(break_log() == 0);
    assert(break_cond(&cond) == 0);
    objects();
    over = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&held);
    pthread_join(threads[JOINER], NULL);
    pthread_join(threads[BLOCKED], NULL);
}

int main(int count, char **words)
{
    const char *part = count > 1 ? words[1] : "";
    if (!strcmp(part, "heap"))
        heap();
    else if (!strcmp(part, "scheduler"))
        scheduler();
    else if (!strcmp(part, "down"))
        break_down();
    else
        return 2;
    return 0;
}

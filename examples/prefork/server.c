/* A server that makes its workers before the first request comes. All of them accept at the same socket, one after the
 * other: a lock in shared memory sees to that. A number in the same memory counts the requests. After REQUESTS of them
 * the server ends its workers with SIGTERM.
 *
 * The workers change the number before they take its lock: if two do so at once, one request is not counted, and the
 * server waits forever. With -DREPAIRED they change it under the lock. */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef REQUESTS
#define REQUESTS 2
#endif

enum { PORT = 7000, WORKERS = 2 };

static struct {
    pthread_mutex_t accepting, counting;
    pthread_cond_t all_served;
    int served;
} *shared;

static void make_shared(void)
{
    pthread_mutexattr_t between;
    pthread_condattr_t also_between;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    pthread_mutexattr_init(&between);
    pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->accepting, &between);
    pthread_mutex_init(&shared->counting, &between);
    pthread_condattr_init(&also_between);
    pthread_condattr_setpshared(&also_between, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->all_served, &also_between);
}

static int listen_at_port(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    assert(!bind(fd, (struct sockaddr *)&at, sizeof at) && !listen(fd, 8));
    return fd;
}

static void count_request(void)
{
#ifdef REPAIRED
    pthread_mutex_lock(&shared->counting);
    shared->served++;
#else
    shared->served++;
    pthread_mutex_lock(&shared->counting);
#endif
    if (shared->served == REQUESTS)
        pthread_cond_signal(&shared->all_served);
    pthread_mutex_unlock(&shared->counting);
}

static _Noreturn void work(int listener)
{
    for (;;) {
        char request;
        pthread_mutex_lock(&shared->accepting);
        int client = accept(listener, NULL, NULL);
        pthread_mutex_unlock(&shared->accepting);
        if (client < 0)
            exit(1);
        if (read(client, &request, 1) == 1)
            write(client, &request, 1);
        close(client);
        count_request();
    }
}

int main(void)
{
    pid_t workers[WORKERS];
    int listener = listen_at_port();
    make_shared();
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        if (!workers[i])
            work(listener);
    }
    close(listener);
    pthread_mutex_lock(&shared->counting);
    while (shared->served < REQUESTS)
        pthread_cond_wait(&shared->all_served, &shared->counting);
    pthread_mutex_unlock(&shared->counting);
    for (int i = 0; i < WORKERS; i++)
        kill(workers[i], SIGTERM);
    for (int i = 0; i < WORKERS; i++)
        assert(waitpid(workers[i], NULL, 0) == workers[i]);
    return 0;
}

// A thread goes on to use a number after another thread has closed it and a descriptor with the same number was made.
// RUN: -DWHICH=1 FINDING=use-after-close
// RUN: -DWHICH=2 FINDING=use-after-close
// RUN: -DWHICH=3 FINDING=use-after-close
// RUN: -DWHICH=4 FINDING=use-after-close
// DFS: yes
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file;

static void *writes(void *unused)
{
    eventfd_t one = 1;
#if WHICH == 2 /* an unrelated lock does not help */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
#if WHICH == 4 /* closed twice */
    close(log_file);
#else
    write(log_file, &one, sizeof one);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
#if WHICH == 3 /* files of the disk */
    log_file = open("/dev/null", O_WRONLY);
#else
    log_file = eventfd(0, 0);
#endif
    pthread_create(&t, NULL, writes, NULL);
#if WHICH == 2
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    close(log_file);
    int other = WHICH == 3 ? open("/dev/null", O_WRONLY) : eventfd(0, 0);
    pthread_join(t, NULL);
    close(other);
}

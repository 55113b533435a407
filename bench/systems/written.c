/* Two threads count under a lock; with -DWRITES, each also writes to a file, and
 * the files are removed at the end. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *name)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
#ifdef WRITES
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    write(fd, "text", 4);
    close(fd);
#endif
    return name;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, work, "bench-written-0");
    pthread_create(&t[1], NULL, work, "bench-written-1");
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
#ifdef WRITES
    unlink("bench-written-0");
    unlink("bench-written-1");
#endif
    return count != 2;
}

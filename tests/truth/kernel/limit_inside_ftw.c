// Executions end inside ftw and with directories open, most by exit, one in three at a limit of heddle: every one finds the
// descriptors of the first, and the limit stays in the verdict.
// EXPECT: finding model-limit
// RANDOM: 1000
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void *take(void *number)
{
    pthread_mutex_lock(&lock);
    last = (int)(long)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int visit(const char *path, const struct stat *status, int flag)
{
    (void)path;
    (void)status;
    (void)flag;
    if (last == 2)
        system("true");
    exit(0);
}

int main(void)
{
    pthread_t threads[THREADS];
    int first = open("/dev/null", O_RDONLY);
    assert(first >= 0 && first < 16);
    close(first);
    DIR *folder = opendir("/etc");
    assert(folder && dirfd(folder) == first && readdir(folder));
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, take, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ftw("/etc", visit, 8);
    return 1;
}

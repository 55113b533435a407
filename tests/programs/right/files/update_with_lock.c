// Two threads and main add to a number in a file, each with the lock: one execution for each order.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void *add(void *unused)
{
    char n;
    pthread_mutex_lock(&lock);
    assert(pread(file, &n, 1, 0) == 1);
    n++;
    assert(pwrite(file, &n, 1, 0) == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    char name[4096], n;
    snprintf(name, sizeof name, "%s.number", argc ? argv[0] : "");
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(write(file, "0", 1) == 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pread(file, &n, 1, 0) == 1 && n == '3');
    unlink(name);
}

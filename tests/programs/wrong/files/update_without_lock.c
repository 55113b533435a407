// Two threads add to a number in a file: an update is lost if both read before one has written.
// EXPECT: finding assertion at 35
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *add(void *unused)
{
    char n;
    assert(pread(file, &n, 1, 0) == 1);
    n++;
    assert(pwrite(file, &n, 1, 0) == 1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    char name[4096], n;
    snprintf(name, sizeof name, "%s.number", argc ? argv[0] : "");
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(write(file, "0", 1) == 1);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    n = 0;
    assert(pread(file, &n, 1, 0) == 1);
    unlink(name);
    assert(n == '2');
}

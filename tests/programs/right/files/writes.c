// A file that is written: the search goes on in processes of their own.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *adds(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    char name[] = "/tmp/heddle-test-XXXXXX", back[8] = "";
    int fd = mkstemp(name);
    assert(fd >= 0 && write(fd, "hello", 5) == 5 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, back, 5) == 5);
    close(fd);
    FILE *f = fopen(name, "a");
    assert(f && fprintf(f, "%d", 42) == 2 && fclose(f) == 0);
    assert(setenv("HEDDLE_TEST", "1", 1) == 0);
    assert(unlink(name) == 0);
    pthread_t t;
    pthread_create(&t, NULL, adds, NULL);
    adds(NULL);
    pthread_join(t, NULL);
}

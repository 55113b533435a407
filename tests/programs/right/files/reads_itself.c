// A file that is only read needs no fork; every run reads it from its start.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    char magic[5] = "", *line = NULL;
    size_t room = 0;
    FILE *f = fopen("/proc/self/exe", "rb");
    assert(f && fread(magic, 1, 4, f) == 4 && memcmp(magic, "\177ELF", 4) == 0);
    assert(fseek(f, 1, SEEK_SET) == 0 && fgetc(f) == 'E' && ungetc('E', f) == 'E' && getc(f) == 'E');
    int fd = open("/proc/self/exe", O_RDONLY);
    assert(fd >= 0 && read(fd, magic, 4) == 4 && lseek(fd, 0, SEEK_SET) == 0);
    FILE *text = fopen("/etc/passwd", "r");
    assert(text && getline(&line, &room, text) > 0 && strchr(line, ':'));
    free(line);
    pthread_t t;
    pthread_create(&t, NULL, adds, NULL);
    adds(NULL);
    pthread_join(t, NULL);
    assert(fopen("/nonexistent/file", "r") == NULL);
}

// A file is replaced by renaming a new one over it: a reader sees the old contents or the new ones, never a part.
// EXPECT: complete
// TESTS: 13
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char name[4096], next[4096];

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert(f && fputs(text, f) >= 0 && !fclose(f));
}

static void *replace(void *unused)
{
    put(next, "new contents");
    assert(!rename(next, name));
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    char line[16] = "";
    snprintf(name, sizeof name, "%s.data", argc ? argv[0] : "");
    snprintf(next, sizeof next, "%s.next", argc ? argv[0] : "");
    put(name, "old");
    pthread_create(&t, NULL, replace, NULL);
    int fd = open(name, O_RDONLY);
    assert(fd >= 0 && read(fd, line, sizeof line - 1) > 0);
    assert(!strcmp(line, "old") || !strcmp(line, "new contents"));
    close(fd);
    pthread_join(t, NULL);
    unlink(name);
}

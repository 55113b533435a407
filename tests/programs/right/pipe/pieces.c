// Bytes of one write are never among those of another; a read may get those of one write or of both, but reads that
// continue until the end of the file get all. The reader sees the end when the last writer has closed its descriptor.
// EXPECT: complete
// DFS: yes
// TESTS: 16
// BLOCKED: 4
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
static int copies[2];

static void *writes(void *own)
{
    int number = (int)((int *)own - copies);
    assert(write(*(int *)own, number ? "bbb" : "aaa", 3) == 3);
    close(*(int *)own);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    char got[8] = "";
    long size = 0, n;
    assert(pipe(ends) == 0);
    copies[0] = dup(ends[1]);
    copies[1] = dup(ends[1]);
    close(ends[1]);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writes, &copies[i]);
    while ((n = read(ends[0], got + size, sizeof got - (size_t)size)) > 0)
        size += n;
    assert(n == 0 && size == 6);
    assert(!strcmp(got, "aaabbb") || !strcmp(got, "bbbaaa"));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

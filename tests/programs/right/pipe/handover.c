// A read waits for a write and sees what its thread has done before. Writes of different threads have an order; a pipe
// that another thread uses is another object.
// EXPECT: complete
// DFS: yes
// RUN: -DWRITERS=1 -DPIPES=1 TESTS=1
// RUN: -DWRITERS=2 -DPIPES=1 TESTS=4
// RUN: -DWRITERS=2 -DPIPES=2 TESTS=1
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2][2];
static int data[WRITERS];

static void *writes(void *own)
{
    char number = (char)((int *)own - data);
    *(int *)own = 1;
    assert(write(ends[number % PIPES][1], &number, 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[WRITERS];
    for (int i = 0; i < PIPES; i++)
        assert(pipe(ends[i]) == 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&t[i], NULL, writes, &data[i]);
    for (int i = 0; i < WRITERS; i++) {
        char number;
        assert(read(ends[i % PIPES][0], &number, 1) == 1);
        assert(data[(int)number] == 1);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(t[i], NULL);
}

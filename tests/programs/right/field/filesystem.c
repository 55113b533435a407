// Threads that allocate blocks to inodes, each by its own lock (Flanagan and Godefroid, POPL 2005).
// With more than 13 threads two start at the same block: each such pair has 2 orders.
// EXPECT: complete
// RUN: -DN=14 TESTS=2
// RUN: -DN=16 TESTS=8
// RUN: -DN=18 TESTS=32
// RUN: -DN=20 TESTS=128
#include <pthread.h>

enum { BLOCKS = 26, INODES = 32 };

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static int take_block(int block, int i)
{
    pthread_mutex_lock(&block_lock[block]);
    int taken = !busy[block];
    if (taken) {
        busy[block] = 1;
        inode[i] = block + 1;
    }
    pthread_mutex_unlock(&block_lock[block]);
    return taken;
}

static void *allocate(void *number)
{
    int i = (int)(long)number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int block = i * 2 % BLOCKS;
        while (!take_block(block, i))
            block = (block + 1) % BLOCKS;
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, allocate, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}

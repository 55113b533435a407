/* The file system of Flanagan and Godefroid (POPL 2005): N threads, each of
 * which allocates a block for its inode; the thirteenth begins to meet others. */
#include "field.h"

enum { BLOCKS = 26, INODES = 32 };

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static int allocate(int block)
{
    pthread_mutex_lock(&block_locks[block]);
    int was_free = !busy[block];
    busy[block] = 1;
    pthread_mutex_unlock(&block_locks[block]);
    return was_free;
}

static void *create(void *argument)
{
    int inode = number(argument) % INODES;
    pthread_mutex_lock(&inode_locks[inode]);
    if (!inodes[inode]) {
        int block = inode * 2 % BLOCKS;
        while (!allocate(block))
            block = (block + 1) % BLOCKS;
        inodes[inode] = block + 1;
    }
    pthread_mutex_unlock(&inode_locks[inode]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_locks[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_locks[i], NULL);
    start_all(threads, N, create);
    join_all(threads, N);
    return 0;
}

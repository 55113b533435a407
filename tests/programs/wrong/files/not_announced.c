// scandir is not modelled: its order with what another thread does to files is not explored, and heddle says so.
// EXPECT: finding model-limit
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void *change(void *name)
{
    rmdir(name);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    struct dirent **entries;
    (void)argc;
    pthread_create(&t, NULL, change, argv[0]);
    scandir("/", &entries, NULL, NULL);
    pthread_join(t, NULL);
}

// A child's variable is not that of its parent; but threads of the child share it, and race.
// EXPECT: finding data-race
// TESTS: 4
// DFS: yes
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;

static void *work(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pid_t child = fork();
    count++;
    if (!child) {
        pthread_t t;
        pthread_create(&t, NULL, work, NULL);
        count++;
        pthread_join(t, NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 0;
}

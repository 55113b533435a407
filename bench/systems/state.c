/* A process with BYTES of variables forks; both change some of them. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

static char state[BYTES];

int main(void)
{
    int status = 0;
    state[BYTES / 2] = 1;
    pid_t child = fork();
    if (!child) {
        state[BYTES / 3] = 2;
        _exit(state[BYTES / 2]);
    }
    state[BYTES / 4] = 3;
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1 && !state[BYTES / 3]);
    return 0;
}

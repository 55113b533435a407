/* Not compiled by heddle: from the hundredth execution on, kills the process that this one was forked from. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int parent_runs_the_same(void)
{
    char path[64], mine[4096] = "", its[4096] = "";
    snprintf(path, sizeof path, "/proc/%d/exe", (int)getppid());
    return readlink("/proc/self/exe", mine, sizeof mine - 1) > 0 && readlink(path, its, sizeof its - 1) > 0
        && !strcmp(mine, its);
}

void kill_parent(void)
{
    int file = open("executions", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, "", 1) == 1 && lseek(file, 0, SEEK_END) > 100 && parent_runs_the_same())
        kill(getppid(), SIGKILL);
    close(file);
}

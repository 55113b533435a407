// What is closed, received and waited for is no leak; nor is what a process loses that a signal ends.
// EXPECT: complete
// OPTIONS: --leaks
// DFS: yes
// RUN: -DWHICH=1 TESTS=1
// RUN: -DWHICH=2 TESTS=2
// RUN: -DWHICH=3 TESTS=1
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char c;
#if WHICH == 1 /* files, pipes, messages */
    FILE *f = fopen("/etc/passwd", "r");
    fclose(f);
    pipe(ends);
    write(ends[1], "a", 1);
    read(ends[0], &c, 1);
    close(ends[0]);
    close(ends[1]);
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write(ends[0], "a", 1);
    read(ends[1], &c, 1);
    close(ends[0]);
    close(ends[1]);
#elif WHICH == 2 /* a process that is killed with data in its pipe; the child's copies are not its own to close */
    pipe(ends);
    pid_t child = fork();
    if (!child) {
        read(ends[0], &c, 1);
        pause();
    }
    close(ends[0]);
    write(ends[1], "ab", 2);
    close(ends[1]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
#elif WHICH == 3 /* children that are not to be waited for */
    signal(SIGCHLD, SIG_IGN);
    if (!fork())
        _exit(0);
#endif
    return 0;
}

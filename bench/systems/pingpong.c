/* Two processes send each other 4 messages over a pair of sockets. */
#include <assert.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGES = 4 };

int main(void)
{
    int ends[2];
    char c = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pid_t child = fork();
    for (int i = 0; i < MESSAGES / 2; i++) {
        if (child && write(ends[0], &c, 1) != 1)
            return 1;
        if (read(ends[!child], &c, 1) != 1)
            return 1;
        c++;
        if (!child && write(ends[1], &c, 1) != 1)
            return 1;
    }
    if (!child)
        _exit(0);
    assert(waitpid(child, NULL, 0) == child && c == MESSAGES);
    return 0;
}

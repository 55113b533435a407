// What is not modelled of pipes and sockets ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
// RUN: -DWHICH=5
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static char large[1 << 18];

int main(void)
{
    int p[2], s[2];
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    if (WHICH == 1)
        pipe2(p, O_DIRECT);
    if (WHICH == 2)
        posix_fadvise(p[0], 0, 0, POSIX_FADV_NORMAL); /* no function that heddle knows */
    if (WHICH == 3)
        send(s[0], large, sizeof large, 0);
    if (WHICH == 4) {
        write(p[1], large, 65000);
        write(p[1], large, 600); /* 536 bytes are left in the last page */
    }
    if (WHICH == 5)
        fcntl(p[0], F_SETPIPE_SZ, 4096);
}

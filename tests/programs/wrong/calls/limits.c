// What is not modelled ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static void handle(int signal)
{
    (void)signal;
}

int main(void)
{
    if (WHICH == 1)
        syscall(SYS_swapoff, "/dev/null");
    if (WHICH == 2)
        poll(NULL, 0, -1);
    if (WHICH == 3)
        eventfd_write(eventfd(0, EFD_SEMAPHORE), 65);
    if (WHICH == 4) {
        alarm(1);
        signal(SIGALRM, handle);
    }
}

// Calls through syscall() do what the functions do.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int handled;

static void handle(int signal)
{
    handled = signal;
}

int main(void)
{
    struct timespec second = { 1, 0 };
    uint64_t value = 5;
    assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    assert(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0);
    assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid());
    assert(syscall(SYS_sched_yield) == 0 && syscall(SYS_nanosleep, &second, NULL) == 0);
    int fd = syscall(SYS_eventfd2, 0, 0);
    assert(syscall(SYS_write, fd, &value, sizeof value) == sizeof value);
    value = 0;
    assert(syscall(SYS_read, fd, &value, sizeof value) == sizeof value && value == 5);
    assert(syscall(SYS_close, fd) == 0 && syscall(SYS_close, fd) == -1 && errno == EBADF);
    assert(syscall(SYS_poll, NULL, 0, 10) == 0);
    char text[2];
    fd = syscall(SYS_open, "/proc/self/comm", O_RDONLY, 0);
    assert(fd >= 0 && syscall(SYS_read, fd, text, 1) == 1 && syscall(SYS_lseek, fd, 0, SEEK_SET) == 0);
    assert(syscall(SYS_read, fd, text + 1, 1) == 1 && text[0] == text[1] && syscall(SYS_close, fd) == 0);
    assert(syscall(SYS_openat, AT_FDCWD, "/nonexistent", O_RDONLY, 0) == -1 && errno == ENOENT);
    assert(syscall(SYS_access, "/", R_OK) == 0 && syscall(SYS_access, "/nonexistent", R_OK) == -1);
    signal(SIGUSR1, handle);
    assert(syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1) == 0 && handled == SIGUSR1);
}

// The program sees as many processors as --processors says, in every way of asking.
// EXPECT: complete
// TESTS: 1
// OPTIONS: --processors=3
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static void *stays(void *unused)
{
    unsigned processor, node, again;
    assert(getcpu(&processor, &node) == 0 && processor == 1 && node == 0);
    assert(sched_getcpu() == 1 && syscall(SYS_getcpu, &again, NULL, NULL) == 0 && again == 1);
    return unused;
}

int main(void)
{
    cpu_set_t set;
    pthread_t t;
    assert(sysconf(_SC_NPROCESSORS_ONLN) == 3 && sysconf(_SC_NPROCESSORS_CONF) == 3 && sysconf(_SC_PAGESIZE) == 4096);
    assert(get_nprocs() == 3 && get_nprocs_conf() == 3);
    assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 3 && CPU_ISSET(2, &set));
    assert(syscall(SYS_sched_getaffinity, 0, sizeof set, &set) > 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 3);
    pthread_create(&t, NULL, stays, NULL);
    pthread_join(t, NULL);
}

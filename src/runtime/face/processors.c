/* Processors: as many as --processors says. Each thread stays on one of them, which depends on its number; affinity has
 * no effect. Run by hand, the program sees the real ones. */
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static int count(void)
{
    return hd_exploring() ? (int)hd_rt.options->settings.processors : get_nprocs();
}

HD_FACE int hd_get_nprocs(void)
{
    return count();
}

HD_FACE int hd_get_nprocs_conf(void)
{
    return count();
}

HD_FACE long hd_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? count() : sysconf(name);
}

HD_FACE int hd_sched_getcpu(void)
{
    return (int)hd_current->id % count();
}

HD_FACE int hd_getcpu(unsigned *processor, unsigned *node)
{
    const hd_site *site = hd_call_site;
    if (processor) {
        hd_access_range(processor, sizeof *processor, site, 1);
        *processor = (unsigned)hd_sched_getcpu();
    }
    if (node) {
        hd_access_range(node, sizeof *node, site, 1);
        *node = 0;
    }
    return 0;
}

/* --- affinity ---------------------------------------------------------------------------- */

static void put_all(size_t size, cpu_set_t *set, const hd_site *site)
{
    hd_access_range(set, size, site, 1);
    memset(set, 0, size);
    for (int i = 0; i < count(); i++)
        CPU_SET_S((size_t)i, size, set);
}

HD_FACE int hd_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    if (size * 8 < (size_t)count()) {
        errno = EINVAL;
        return -1;
    }
    put_all(size, set, hd_call_site);
    return 0;
}

HD_FACE int hd_sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    (void)process;
    (void)size;
    (void)set;
    return 0;
}

HD_FACE int hd_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    if (!hd_thread_find(thread))
        return ESRCH;
    put_all(size, set, hd_call_site);
    return 0;
}

HD_FACE int hd_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    (void)size;
    (void)set;
    return hd_thread_find(thread) ? 0 : ESRCH;
}

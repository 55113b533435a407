#include "runtime/reset/overlay_internal.h"

#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/trap.h"
#include "runtime/reset/unannounced.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGNALS = 64, OUT_OF_THE_WAY = 900 };

/* As the kernel has it: handler, flags, restorer, mask. */
typedef struct action {
    uint64_t words[4];
} action;

/* State before the first execution. */
static struct {
    int directory; /* the working directory, as a descriptor */
    uint64_t mask; /* of signals */
} before;

/* What this execution has changed, and the old values. */
static struct {
    int umask_changed, moved, mask_changed;
    uint64_t umask;
    uint64_t handled; /* signals whose handler was set */
    action handlers[SIGNALS + 1]; /* their old handlers */
    uint32_t calls, effects;
    uint64_t written;
    int has_drawn;
    uint32_t drawn[HD_MAX_THREADS]; /* number of random bytes that each thread has got */
} done;

/* How a call ends the execution. The handler of SIGSYS cannot leave the execution itself: it diverts the thread to a
 * function that does. */
static struct {
    hd_outcome_kind kind;
    int status;
    char text[200];
} ending;

/* --- performing and refusing ---------------------------------------------------------- */

/* A call that writes to a watched page fails instead of faulting, so all pages that it may write to are opened
 * before. The size of the memory that an argument points to is guessed: the next argument, or a page. */
static void open_pages(const hd_call *call)
{
    enum { MOST = 1 << 30, PAGE = 4096 };
    for (int i = 0; i < 6; i++) {
        uint64_t next = i < 5 ? call->arguments[i + 1] : 0;
        hd_rewind_open(call->arguments[i], next > PAGE && next < MOST ? next : PAGE);
    }
}

long hd_kernel_perform(const hd_call *call)
{
    const uint64_t *a = call->arguments;
    open_pages(call);
    long result = hd_system(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result != -EFAULT)
        return result;
    hd_rewind_open(0, UINT64_MAX); /* the guess was wrong (vectors of buffers): opens everything and tries again */
    return hd_system(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void end_now(void)
{
    hd_end(ending.kind, hd_call_site, "%s", ending.text);
}

static void exit_now(void)
{
    hd_process_exit_at_once(ending.status, 0);
}

long hd_kernel_end(hd_call *call, hd_outcome_kind kind, const char *text)
{
    if (!call->context)
        hd_end(kind, hd_call_site, "%s", text);
    ending.kind = kind;
    snprintf(ending.text, sizeof ending.text, "%s", text);
    hd_trap_divert(call->context, end_now, (uint64_t)call->context->uc_mcontext.gregs[REG_RIP]);
    return 0;
}

static const char *too_much(void)
{
    if (done.written > HD_OUTPUT_MOST)
        return "wrote more than 32 MB";
    return done.effects > HD_EFFECTS_MOST ? "changed more than 16384 files" : "made more than 131072 system calls";
}
_Static_assert(HD_OUTPUT_MOST == 32 << 20 && HD_CALLS_MOST == 131072 && HD_EFFECTS_MOST == 16384, "as too_much says");

void hd_kernel_writes(uint64_t bytes)
{
    done.written += bytes;
    if (done.written > HD_OUTPUT_MOST && hd_exploring())
        hd_end(HD_ENDLESS_OUTPUT, hd_call_site, "%s", too_much());
}

int hd_kernel_is_flooded(hd_call *call, uint64_t bytes)
{
    done.written += bytes;
    if (done.written > HD_OUTPUT_MOST)
        hd_kernel_end(call, HD_ENDLESS_OUTPUT, too_much());
    return done.written > HD_OUTPUT_MOST;
}

long hd_kernel_refuse(hd_call *call, const char *what)
{
    return hd_rt.options->settings.fork ? hd_kernel_perform(call) : hd_kernel_end(call, HD_NEEDS_FORK, what);
}

int hd_kernel_is_too_much(hd_call *call)
{
    if (++done.effects > HD_EFFECTS_MOST)
        hd_kernel_end(call, HD_ENDLESS_OUTPUT, too_much());
    return done.effects > HD_EFFECTS_MOST;
}

long hd_kernel_change(hd_call *call, const char *what)
{
    return hd_kernel_is_too_much(call) ? 0 : hd_kernel_refuse(call, what);
}

int hd_kernel_use(hd_call *call, unsigned uses)
{
    char text[160];
    if (!hd_unannounced(uses))
        return 0;
    snprintf(text, sizeof text,
        "system call %ld, by a function that heddle does not model, uses files that another thread uses: their order "
        "is "
        "not explored",
        call->number);
    hd_kernel_end(call, HD_MODEL_LIMIT, text);
    return 1;
}

/* It might be about files, so it is performed only where files are real. */
static long refuse_unknown(hd_call *call)
{
    char text[100];
    if (hd_rt.options->settings.fork && hd_kernel_use(call, HD_CHANGES_FILES))
        return 0;
    snprintf(text, sizeof text, "system call %ld (see ausyscall or <asm/unistd_64.h>) cannot be undone", call->number);
    return hd_overlay_is_on() ? hd_kernel_end(call, HD_NEEDS_FORK, text) : hd_kernel_change(call, text);
}

/* --- descriptors and memory: kernel_files.c, kernel_maps.c ---------------------------- */

static long on_open(hd_call *call)
{
    const uint64_t *a = call->arguments;
    return hd_files_open(call, AT_FDCWD, (const char *)a[0], a[1], a[2]);
}

static long on_openat(hd_call *call)
{
    const uint64_t *a = call->arguments;
    return hd_files_open(call, (int)a[0], (const char *)a[1], a[2], a[3]);
}

static long on_creat(hd_call *call)
{
    const uint64_t *a = call->arguments;
    return hd_files_open(call, AT_FDCWD, (const char *)a[0], O_CREAT | O_WRONLY | O_TRUNC, a[1]);
}

static long on_look(hd_call *call)
{
    if (hd_kernel_use(call, HD_LOOKS_AT_FILES))
        return 0;
    return hd_overlay_is_clean() ? hd_kernel_perform(call) : hd_overlay_look(call);
}

static long on_change(hd_call *call)
{
    if (!hd_overlay_is_on())
        return refuse_unknown(call);
    return hd_kernel_use(call, HD_CHANGES_FILES) ? 0 : hd_overlay_change(call);
}

/* --- settings of the process ------------------------------------------------------------ */

static long on_umask(hd_call *call)
{
    long old = hd_kernel_perform(call);
    hd_disk_umask_changed();
    if (!done.umask_changed)
        done.umask = (uint64_t)old;
    done.umask_changed = 1;
    return old;
}

static long on_chdir(hd_call *call)
{
    done.moved = 1;
    if (!hd_overlay_is_clean())
        return hd_overlay_look(call);
    hd_disk_moved();
    return hd_kernel_perform(call);
}

/* The limit of descriptors is higher in the kernel than the program knows (overlay_data.c). */
static long show_limit(const hd_call *call, int to)
{
    long error = hd_kernel_perform(call);
    struct rlimit *limit = (struct rlimit *)call->arguments[to];
    if (!error && limit && call->arguments[to - 1 - (to == 3)] == RLIMIT_NOFILE && limit->rlim_cur > hd_overlay_limit())
        limit->rlim_cur = hd_overlay_limit();
    return error;
}

static long on_getrlimit(hd_call *call)
{
    return show_limit(call, 1);
}

static long on_prlimit(hd_call *call)
{
    const struct rlimit *set = (const struct rlimit *)call->arguments[2];
    if (set && !hd_rt.options->settings.fork)
        return hd_kernel_refuse(call, "a resource limit is set");
    long error = show_limit(call, 3);
    if (!error && set && call->arguments[1] == RLIMIT_NOFILE) {
        hd_overlay_set_limit(set->rlim_cur);
        hd_files_forget_limit();
    }
    return error;
}

static long on_prctl(hd_call *call)
{
    switch (call->arguments[0]) {
    case PR_SET_VMA:
    case PR_GET_NAME:
    case PR_GET_DUMPABLE:
    case PR_GET_PDEATHSIG:
        return hd_kernel_perform(call);
    default:
        return hd_kernel_refuse(call, "prctl changes the process");
    }
}

/* The bytes are the same in every execution, and do not depend on what other threads draw. */
static long on_getrandom(hd_call *call)
{
    uint8_t *to = (uint8_t *)call->arguments[0];
    for (uint64_t i = 0; i < call->arguments[1]; i++) {
        uint64_t n = (uint64_t)++done.drawn[hd_current->id] << 8 | hd_current->id;
        to[i] = (uint8_t)(n * 0x9e3779b97f4a7c15u >> 56);
    }
    done.has_drawn = 1;
    return (long)call->arguments[1];
}

/* --- signals --------------------------------------------------------------------------------- */

/* Signals that the runtime itself uses. */
static const uint64_t own_signals = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGFPE - 1)
    | 1ull << (SIGILL - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGABRT - 1) | 1ull << (SIGPROF - 1)
    | 1ull << (SIGSYS - 1);

static long on_sigaction(hd_call *call)
{
    uint64_t signal = call->arguments[0], bit = signal - 1 < SIGNALS ? 1ull << (signal - 1) : 0;
    if (!call->arguments[1] || !bit)
        return hd_kernel_perform(call);
    if (bit & own_signals)
        return hd_kernel_refuse(call, "a library sets a handler of a signal that heddle uses");
    if (!(done.handled & bit))
        hd_system(SYS_rt_sigaction, signal, NULL, &done.handlers[signal], sizeof(uint64_t));
    done.handled |= bit;
    return hd_kernel_perform(call);
}

/* The call comes in a signal handler, so the mask to change is the one that the handler returns to. */
static long on_sigprocmask(hd_call *call)
{
    const uint64_t *set = (const uint64_t *)call->arguments[1];
    uint64_t *old = (uint64_t *)call->arguments[2], mask, given = 0;
    memcpy(&mask, &call->context->uc_sigmask, sizeof mask);
    if (set)
        given = *set & ~own_signals;
    if (old)
        *old = mask;
    if (!set)
        return 0;
    switch (call->arguments[0]) {
    case SIG_BLOCK:
        mask |= given;
        break;
    case SIG_UNBLOCK:
        mask &= ~given;
        break;
    case SIG_SETMASK:
        mask = given;
        break;
    default:
        return -EINVAL;
    }
    memcpy(&call->context->uc_sigmask, &mask, sizeof mask);
    done.mask_changed = 1;
    return 0;
}

static long on_kill(hd_call *call)
{
    long process = hd_system(SYS_getpid), to = (long)call->arguments[0];
    if (to == process || to == hd_system(SYS_gettid) || !call->arguments[1])
        return hd_kernel_perform(call);
    return hd_kernel_refuse(call, "a signal is sent to another process");
}

/* --- threads ------------------------------------------------------------------------------------ */

/* All threads run on one thread of the system, so a real wait would never be woken. A wait with a time limit is
 * treated as expired. */
static long on_futex(hd_call *call)
{
    const uint64_t *a = call->arguments;
    uint64_t operation = a[1] & FUTEX_CMD_MASK;
    if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET && operation != FUTEX_LOCK_PI)
        return hd_kernel_perform(call);
    if (operation != FUTEX_LOCK_PI && *(volatile uint32_t *)a[0] != (uint32_t)a[2])
        return -EAGAIN;
    if (a[3])
        return -ETIMEDOUT;
    return hd_kernel_end(
        call, HD_MODEL_LIMIT, "code that heddle did not compile waits for another thread: heddle cannot switch there");
}

/* The call is repeated outside of the handler: a child of vfork would share the handler's stack. A process sees the
 * files of the disk only. */
static long on_fork(hd_call *call)
{
    if (!hd_rt.options->settings.fork || hd_overlay_is_on())
        return hd_kernel_end(call, HD_NEEDS_FORK, "a process is started");
    hd_trap_let_through(call->context, call->number);
    return 0;
}

static long on_clone(hd_call *call)
{
    uint64_t flags = call->number == SYS_clone ? call->arguments[0] : *(const uint64_t *)call->arguments[0];
    if (flags & CLONE_THREAD)
        return hd_kernel_end(call, HD_MODEL_LIMIT, "code that heddle did not compile starts a thread");
    return on_fork(call);
}

static long on_end(hd_call *call)
{
    ending.status = (int)call->arguments[0];
    hd_trap_divert(call->context, exit_now, (uint64_t)call->context->uc_mcontext.gregs[REG_RIP]);
    return 0;
}

/* --- descriptors of modelled objects ----------------------------------------------------------------- */

long hd_kernel_reserve(int from)
{
    return hd_files_reserve(before.directory, from);
}

/* Calls whose first argument is a descriptor, or may be one. */
static int uses_descriptor(long number)
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_preadv2:
    case SYS_pwritev2:
    case SYS_lseek:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_fstatfs:
    case SYS_ioctl:
    case SYS_fcntl:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_close:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fadvise64:
    case SYS_flock:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fchdir:
    case SYS_getdents64:
    case SYS_openat:
    case SYS_sendfile:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
    case SYS_bind:
    case SYS_connect:
    case SYS_listen:
    case SYS_accept:
    case SYS_accept4:
    case SYS_shutdown:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_getsockopt:
    case SYS_setsockopt:
        return 1;
    default:
        return 0;
    }
}

/* Is it a standard stream for which a modelled object stands in the current process? */
static int is_replaced(int fd)
{
    return fd >= 0 && fd <= STDERR_FILENO && (hd_kernel_holders[fd] >> hd_current->process & 1);
}

static void call_modelled(ucontext_t *saved)
{
    const greg_t *r = saved->uc_mcontext.gregs;
    uint64_t arguments[] = { (uint64_t)r[REG_RDI], (uint64_t)r[REG_RSI], (uint64_t)r[REG_RDX], (uint64_t)r[REG_R10],
        (uint64_t)r[REG_R8], (uint64_t)r[REG_R9] };
    hd_trap_resume(saved, hd_library_call(r[REG_RAX], arguments));
}

/* If only other processes have the number, it stands for nothing in this one. */
static long call_of_modelled(hd_call *call)
{
    char text[120];
    uint64_t fd = call->arguments[0];
    if (fd < HD_KERNEL_NUMBERS && !(hd_kernel_holders[fd] >> hd_current->process & 1))
        return -EBADF;
    if (call->context && hd_library_models(call->number, call->arguments)) {
        call->context->uc_mcontext.gregs[REG_RAX] = call->number;
        hd_trap_detour(call->context, call_modelled);
        return 0;
    }
    snprintf(text, sizeof text, "system call %ld, by a function that heddle does not model, uses a modelled descriptor",
        call->number);
    return hd_kernel_end(call, HD_MODEL_LIMIT, text);
}

/* --- the table --------------------------------------------------------------------------------------- */

long hd_kernel_call(hd_call *call)
{
    if (++done.calls > HD_CALLS_MOST)
        return hd_kernel_end(call, HD_ENDLESS_OUTPUT, too_much());
    if (uses_descriptor(call->number)) {
        if (hd_files_is_reserved((int)call->arguments[0]) || is_replaced((int)call->arguments[0]))
            return call_of_modelled(call);
        if (hd_overlay_hides((int)call->arguments[0]))
            return -EBADF;
    }
    switch (call->number) {
#define PLAIN(name) \
    case SYS_##name: \
        return hd_kernel_perform(call);
#define LOOKS(name) \
    case SYS_##name: \
        return on_look(call);
#define CHANGES(name) \
    case SYS_##name: \
        return on_change(call);
#define CALL(name, handler) \
    case SYS_##name: \
        return handler(call);
#include "runtime/reset/calls.def"
#undef PLAIN
#undef LOOKS
#undef CHANGES
#undef CALL
    default:
        return refuse_unknown(call);
    }
}

long hd_kernel_make(long number, long a, long b, long c, long d)
{
    hd_call call = { number, { (uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d }, NULL };
    long result = hd_exploring() && hd_trap_works() ? hd_kernel_call(&call) : hd_system(number, a, b, c, d);
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

/* --- before and after executions ------------------------------------------------------------------------ */

void hd_kernel_save(void)
{
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    before.directory = fcntl(here, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    close(here);
    hd_system(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &before.mask, sizeof before.mask);
    hd_maps_save();
}

static void restore_handlers(void)
{
    for (uint64_t signal = 1; done.handled; signal++, done.handled >>= 1)
        if (done.handled & 1)
            hd_system(SYS_rt_sigaction, signal, &done.handlers[signal], NULL, sizeof(uint64_t));
}

void hd_kernel_restore(void)
{
    hd_unannounced_reset();
    hd_files_undo();
    hd_maps_undo();
    hd_overlay_reset();
    if (done.umask_changed) {
        hd_system(SYS_umask, done.umask);
        hd_disk_umask_changed();
    }
    if (done.moved) {
        hd_system(SYS_fchdir, before.directory);
        hd_disk_moved();
    }
    if (done.mask_changed)
        hd_system(SYS_rt_sigprocmask, SIG_SETMASK, &before.mask, NULL, sizeof before.mask);
    restore_handlers();
    if (done.has_drawn)
        memset(done.drawn, 0, sizeof done.drawn);
    done.calls = done.effects = 0;
    done.written = 0;
    done.umask_changed = done.moved = done.mask_changed = done.has_drawn = 0;
}

/* A runtime that does nothing but tell what instrumented code tells it: with
 * HD_RECORD set, one line per hook on standard error, e.g.
 *
 *   read 4 a.c:12:7 main
 *   call a.c:14:5 main malloc
 *
 * Redirected functions are the C library's own (forward.S). */
#include "abi/init.h"
#include "abi/site.h"

#include <cpuid.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const hd_site *hd_call_site;
uint32_t rec_watched = HD_WATCH_ALL;

int hd_user_main(int argc, char **argv, char **envp) __attribute__((weak));
void rec_access(const char *what, const void *address, uint64_t bytes, uint32_t info, const hd_site *site);
void hd_atomic_load(void *address, uint32_t info, hd_site *site);
void hd_atomic_store(void *address, uint32_t info, hd_site *site, uint64_t value);
void hd_atomic_rmw(void *address, uint32_t info, hd_site *site, uint64_t operand);
void hd_atomic_cas(void *address, uint32_t info, hd_site *site, uint64_t expected, uint64_t desired);
void hd_fence(uint32_t info, hd_site *site);
void hd_loop(uint32_t first, uint32_t kind, hd_site *site);
void *hd_tls_address(void *initial, uint64_t bytes);
void hd_unmodelled(const char *name, void *function, hd_site *site);
void *hd_thread_pointer(void);
int *hd_errno_address(void);
void hd_errno_take(void);
void hd_errno_give(void);
uint64_t hd_timestamp(hd_site *site);
void hd_cpuid(uint32_t leaf, uint32_t part, uint32_t *answer);
void hd_unseen(hd_site *site);
void hd_main_returns(hd_site *site);
void hd_main_returns_nothing(void);
void hd_clock_shown(const void *function);
void hd_register_module(
    void *data, void *data_end, void *bss, void *bss_end, const hd_init *init, const hd_init *init_end);
int hd_pthread_barrier_wait_unused(void *barrier);
void rec_call(const char *name);
void rec_watch(int on); /* for the programs of the tests */

static int recording(void)
{
    static int known = -1;
    if (known < 0)
        known = getenv("HD_RECORD") != NULL;
    return known;
}

/* One write per line, so that the lines of forked processes do not mix. */
#define TELL(site, format, ...) \
    (recording() ? fprintf(stderr, format " %s:%u:%u %s\n", __VA_ARGS__, (site)->file, (site)->line, (site)->column, \
                       (site)->function) \
                 : 0)

static unsigned order(uint32_t info)
{
    return (info & HD_INFO_ORDER) >> HD_INFO_ORDER_SHIFT;
}

void rec_access(const char *what, const void *address, uint64_t bytes, uint32_t info, const hd_site *site)
{
    (void)address;
    bool again = info & HD_INFO_AGAIN && getenv("HD_RECORD_AGAIN");
    TELL(site, "%s%s%s %lu", again ? "again-" : "", info & HD_INFO_VOLATILE ? "volatile-" : "", what,
        (unsigned long)bytes);
}

void hd_atomic_load(void *address, uint32_t info, hd_site *site)
{
    (void)address;
    TELL(site, "load %u order %u", info & HD_INFO_SIZE, order(info));
}

void hd_atomic_store(void *address, uint32_t info, hd_site *site, uint64_t value)
{
    (void)address;
    TELL(site, "store %u order %u value %lx", info & HD_INFO_SIZE, order(info), (unsigned long)value);
}

void hd_atomic_rmw(void *address, uint32_t info, hd_site *site, uint64_t operand)
{
    (void)address;
    TELL(site, "rmw %u order %u operation %u operand %lx", info & HD_INFO_SIZE, order(info),
        info >> HD_INFO_RMW_SHIFT, (unsigned long)operand);
}

void hd_atomic_cas(void *address, uint32_t info, hd_site *site, uint64_t expected, uint64_t desired)
{
    (void)address;
    TELL(site, "cas %u order %u expected %lx desired %lx", info & HD_INFO_SIZE, order(info),
        (unsigned long)expected, (unsigned long)desired);
}

void hd_fence(uint32_t info, hd_site *site)
{
    TELL(site, "fence order %u", order(info));
}

void hd_loop(uint32_t first, uint32_t kind, hd_site *site)
{
    TELL(site, "loop first %u kind %u", first, kind);
}

/* Copies per OS thread, found by the variable's address. */
void *hd_tls_address(void *initial, uint64_t bytes)
{
    static __thread struct {
        void *initial, *copy;
    } table[64];
    for (int i = 0; i < 64; i++) {
        if (table[i].initial == initial)
            return table[i].copy;
        if (!table[i].initial) {
            table[i].initial = initial;
            table[i].copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
            return memcpy(table[i].copy, initial, bytes);
        }
    }
    abort();
}

void hd_unmodelled(const char *name, void *function, hd_site *site)
{
    (void)function;
    TELL(site, "unmodelled %s", name);
}

void *hd_thread_pointer(void)
{
    return __builtin_thread_pointer();
}

int *hd_errno_address(void)
{
    return &errno;
}

void hd_errno_take(void) { }

void hd_errno_give(void) { }

uint64_t hd_timestamp(hd_site *site)
{
    static uint64_t now;
    (void)site;
    return now++;
}

void hd_cpuid(uint32_t leaf, uint32_t part, uint32_t *answer)
{
    __cpuid_count(leaf, part, answer[0], answer[1], answer[2], answer[3]);
}

void hd_unseen(hd_site *site)
{
    TELL(site, "%s", "unseen");
}

void hd_clock_shown(const void *function)
{
    (void)function;
}

void hd_main_returns(hd_site *site)
{
    (void)site;
}

void hd_main_returns_nothing(void)
{
}

void hd_register_module(
    void *data, void *data_end, void *bss, void *bss_end, const hd_init *init, const hd_init *init_end)
{
    if (recording())
        fprintf(stderr, "module data %ld bss %ld\n", (long)((char *)data_end - (char *)data),
            (long)((char *)bss_end - (char *)bss));
    for (; init < init_end; init++)
        if (!init->is_destructor)
            init->function(0, NULL, NULL);
        else
            atexit((void (*)(void))(void *)init->function);
}

/* 0: nothing, 1: all, 2: what one thread alone needs. */
void rec_watch(int how)
{
    static const uint32_t flags[] = { HD_WATCH_NOTHING, HD_WATCH_ALL, HD_WATCH_BOUNDS };
    rec_watched = flags[how];
}

void rec_call(const char *name)
{
    if (recording() && hd_call_site)
        TELL(hd_call_site, "call %s", name);
}

__attribute__((weak)) int main(int argc, char **argv, char **envp)
{
    return hd_user_main(argc, argv, envp);
}

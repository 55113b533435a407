#include "runtime/sync/exec.h"

#include "abi/system.h"
#include "runtime/core/system.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/images.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/send.h"
#include "runtime/sync/children.h"
#include "runtime/sync/fs.h"
#include "runtime/sync/mutex.h"
#include "runtime/sync/process.h"

#include <alloca.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- which program ------------------------------------------------------------------------- */

typedef enum file_kind { NO_PROGRAM, FOREIGN, HAS_PART } file_kind;

static int read_at(int fd, void *to, size_t size, uint64_t offset)
{
    return hd_system(SYS_pread64, (long)fd, to, (long)size, (long)offset) == (long)size;
}

/* Has the executable the section from which an image is linked (compile/part.h)? */
static int has_part(int fd, const Elf64_Ehdr *head)
{
    static const char section[] = ".heddle.part";
    char name[sizeof section];
    Elf64_Shdr names, s;
    if (!read_at(fd, &names, sizeof names, head->e_shoff + head->e_shstrndx * sizeof names))
        return 0;
    for (uint32_t i = 0; i < head->e_shnum; i++)
        if (read_at(fd, &s, sizeof s, head->e_shoff + i * sizeof s)
            && read_at(fd, name, sizeof name, names.sh_offset + s.sh_name) && !memcmp(name, section, sizeof name))
            return 1;
    return 0;
}

static file_kind kind_of_open(int fd)
{
    Elf64_Ehdr head;
    char start[2];
    if (!read_at(fd, start, sizeof start, 0))
        return NO_PROGRAM;
    if (!memcmp(start, "#!", sizeof start))
        return FOREIGN;
    if (!read_at(fd, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return NO_PROGRAM;
    return has_part(fd, &head) ? HAS_PART : FOREIGN;
}

/* The file on the disk: what the execution itself has written was not compiled by heddle. */
static file_kind kind_of(const char *path)
{
    int fd = (int)hd_system(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC), 0l);
    file_kind kind = fd < 0 ? FOREIGN : kind_of_open(fd);
    if (fd >= 0)
        hd_system(SYS_close, (long)fd);
    return kind;
}

static int find_unknown(const char *whole, const char *name, const hd_site *site)
{
    file_kind kind = kind_of(whole);
    if (kind == NO_PROGRAM)
        return -ENOEXEC;
    if (kind == HAS_PART)
        snprintf(hd_rt.wanted, HD_PATH_ROOM, "%s", whole);
    hd_end(HD_MODEL_LIMIT, site,
        kind == HAS_PART ? "%s of %s, which is not linked into the image, is not modelled"
                         : "%s of %s, which heddle did not compile, is not modelled",
        name, whole);
}

int hd_exec_find(const char *path, const char *name, const hd_site *site)
{
    struct stat about;
    char whole[PATH_MAX];
    hd_fs_look(path, site);
    hd_call_site = site;
    if (stat(path, &about) || !realpath(path, whole))
        return -errno;
    if (!S_ISREG(about.st_mode) || access(path, X_OK))
        return -EACCES;
    int program = hd_process_program(whole);
    return program >= 0 ? program : find_unknown(whole, name, site);
}

/* --- arguments ------------------------------------------------------------------------------- */

/* The arguments and the environment, while the process has no memory of its own: strings one after the other. Linux
 * refuses a string of 32 pages. */
enum { MOST_STRING = 32 * 4096, ROOM = 4 * MOST_STRING };
static char strings[ROOM];
static size_t taken;
static int counts[2];

static int keep_strings(char *const *list, int *count)
{
    for (*count = 0; list && list[*count]; ++*count) {
        size_t size = strlen(list[*count]) + 1;
        if (size > MOST_STRING)
            return -E2BIG;
        if (taken + size > ROOM)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "arguments of exec of more than %d bytes are not modelled", ROOM);
        memcpy(strings + taken, list[*count], size);
        taken += size;
    }
    return 0;
}

/* Lists the strings from `at` on; returns their end. */
static char *point_to(char **list, int count, char *at)
{
    for (int i = 0; i < count; i++, at += strlen(at) + 1)
        list[i] = at;
    list[count] = NULL;
    return at;
}

/* --- the new program ---------------------------------------------------------------------------- */

/* On the new stack, which has what a real one has at its high end. */
static void begin(void)
{
    char *text = memcpy(alloca(taken + 1), strings, taken);
    char **lists = alloca((size_t)(counts[0] + counts[1] + 2) * sizeof *lists), **environment = lists + counts[0] + 1;
    point_to(environment, counts[1], point_to(lists, counts[0], text));
    hd_process_run_program(counts[0], lists, environment);
}

static void leave_stack(void)
{
    hd_current->sp = hd_fiber_prepare(hd_current->stack, begin);
}

static void add_variables(char *start, size_t size)
{
    hd_images_add_fresh(hd_current->process, start, size);
}

/* What the old program has left in the thread. */
static void clear_thread(hd_thread *t)
{
    t->stack = t->id;
    t->cancel_disabled = t->cancel_async = 0;
    t->handler_frame = NULL;
    t->cleanups = NULL;
    t->signal_stack = (stack_t) { 0 };
    t->keys_set = 0;
    t->read_locked = 0;
    memset(t->read_locks, 0, sizeof t->read_locks);
    t->spin.armed = t->spin.marked = 0;
    t->initialises_count = 0;
    hd_tls_new_thread(t->id);
}

static void check_alone(const hd_site *site)
{
    hd_step_must_be_over("exec");
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (&hd_threads[i] != hd_current && hd_threads[i].process == hd_current->process
            && hd_thread_lives(&hd_threads[i]))
            hd_end(HD_MODEL_LIMIT, site, "exec while other threads of the process run is not modelled yet");
    if (hd_current->id != hd_current->process)
        hd_end(HD_MODEL_LIMIT, site, "exec by another thread than the first one of the process is not modelled yet");
}

int hd_exec_become(uint32_t program, char *const *arguments, char *const *environment, const hd_site *site)
{
    void *old;
    check_alone(site);
    taken = 0;
    hd_call_site = site;
    if (keep_strings(arguments, &counts[0]) || keep_strings(environment, &counts[1]))
        return -E2BIG;
    hd_mutex_owner_ends(hd_current);
    hd_descriptors_close_on_exec(site);
    hd_send_drop_handlers(site);
    hd_children_leave_parent(site);
    hd_process_set_program(program);
    hd_children_forget_handlers();
    hd_rewind_afresh();
    hd_images_leave(hd_current->process);
    hd_process_variables(hd_current->process, add_variables);
    clear_thread(hd_current);
    hd_images_run(&old, leave_stack, &hd_current->sp);
    __builtin_unreachable();
}

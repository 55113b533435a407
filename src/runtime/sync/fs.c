#include "runtime/sync/fs.h"

#include "abi/fast.h"
#include "abi/fates.h"
#include "abi/system.h"
#include "runtime/core/system.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/file_locks.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/mapped.h"
#include "runtime/reset/overlay.h"
#include "runtime/reset/unannounced.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/makers.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { NUMBERS = 4096, INHERITED = 16, OBJECTS = HD_NUMBERS };

/* The objects of operations; reports show them by their names (abi/shown.def). */
uint64_t hd_fs_names_object;
uint64_t hd_fs_environments[HD_MOST_PROCESSES], hd_fs_numbers[HD_MOST_PROCESSES];
uint64_t hd_fs_slots[HD_MOST_PROCESSES][OBJECTS], hd_fs_descriptions[OBJECTS], hd_fs_contents[OBJECTS];

/* By descriptor: its objects + 1; 0 if it was open before main, or is not open. */
static struct {
    uint16_t description, contents;
    uint32_t opening; /* duplicates have the same; 0: it was open before main */
    uint32_t process;
    const hd_site *made_at;
} opened[NUMBERS];
static int used; /* descriptors below this number may have been used in this run */
static uint32_t descriptions, openings;

/* Files in the order in which they were first opened. The first object is that of all files without one. */
static struct {
    uint64_t device, node;
} files[OBJECTS];
static uint32_t file_count = 1;
static int creates; /* the file that is being opened does not exist yet */

void hd_fs_reset(void)
{
    hd_makers_reset();
    if (used)
        memset(opened, 0, (size_t)used * sizeof *opened);
    used = 0;
    descriptions = openings = 0;
    file_count = 1;
}

/* --- what there is ---------------------------------------------------------------------- */

/* Can threads find something changed? If not, only numbers and descriptions matter. */
static int can_change(void)
{
    return hd_exploring() && (hd_rt.options->settings.fork || hd_overlay_is_on()) && hd_known->files;
}

/* The current thread is about to change something. */
static void learn_change(void)
{
    if (hd_exploring() && hd_fast_state.several && !hd_known->files) {
        hd_known->files = 1;
        hd_learned();
    }
}

static int exists(const char *path)
{
    struct stat at;
    return hd_overlay_stat(path, &at, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The newest entry: a file that was deleted may have had the same number. 0: it has not been opened. */
static uint32_t find_file(const struct stat *at)
{
    uint32_t i = file_count - 1;
    while (i && !(files[i].device == at->st_dev && files[i].node == at->st_ino))
        i--;
    return i;
}

static uint32_t file_of(const char *path)
{
    struct stat at;
    return path && !hd_overlay_stat(path, &at, 0) ? find_file(&at) : 0;
}

static uint32_t add_file(const struct stat *at)
{
    if (file_count == OBJECTS)
        return 0;
    files[file_count].device = at->st_dev;
    files[file_count].node = at->st_ino;
    return file_count++;
}

static const void *description_of(int fd)
{
    uint32_t known = fd < NUMBERS ? opened[fd].description : 0;
    return &hd_fs_descriptions[known ? known - 1 : (uint32_t)fd % INHERITED];
}

static const void *contents_of(int fd)
{
    uint32_t known = fd < NUMBERS ? opened[fd].contents : 0;
    return &hd_fs_contents[known ? known - 1 : 0];
}

/* A descriptor that was open before main has a number below those of others. */
static uint32_t opening_of(int fd)
{
    uint32_t known = fd < NUMBERS ? opened[fd].opening : 0;
    return known ? known : (uint32_t)fd + 1;
}

static int is_last(int fd)
{
    int other = 0;
    while (other < used && (other == fd || opened[other].opening != opening_of(fd)))
        other++;
    return opening_of(fd) > NUMBERS && other >= used;
}

static int find_open_file(int fd, hd_open_file *to)
{
    struct stat at;
    if (fd < 0 || hd_overlay_fstat(fd, &at))
        return -EBADF;
    uint32_t known = fd < NUMBERS ? opened[fd].contents : 0;
    *to = (hd_open_file) { at.st_dev, at.st_ino, known ? known - 1 : 0, opening_of(fd) };
    return 0;
}

static long flags_of(int fd)
{
    return hd_system(SYS_fcntl, (long)fd, F_GETFL);
}

static int writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

/* --- announcing -------------------------------------------------------------------------- */

static void announce(unsigned uses, const hd_site *site)
{
    if (hd_exploring() && hd_announced(uses))
        hd_end(HD_MODEL_LIMIT, site,
            "a function that heddle does not model uses files in another thread, too: their order is not explored");
}

static void touch(const void *object, int changes, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { object, changes, NULL }, 1, site);
}

static void use_contents(uint32_t file, int changes, const hd_site *site)
{
    if (file)
        touch(&hd_fs_contents[file], changes, site);
}

static void use_path(const char *path, const char *other, int changes, const hd_site *site)
{
    if (changes)
        learn_change();
    if (can_change()) {
        uint32_t outer = hd_step_begin(0);
        touch(&hd_fs_names_object, changes, site);
        use_contents(file_of(path), changes, site);
        use_contents(file_of(other), changes, site);
        hd_step_end(outer);
    }
    announce(changes ? HD_CHANGES_FILES : HD_LOOKS_AT_FILES, site);
}

void hd_fs_look(const char *path, const hd_site *site)
{
    use_path(path, NULL, 0, site);
}

void hd_fs_change(const char *path, const char *other, const hd_site *site)
{
    use_path(path, other, 1, site);
}

void hd_fs_names(int changes, const hd_site *site)
{
    use_path(NULL, NULL, changes, site);
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Errors and numbers that no call accepts have a slot, too. */
static uint32_t slot_of(int fd)
{
    return (uint32_t)fd % OBJECTS;
}

int hd_fs_varies(int fd)
{
    return hd_exploring() && (hd_known->numbers[slot_of(fd) / 32] >> slot_of(fd) % 32 & 1);
}

/* What a number stands for matters to the threads of a process alone. */
static void learn_number(int fd)
{
    if (!hd_exploring() || !hd_fast_state.several || hd_fs_varies(fd) || !hd_has_siblings())
        return;
    hd_known->numbers[slot_of(fd) / 32] |= 1u << slot_of(fd) % 32;
    hd_learned();
}

static int lowest_real(int from)
{
    long fd = hd_kernel_reserve(from);
    if (fd >= 0)
        hd_kernel_unreserve((int)fd);
    return (int)fd;
}

static const void *slot_object(int fd)
{
    return &hd_fs_slots[hd_current->process][slot_of(fd)];
}

/* `fd` is about to be opened or closed: the last operation of a step. */
void hd_fs_change_number(int fd, const hd_site *site)
{
    learn_number(fd);
    touch(slot_object(fd), 1, site);
}

void hd_fs_change_number_of(uint32_t process, int fd, const hd_site *site)
{
    learn_number(fd);
    touch(&hd_fs_slots[process][slot_of(fd)], 1, site);
}

/* A real file has a number in all processes of a system. */
static void change_real_numbers(const hd_site *site)
{
    for (uint32_t i = 0; i < hd_process_count(); i++)
        touch(&hd_fs_numbers[i], 1, site);
}

static void take_real_number(int from, const hd_site *site)
{
    change_real_numbers(site);
    if (hd_fast_state.several)
        hd_fs_change_number(lowest_real(from), site);
}

void hd_fs_number(int from, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    touch(&hd_fs_numbers[hd_current->process], 1, site);
    if (hd_fast_state.several)
        hd_fs_change_number(hd_descriptors_lowest(from), site);
    hd_step_end(outer);
    announce(HD_USES_NUMBERS, site);
}

void hd_fs_look_up(int fd, const hd_site *site)
{
    if (!hd_fs_varies(fd))
        return;
    touch(slot_object(fd), 0, site);
    hd_makers_check(fd, site);
}

static int is_in(uint64_t object, const void *start, size_t bytes)
{
    return object - (uint64_t)start < bytes;
}

int hd_fs_is_of_table(uint64_t object)
{
    return is_in(object, hd_fs_numbers, sizeof hd_fs_numbers) || is_in(object, hd_fs_slots, sizeof hd_fs_slots)
        || hd_descriptors_is_of_table(object);
}

void hd_fs_environment(int changes, const hd_site *site)
{
    touch(&hd_fs_environments[hd_current->process], changes, site);
}

/* --- descriptors --------------------------------------------------------------------------- */

/* Does opening fail because of what names are there? Then nothing changes: a loop that tries again waits. */
static int fails(const char *path, int flags)
{
    int there = exists(path);
    creates = !there;
    return flags & O_CREAT ? there && (flags & O_EXCL) : !there;
}

/* Is a FIFO opened? That changes neither names nor contents. */
static int is_fifo(const char *path, int flags)
{
    struct stat at;
    int excludes = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    return !(flags & (O_PATH | O_DIRECTORY)) && !excludes
        && !hd_overlay_stat(path, &at, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) && S_ISFIFO(at.st_mode);
}

/* An operation that changes names unless it fails. */
static int opens_or_fails(hd_thread *t, hd_op *op)
{
    int flags = (int)t->update.operand;
    const char *path = t->update.address;
    op->kind = fails(path, flags) || !writes(flags) || is_fifo(path, flags) ? HD_RMW_SAME : HD_RMW;
    return 1;
}

static void use_name(const char *path, int flags, const hd_site *site)
{
    hd_current->update.address = (void *)path;
    hd_current->update.operand = (uint64_t)flags;
    hd_access_uses(&(hd_object_use) { &hd_fs_names_object, 1, opens_or_fails }, 1, site);
    if (writes(flags) && !fails(path, flags) && !is_fifo(path, flags))
        use_contents(file_of(path), 1, site);
}

int hd_fs_open(const char *path, int flags, const hd_site *site)
{
    if (writes(flags) && !is_fifo(path, flags))
        learn_change();
    uint32_t outer = hd_step_begin(0);
    if (can_change())
        use_name(path, flags, site);
    int leads_to_fifo = is_fifo(path, flags);
    if (!fails(path, flags) && !leads_to_fifo)
        take_real_number(0, site);
    hd_step_end(outer);
    if (leads_to_fifo)
        return 1;
    announce(HD_USES_NUMBERS | (writes(flags) ? HD_CHANGES_FILES : HD_LOOKS_AT_FILES), site);
    return 0;
}

/* Unless it fails, the call changes the name that flags of open would change. */
static void change_name(const char *path, int flags, const hd_site *site)
{
    learn_change();
    if (can_change()) {
        uint32_t outer = hd_step_begin(0);
        use_name(path, flags, site);
        hd_step_end(outer);
    }
    announce(HD_CHANGES_FILES, site);
    if (!fails(path, flags))
        hd_effect();
}

void hd_fs_make(const char *path, const hd_site *site)
{
    change_name(path, O_CREAT | O_EXCL, site);
}

void hd_fs_remove(const char *path, const hd_site *site)
{
    change_name(path, O_WRONLY | O_PATH, site); /* a FIFO is a name like others here */
}

void hd_fs_create(const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_names(1, site);
    hd_fs_number(0, site);
    hd_step_end(outer);
    creates = 1;
}

int hd_fs_opened(int fd)
{
    struct stat at;
    if (fd < 0 || fd >= NUMBERS || hd_overlay_fstat(fd, &at))
        return fd;
    uint32_t file = creates ? 0 : find_file(&at);
    opened[fd].contents = (uint16_t)(1 + (file ? file : add_file(&at)));
    opened[fd].description = (uint16_t)(1 + INHERITED + descriptions++ % (OBJECTS - INHERITED));
    opened[fd].opening = NUMBERS + ++openings;
    opened[fd].process = hd_current->process;
    opened[fd].made_at = hd_call_site;
    hd_makers_made(fd);
    used = fd >= used ? fd + 1 : used;
    return fd;
}

void hd_fs_duplicate(int fd, int to, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    if (to >= 0)
        hd_fs_close(to, site);
    else
        take_real_number(0, site);
    touch(description_of(fd), 0, site);
    hd_step_end(outer);
    announce(HD_USES_NUMBERS | HD_LOOKS_AT_FILES, site);
}

int hd_fs_duplicated(int fd, int made)
{
    if (made >= 0 && made < NUMBERS && fd < NUMBERS) {
        opened[made] = opened[fd];
        opened[made].opening = opening_of(fd);
        opened[made].process = hd_current->process;
        opened[made].made_at = hd_call_site;
        hd_makers_made(made);
        opened[made].description = (uint16_t)((uint64_t *)description_of(fd) - hd_fs_descriptions + 1);
        used = made >= used ? made + 1 : used;
    }
    return made;
}

static void use_file(int fd, long flags, const hd_site *site)
{
    if (flags < 0)
        return;
    if (writes((int)flags))
        learn_change();
    hd_object_use uses[] = { { description_of(fd), 1, NULL }, { contents_of(fd), writes((int)flags), NULL } };
    hd_access_uses(uses, can_change() ? 2 : 1, site);
}

void hd_fs_use(int fd, const hd_site *site)
{
    uint32_t outer = hd_fs_varies(fd) ? hd_step_begin(0) : 0;
    hd_fs_look_up(fd, site);
    long flags = flags_of(fd);
    use_file(fd, flags, site);
    if (hd_fs_varies(fd))
        hd_step_end(outer);
    announce(HD_LOOKS_AT_FILES | (flags < 0 || writes((int)flags) ? HD_CHANGES_FILES : 0), site);
}

void hd_fs_use_mapped(int fd, int changes, const hd_site *site)
{
    size_t size;
    char *block = hd_exploring() ? hd_mapped_block(fd, &size) : NULL;
    if (!block)
        return;
    hd_access_range(block, size, site, (uint32_t)changes);
    announce(HD_LOOKS_AT_FILES | (changes ? HD_CHANGES_FILES : 0), site); /* the step is another one now */
}

int hd_fs_open_file(int fd, hd_open_file *to, const hd_site *site)
{
    hd_fs_look_up(fd, site);
    return find_open_file(fd, to);
}

int hd_fs_still_leads_to(int fd, const hd_open_file *at, const hd_site *site)
{
    hd_open_file now;
    return !hd_fs_varies(fd) || (!hd_fs_open_file(fd, &now, site) && now.opening == at->opening);
}

static void end_locks(int fd, const hd_site *site)
{
    hd_open_file at;
    if (hd_file_locks_are_used() && !find_open_file(fd, &at))
        hd_file_locks_close(&at, is_last(fd), site);
}

static void forget(int fd)
{
    if (fd < NUMBERS)
        memset(&opened[fd], 0, sizeof *opened);
}

static int is_lost(hd_fate kept, hd_fate lost, const hd_site *site)
{
    hd_call_site = site;
    return hd_choose_fate(2, hd_fates_add(hd_fates_add(0, 0, kept), 1, lost)) == 1;
}

/* Each loss is one step, a change of names and contents as by a call. */
void hd_fs_crash(const hd_site *site)
{
    uint32_t process = hd_current->process;
    struct stat at;
    struct hd_node *n = NULL;
    if (!hd_rt.options->settings.crash_files || !hd_overlay_is_on())
        return;
    if (hd_overlay_may_lose_names(process) && is_lost(HD_FATE_NAMES_KEPT, HD_FATE_NAMES_LOST, site)) {
        use_path(NULL, NULL, 1, site);
        hd_overlay_lose_names(process);
        hd_effect();
    }
    while ((n = hd_overlay_may_lose_contents(process, n, &at)))
        if (is_lost(HD_FATE_FILE_KEPT, HD_FATE_FILE_LOST, site)) {
            learn_change();
            if (can_change()) {
                uint32_t outer = hd_step_begin(0);
                touch(&hd_fs_names_object, 1, site);
                use_contents(find_file(&at), 1, site);
                hd_step_end(outer);
            }
            hd_overlay_lose_contents(n);
            hd_effect();
        }
}

int hd_fs_first_open(const hd_site **made_at)
{
    for (int fd = 0; fd < used; fd++)
        if (opened[fd].opening && opened[fd].process == hd_current->process) {
            *made_at = opened[fd].made_at;
            return fd;
        }
    return -1;
}

void hd_fs_end_process(const hd_site *site)
{
    hd_open_file at;
    for (int fd = 0; fd < used; fd++) {
        if (!opened[fd].opening || opened[fd].process != hd_current->process)
            continue;
        if (!find_open_file(fd, &at) && hd_file_locks_has(hd_current->process, &at)) {
            uint32_t outer = hd_step_begin(0);
            end_locks(fd, site);
            hd_step_end(outer);
        }
        forget(fd);
    }
    hd_file_locks_end_waits(hd_current->process, site);
}

/* Closing a stream writes what it has buffered. */
static int close_number(int fd, int checks, const hd_site *site)
{
    if (fd < 0)
        return 0;
    uint32_t outer = hd_step_begin(0);
    hd_fs_change_number(fd, site);
    if (checks)
        hd_makers_check(fd, site);
    hd_makers_closed(fd);
    int is_modelled = hd_descriptors_at(fd) != NULL;
    if (is_modelled)
        touch(&hd_fs_numbers[hd_current->process], 1, site);
    else
        change_real_numbers(site);
    hd_call_site = site;
    if (is_modelled)
        hd_descriptors_drop(fd, site);
    else
        use_file(fd, flags_of(fd), site);
    if (!is_modelled)
        end_locks(fd, site);
    hd_step_end(outer);
    if (is_modelled)
        announce(HD_USES_NUMBERS, site);
    else
        announce(HD_USES_NUMBERS | HD_LOOKS_AT_FILES | (writes((int)flags_of(fd)) ? HD_CHANGES_FILES : 0), site);
    forget(fd);
    return is_modelled;
}

int hd_fs_close(int fd, const hd_site *site)
{
    return close_number(fd, 1, site);
}

int hd_fs_close_at_end(int fd, const hd_site *site)
{
    return close_number(fd, 0, site);
}

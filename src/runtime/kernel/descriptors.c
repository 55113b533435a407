#include "runtime/kernel/descriptors_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/epoll.h"
#include "runtime/reset/kernel.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"
#include "runtime/sync/makers.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

hd_descriptors hd_descriptor_tables[HD_MOST_PROCESSES];
static hd_description descriptions[HD_DESCRIPTIONS];
static uint32_t counts[HD_MOST_PROCESSES]; /* of descriptions that the process has made in this run */
static uint32_t count; /* of all */
static uint64_t active; /* processes that have had a descriptor or made a description in this run */

/* By thread: the descriptions of its calls under way. A handler of a signal may make calls inside of others. */
enum { MOST_HELD = 8 };
static struct {
    uint16_t descriptions[MOST_HELD];
    uint32_t count;
} held[HD_MAX_THREADS];

/* Objects (abi/shown.def). */
uint64_t hd_number_uses[HD_MOST_PROCESSES][HD_DESCRIPTORS], hd_description_uses[HD_DESCRIPTIONS];

int hd_descriptors_is_of_table(uint64_t object)
{
    return object - (uint64_t)hd_number_uses < sizeof hd_number_uses
        || object - (uint64_t)hd_description_uses < sizeof hd_description_uses;
}

static hd_descriptors *own_table(void)
{
    return &hd_descriptor_tables[hd_current->process];
}

_Static_assert(HD_DESCRIPTORS == HD_KERNEL_NUMBERS, "numbers of descriptors");
_Static_assert(HD_DESCRIPTIONS == HD_MOST_PROCESSES * HD_DESCRIPTIONS_OF_PROCESS && HD_DESCRIPTIONS < UINT16_MAX,
    "numbers of descriptions");
_Static_assert(HD_MOST_PROCESSES <= 64, "sets of processes");

static hd_description *descriptions_of(uint32_t process)
{
    return &descriptions[process * HD_DESCRIPTIONS_OF_PROCESS];
}

static int is_made(uint32_t number)
{
    uint32_t process = number / HD_DESCRIPTIONS_OF_PROCESS;
    return process < HD_MOST_PROCESSES && number % HD_DESCRIPTIONS_OF_PROCESS < counts[process];
}

void hd_descriptors_reset(void)
{
    if (!count)
        return;
    for (uint64_t left = active; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        hd_descriptors *table = &hd_descriptor_tables[i];
        memset(table->entries, 0, (size_t)table->used * sizeof *table->entries);
        memset(hd_kernel_holders, 0, (size_t)table->used * sizeof *hd_kernel_holders);
        table->used = 0;
        memset(descriptions_of(i), 0, counts[i] * sizeof *descriptions);
        counts[i] = 0;
    }
    active = 0;
    memset(held, 0, *hd_rt.thread_count * sizeof *held);
    count = 0;
}

/* Counts the entries of the table by description; 0: one leads nowhere. */
static int count_entries(uint32_t process, uint32_t *by_description, uint64_t *by_number)
{
    const hd_descriptors *table = &hd_descriptor_tables[process];
    for (int fd = 0; fd < table->used; fd++) {
        uint32_t known = table->entries[fd].description;
        if (known && !is_made(known - 1))
            return 0;
        if (known)
            by_description[known - 1]++, by_number[fd] |= 1ull << process;
    }
    return 1;
}

int hd_descriptors_are_valid(void)
{
    static uint32_t by_description[HD_DESCRIPTIONS];
    uint64_t by_number[HD_DESCRIPTORS] = { 0 };
    memset(by_description, 0, sizeof by_description);
    for (uint32_t i = 0; i < hd_process_count(); i++)
        if (!count_entries(i, by_description, by_number))
            return 0;
    for (uint32_t i = 0; i < HD_DESCRIPTIONS; i++)
        if (descriptions[i].references < by_description[i] || (descriptions[i].references && !descriptions[i].type))
            return 0;
    return !memcmp(by_number, hd_kernel_holders, sizeof by_number);
}

static void check_validity(void)
{
    hd_check_valid(hd_descriptors_are_valid(), HD_DESCRIPTIONS, count);
}

/* --- descriptions ------------------------------------------------------------------------ */

hd_description *hd_description_make(const hd_file_type *type, uint32_t object, int flags)
{
    uint32_t *own = &counts[hd_current->process];
    if (*own == HD_DESCRIPTIONS_OF_PROCESS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "making more than %d pipes or sockets is not modelled yet",
            HD_DESCRIPTIONS_OF_PROCESS);
    hd_description *d = descriptions_of(hd_current->process) + (*own)++;
    count++;
    active |= 1ull << hd_current->process;
    *d = (hd_description) { .type = type, .object = object, .flags = flags };
    return d;
}

hd_description *hd_description_of(const hd_file_type *type, uint32_t object)
{
    for (uint32_t i = 0; i < HD_MOST_PROCESSES; i++)
        for (hd_description *d = descriptions_of(i), *end = d + counts[i]; d < end; d++)
            if (d->type == type && d->object == object)
                return d;
    return NULL;
}

uint32_t hd_description_number(const hd_description *d)
{
    return (uint32_t)(d - descriptions);
}

/* The last use closes it. */
static void drop_use(hd_description *d, const hd_site *site)
{
    hd_call_site = site;
    if (--d->references)
        return;
    hd_epoll_forget(d);
    d->type->close(d);
    d->type = NULL;
}

static void change_uses(hd_description *d, const hd_site *site)
{
    hd_access_object(&hd_description_uses[d - descriptions], site);
}

/* A call that uses a number changes what a close of it does: the calls commute with each other, but not with it. */
static void use_number(hd_op_kind kind, int fd, const hd_site *site)
{
    hd_call_site = site;
    if (hd_fs_varies(fd) && fd < HD_DESCRIPTORS)
        hd_perform(kind, &hd_number_uses[hd_current->process][fd], NULL);
}

static void note_held(const hd_description *d)
{
    typeof(*held) *own = &held[hd_current->id];
    if (own->count == MOST_HELD)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d nested calls on descriptors are not modelled", MOST_HELD);
    own->descriptions[own->count++] = (uint16_t)(d - descriptions);
}

static void forget_held(const hd_description *d)
{
    typeof(*held) *own = &held[hd_current->id];
    uint32_t i = own->count;
    while (i && own->descriptions[i - 1] != d - descriptions)
        i--;
    hd_assert(i);
    own->descriptions[i - 1] = own->descriptions[--own->count];
}

void hd_descriptors_end_calls(const hd_thread *t, const hd_site *site)
{
    while (held[t->id].count) {
        hd_description *d = &descriptions[held[t->id].descriptions[--held[t->id].count]];
        uint32_t outer = hd_step_begin(0);
        change_uses(d, site);
        drop_use(d, site);
        hd_step_end(outer);
    }
}

void hd_descriptors_release(int fd, hd_description *d, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    use_number(HD_NUMBER_USE, fd, site);
    forget_held(d); /* not before: the process may end first, and then it gives back what its calls have held */
    if (hd_descriptors_at(fd) != d)
        change_uses(d, site);
    drop_use(d, site);
    hd_step_end(outer);
}

hd_description *hd_descriptors_at(int fd)
{
    const hd_descriptors *table = own_table();
    uint32_t known = fd >= 0 && fd < table->used ? table->entries[fd].description : 0;
    return known ? &descriptions[known - 1] : NULL;
}

hd_description *hd_descriptors_hold(int fd, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    hd_description *d = hd_descriptors_at(fd);
    if (d) {
        use_number(HD_NUMBER_USE, fd, site);
        d->references++;
        note_held(d);
    }
    hd_step_end(outer);
    hd_call_site = site;
    return d;
}

hd_description *hd_descriptors_refer(int fd, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    hd_description *d = hd_descriptors_at(fd);
    if (d) {
        use_number(HD_NUMBER_USE, fd, site);
        d->references++;
        d->travels = 1;
    }
    hd_step_end(outer);
    hd_call_site = site;
    return d;
}

void hd_description_drop(hd_description *d, const hd_site *site)
{
    change_uses(d, site);
    drop_use(d, site);
    hd_effect();
}

/* --- numbers ------------------------------------------------------------------------------- */

/* A number below `to` that only other processes have; `to`: there is none. */
static int lowest_of_others(int from, int to)
{
    from = from > STDERR_FILENO ? from : STDERR_FILENO + 1;
    for (int fd = from; hd_process_count() > 1 && fd < to && fd < HD_DESCRIPTORS; fd++)
        if (hd_kernel_holders[fd] && !hd_descriptors_at(fd))
            return fd;
    return to;
}

/* Reserves the lowest free number. */
static int reserve(int from)
{
    int fd = (int)hd_kernel_reserve(from), other = lowest_of_others(from, fd < 0 ? HD_DESCRIPTORS : fd);
    if (other == (fd < 0 ? HD_DESCRIPTORS : fd))
        return fd;
    if (fd >= 0)
        hd_kernel_unreserve(fd);
    return other;
}

static void unreserve(int fd)
{
    if (fd > STDERR_FILENO && !hd_kernel_holders[fd])
        hd_kernel_unreserve(fd);
}

int hd_descriptors_lowest(int from)
{
    int fd = reserve(from);
    if (fd >= 0 && (fd >= HD_DESCRIPTORS || !hd_kernel_holders[fd]))
        hd_kernel_unreserve(fd);
    return fd;
}

/* `fd` has just been reserved for the description. */
static int enter(hd_description *d, int fd, int closes_on_exec)
{
    hd_descriptors *table = own_table();
    if (fd >= HD_DESCRIPTORS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a descriptor above %d is not modelled yet", HD_DESCRIPTORS - 1);
    table->entries[fd].description = (uint16_t)(d - descriptions + 1);
    table->entries[fd].closes_on_exec = closes_on_exec != 0;
    table->entries[fd].made_at = hd_call_site;
    table->used = fd >= table->used ? fd + 1 : table->used;
    active |= 1ull << hd_current->process;
    hd_kernel_holders[fd] |= 1ull << hd_current->process;
    d->references++;
    hd_makers_made(fd);
    hd_effect();
    check_validity();
    return fd;
}

int hd_descriptors_add(hd_description *d, int from, int closes_on_exec, const hd_site *site)
{
    hd_fs_number(from, site);
    int fd = reserve(from);
    hd_call_site = site;
    return fd < 0 ? fd : enter(d, fd, closes_on_exec);
}

/* Flags may be changed by those that know other numbers of it. */
int hd_descriptors_adopt(hd_description *d, int closes_on_exec, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_description_uses[d - descriptions], 0, NULL }, 1, site);
    int fd = hd_descriptors_add(d, 0, closes_on_exec, site);
    if (fd >= 0)
        d->references--;
    return fd;
}

void hd_descriptors_drop(int fd, const hd_site *site)
{
    hd_description *d = hd_descriptors_at(fd);
    use_number(HD_NUMBER_CLOSE, fd, site);
    own_table()->entries[fd].description = 0;
    hd_kernel_holders[fd] &= ~(1ull << hd_current->process);
    unreserve(fd);
    change_uses(d, site);
    drop_use(d, site);
    hd_effect();
    check_validity();
}

/* A limit of the kernel is not part of the model: no entry can have such a number. */
static int is_possible(int fd)
{
    return fd >= 0 && fd < sysconf(_SC_OPEN_MAX);
}

int hd_descriptors_replace(int fd, int to, int closes_on_exec, const hd_site *site)
{
    if (!is_possible(to))
        return -EBADF;
    uint32_t outer = hd_step_begin(0);
    hd_fs_look_up(fd, site);
    hd_description *d = hd_descriptors_at(fd);
    if (fd == to) {
        hd_step_end(outer);
        return fd;
    }
    d->references++;
    if (to > STDERR_FILENO || hd_descriptors_at(to))
        hd_fs_close(to, site) || close(to);
    else
        hd_fs_change_number(to, site);
    hd_step_end(outer);
    if (to > STDERR_FILENO && !hd_kernel_holders[to])
        hd_kernel_reserve(to);
    enter(d, to, closes_on_exec);
    drop_use(d, site);
    return to;
}

void hd_descriptors_copy(uint32_t to)
{
    const hd_descriptors *from = own_table();
    hd_descriptors *table = &hd_descriptor_tables[to];
    active |= 1ull << to;
    hd_makers_copy(to);
    table->used = from->used;
    memcpy(table->entries, from->entries, (size_t)from->used * sizeof *from->entries);
    for (int fd = 0; fd < from->used; fd++)
        if (from->entries[fd].description) {
            descriptions[from->entries[fd].description - 1].references++;
            table->entries[fd].made_at = NULL;
            hd_kernel_holders[fd] |= 1ull << to;
        }
    check_validity();
}

int hd_descriptors_first_open(const char **what, const hd_site **made_at)
{
    const hd_descriptors *table = own_table();
    for (int fd = 0; fd < table->used; fd++)
        if (table->entries[fd].description && table->entries[fd].made_at) {
            *what = hd_descriptors_at(fd)->type->name;
            *made_at = table->entries[fd].made_at;
            return fd;
        }
    return -1;
}

void hd_descriptors_close_all(const hd_site *site)
{
    for (int fd = 0; fd < own_table()->used; fd++)
        if (hd_descriptors_at(fd))
            hd_fs_close_at_end(fd, site);
}

void hd_descriptors_close_on_exec(const hd_site *site)
{
    for (int fd = 0; fd < own_table()->used; fd++)
        if (hd_descriptors_at(fd) && hd_descriptors_closes_on_exec(fd))
            hd_fs_close(fd, site);
}

/* --- flags ------------------------------------------------------------------------------------ */

int hd_descriptors_closes_on_exec(int fd)
{
    return own_table()->entries[fd].closes_on_exec;
}

void hd_descriptors_set_close_on_exec(int fd, int closes, const hd_site *site)
{
    hd_fs_change_number(fd, site);
    own_table()->entries[fd].closes_on_exec = closes != 0;
    hd_effect();
}

static void change_numbers_of(const hd_description *d, uint32_t process, const hd_site *site)
{
    const hd_descriptors *table = &hd_descriptor_tables[process];
    for (int fd = 0; fd < table->used; fd++)
        if (table->entries[fd].description == d - descriptions + 1)
            hd_fs_change_number_of(process, fd, site);
}

void hd_description_set_flags(hd_description *d, int flags, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    change_numbers_of(d, hd_current->process, site);
    for (uint32_t i = 0; d->travels && i < hd_process_count(); i++)
        if (i != hd_current->process)
            change_numbers_of(d, i, site);
    if (d->travels)
        change_uses(d, site);
    hd_step_end(outer);
    d->flags = flags;
    hd_effect();
}

#include "runtime/reset/images.h"

#include "abi/system.h"
#include "abi/wire.h"
#include "runtime/core/end.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/reset/fiber.h"

#include <string.h>
#include <sys/mman.h>

enum { PIECE = 4096, MOST_PARTS = 4096, OWN_STACK = 64 << 10 };
enum { NO_PROCESS = HD_MOST_PROCESSES }; /* the maker of variables of a program for exec */

#define ROOM (1ull << 32) /* for copies; only what is used takes memory */

/* The contents of a part in one process. `differs`: by piece, whether `copy` has it; otherwise it is as in the base. */
typedef struct version {
    char *copy;
    uint8_t *differs;
    uint64_t from; /* of a stack: its lowest address in use */
} version;

typedef struct part {
    char *start;
    size_t size;
    char *base; /* NULL: a stack, whose versions are copied as a whole */
    uint32_t stack;
    uint16_t maker, in_place; /* processes */
    uint8_t is_new; /* what is in place is the base */
    uint64_t processes; /* that have versions */
    version versions[HD_MOST_PROCESSES + 1]; /* that of NO_PROCESS differs nowhere */
} part;

uint32_t hd_image_parts;
static part *parts;
static char *room; /* for copies */
static size_t taken;
static void *own_sp; /* of the stack of this module */
static uint64_t in_place; /* processes all of whose versions are; those without parts are in place, too */

void hd_images_reset(void)
{
    hd_image_parts = 0;
    taken = 0;
    own_sp = NULL; /* a function that ran on it may have ended the run */
    in_place = UINT64_MAX;
}

static uint64_t bit(uint32_t process)
{
    return process < HD_MOST_PROCESSES ? 1ull << process : 0;
}

int hd_images_are_in_place(uint32_t process)
{
    return (in_place & bit(process)) != 0;
}

static void *take(size_t size)
{
    size = (size + 63) & ~(size_t)63;
    if (!room)
        room = hd_own_alloc(ROOM);
    if (taken + size > ROOM)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "copies of memory for processes take more than %llu MB", ROOM >> 20);
    taken += size;
    return room + taken - size;
}

/* --- parts ------------------------------------------------------------------------------------ */

static part *add(uint32_t process, uint32_t child)
{
    if (!parts)
        parts = hd_own_alloc(MOST_PARTS * sizeof *parts);
    if (hd_image_parts == MOST_PARTS)
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "fork by a process whose memory consists of more than %d parts", MOST_PARTS);
    part *p = &parts[hd_image_parts++];
    p->is_new = 0;
    p->maker = p->in_place = (uint16_t)process;
    p->processes = bit(process) | bit(child);
    return p;
}

static void make_version(part *p, uint32_t process)
{
    version *v = &p->versions[process];
    v->copy = take(p->size);
    v->differs = take(p->size / PIECE + 1);
    memset(v->differs, 0, p->size / PIECE + 1);
}

void hd_images_add(uint32_t process, uint32_t child, char *start, size_t size)
{
    if (!size)
        return;
    part *p = add(process, child);
    p->start = start;
    p->size = size;
    p->base = memcpy(take(size), start, size);
    p->is_new = 1;
    make_version(p, process);
    make_version(p, child);
}

static part *find(uint32_t process, uint64_t address)
{
    for (uint32_t i = 0; i < hd_image_parts; i++)
        if (address - (uint64_t)parts[i].start < parts[i].size && (parts[i].processes & bit(process)))
            return &parts[i];
    return NULL;
}

void hd_images_add_later(const char *like, char *start, size_t size)
{
    const part *of = find(hd_current->process, (uint64_t)like);
    if (!of || find(hd_current->process, (uint64_t)start))
        return;
    part *p = add(of->maker, of->maker);
    p->processes = of->processes;
    p->in_place = of->in_place;
    p->start = start;
    p->size = size;
    p->base = memcpy(take(size), start, size);
    for (uint32_t i = 0; i < HD_MOST_PROCESSES; i++)
        if (p->processes & bit(i))
            make_version(p, i);
}

static char *low_end(uint32_t stack)
{
    return (char *)HD_STACK_BASE + stack * HD_STACK_SPAN;
}

void hd_images_add_stack(uint32_t process, uint32_t child, uint32_t stack)
{
    part *p = add(process, child);
    p->start = low_end(stack);
    p->size = (size_t)((char *)hd_fiber_top(stack) - p->start);
    p->base = NULL;
    p->stack = stack;
    p->versions[process] = p->versions[child] = (version) { 0 };
}

void hd_images_inherit(uint32_t process, uint32_t child)
{
    for (uint32_t i = 0; i < hd_image_parts; i++) {
        part *p = &parts[i];
        if (!(p->processes & bit(process)) || (p->processes & bit(child)))
            continue;
        p->processes |= bit(child);
        if (p->base)
            make_version(p, child);
        else
            p->versions[child] = (version) { 0 };
    }
}

void hd_images_leave(uint32_t process)
{
    for (uint32_t i = 0; i < hd_image_parts; i++)
        if (parts[i].maker != process)
            parts[i].processes &= ~bit(process);
}

int hd_images_holds(uint32_t process, uint64_t address)
{
    return find(process, address) != NULL;
}

int hd_images_is_inherited(uint32_t process, uint64_t address)
{
    const part *p = find(process, address);
    return p && p->maker != process;
}

/* --- exchanging versions ------------------------------------------------------------------------ */

static size_t size_of_piece(const part *p, size_t at)
{
    return p->size - at < PIECE ? p->size - at : PIECE;
}

/* The version that is in place becomes one of `process`. */
static void save(part *p, uint32_t process)
{
    version *v = &p->versions[process];
    for (size_t at = 0, i = 0; at < p->size; at += PIECE, i++) {
        size_t size = size_of_piece(p, at);
        v->differs[i] = memcmp(p->start + at, p->base + at, size) != 0;
        if (v->differs[i])
            memcpy(v->copy + at, p->start + at, size);
    }
}

/* `left`: the version that is in place, and saved. */
static void load(part *p, const version *v, const version *left)
{
    for (size_t at = 0, i = 0; at < p->size; at += PIECE, i++)
        if (v->differs[i] || left->differs[i])
            memcpy(p->start + at, (v->differs[i] ? v->copy : p->base) + at, size_of_piece(p, at));
}

static const hd_thread *thread_on(uint32_t stack, uint32_t process)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].stack == stack && (process == NO_PROCESS || hd_threads[i].process == process)
            && hd_thread_lives(&hd_threads[i]))
            return &hd_threads[i];
    return NULL;
}

/* The lowest address of the stack that the process uses. A child has no thread on the stacks of its parent's other
 * threads: it keeps what they had in use when it was made. */
static const void *end_of_stack(const part *p, uint32_t process)
{
    const hd_thread *own = thread_on(p->stack, process), *any = own ? own : thread_on(p->stack, NO_PROCESS);
    if (!own && p->versions[process].copy)
        return (const void *)p->versions[process].from;
    return any ? any->sp : p->start + p->size;
}

/* The room for the copy of a stack grows with the stack. */
static void save_stack(part *p, uint32_t process)
{
    version *v = &p->versions[process];
    uint64_t from = hd_fiber_open_from(p->stack, end_of_stack(p, process)), end = (uint64_t)p->start + p->size;
    if (!v->copy || from < v->from)
        v->copy = take(end - from);
    v->from = from;
    memcpy(v->copy, (void *)from, end - from);
}

/* What another process has used below is zeros again (reset/fiber.h). */
static void load_stack(const part *p, const version *v, const version *left)
{
    if (left->from < v->from)
        memset((void *)left->from, 0, v->from - left->from);
    memcpy((void *)v->from, v->copy, (uint64_t)p->start + p->size - v->from);
}

static void exchange(part *p, uint32_t process)
{
    version *left = &p->versions[p->in_place], *v = &p->versions[process];
    if (p->base)
        save(p, p->in_place), load(p, v, left);
    else
        save_stack(p, p->in_place), load_stack(p, v, left);
    in_place &= ~bit(p->in_place);
    p->in_place = (uint16_t)process;
}

static part *find_fresh(const char *start)
{
    for (uint32_t i = 0; i < hd_image_parts; i++)
        if (parts[i].start == start && parts[i].maker == NO_PROCESS)
            return &parts[i];
    return NULL;
}

/* The first process that runs the program finds its variables fresh. */
void hd_images_add_fresh(uint32_t process, char *start, size_t size)
{
    part *p = find_fresh(start);
    if (!p && size) {
        p = add(NO_PROCESS, process);
        p->start = start;
        p->size = size;
        p->base = memcpy(take(size), start, size);
        make_version(p, NO_PROCESS);
    }
    if (!p)
        return;
    if (p->in_place != NO_PROCESS)
        exchange(p, NO_PROCESS);
    p->processes |= bit(process);
    p->in_place = (uint16_t)process;
    make_version(p, process);
    in_place |= bit(process); /* it is the current one */
}

void hd_images_copy(uint32_t child)
{
    for (uint32_t i = 0; i < hd_image_parts; i++) {
        part *p = &parts[i];
        if (!(p->processes & bit(child)))
            continue;
        if (!p->base)
            save_stack(p, child);
        else if (!p->is_new)
            save(p, child);
        p->is_new = 0;
    }
    in_place &= ~bit(child);
}

void hd_images_put(uint32_t process)
{
    for (uint32_t i = 0; i < hd_image_parts; i++)
        if ((parts[i].processes & bit(process)) && parts[i].in_place != process)
            exchange(&parts[i], process);
    in_place |= bit(process);
}

void hd_images_put_makers(void)
{
    for (uint32_t i = 0; i < hd_image_parts; i++)
        if (parts[i].in_place != parts[i].maker)
            exchange(&parts[i], parts[i].maker);
}

/* --- a stack of their own ------------------------------------------------------------------------- */

static char own_stack[OWN_STACK] __attribute__((aligned(64)));
static void (*task)(void);
static void **next;

static void run_tasks(void)
{
    for (;;) {
        task();
        hd_fiber_switch(&own_sp, *next);
    }
}

void hd_images_run(void **save, void (*what)(void), void **to)
{
    task = what;
    next = to;
    if (!own_sp)
        own_sp = hd_fiber_enter(own_stack + OWN_STACK, run_tasks);
    hd_fiber_switch(save, own_sp);
}

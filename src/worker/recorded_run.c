#include "worker/recorded_run.h"

#include "abi/lives.h"
#include "base/map.h"
#include "base/vec.h"
#include "event/op.h"
#include "event/plan.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *copy_text(hd_memory *m, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(hd_alloc(m, size), text, size);
}

static hd_location copy_location(hd_memory *m, const hd_site *site)
{
    if (!site)
        return (hd_location) { copy_text(m, "?"), copy_text(m, "?"), 0, 0 };
    return (hd_location) { copy_text(m, site->file), copy_text(m, site->function), site->line, site->column };
}

static const char *copy_path(hd_memory *m, const hd_site *site)
{
    const char *path = hd_site_path(site);
    return path ? copy_text(m, path) : NULL;
}

/* --- threads ------------------------------------------------------------------------------ */

static uint32_t count_starts(const hd_execution *e)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->log_count; i++)
        count += hd_edge_starts(&e->log[i]);
    return count;
}

/* The thread as it was created; it has ended unless record_end says otherwise. */
static hd_recorded_thread record_start(const hd_runtime *r, uint32_t entry, uint32_t creator, hd_memory *memory)
{
    const hd_op *start = &r->log[entry];
    return (hd_recorded_thread) { .view = { .status = HD_THREAD_DONE, .life = (uint16_t)hd_edge_life(start) },
        .slot = start->thread,
        .creator = creator,
        .location = copy_location(memory, NULL),
        .created = copy_location(memory, start->site),
        .creation_stack = r->stacks[entry] };
}

/* The thread that has the slot at the end. */
static void record_end(hd_recorded_thread *t, const hd_runtime *r, uint32_t slot, hd_memory *memory)
{
    const hd_thread_view *v = &r->threads[slot];
    bool waits = v->status == HD_THREAD_WAITING;
    t->view = *v;
    t->slot = slot;
    t->is_last = true;
    const hd_site *site = waits ? v->wait_site : v->status == HD_THREAD_AT_OP ? v->pending.site : NULL;
    t->location = copy_location(memory, site);
    t->path = copy_path(memory, site);
    t->stack = r->stacks[r->log_room + slot];
}

/* Numbers the threads as hd_thread_number does. */
static void record_threads(hd_recorded_run *s, const hd_execution *e, const hd_runtime *r, hd_memory *memory)
{
    hd_thread_numbers numbers;
    hd_thread_numbers_begin(&numbers, e->log, e->log_count);
    bool reused = numbers.reused;
    const uint32_t *now = numbers.now;
    s->thread_count = reused ? 1 + count_starts(e) : e->thread_count;
    s->threads = hd_alloc(memory, s->thread_count * sizeof *s->threads);
    for (uint32_t i = 0; i < s->thread_count; i++)
        s->threads[i].created = s->threads[i].location = copy_location(memory, NULL);
    for (uint32_t i = 0; i < e->log_count; i++) {
        hd_op *op = &s->ops[i].op;
        s->ops[i].number = hd_thread_numbers_next(&numbers, op);
        if (hd_edge_starts(op))
            s->threads[now[op->thread]] = record_start(r, i, now[op->object], memory);
        if (hd_op_class(op->kind) == HD_OBJECT_THREAD)
            op->object = now[hd_identity_slot((uint32_t)op->object)];
    }
    for (uint32_t i = 0; i < e->thread_count; i++)
        if (e->threads[i].status != HD_THREAD_UNUSED)
            record_end(&s->threads[reused ? now[i] : i], r, i, memory);
    if (!reused)
        return;
    s->slot_count = e->thread_count;
    s->numbers = hd_alloc(memory, s->slot_count * sizeof *s->numbers);
    memcpy(s->numbers, now, s->slot_count * sizeof *s->numbers);
}

/* --- modules ------------------------------------------------------------------------------ */

typedef struct modules {
    hd_vec(hd_module) items;
    hd_memory *memory;
} modules;

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    modules *all = context;
    hd_module m = { copy_text(all->memory, info->dlpi_name), info->dlpi_addr, UINT64_MAX, 0 };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        /* The range of a module spans all its loaded segments. */
        if (part->p_type != PT_LOAD)
            continue;
        uint64_t start = m.base + part->p_vaddr, end = start + part->p_memsz;
        m.start = start < m.start ? start : m.start;
        m.end = end > m.end ? end : m.end;
    }
    hd_vec_push(&all->items, m);
    return 0;
}

static void record_modules(hd_recorded_run *s, hd_memory *memory)
{
    modules all = { .items = { .memory = memory }, .memory = memory };
    dl_iterate_phdr(add_module, &all);
    s->modules = all.items.items;
    s->module_count = (uint32_t)all.items.count;
}

/* The bytes of the cell that the operation accesses, as a number. */
static uint64_t masked(const hd_op *op, uint64_t cell)
{
    int first = __builtin_ctz(op->mask), size = __builtin_popcount(op->mask);
    cell >>= 8 * first;
    return size < 8 ? cell & ((1ull << 8 * size) - 1) : cell;
}

/* Through the kernel: the address may have been unmapped since. */
static bool read_cell(uint64_t address, uint64_t *cell)
{
    struct iovec into = { cell, sizeof *cell }, from = { (void *)address, sizeof *cell };
    return process_vm_readv(getpid(), &into, 1, &from, 1, 0) == sizeof *cell;
}

/* The value of each memory operation. The log has the cell's contents before each operation. A read
 * saw these; a write left what the cell held before the next operation on it, or holds at the end.
 * So the log is walked backwards. */
static void record_values(hd_recorded_run *s, hd_memory *memory)
{
    hd_map later; /* cell → its contents before the operation that follows */
    hd_map_init(&later, memory);
    for (uint32_t i = s->op_count; i-- > 0;) {
        hd_recorded_op *o = &s->ops[i];
        uint64_t cell = o->op.value;
        if (!(o->op.flags & HD_OP_BEFORE))
            continue;
        const uint64_t *next = hd_map_get(&later, o->op.object);
        o->has_value = true;
        if (!hd_kind_looks(o->op.kind) && next)
            cell = *next;
        else if (!hd_kind_looks(o->op.kind))
            o->has_value = read_cell(o->op.object, &cell);
        o->value = masked(&o->op, cell);
        *hd_map_put(&later, o->op.object) = o->op.value;
    }
    hd_map_fini(&later);
}

/* --- blocks and copies of variables ---------------------------------------------------- */

/* Calls of the library's functions name them in their paths (abi/site.h). */
static const char *name_of_call(hd_memory *m, const hd_site *site)
{
    const char *path = hd_site_path(site), *colon = path ? strchr(path, ':') : NULL;
    if (!colon)
        return NULL;
    char *name = hd_alloc(m, (size_t)(colon - path) + 1);
    return memcpy(name, path, (size_t)(colon - path));
}

static hd_recorded_block describe_block(uint64_t address, const hd_runtime *runtime, hd_memory *memory)
{
    hd_block_view v;
    if (!runtime->block || !runtime->block(address, &v))
        return (hd_recorded_block) { 0 };
    return (hd_recorded_block) { .address = v.address,
        .size = v.size,
        .allocated = copy_location(memory, v.allocated),
        .freed = copy_location(memory, v.freed),
        .function = name_of_call(memory, v.allocated),
        .allocator = hd_thread_number(runtime->log, *runtime->log_count, v.allocator),
        .freer = hd_thread_number(runtime->log, *runtime->log_count, v.freer),
        .known = true,
        .is_freed = v.freed != NULL };
}

typedef hd_vec(uint64_t) addresses;

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* All addresses that operations access, wait for or leave in memory, sorted; some are not addresses. */
static void collect_addresses(const hd_recorded_run *s, addresses *all)
{
    for (uint32_t i = 0; i < s->op_count; i++) {
        const hd_recorded_op *o = &s->ops[i];
        hd_vec_push(all, hd_op_address(&o->op) + (o->op.mask ? (uint64_t)__builtin_ctz(o->op.mask) : 0));
        if (o->has_value)
            hd_vec_push(all, o->value);
    }
    for (uint32_t i = 0; i < s->thread_count; i++) {
        const hd_thread_view *v = &s->threads[i].view;
        hd_vec_push(all, hd_op_address(&v->pending));
        hd_vec_push(all, v->wait_object);
    }
    qsort(all->items, all->count, sizeof *all->items, by_address);
}

static void record_memory(hd_recorded_run *s, const hd_runtime *runtime, hd_memory *memory)
{
    addresses all = { .memory = memory };
    hd_vec(hd_recorded_block) blocks = { .memory = memory };
    hd_vec(hd_recorded_copy) copies = { .memory = memory };
    collect_addresses(s, &all);
    for (size_t i = 0; i < all.count; i++) {
        uint64_t address = all.items[i], initial;
        const hd_recorded_block *last = blocks.count ? &blocks.items[blocks.count - 1] : NULL;
        if ((i && address == all.items[i - 1]) || (last && address - last->address < last->size))
            continue;
        hd_recorded_block block = describe_block(address, runtime, memory);
        if (block.known && (!last || block.address != last->address))
            hd_vec_push(&blocks, block);
        if (runtime->initial && (initial = runtime->initial(address)))
            hd_vec_push(&copies, ((hd_recorded_copy) { address, initial }));
    }
    hd_vec_fini(&all);
    s->blocks = blocks.items;
    s->block_count = (uint32_t)blocks.count;
    s->copies = copies.items;
    s->copy_count = (uint32_t)copies.count;
}

void hd_recorded_run_fill(hd_recorded_run *s, const hd_execution *e, const hd_runtime *runtime, hd_memory *memory)
{
    s->op_count = e->log_count;
    s->ops = hd_alloc(memory, e->log_count * sizeof *s->ops);
    for (uint32_t i = 0; i < e->log_count; i++) {
        s->ops[i] = (hd_recorded_op) { .op = e->log[i],
            .location = copy_location(memory, e->log[i].site),
            .path = copy_path(memory, e->log[i].site) };
        if (e->log[i].kind != HD_EDGE || hd_edge_starts(&e->log[i]))
            s->ops[i].stack = runtime->stacks[i];
    }
    record_values(s, memory);
    record_threads(s, e, runtime, memory);
    s->outcome = *e->outcome;
    s->location = copy_location(memory, e->outcome->site);
    s->input_count = e->input_count;
    s->inputs = hd_alloc(memory, e->input_count * sizeof *s->inputs);
    if (e->input_count)
        memcpy(s->inputs, e->inputs, e->input_count * sizeof *s->inputs);
    record_modules(s, memory);
    record_memory(s, runtime, memory);
}

void hd_recorded_run_add_block(hd_recorded_run *s, uint64_t address, const hd_runtime *runtime, hd_memory *memory)
{
    s->block = describe_block(address, runtime, memory);
}

/* --- a copy ------------------------------------------------------------------------------ */

static void copy_location_texts(hd_location *p, hd_arena *arena)
{
    p->file = hd_arena_copy(arena, p->file);
    p->function = hd_arena_copy(arena, p->function);
}

static const char *copy_if_any(const char *text, hd_arena *arena)
{
    return text ? hd_arena_copy(arena, text) : NULL;
}

static void copy_block_texts(hd_recorded_block *b, hd_arena *arena)
{
    copy_location_texts(&b->allocated, arena);
    copy_location_texts(&b->freed, arena);
    b->function = copy_if_any(b->function, arena);
}

static void *copy_array(hd_arena *arena, const void *items, size_t size)
{
    void *copy = hd_arena_alloc(arena, size);
    return size ? memcpy(copy, items, size) : copy;
}

void hd_recorded_run_copy(hd_recorded_run *to, const hd_recorded_run *from, hd_arena *arena)
{
    *to = *from;
    to->ops = copy_array(arena, from->ops, from->op_count * sizeof *from->ops);
    for (uint32_t i = 0; i < to->op_count; i++) {
        copy_location_texts(&to->ops[i].location, arena);
        to->ops[i].path = copy_if_any(to->ops[i].path, arena);
    }
    to->threads = copy_array(arena, from->threads, from->thread_count * sizeof *from->threads);
    for (uint32_t i = 0; i < to->thread_count; i++) {
        copy_location_texts(&to->threads[i].location, arena);
        copy_location_texts(&to->threads[i].created, arena);
        to->threads[i].path = copy_if_any(to->threads[i].path, arena);
    }
    to->numbers = from->numbers ? copy_array(arena, from->numbers, from->slot_count * sizeof *from->numbers) : NULL;
    copy_location_texts(&to->location, arena);
    if (to->block.known)
        copy_block_texts(&to->block, arena);
    to->blocks = copy_array(arena, from->blocks, from->block_count * sizeof *from->blocks);
    for (uint32_t i = 0; i < to->block_count; i++)
        copy_block_texts(&to->blocks[i], arena);
    to->copies = copy_array(arena, from->copies, from->copy_count * sizeof *from->copies);
    to->inputs = copy_array(arena, from->inputs, from->input_count * sizeof *from->inputs);
    to->modules = copy_array(arena, from->modules, from->module_count * sizeof *from->modules);
    for (uint32_t i = 0; i < to->module_count; i++)
        to->modules[i].path = hd_arena_copy(arena, to->modules[i].path);
}

#include "runtime/sched/log.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/images.h"
#include "runtime/sched/blocks.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"
#include "runtime/sched/stacks.h"
#include "runtime/symbolic/lines.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The bytes of its cell that the operation accesses, at their positions in the word; the sizes 1, 4 and 8 are the
 * frequent ones. */
static uint64_t bytes_of_cell(const hd_op *op)
{
    uint64_t value = 0;
    uint32_t first = (uint32_t)__builtin_ctz(op->mask | 256), size = (uint32_t)__builtin_popcount(op->mask);
    const char *from = (const char *)hd_op_address(op) + first;
    switch (op->mask >> first == (1 << size) - 1 ? size : 0) {
    case 1:
        return (uint64_t) * (const uint8_t *)from << 8 * first;
    case 4:
        memcpy(&value, from, 4);
        return value << 8 * first;
    case 8:
        memcpy(&value, from, 8);
        return value;
    default:
        for (int i = 0; i < 8; i++)
            if (op->mask >> i & 1)
                value |= (uint64_t)((const uint8_t *)hd_op_address(op))[i] << 8 * i;
        return value;
    }
}

/* The contents of a block are a hash: of its first cell, and in turn of the further ones. */
static uint64_t add_cells(uint64_t hash, const uint64_t *cells, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        hash = ((hash ^ hash >> 29) + cells[i]) * 0x9e3779b97f4a7c15u;
    return hash;
}

static uint64_t contents_of(const hd_op *op)
{
    uint64_t first = bytes_of_cell(op);
    if (hd_block_is_cell((const void *)hd_op_address(op)))
        return first;
    return add_cells(first, (const uint64_t *)hd_op_address(op) + 1, hd_block_bytes(op) / 8 - 1);
}

/* Room for one more entry of the log, by an operation of `t` at `site`. */
static hd_op *next_in_log(hd_thread *t, const hd_site *site)
{
    uint32_t at = *hd_rt.log_count;
    if (UNLIKELY(at >= hd_rt.log_room))
        hd_end(HD_DEPTH, site, "more than %u operations", at);
    t->logged++;
    *hd_rt.log_count = at + 1;
    return &hd_rt.log[at];
}

/* Copies an operation that has just been written, by words, as it was written: a load of two words would have to wait
 * until both are in the cache. */
static void copy_op(hd_op *to, const hd_op *from)
{
    typedef volatile uint64_t __attribute__((may_alias)) word;
    _Static_assert(sizeof *to == 4 * sizeof(word), "four words");
    word *into = (word *)to;
    const word *read = (const word *)from;
    into[0] = read[0];
    into[1] = read[1];
    into[2] = read[2];
    into[3] = read[3];
}

/* Records the value that an atomic access finds, and the operand that decides whether an update changes it. With
 * these an explorer can predict the effect of the operation before another access. */
static void note_contents(const hd_thread *t, hd_op *op)
{
    op->value = contents_of(op);
    if (hd_op_test(op))
        hd_rt.operands[op - hd_rt.log] = t->update.decides;
}

static void check_validity(void)
{
    hd_check_valid(hd_log_is_valid(), *hd_rt.log_count, *hd_rt.log_count);
}

void hd_log_published(hd_thread *t)
{
    t->unpublished = hd_heap_next(t->id);
    t->initialises_count = 0;
}

void hd_log_initialises(hd_thread *t, const void *object, size_t bytes)
{
    if (t->initialises_count == HD_INITIALISED)
        return; /* its accesses count */
    hd_compose_forget(); /* accesses so far do count */
    t->initialises[t->initialises_count].from = (uint64_t)object;
    t->initialises[t->initialises_count++].to = (uint64_t)object + bytes;
}

/* Only memory of the thread's own arena is known to be its own. */
static int is_unpublished(const hd_thread *t, uint64_t address)
{
    return address >= (uint64_t)t->unpublished && address < (uint64_t)hd_heap_next(t->id);
}

static int is_initialised(const hd_thread *t, const hd_op *op)
{
    uint64_t address = hd_op_address(op), first = address + (uint64_t)__builtin_ctz(op->mask | 256);
    uint64_t end = address + hd_block_bytes(op) - (uint64_t)__builtin_clz((op->mask | 1u) << 24);
    for (uint32_t i = 0; i < t->initialises_count; i++)
        if (first >= t->initialises[i].from && end <= t->initialises[i].to)
            return 1;
    return 0;
}

static int is_own(const hd_thread *t, const hd_op *op)
{
    return hd_kind_is_memory(op->kind) && (is_unpublished(t, hd_op_address(op)) || is_initialised(t, op));
}

void hd_log_note_publication(hd_thread *t, hd_op *op)
{
    if (hd_kind_publishes(op->kind)) {
        if (!is_own(t, op))
            hd_log_published(t);
    } else if (hd_kind_is_plain(op->kind) && is_own(t, op)) {
        op->flags |= HD_OP_INITIAL;
    }
}

void hd_log_operation(hd_thread *t, uint16_t flags)
{
    if (!hd_the_engine)
        return;
    hd_op *op = next_in_log(t, t->view->pending.site);
    copy_op(op, &t->view->pending);
    if (flags)
        op->flags |= flags;
    if (!(flags & HD_OP_COMPOSED))
        hd_compose_forget();
    if (hd_kind_is_memory(op->kind) && (!hd_kind_is_plain(op->kind) || hd_rt.options->values))
        note_contents(t, op);
    if (UNLIKELY(t->claimed.claim != NULL))
        hd_rt.calls[op - hd_rt.log] = hd_call_of(&t->claimed);
    if (hd_fast_state.shadowed && hd_kind_is_memory(op->kind)
        && hd_lines_hold((const void *)hd_op_address(op), hd_block_bytes(op)))
        op->flags |= HD_OP_FROM_INPUTS;
    if (hd_rt.options->settings.discipline | (hd_rt.options->compose == HD_COMPOSES_NOW))
        hd_log_note_publication(t, op);
    if (hd_rt.options->compose && hd_compose_kinds[op->kind] & HD_COMPOSE_LOOKS)
        hd_compose_note(op);
    if (!(op->flags & HD_OP_CONTINUES))
        t->view->steps++;
    if (hd_rt.options->stacks)
        hd_stacks_copy(t->id, *hd_rt.log_count - 1);
    hd_spin_note(op);
    hd_passing_note(t, op);
    check_validity();
}

enum { LEFT_PIECE = 1 << 14, PAGE_BITS = 12, KNOWN_PAGES = 16 };

/* Pages that the kernel could read. Nothing is unmapped while the final contents are read, so the rest of such a page
 * can be read directly, without a system call for each operation. */
typedef struct {
    uint64_t page[KNOWN_PAGES]; /* 0: none */
} readable;

static int read_by_kernel(void *to, uint64_t address, uint64_t size)
{
    struct iovec into = { to, size }, from = { (void *)address, size };
    return process_vm_readv(getpid(), &into, 1, &from, 1, 0) == (ssize_t)size;
}

/* Has fork divided the memory? What is left of a child's is not in place at the end, nor are dead parts of stacks. */
static int is_divided(const hd_op *op)
{
    int in_stack = hd_op_address(op) - HD_STACK_BASE < HD_STACK_SPAN * HD_MAX_THREADS;
    return hd_image_parts && (in_stack || op->object != hd_op_address(op));
}

static int read_cell(uint64_t *cell, uint64_t address, readable *known)
{
    uint64_t page = address >> PAGE_BITS, *slot = &known->page[page % KNOWN_PAGES];
    if (*slot == page) {
        *cell = *(const uint64_t *)address;
        return 1;
    }
    if (!read_by_kernel(cell, address, sizeof *cell))
        return 0;
    *slot = page;
    return 1;
}

/* The final contents of the operation's bytes; 0 if the memory is no longer mapped. The kernel reads what is not known
 * to be readable, because a direct read could fault. */
static uint64_t what_is_left(const hd_op *op, readable *known)
{
    uint64_t cell = 0, bytes = 0, end = hd_block_end(hd_op_address(op));
    if (!read_cell(&cell, hd_op_address(op), known))
        return 0;
    for (uint32_t i = 0; i < sizeof cell; i++)
        if (op->mask >> i & 1)
            bytes |= cell & 0xffull << 8 * i;
    for (uint64_t at = hd_op_address(op) + 8; at < end; at += LEFT_PIECE) {
        uint64_t size = end - at < LEFT_PIECE ? end - at : LEFT_PIECE, piece[LEFT_PIECE / 8];
        if (!read_by_kernel(piece, at, size))
            return 0;
        bytes = add_cells(bytes, piece, size / 8);
    }
    return bytes;
}

void hd_log_what_is_left(void)
{
    readable known = { 0 };
    for (uint32_t i = 0; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        int writes = hd_kinds[op->kind].effect == HD_EFFECT_WRITES && !(op->flags & HD_OP_WITHDRAWN);
        if (!(hd_op_test(op))) /* those have an operand */
            hd_rt.operands[i] = writes && !is_divided(op) ? what_is_left(op, &known) : 0;
    }
}

void hd_log_value(uint64_t value)
{
    uint32_t at = *hd_rt.log_count;
    while (at && hd_the_engine && (hd_rt.log[at - 1].flags & HD_OP_LOOK))
        at--; /* the looks of a wait that the operation has ended */
    if (hd_the_engine && at && hd_rt.log[at - 1].thread == hd_current->id)
        hd_rt.log[at - 1].value = value;
}

void hd_log_opaque(void)
{
    hd_log_value(0);
}

uint16_t hd_log_from_inputs(const void *object)
{
    uint32_t at = *hd_rt.log_count;
    hd_op *op = hd_the_engine && at ? &hd_rt.log[at - 1] : NULL;
    if (!op || op->thread != hd_current->id || hd_kinds[op->kind].decided != HD_DECIDED_VALUE
        || hd_op_address(op) != ((uint64_t)object & ~7ull))
        return 0; /* it was no operation */
    op->flags |= HD_OP_FROM_INPUTS;
    return HD_OP_CONTINUES;
}

void hd_log_note(hd_op note)
{
    uint32_t at = *hd_rt.log_count;
    if (!hd_the_engine)
        return;
    if (at >= hd_rt.log_room)
        hd_end(HD_DEPTH, NULL, "more than %u operations", at);
    hd_rt.log[at] = note;
    *hd_rt.log_count = at + 1;
    hd_compose_forget();
    check_validity();
}

void hd_log_branch(uint32_t expression, uint64_t value, const hd_site *site, uint16_t flags)
{
    uint32_t at = *hd_rt.log_count;
    if (hd_the_engine && hd_current->logged++ >= hd_rt.options->settings.depth)
        hd_end(HD_DEPTH, site, "T%u does more than %u operations and branches on inputs", hd_number_of(hd_current),
            hd_current->logged - 1);
    hd_log_note((hd_op) { .kind = HD_BRANCH,
        .thread = (uint16_t)hd_current->id,
        .object = expression,
        .value = value,
        .site = site,
        .flags = flags | (hd_step_goes_on() ? HD_OP_CONTINUES : 0) });
    if (hd_the_engine && hd_rt.options->stacks) {
        hd_stacks_record(hd_current->id, __builtin_frame_address(0));
        hd_stacks_copy(hd_current->id, at);
    }
}

void hd_edge(hd_thread *to, hd_thread *from, hd_wait_reason reason, int takes_result)
{
    if (to->now < from->now)
        to->now = from->now;
    to->goes_on = 0;
    int starts = reason == HD_WAIT_NONE, joins = reason == HD_WAIT_JOIN;
    hd_log_note((hd_op) { .kind = HD_EDGE,
        .thread = (uint16_t)to->id,
        .object = from->id,
        .mask = (uint8_t)reason,
        .site = starts ? to->view->created_at : NULL,
        .value = hd_edge_value(starts ? to->view->life
                : joins               ? from->view->life
                                      : 0,
            takes_result) });
}

/* --- validity -------------------------------------------------------------------- */

static int edge_is_valid(const hd_op *op)
{
    return op->object < *hd_rt.thread_count && op->object != op->thread && op->mask <= HD_WAIT_TIME;
}

int hd_log_is_valid(void)
{
    uint32_t logged[HD_MAX_THREADS] = { 0 }, steps[HD_MAX_THREADS] = { 0 }, last = HD_MAX_THREADS;
    if (*hd_rt.log_count > hd_rt.log_room)
        return 0;
    for (uint32_t i = 0; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        int continues = op->flags & HD_OP_CONTINUES;
        if (op->thread >= *hd_rt.thread_count || op->kind == HD_NONE || op->kind > HD_EDGE)
            return 0;
        if (op->kind == HD_EDGE && !edge_is_valid(op))
            return 0;
        if (hd_edge_starts(op))
            logged[op->thread] = 0; /* of this life */
        if (op->kind == HD_EDGE || op->flags & HD_OP_WITHDRAWN)
            continue;
        if (continues && op->thread != last)
            return 0;
        last = op->thread;
        logged[last]++;
        steps[last] += op->kind != HD_BRANCH && !continues;
    }
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].logged - hd_threads[i].repeated != logged[i] || hd_rt.threads[i].steps != steps[i])
            return 0;
    return 1;
}

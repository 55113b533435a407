#include "runtime/sched/access.h"

#include "abi/fast.h"
#include "abi/lives.h"
#include "runtime/image/snapshot.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/blocks.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/log.h"
#include "runtime/sched/places.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/unshared.h"
#include "runtime/symbolic/follow.h"

#include <stdio.h>
#include <string.h>

#define HOOK_ENTRY __attribute__((visibility("default")))
#if __has_attribute(preserve_most)
#define SAVES_REGISTERS __attribute__((preserve_most))
#else
#define SAVES_REGISTERS
#endif

/* A mark is 22 bits of generation and 10 of thread number; the last generation would collide with HD_OWNER_SHARED. */
enum { FIRST_GENERATION = 1, LAST_GENERATION = (1 << (32 - HD_SLOT_BITS)) - 2, WIDEN_AFTER = 8, WIDEST = 9 };

hd_facts *hd_known;

/* Memory further apart shares owners. */
enum { OWNED_BYTES = 8 * HD_OWNER_CELLS };

static uint32_t *const owners = (uint32_t *)HD_OWNERS_BASE;
static int learned;

void hd_access_init(hd_facts *facts)
{
    hd_known = facts;
    if (!facts->generation)
        facts->generation = FIRST_GENERATION;
}

uint32_t hd_access_mark(uint32_t id)
{
    return hd_exploring() ? hd_known->generation << HD_SLOT_BITS | id : 0;
}

void hd_access_forget(void)
{
    if (hd_known->generation < LAST_GENERATION) {
        hd_known->generation++;
        return;
    }
    hd_known->generation = FIRST_GENERATION;
    for (uint32_t i = 0; i < HD_OWNER_CELLS; i++)
        if (!hd_block_is_shared(owners[i]))
            owners[i] = 0;
}

/* With the option `alone`, owners are kept from run to run: an explorer that does not execute every interleaving may
 * never execute two conflicting accesses in one run, so a cell that different threads touch in different runs
 * has to be shared as well. */
void hd_access_new_run(void)
{
    if (!hd_rt.options->alone)
        hd_access_forget();
    learned = 0;
}

int hd_access_learned(void)
{
    return learned;
}

void hd_learned(void)
{
    learned = 1;
}

void hd_learned_now(const char *what)
{
    learned = 1;
    hd_end(HD_LEARNED, hd_call_site, "%s", what);
}

uint32_t hd_access_learn(void)
{
    if (!learned)
        hd_known->learned_runs++;
    learned = 1;
    uint32_t shift = hd_known->learned_runs > WIDEN_AFTER ? hd_known->learned_runs - WIDEN_AFTER : 0;
    return shift > WIDEST ? WIDEST : shift;
}

/* Marks the cell as shared. After several runs that ended for this reason, ever larger parts around the cell are
 * marked, so that an array costs few restarts. More cells than necessary are sound: they only add operations. */
static void learn(const void *address)
{
    uint32_t shift = hd_access_learn(), first = hd_owner_index(address) >> shift << shift;
    for (uint32_t i = 0; i < 1u << shift; i++)
        owners[first + i] = HD_OWNER_SHARED;
}

/* A mark that no thread has: with it, every access finds a cell of another owner. */
enum { NOBODYS_MARK = HD_OWNER_JOINED - 1 };

void hd_access_reveal(void)
{
    hd_fast_state.mark = NOBODYS_MARK;
}

/* Has the current process, whose only thread is the current one, a version of the memory? */
static int is_divided(const void *address)
{
    uint32_t process = hd_current->process;
    return hd_image_parts && !(hd_known->threaded >> process & 1) && hd_images_holds(process, (uint64_t)address);
}

/* Does the thread that owns the cell see another version of it? */
static int differs_for(uint32_t owner, const void *address)
{
    return is_divided(address) && !hd_sees_same(&hd_threads[hd_identity_slot(owner)], address);
}

/* Does another thread own the cell, which is not shared? A cell without an owner becomes the current thread's own. */
static int is_another_threads(const void *address)
{
    uint32_t *owner = hd_owner_of(address);
    if (hd_fast_state.mark == NOBODYS_MARK)
        return 1;
    if (*owner == HD_OWNER_DIVIDED)
        return !is_divided(address);
    if (*owner >> HD_SLOT_BITS != hd_known->generation)
        *owner = hd_fast_state.mark;
    else if (*owner != hd_fast_state.mark && differs_for(*owner, address))
        *owner = HD_OWNER_DIVIDED;
    return *owner != hd_fast_state.mark && *owner != HD_OWNER_DIVIDED;
}

/* Is an access of the current thread to this cell an operation? A cell of another thread becomes shared, but the
 * access is not an operation yet: the run will not count. */
static int is_operation(const void *address)
{
    uint64_t cell = (uint64_t)address & ~7ull;
    uint32_t *owner = hd_owner_of(address);
    if (hd_block_is_shared(*owner)) {
        if (!hd_block_is_cell(address))
            hd_block_cut(cell, cell + 8);
        return 1;
    }
    if (is_another_threads(address))
        learn(address);
    return 0;
}

static uint8_t mask_of(uint64_t address, uint64_t size)
{
    return (uint8_t)((size >= 8 ? 0xffu : (1u << size) - 1) << (address & 7));
}

/* Performs an access within one cell, or to a block. The memory may be freed while the thread waits for its turn, so
 * it is checked again afterwards. */
static void perform_plain(uint64_t address, uint64_t size, const hd_site *site, uint32_t is_write)
{
    hd_perform_access(is_write ? HD_WRITE : HD_READ, address & ~7ull, mask_of(address, size), 0, site, NULL);
    hd_heap_check((const void *)address, size, site, (int)is_write);
}

/* Is an access to these bytes none to other threads, although their cells are shared? */
static int is_unshared(uint64_t address, uint64_t bytes)
{
    return UNLIKELY(hd_unshared_count) && hd_block_is_shared(*hd_owner_of((const void *)address))
        && hd_unshared_keeps((const void *)address, bytes);
}

/* An access within one cell: performs it if it is an operation. */
static void touch_cell(uint64_t address, uint64_t size, const hd_site *site, uint32_t is_write)
{
    if (hd_exploring() && !is_unshared(address, size) && is_operation((const void *)address))
        perform_plain(address, size, site, is_write);
}

/* With --volatile=atomic, volatile accesses are atomic. */
static int is_atomic(uint32_t info)
{
    return (info & HD_INFO_VOLATILE) && hd_rt.options->settings.volatiles;
}

static void touch_volatile(uint64_t address, uint64_t size, const hd_site *site, uint32_t is_write)
{
    if (!hd_exploring() || !is_operation((const void *)address))
        return;
    hd_perform_access(is_write ? HD_STORE : HD_LOAD, address & ~7ull, mask_of(address, size), 0, site, NULL);
    hd_heap_check((const void *)address, size, site, (int)is_write);
}

static __attribute__((noinline)) SAVES_REGISTERS void access_slowly(
    const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
{
    if (hd_fast_state.several && is_atomic(info))
        touch_volatile((uint64_t)address, info & HD_INFO_SIZE, site, is_write);
    else if (hd_fast_state.several)
        touch_cell((uint64_t)address, info & HD_INFO_SIZE, site, is_write);
}

/* With random schedules most accesses end here, so the fast path calls no function that would need registers saved. */
static __attribute__((noinline)) SAVES_REGISTERS void access_anew(
    const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
{
    uint64_t at = (uint64_t)address;
    int flows = hd_fast_state.several && hd_block_is_cell(address) && !(hd_known->signals | hd_known->cancels)
        && !is_atomic(info)
        && hd_flow_access(is_write ? HD_WRITE : HD_READ, at & ~7ull, mask_of(at, info & HD_INFO_SIZE), site);
    if (!flows)
        access_slowly(address, info, site, is_write);
    else if (UNLIKELY(hd_composes()) && !hd_current->process)
        hd_compose_flows = hd_compose_since;
}

/* An access in a step to which others have been composed. */
static __attribute__((noinline)) SAVES_REGISTERS void access_another(
    const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
{
    uint64_t at = (uint64_t)address, cell = at & ~7ull;
    hd_op_kind kind = is_write ? HD_WRITE : HD_READ;
    uint8_t mask = mask_of(at, info & HD_INFO_SIZE);
    if (hd_compose_repeats(cell, mask, kind, site))
        return;
    if (hd_block_is_cell(address) && *hd_rt.log_count < hd_rt.log_room
        && hd_current->logged < hd_rt.options->settings.depth)
        hd_compose_flow(kind, cell, cell, mask, site);
    else
        access_anew(address, info, site, is_write);
}

static __attribute__((noinline)) SAVES_REGISTERS void access_composed(
    const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
{
    uint64_t at = (uint64_t)address;
    uint32_t size = info & HD_INFO_SIZE;
    int repeats =
        is_write ? hd_compose_repeats_last(at, size, HD_WRITE, site) : hd_compose_repeats_last(at, size, HD_READ, site);
    if (!repeats)
        access_another(address, info, site, is_write);
}

/* The hook of plain accesses that are not the thread's own. */
HOOK_ENTRY SAVES_REGISTERS void hd_access(const void *address, uint32_t info, const hd_site *site, uint32_t is_write)
{
    if (UNLIKELY(hd_compose_flows == hd_compose_since) && !(info & HD_INFO_VOLATILE))
        access_composed(address, info, site, is_write);
    else
        access_anew(address, info, site, is_write);
}

/* An access that is not allowed, or no longer allowed, is still performed as an operation first: in another order
 * it might be allowed, so explorers have to see the conflict. */
HOOK_ENTRY SAVES_REGISTERS _Noreturn void hd_bad_access(
    const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
{
    if (hd_fast_state.several)
        touch_cell((uint64_t)address, bytes < 8 ? bytes : 8 - ((uint64_t)address & 7), site, is_write);
    hd_heap_check(address, bytes, site, (int)is_write);
    hd_end(HD_CRASH, site, "access to %p is not allowed", address);
}

/* The cells from `from` on that have this owner, several at a time. */
static uint32_t count_owned(const uint32_t *from, uint32_t cells, uint32_t owner)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells; i++)
        count += from[i] == owner;
    return count;
}

/* The number of blocks of the range that are known to be shared; of more than one, perhaps only some. */
static uint32_t count_shared(const hd_range *r)
{
    enum { AT_ONCE = 256 };
    uint64_t end = (uint64_t)r->address + r->bytes, cell = (uint64_t)r->address & ~7ull;
    uint32_t shared = 0;
    for (uint64_t cells; cell < end && shared < 2; cell += 8 * cells) {
        cells = (end - cell + 7) / 8;
        uint32_t index = hd_owner_index((void *)cell), most = HD_OWNER_CELLS - index;
        most = most < AT_ONCE ? most : AT_ONCE;
        cells = cells < most ? cells : most;
        shared += count_owned(&owners[index], (uint32_t)cells, HD_OWNER_SHARED);
    }
    return shared;
}

/* Can the memory change at all? Reads of constants need no operation. */
static int can_change(const void *address)
{
    return hd_heap_holds(address) || (uint64_t)address - HD_STACK_BASE < HD_STACK_SPAN * HD_MAX_THREADS
        || hd_snapshot_holds((uint64_t)address);
}

/* Is the whole range owned by the current thread? The cells of a longer range have no other owners. */
static int is_own(const hd_range *r)
{
    uint64_t bytes = r->bytes < OWNED_BYTES ? r->bytes : OWNED_BYTES;
    for (uint64_t cell = (uint64_t)r->address & ~7ull; cell < (uint64_t)r->address + bytes; cell += 8)
        if (*hd_owner_of((void *)cell) != hd_fast_state.mark)
            return 0;
    return 1;
}

/* Makes the cells from `from` on the current thread's own, as long as they are its own or nobody's, several at a time;
 * returns where it stops, which is before the first cell that is neither. */
static uint64_t claim_free(uint64_t from, uint64_t to)
{
    enum { CELLS = 64, BYTES = 8 * CELLS };
    uint32_t mark = hd_fast_state.mark, generation = hd_known->generation;
    if (mark == NOBODYS_MARK)
        return from;
    for (; from + BYTES <= to && hd_owner_index((void *)from) <= HD_OWNER_CELLS - CELLS; from += BYTES) {
        uint32_t *owner = hd_owner_of((void *)from), taken = 0;
        for (uint32_t i = 0; i < CELLS; i++)
            taken |= (uint32_t)(owner[i] != mark)
                & ((uint32_t)(owner[i] >> HD_SLOT_BITS == generation) | (uint32_t)(owner[i] >= HD_OWNER_DIVIDED));
        if (taken)
            break;
        for (uint32_t i = 0; i < CELLS; i++)
            owner[i] = mark;
    }
    return from;
}

/* Makes the cells from `from` on the current thread's own, up to the next shared one; returns where that is. Cells of
 * another thread become shared: those that follow each other form a block. All owners have been seen where a range is
 * longer than their table. */
static uint64_t claim(uint64_t from, uint64_t to)
{
    uint64_t others = 0, all = to - from > OWNED_BYTES ? from + OWNED_BYTES : to;
    for (; from < to; from += 8) {
        if (!others)
            from = claim_free(from, all);
        if (from >= all && !others)
            return to;
        uint32_t *owner = hd_owner_of((const void *)from);
        if (hd_block_is_shared(*owner))
            break;
        if (is_another_threads((const void *)from)) {
            others = others ? others : from;
        } else if (others) {
            hd_block_make(others, from);
            others = 0;
        }
    }
    if (others)
        hd_block_make(others, from);
    return from;
}

/* An access to whole cells: an operation for each block. */
static void touch_cells(uint64_t from, uint64_t to, const hd_site *site, uint32_t is_write)
{
    if (from < to)
        hd_block_cut(from, to);
    while ((from = claim(from, to)) < to) {
        uint64_t end = hd_block_end(from);
        if (!is_unshared(from, end - from))
            perform_plain(from, end - from, site, is_write);
        from = end;
    }
}

static void touch_range(const hd_range *r, const hd_site *site)
{
    if (!r->is_write && !can_change(r->address))
        return;
    if (r->is_write && r->bytes)
        hd_effect();
    if (is_own(r) || !hd_exploring())
        return;
    uint64_t at = (uint64_t)r->address, end = at + r->bytes, whole = (at + 7) & ~7ull, rest = end & ~7ull;
    if (at < whole)
        touch_cell(at, (whole < end ? whole : end) - at, site, r->is_write);
    touch_cells(whole, rest, site, r->is_write);
    if (rest < end && rest >= whole)
        touch_cell(rest, end - rest, site, r->is_write);
}

/* Several shared cells make one step, because the library function that follows accesses them without interruption.
 * One shared cell needs no step of several operations. */
static void touch_ranges(const hd_range *ranges, uint32_t count, const hd_site *site)
{
    uint32_t shared = 0;
    if (!hd_fast_state.several)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (!is_own(&ranges[i]))
            shared += count_shared(&ranges[i]);
    uint32_t outer = shared > 1 ? hd_step_begin(1) : 0;
    for (uint32_t i = 0; i < count; i++)
        touch_range(&ranges[i], site);
    if (shared > 1)
        hd_step_end(outer);
}

static void access_ranges(const hd_range *ranges, uint32_t count, const hd_site *site)
{
    for (uint32_t i = 0; i < count; i++)
        if (!hd_heap_allows(ranges[i].address, ranges[i].bytes))
            hd_bad_access(ranges[i].address, ranges[i].bytes, site, ranges[i].is_write);
    touch_ranges(ranges, count, site);
}

int hd_access_is_operation(const void *address, uint64_t bytes)
{
    return count_shared(&(hd_range) { address, bytes, 0 }) > 0;
}

void hd_access_freed(const void *block, uint64_t bytes, const hd_site *site)
{
    touch_ranges(&(hd_range) { block, bytes, 1 }, 1, site);
}

/* The reads come first: ranges may overlap, and a write changes the expressions of its bytes. */
static void follow_ranges(const hd_range *ranges, uint32_t count, const hd_site *site)
{
    for (uint32_t i = 0; i < count; i++)
        if (!ranges[i].is_write)
            hd_follow_read(ranges[i].address, ranges[i].bytes, site);
    for (uint32_t i = 0; i < count; i++)
        if (ranges[i].is_write)
            hd_follow_written((void *)ranges[i].address, ranges[i].bytes);
}

void hd_access_ranges(const hd_range *ranges, uint32_t count, const hd_site *site)
{
    access_ranges(ranges, count, site);
    if (hd_fast_state.expressions)
        follow_ranges(ranges, count, site);
}

HOOK_ENTRY SAVES_REGISTERS void hd_range_accessed(
    const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
{
    access_ranges(&(hd_range) { address, bytes, is_write }, 1, site);
}

void hd_access_range(const void *address, uint64_t bytes, const hd_site *site, uint32_t is_write)
{
    hd_access_ranges(&(hd_range) { address, bytes, is_write }, 1, site);
}

/* An operation on the object as a whole is exact; its bytes are not the program's. */
static void use_object(const hd_object_use *use, const hd_site *site)
{
    if (use->changes && !use->ready)
        hd_effect();
    if (!hd_fast_state.several || !hd_exploring() || !is_operation(use->object))
        return;
    hd_perform_access(use->changes ? HD_RMW : HD_LOAD, (uint64_t)use->object & ~7ull, 0xff, 0, site, use->ready);
    hd_log_opaque();
}

void hd_access_uses(const hd_object_use *uses, uint32_t count, const hd_site *site)
{
    uint32_t shared = 0;
    for (uint32_t i = 0; i < count && hd_fast_state.several; i++)
        shared += hd_block_is_shared(*hd_owner_of(uses[i].object));
    uint32_t outer = shared > 1 ? hd_step_begin(0) : 0;
    for (uint32_t i = 0; i < count; i++)
        use_object(&uses[i], site);
    if (shared > 1)
        hd_step_end(outer);
}

/* --- atomics ------------------------------------------------------------------ */

enum { XCHG, ADD, SUB, AND, NAND, OR, XOR, MAX, MIN, UMAX, UMIN };

static uint64_t load(const void *address, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, address, size < 8 ? size : 8);
    return value;
}

static int64_t sign_extend(uint64_t value, uint32_t size)
{
    uint32_t shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

/* Records the condition under which an update changes its bytes, so that an explorer can evaluate it for another old
 * value. Only for updates within one cell. */
static void note_test(hd_thread *t, hd_op *op, hd_update_test test, uint64_t operand)
{
    uint32_t size = t->update.info & HD_INFO_SIZE;
    if (((uint64_t)t->update.address & 7) + size > 8)
        return;
    op->flags |= (uint16_t)(test << HD_OP_TEST_SHIFT);
    t->update.decides = operand & (size == 8 ? ~0ull : (1ull << 8 * size) - 1);
}

/* The `ready` of atomic updates. An update is always enabled; the function sets its kind: RMW if it would change the
 * memory now, RMW_SAME if not. ADD, SUB and XOR change it or not regardless of the old value (HD_OP_FIXED). */
static int update_is_enabled(hd_thread *t, hd_op *op)
{
    uint32_t size = t->update.info & HD_INFO_SIZE;
    if (size > 8)
        return 1;
    uint64_t old = load(t->update.address, size), by = t->update.operand, new = old + 1;
    int64_t signed_old = sign_extend(old, size), signed_by = sign_extend(by, size);
    switch (t->update.info >> HD_INFO_RMW_SHIFT) {
    case XCHG:
        new = by;
        note_test(t, op, HD_CHANGES_UNLESS_EQUAL, by);
        break;
    case ADD:
        new = old + by;
        break;
    case SUB:
        new = old - by;
        break;
    case AND:
        new = old &by;
        note_test(t, op, HD_CHANGES_IF_ANY, ~by);
        break;
    case NAND:
        new = ~(old & by);
        break;
    case OR:
        new = old | by;
        note_test(t, op, HD_CHANGES_UNLESS_ALL, by);
        break;
    case XOR:
        new = old ^ by;
        break;
    case MAX:
        new = signed_old > signed_by ? old : by;
        note_test(t, op, HD_CHANGES_IF_LESS, by);
        break;
    case MIN:
        new = signed_old < signed_by ? old : by;
        note_test(t, op, HD_CHANGES_IF_MORE, by);
        break;
    case UMAX:
        new = old > by ? old : by;
        note_test(t, op, HD_CHANGES_IF_BELOW, by);
        break;
    case UMIN:
        new = old < by ? old : by;
        note_test(t, op, HD_CHANGES_IF_ABOVE, by);
        break;
    default:
        break; /* floating point and the like: takes it as a change */
    }
    uint64_t bits = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
    op->kind = (new &bits) == (old & bits) ? HD_RMW_SAME : HD_RMW;
    uint32_t how = t->update.info >> HD_INFO_RMW_SHIFT;
    if (how == ADD || how == SUB || how == XOR) {
        op->flags |= HD_OP_FIXED;
        if (!(t->update.info & HD_INFO_CONSTANT))
            note_test(t, op, HD_CHANGES_UNLESS_ZERO, by);
    }
    return 1;
}

/* The same for compare-and-swap: it changes the memory if the old value is the expected one and the new value differs.
 */
static int cas_is_enabled(hd_thread *t, hd_op *op)
{
    uint32_t size = t->update.info & HD_INFO_SIZE;
    if (size > 8)
        return 1;
    uint64_t old = load(t->update.address, size);
    int changes = old == t->update.expected && old != t->update.operand;
    op->kind = changes ? HD_RMW : HD_RMW_SAME;
    if (t->update.expected == t->update.operand)
        op->flags |= hd_fast_state.expressions ? 0 : HD_OP_FIXED; /* with other inputs they may differ */
    else
        note_test(t, op, HD_CHANGES_IF_EQUAL, t->update.expected);
    return 1;
}

/* A single thread: no operation. But an update that changes memory is an effect: a loop with it is no wait. */
static void access_alone(hd_op_kind kind, hd_ready *ready)
{
    hd_op op = { .kind = (uint8_t)kind };
    if (ready)
        ready(hd_current, &op);
    if (!hd_kind_looks(op.kind))
        hd_effect();
}

/* Every cell that an atomic operation touches is shared, and on its own. */
void hd_access_share(const void *address, uint64_t bytes)
{
    for (uint64_t cell = (uint64_t)address & ~7ull; cell < (uint64_t)address + bytes; cell += 8)
        if (!hd_block_is_shared(*hd_owner_of((const void *)cell)))
            learn((const void *)cell);
        else
            hd_block_cut(cell, cell + 8);
}

/* An access to a block that has been freed is an operation, too, as with plain accesses: it is checked when it is
 * performed. An access that spans cells is one step with an operation per cell. */
static void perform_atomic(
    hd_op_kind kind, const void *address, uint64_t bytes, const hd_site *site, uint64_t value, hd_ready *ready)
{
    if (!hd_fast_state.several || !hd_heap_holds(address))
        hd_heap_check(address, bytes, site, kind != HD_LOAD);
    if (!hd_exploring())
        return;
    if (!hd_fast_state.several) {
        access_alone(kind, ready);
        return;
    }
    uint64_t at = (uint64_t)address, end = at + bytes;
    hd_access_share(address, bytes);
    hd_perform_access(kind, at & ~7ull, mask_of(at, bytes), value, site, ready);
    hd_heap_check(address, bytes, site, kind != HD_LOAD);
    for (uint64_t part = (at & ~7ull) + 8; part < end; part += 8) {
        hd_op also = hd_current->view->pending;
        also.object = part;
        also.mask = mask_of(part, end - part);
        hd_continue_step(&also);
    }
}

void hd_access_atomic(uint8_t kind, const void *address, uint64_t bytes, const hd_site *site, hd_ready *ready)
{
    perform_atomic(kind, address, bytes, site, 0, ready);
}

static void atomic_access(
    hd_op_kind kind, const void *address, uint32_t info, const hd_site *site, uint64_t value, hd_ready *ready)
{
    perform_atomic(kind, address, info & HD_INFO_SIZE, site, value, ready);
}

HOOK_ENTRY void hd_atomic_load(void *address, uint32_t info, void *site)
{
    atomic_access(HD_LOAD, address, info, site, 0, NULL);
}

HOOK_ENTRY void hd_atomic_store(void *address, uint32_t info, void *site, uint64_t value)
{
    atomic_access(HD_STORE, address, info, site, value, NULL);
}

HOOK_ENTRY void hd_atomic_rmw(void *address, uint32_t info, void *site, uint64_t operand)
{
    hd_current->update.address = address;
    hd_current->update.info = info;
    hd_current->update.operand = operand;
    atomic_access(HD_RMW, address, info, site, 0, update_is_enabled);
}

HOOK_ENTRY void hd_atomic_cas(void *address, uint32_t info, void *site, uint64_t expected, uint64_t desired)
{
    hd_current->update.address = address;
    hd_current->update.info = info;
    hd_current->update.expected = expected;
    hd_current->update.operand = desired;
    atomic_access(HD_RMW, address, info, site, 0, cas_is_enabled);
}

/* Everything is sequentially consistent already. */
HOOK_ENTRY void hd_fence(uint32_t info, void *site)
{
    (void)info;
    (void)site;
}

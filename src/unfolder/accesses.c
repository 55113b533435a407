#include "unfolder/accesses.h"

#include "abi/lives.h"
#include <string.h>

enum { BYTES = 8 };

typedef enum habit { UPDATE_BRANCHES = 1, STEP_BRANCHES = 2, STEP_CHANGES = 4 } habit;

void hd_accesses_init(hd_accesses *a, hd_memory *memory)
{
    hd_map_init(&a->numbers, memory);
    hd_map_init(&a->cells, memory);
    hd_map_init(&a->habits, memory);
    a->step.memory = a->lives.memory = a->places.memory = memory;
}

void hd_accesses_fini(hd_accesses *a)
{
    hd_map_fini(&a->numbers);
    hd_map_fini(&a->cells);
    hd_map_fini(&a->habits);
    hd_vec_fini(&a->step);
    hd_vec_fini(&a->lives);
    hd_vec_fini(&a->places);
}

void hd_accesses_forget_numbers(hd_accesses *a)
{
    hd_map_clear(&a->numbers);
}

/* --- parts of cells --------------------------------------------------------------------------- */

/* Refines the parts so that the mask is a union of them; false: a known part had to be split. */
static bool split(uint8_t *parts, uint8_t mask)
{
    uint8_t inside[BYTES + 1] = { 0 }, outside[BYTES + 1] = { 0 }, most = 0;
    bool whole = true;
    for (int i = 0; i < BYTES; i++) {
        (mask >> i & 1 ? inside : outside)[parts[i]]++;
        most = parts[i] > most ? parts[i] : most;
    }
    for (uint8_t part = 0, last = most; part <= last; part++) {
        if (!inside[part] || (part && !outside[part]))
            continue;
        most++;
        for (int i = 0; i < BYTES; i++)
            if (parts[i] == part && (mask >> i & 1))
                parts[i] = most;
        whole &= part == 0;
    }
    return whole;
}

/* Does its object start with a value, like a semaphore? */
static bool starts_at_value(const hd_op *op)
{
    return hd_objects[hd_op_class(op->kind)].starts == HD_STARTS_VALUE;
}

static bool learn_op(hd_accesses *a, const hd_op *op)
{
    if (op->kind == HD_EDGE || op->kind == HD_BRANCH)
        return true;
    a->has_values |= starts_at_value(op);
    if (!hd_kind_is_memory(op->kind))
        return true;
    return split((uint8_t *)hd_map_put(&a->cells, op->object), op->mask);
}

/* Returns whether it was known; if not, the net has to be rebuilt. */
static bool learn_habit(hd_accesses *a, const hd_op *op, habit what)
{
    uint64_t *known = hd_map_put(&a->habits, (uint64_t)(uintptr_t)op->site);
    bool is_known = (*known & what) == (uint64_t)what;
    *known |= what;
    return is_known;
}

/* Steps with a branch inside, and updates that are followed by a branch inside their step: the branch may say whether
 * the update changes its cell. */
static bool learn_branches(hd_accesses *a, const hd_execution *e, uint32_t from)
{
    const hd_op *first = NULL, *last = NULL;
    bool known = true;
    for (uint32_t i = from; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        if (hd_op_is_inside(op) && first) {
            known &= learn_habit(a, first, STEP_BRANCHES);
            if (hd_kinds[last->kind].decided == HD_DECIDED_VALUE)
                known &= learn_habit(a, last, UPDATE_BRANCHES);
        }
        if (!hd_op_is_done(op))
            continue;
        first = op->flags & HD_OP_CONTINUES ? first : op;
        last = op;
    }
    return known;
}

/* --- objects that start with a value ---------------------------------------------------------- */

/* The life of the object at that entry of the log; NULL: there was no operation on it. */
static hd_object_life *life_at(const hd_accesses *a, uint64_t key, uint32_t entry)
{
    for (size_t i = a->lives.count; i-- > 0;)
        if (a->lives.items[i].key == key && a->lives.items[i].entry <= entry)
            return &a->lives.items[i];
    return NULL;
}

static bool begins_or_ends_life(const hd_op *op)
{
    uint8_t role = hd_kinds[op->kind].role;
    return role == HD_ROLE_MAKES || role == HD_ROLE_DESTROYS;
}

static void learn_lives(hd_accesses *a, const hd_execution *e)
{
    hd_vec_clear(&a->lives);
    for (uint32_t i = 0; i < e->log_count && a->has_values; i++) {
        const hd_op *op = &e->log[i];
        if (!hd_op_is_done(op) || !starts_at_value(op) || begins_or_ends_life(op))
            continue;
        hd_object_life *life = life_at(a, hd_op_key(op), i);
        /* A value that the last operation does not explain: the object was initialised again. */
        if (!life || life->value != (int32_t)op->value) {
            hd_object_life new = { hd_op_key(op), i, (int32_t)op->value, (int32_t)op->value };
            hd_vec_push(&a->lives, new);
            life = hd_vec_last(&a->lives);
        }
        life->value += hd_kinds[op->kind].adds;
    }
}

bool hd_accesses_learn(hd_accesses *a, const hd_execution *e, uint32_t from)
{
    bool whole = learn_branches(a, e, from);
    for (uint32_t i = from; i < e->log_count; i++)
        whole &= learn_op(a, &e->log[i]);
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (e->threads[t].status == HD_THREAD_AT_OP)
            whole &= learn_op(a, &e->threads[t].pending);
    learn_lives(a, e);
    return whole;
}

/* --- translation ---------------------------------------------------------------------------------- */

static uint32_t number_of(hd_accesses *a, hd_unfolding *u, uint64_t key, int32_t count)
{
    uint64_t *number = hd_map_put(&a->numbers, key);
    if (!*number)
        *number = hd_unfold_add_object(u, count);
    return (uint32_t)*number;
}

enum { LIVES = 13, ENDS = 14, ARRIVALS = 15 };

/* An operation that is not in the log is taken to come at its end. */
static uint32_t number_of_life(hd_accesses *a, hd_unfolding *u, const hd_op *op, const hd_execution *e)
{
    uint64_t key = hd_op_key(op);
    bool logged = op >= e->log && op < e->log + e->log_count;
    const hd_object_life *life = life_at(a, key, logged ? (uint32_t)(op - e->log) : e->log_count);
    int32_t initial = life ? life->initial : (int32_t)op->value;
    return number_of(a, u, (uint64_t)LIVES << 60 | hd_hash(key ^ hd_hash((uint32_t)initial)) >> 4, initial);
}

/* May it be of another kind, or need nothing, at another condition? */
static bool is_unsure(const hd_op *op)
{
    const hd_kind_facts *facts = &hd_kinds[op->kind];
    if (facts->decided != HD_DECIDED_NOTHING && facts->decided != HD_DECIDED_COUNT
        && facts->decided != HD_DECIDED_MESSAGES)
        return true;
    if (hd_op_is_freed(op))
        return true;
    if (facts->need == HD_NEED_POSITIVE && facts->adds) /* it always takes from the count, also inside a block */
        return op->flags & (HD_OP_TRY | HD_OP_SPUN);
    return op->flags & (HD_OP_TRY | HD_OP_ATOMIC | HD_OP_SPUN);
}

/* A step accesses each object once in the net: further accesses are merged into the first. Two groups make it a change.
 */
static void add(hd_accesses *a, hd_unfold_access new)
{
    while (a->places.count <= new.object)
        hd_vec_push(&a->places, 0u);
    uint32_t *place = &a->places.items[new.object]; /* of an earlier step, unless the object is there */
    hd_unfold_access *old = *place < a->step.count ? &a->step.items[*place] : NULL;
    if (!old || old->branches || old->object != new.object) {
        *place = (uint32_t)a->step.count;
        hd_vec_push(&a->step, new);
        return;
    }
    old->adds += new.adds;
    old->unsure |= new.unsure;
    if (old->group != new.group)
        old->group = HD_GROUP_ALONE;
}

static bool has_habit(const hd_accesses *a, const hd_op *op, habit what)
{
    const uint64_t *known = hd_map_get(&a->habits, (uint64_t)(uintptr_t)op->site);
    return known && (*known & what);
}

bool hd_accesses_is_undecided(const hd_accesses *a, const hd_op *update)
{
    return has_habit(a, update, UPDATE_BRANCHES);
}

hd_unfold_access hd_accesses_branch(const hd_op *branch, const hd_execution *e)
{
    bool settled = (branch->flags & HD_OP_FOLLOWED) || ((branch->flags & HD_OP_ASSUMED) && branch->value);
    return (hd_unfold_access) { .group = HD_GROUP_ALONE,
        .branches = true,
        .settled = settled,
        .sides = branch->object < e->expr_count && e->exprs[branch->object].width == 1 ? 2 : 0,
        .value = branch->value };
}

static void add_op(hd_accesses *a, hd_unfolding *u, const hd_op *op, bool changes, const hd_execution *e)
{
    hd_unfold_access new = { .adds = hd_kinds[op->kind].adds,
        .group = hd_kinds[op->kind].group,
        .needs = (op->flags & HD_OP_TRY) || hd_op_is_freed(op) ? HD_NEED_NOTHING : hd_kinds[op->kind].need,
        .key = (uint32_t)hd_hash((uint64_t)(uintptr_t)op->site),
        .held = (op->flags & HD_OP_SPUN) != 0,
        .unsure = is_unsure(op),
        .exits = hd_kind_exits(op->kind) };
    if (hd_op_class(op->kind) == HD_OBJECT_NONE)
        return;
    /* What decides the step must be in its past, so it counts as a change. A single update that branches is then of one
     * group at every condition; in a step that changes as a whole, accesses may still need something or not. */
    if (changes || has_habit(a, op, UPDATE_BRANCHES)) {
        new.group = HD_GROUP_ALONE;
        new.unsure &= changes;
    }
    /* A receive that asks for a source or a tag looks again after each send: the net has to have them one by one. */
    if (hd_op_class(op->kind) == HD_OBJECT_MAIL && !hd_kind_looks(op->kind))
        new.group = HD_GROUP_ALONE;
    if (!hd_kind_is_memory(op->kind)) {
        new.object = starts_at_value(op) ? number_of_life(a, u, op, e) : number_of(a, u, hd_op_key(op), 0);
        add(a, new);
        return;
    }
    const uint8_t *parts = (const uint8_t *)hd_map_get(&a->cells, op->object);
    for (uint8_t i = 0, done = 0; i < BYTES; i++)
        if ((op->mask >> i & 1) && !(done >> (parts[i] - 1) & 1)) {
            done |= (uint8_t)(1 << (parts[i] - 1));
            new.object = number_of(a, u, hd_op_key(op) + parts[i] - 1, 0);
            add(a, new);
        }
}

static void add_branch(hd_accesses *a, const hd_op *ops, uint32_t number, const hd_execution *e)
{
    hd_unfold_access new = hd_accesses_branch(&ops[number], e);
    new.key = number;
    hd_vec_push(&a->step, new);
}

bool hd_accesses_mark_changing(hd_accesses *a, const hd_op *first)
{
    return !learn_habit(a, first, STEP_CHANGES);
}

void hd_accesses_translate(hd_accesses *a, hd_unfolding *u, const hd_op *ops, uint32_t count, const hd_execution *e)
{
    bool changes = has_habit(a, ops, STEP_BRANCHES) || has_habit(a, ops, STEP_CHANGES);
    hd_vec_clear(&a->step);
    add_op(a, u, &ops[0], changes, e);
    for (uint32_t i = 1; i < count; i++)
        if (hd_op_is_inside(&ops[i]))
            add_branch(a, ops, i, e);
        else if (hd_op_is_done(&ops[i]) && (ops[i].flags & HD_OP_CONTINUES))
            add_op(a, u, &ops[i], changes, e);
    if (!a->step.count) /* every step is an event, even without an access */
        hd_vec_push(&a->step, ((hd_unfold_access) { .group = HD_GROUP_ALONE }));
}

/* --- what threads wait for ---------------------------------------------------------------------------- */

static uint32_t awaited(hd_accesses *a, hd_unfolding *u, uint64_t key, uint32_t thread)
{
    uint64_t *number = hd_map_put(&a->numbers, key);
    if (!*number)
        *number = hd_unfold_add_awaited(u, (uint16_t)thread);
    return (uint32_t)*number;
}

uint32_t hd_accesses_end_of(hd_accesses *a, hd_unfolding *u, uint32_t thread, uint32_t life)
{
    return awaited(a, u, (uint64_t)ENDS << 60 | hd_identity(thread, life), thread);
}

uint32_t hd_accesses_arrival(hd_accesses *a, hd_unfolding *u, uint64_t barrier, uint32_t thread, uint32_t round)
{
    uint64_t key = hd_hash(hd_hash(barrier) ^ (uint64_t)thread << 32 ^ round) >> 4;
    return awaited(a, u, (uint64_t)ARRIVALS << 60 | key, thread);
}

#include "dpor/sequence.h"

enum { SETS = 3 };

void hd_sequence_init(hd_sequence *s, hd_memory *memory)
{
    *s = (hd_sequence) { .bits = { .memory = memory } };
}

void hd_sequence_fini(hd_sequence *s)
{
    hd_vec_fini(&s->bits);
}

static const hd_item *item_at(const hd_sequence *s, uint32_t position)
{
    return &s->trace->items.items[s->trace->steps.items[position]];
}

/* --- making ------------------------------------------------------------------------ */

static void make_room(hd_sequence *s)
{
    s->first_word = s->start / 64;
    s->words = s->end / 64 + 1;
    hd_vec_clear(&s->bits);
    hd_vec_reserve(&s->bits, (size_t)SETS * s->words);
    s->in = s->bits.items;
    s->rest = s->in + s->words;
    s->needed = s->rest + s->words;
}

/* The steps of the sequence among the 64 steps of the word. A step depends on the base iff the entry of its clock for
 * the base's thread has reached the base's number. */
static uint64_t independent_steps(const hd_sequence *s, uint32_t word, uint32_t thread, uint32_t number)
{
    const hd_trace *t = s->trace;
    uint32_t from = word * 64 > s->start ? word * 64 : s->start;
    uint32_t to = word * 64 + 64 < s->end ? word * 64 + 64 : s->end;
    uint64_t bits = 0;
    for (uint32_t p = from; p < to; p++)
        bits |= (uint64_t)(hd_trace_clock(t, t->steps.items[p])[thread] < number) << p % 64;
    return bits;
}

void hd_sequence_begin(hd_sequence *s, const hd_trace *t, uint32_t earlier, const uint32_t *also, uint32_t also_count)
{
    bool alone = !also_count && !s->also_count;
    if (alone && s->trace == t && s->extensions == t->extensions && s->earlier == earlier)
        return;
    const hd_item *e = &t->items.items[earlier];
    s->trace = t;
    s->earlier = earlier;
    s->also = also;
    s->also_count = also_count;
    s->extensions = t->extensions;
    s->start = e->position + 1;
    s->end = (uint32_t)t->steps.count;
    make_room(s);
    for (uint32_t word = s->first_word; word < s->words; word++)
        s->in[word] = independent_steps(s, word, e->thread, e->number);
    for (uint32_t i = 0; i < also_count; i++) {
        e = &t->items.items[also[i]];
        for (uint32_t word = s->first_word; word < s->words; word++)
            s->in[word] &= independent_steps(s, word, e->thread, e->number);
    }
}

void hd_sequence_end(hd_sequence *s, hd_sequence_last last)
{
    s->last = last;
}

void hd_sequence_restart(hd_sequence *s)
{
    for (uint32_t i = s->first_word; i < s->words; i++) {
        s->rest[i] = s->in[i];
        s->needed[i] = 0;
    }
    s->partial = false;
    hd_sequence_add(s->rest, s->end);
    hd_sequence_add(s->needed, s->end);
}

/* --- looking ----------------------------------------------------------------------- */

hd_sleeper hd_sequence_step(const hd_sequence *s, uint32_t position)
{
    if (position == s->end)
        return (hd_sleeper) { s->last.thread, s->last.choice, s->last.ops, s->last.op_count };
    const hd_item *item = item_at(s, position);
    return (hd_sleeper) { item->thread, item->choice, &s->trace->ops.items[item->access], item->access_count };
}

uint64_t hd_sequence_way(const hd_sequence *s, uint32_t position)
{
    return s->path && position < s->end ? hd_path_way(s->path, position + 1) : 0;
}

bool hd_sequence_is_unknown(const hd_sequence *s, uint32_t position)
{
    return position == s->end && s->last.unknown;
}

hd_term hd_sequence_when(const hd_sequence *s, uint32_t position)
{
    if (!s->path || hd_sequence_is_unknown(s, position))
        return 0;
    return hd_path_when(s->decisions->path, (position == s->end ? s->last.position : position) + 1);
}

hd_term hd_sequence_condition(const hd_sequence *s, uint32_t position)
{
    if (position == s->end || !s->path)
        return hd_sequence_when(s, position);
    return hd_path_condition(s->decisions->path, position + 1);
}

/* If the step is one of the sequence with a known way, all inputs that take the sequence's path give the same answer.
 * For any other step the answer is a decision, and where it is no, the leaf that the sequence reaches does not stand
 * for the inputs for which it is yes. */
bool hd_sequence_admits(hd_sequence *s, hd_term when, hd_initial at, uint32_t position)
{
    if (at == HD_INITIAL && !hd_sequence_is_unknown(s, position))
        return hd_decisions_hold(s->decisions, when);
    bool holds = hd_decide(s->decisions, when);
    s->partial |= !holds;
    return holds;
}

/* The branches before the base, and those after steps of the sequence. Branches right after the base are not needed:
 * the sequence does not contain it. */
void hd_sequence_require(const hd_sequence *s)
{
    hd_decisions *d = s->decisions;
    for (size_t i = 0; i < s->path->branches.count; i++) {
        const hd_path_branch *b = &s->path->branches.items[i];
        bool needed = b->position < s->start || (b->position > s->start && hd_sequence_has(s->in, b->position - 1));
        if (needed && b->condition)
            hd_vec_push(&d->conditions, b->condition);
    }
    hd_term when = hd_sequence_when(s, s->end);
    if (when)
        hd_vec_push(&d->conditions, when);
}

/* The steps of the word that may conflict with one of the operations, from the trace's index. */
static uint64_t suspects(const hd_sequence *s, uint32_t word, const hd_op *ops, uint32_t op_count)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < op_count && word < s->trace->index.count; i++)
        found |= hd_trace_suspects(s->trace, word, &ops[i]);
    return found;
}

/* The first step of the set, before `limit`, that conflicts with one of the
 * operations; or `limit`. */
static uint32_t find_conflict(
    const hd_sequence *s, const uint64_t *set, const hd_op *ops, uint32_t op_count, uint32_t limit)
{
    for (uint32_t word = s->first_word; word <= limit / 64; word++)
        for (uint64_t left = set[word] & suspects(s, word, ops, op_count); left; left &= left - 1) {
            uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (position >= limit)
                return limit;
            const hd_item *item = item_at(s, position);
            if (hd_steps_conflict(&s->trace->ops.items[item->access], item->access_count, ops, op_count))
                return position;
        }
    return limit;
}

/* The last step of the set before `limit` that happens before the item; or `limit`. */
static uint32_t find_past(const hd_sequence *s, const uint64_t *set, uint32_t item, uint32_t limit)
{
    for (uint32_t position = limit; position-- > s->start;)
        if (hd_sequence_has(set, position) && hd_trace_before(s->trace, s->trace->steps.items[position], item))
            return position;
    return limit;
}

/* Is the last step an initial of the rest? The trace's clocks are those of its old position, so its conflicts are
 * searched, and the steps that happen before its thread's previous item. */
static bool last_is_initial(const hd_sequence *s)
{
    uint32_t before = s->last.before;
    if (find_conflict(s, s->rest, s->last.ops, s->last.op_count, s->end) < s->end)
        return false;
    if (before == HD_NO_ITEM)
        return true;
    const hd_item *item = &s->trace->items.items[before];
    uint32_t after = item->kind == HD_ITEM_STEP ? item->position + 1 : item->after;
    return find_past(s, s->rest, before, after) == after;
}

/* Does no step of the rest happen before this one? Mostly `after` answers that by the invariant; a rest from which
 * steps have been removed needs a closer look. */
static bool is_initial(const hd_sequence *s, uint32_t position)
{
    if (position == s->end)
        return last_is_initial(s);
    uint32_t after = item_at(s, position)->after;
    return after <= s->start || find_past(s, s->rest, s->trace->steps.items[position], after) == after;
}

/* The thread's first step in the rest; HD_NO_ITEM: it has none. */
static uint32_t find_own(const hd_sequence *s, uint32_t thread)
{
    const hd_trace *t = s->trace;
    for (uint32_t word = s->first_word; word < s->words && word < t->index.count; word++) {
        uint64_t own = s->rest[word] & t->index.items[word].threads[thread % HD_TRACE_SLOTS];
        for (; own; own &= own - 1) {
            uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(own);
            if (item_at(s, position)->thread == thread)
                return position;
        }
    }
    return thread == s->last.thread && hd_sequence_has(s->rest, s->end) ? s->end : (uint32_t)HD_NO_ITEM;
}

bool hd_sequence_begins_with(const hd_sequence *s, uint16_t thread, uint8_t choice, uint32_t *own)
{
    *own = find_own(s, thread);
    if (*own == HD_NO_ITEM)
        return false;
    return choice == (*own == s->end ? s->last.choice : item_at(s, *own)->choice) && is_initial(s, *own);
}

bool hd_sequence_commutes(const hd_sequence *s, const hd_op *ops, uint32_t op_count, uint32_t own, uint32_t *position)
{
    if (own
        != HD_NO_ITEM) { /* program order: the thread's own step in the rest comes first, if nothing else conflicts */
        *position = find_conflict(s, s->rest, ops, op_count, own);
        return false;
    }
    /* The last step is needed in any case. If it prevents this one, the tree needs no further step. */
    *position = s->end;
    if (hd_sequence_has(s->rest, s->end) && hd_steps_conflict(s->last.ops, s->last.op_count, ops, op_count))
        return false;
    *position = find_conflict(s, s->rest, ops, op_count, s->end);
    return *position == s->end;
}

bool hd_sequence_ends_with(const hd_sequence *s, const hd_op *ops, uint32_t op_count, uint8_t choice, uint32_t own)
{
    return own == s->end && s->last.choice == choice && find_conflict(s, s->rest, ops, op_count, s->end) == s->end;
}

hd_initial hd_sequence_initial(const hd_sequence *s, const hd_sleeper *z, uint32_t *position)
{
    uint32_t own;
    if (hd_sequence_begins_with(s, z->thread, z->choice, &own)
        || (s->last.unknown && hd_sequence_ends_with(s, z->ops, z->op_count, z->choice, own))) {
        *position = own;
        return HD_INITIAL;
    }
    return hd_sequence_commutes(s, z->ops, z->op_count, own, position) ? HD_WEAK_INITIAL : HD_NOT_INITIAL;
}

/* --- taking apart ------------------------------------------------------------------- */

bool hd_sequence_is_over(const hd_sequence *s)
{
    bool over = !hd_sequence_has(s->rest, s->end);
    for (uint32_t i = s->first_word; over && i < s->words; i++)
        over = !s->rest[i];
    return over;
}

bool hd_sequence_is_last(const hd_sequence *s)
{
    uint32_t count = 0;
    for (uint32_t i = s->first_word; i < s->words; i++)
        count += (uint32_t)__builtin_popcountll(s->rest[i]);
    return count == 1 && hd_sequence_has(s->rest, s->end);
}

/* Marks all steps before `limit` that happen before the item as needed. */
static void need_past(hd_sequence *s, uint32_t item, uint32_t limit)
{
    for (uint32_t p = limit; p-- > s->start;)
        if (hd_trace_before(s->trace, s->trace->steps.items[p], item))
            hd_sequence_add(s->needed, p);
}

/* The steps that the last one depends on at its new position: those that it conflicts with, and its thread's past. */
static void need_for_last(hd_sequence *s)
{
    const hd_op *ops = s->last.ops;
    for (uint32_t word = s->first_word; word < s->words; word++)
        for (uint64_t left = s->in[word] & suspects(s, word, ops, s->last.op_count); left; left &= left - 1) {
            uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(left);
            const hd_item *item = item_at(s, position);
            if (hd_steps_conflict(&s->trace->ops.items[item->access], item->access_count, ops, s->last.op_count))
                hd_sequence_add(s->needed, position);
        }
    if (s->last.before != HD_NO_ITEM)
        need_past(s, s->last.before, s->end);
}

void hd_sequence_close_needed(hd_sequence *s, bool all)
{
    for (uint32_t i = s->first_word; all && i < s->words; i++)
        s->needed[i] |= s->in[i];
    if (all)
        return;
    need_for_last(s);
    /* From the end to the start: what a needed step depends on comes before it, so one pass closes the set. */
    for (uint32_t p = s->end; p-- > s->start;)
        if (hd_sequence_has(s->needed, p))
            need_past(s, s->trace->steps.items[p], item_at(s, p)->after);
}

/* --- validity ------------------------------------------------------------------------ */

static bool is_left_out(const hd_sequence *s, uint32_t item)
{
    bool dropped = hd_trace_before(s->trace, s->earlier, item);
    for (uint32_t i = 0; !dropped && i < s->also_count; i++)
        dropped = hd_trace_before(s->trace, s->also[i], item);
    return dropped;
}

/* Is it in the sequence unless it is left out, and with it what it depends on itself? */
static bool position_is_valid(const hd_sequence *s, uint32_t position)
{
    const hd_trace *t = s->trace;
    uint32_t item = t->steps.items[position];
    bool in = hd_sequence_has(s->in, position);
    if (in == is_left_out(s, item))
        return false;
    if (!in && (hd_sequence_has(s->rest, position) || hd_sequence_has(s->needed, position)))
        return false;
    for (uint32_t p = s->start; in && p < position; p++)
        if (hd_trace_before(t, t->steps.items[p], item)
            && (!hd_sequence_has(s->in, p) || (hd_sequence_has(s->rest, p) && !hd_sequence_has(s->rest, position))))
            return false;
    return true;
}

bool hd_sequence_is_valid(const hd_sequence *s)
{
    if (s->extensions != s->trace->extensions || s->start != s->trace->items.items[s->earlier].position + 1
        || s->end != s->trace->steps.count || s->words * 64 <= s->end)
        return false;
    for (uint32_t p = s->start; p < s->end; p++)
        if (!position_is_valid(s, p))
            return false;
    return s->last.op_count > 0 && hd_sequence_has(s->needed, s->end);
}

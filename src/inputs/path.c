#include "inputs/path.h"

#include "inputs/path_inputs.h"

#include "base/error.h"
#include "event/op.h"

void hd_path_init(hd_path *p, const hd_solver_config *config, hd_memory *memory)
{
    *p = (hd_path) { .memory = memory, .most_terms = HD_PATH_TERMS, .misfit = ~0u };
    hd_terms_init(&p->terms, memory);
    hd_import_init(&p->import, &p->terms, memory);
    p->solver = hd_solver_open(&p->terms, config, memory);
    p->branches.memory = p->seen.memory = p->given.memory = p->values.memory = p->goals.memory = memory;
    p->conditions.memory = p->solution.memory = p->records.memory = p->unused.memory = memory;
    hd_vec_push(&p->records, ((hd_path_record) { 0 }));
}

void hd_path_fini(hd_path *p)
{
    hd_solver_close(p->solver);
    hd_import_fini(&p->import);
    hd_terms_fini(&p->terms);
    hd_vec_fini(&p->branches);
    hd_vec_fini(&p->seen);
    hd_vec_fini(&p->given);
    hd_vec_fini(&p->values);
    hd_vec_fini(&p->goals);
    hd_vec_fini(&p->conditions);
    hd_vec_fini(&p->solution);
    for (size_t i = 0; i < p->records.count; i++)
        hd_release(p->memory, p->records.items[i].given, p->records.items[i].count * sizeof(hd_given));
    hd_vec_fini(&p->records);
    hd_vec_fini(&p->unused);
}

void hd_path_attach(hd_path *p, const hd_solver_config *config)
{
    hd_solver_attach(p->solver, config);
}

static void note_site(hd_path_sites *list, const hd_site *site)
{
    list->times++;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->sites[i] == site)
            return;
    if (list->count < HD_PATH_SITES)
        list->sites[list->count++] = site;
}

/* --- taking over branches ----------------------------------------------------------------- */

static hd_path_branch branch_of(hd_path *p, const hd_op *op, uint32_t position)
{
    hd_path_branch b = { .position = position,
        .thread = op->thread,
        .flags = op->flags,
        .site = op->site,
        .value = op->value,
        .first_seen = (uint32_t)p->seen.count };
    b.term = hd_import_term(&p->import, op->object);
    return b;
}

/* Works out what the branch means. If its expression does not have the value
 * that the program computed, inputs went where they could not be followed. */
static void understand(hd_path *p, hd_path_branch *b)
{
    bool wrong = !b->term || hd_term_evaluate(&p->terms, b->term, &p->values) != b->value;
    bool fixed = !wrong && hd_term_is_constant(&p->terms, b->term);
    b->condition = wrong || fixed ? 0 : hd_term_equals(&p->terms, b->term, b->value);
    bool holds = (b->flags & HD_OP_ASSUMED) && b->value && !(p->turns_assumptions && b->position);
    b->open = b->condition && !(b->flags & HD_OP_FOLLOWED) && !holds;
    if (wrong || ((b->flags & HD_OP_FOLLOWED) && !fixed))
        note_site(&p->followed, b->site);
}

static bool was_seen(const hd_path *p, const hd_path_branch *b, uint64_t value)
{
    for (size_t i = b->first_seen; i < p->seen.count; i++)
        if (p->seen.items[i] == value)
            return true;
    return false;
}

/* A branch that the path has: is this it? */
static bool confirm(hd_path *p, size_t index, const hd_path_branch *is, bool renewed)
{
    hd_path_branch *must = &p->branches.items[index];
    bool flipped = p->flipped && index == p->branches.count - 1;
    if (is->thread != must->thread || is->site != must->site || is->position != must->position)
        return false;
    if (flipped ? was_seen(p, must, is->value) : is->value != must->value)
        return false;
    if (!flipped && !renewed)
        return true;
    bool open = must->open;
    must->term = is->term;
    must->value = is->value;
    must->flags = is->flags;
    understand(p, must);
    must->open = flipped ? must->open && hd_term_at(&p->terms, must->term)->width > 1 : open;
    return true;
}

static void add_branch(hd_path *p, hd_path_branch b)
{
    understand(p, &b);
    hd_vec_push(&p->branches, b);
}

/* Are all of the first `count` branches that are at the position inside the thread's step? */
static bool all_inside(const hd_path *p, size_t count, uint32_t position, uint16_t thread)
{
    const hd_path_branch *b = count ? &p->branches.items[count - 1] : NULL;
    return !b || b->position != position || (b->inside && b->thread == thread);
}

/* The execution failed before it came to the branches that it must have: those
 * have the values that its inputs give them. */
static bool failed_before(hd_path *p, const hd_execution *e)
{
    hd_path_branch *last = hd_vec_last(&p->branches);
    if (!hd_outcome_is_finding(e->outcome->kind) || !last->term)
        return false;
    uint64_t value = hd_term_evaluate(&p->terms, last->term, &p->values);
    if (p->flipped && was_seen(p, last, value))
        return false;
    if (p->flipped) {
        last->value = value;
        understand(p, last);
        last->open &= hd_term_at(&p->terms, last->term)->width > 1;
    }
    return true;
}

static bool read_log(hd_path *p, const hd_execution *e, bool renewed)
{
    size_t known = p->branches.count, index = 0;
    uint32_t steps = 0;
    const hd_op *step = NULL; /* NULL: the last one is not part of schedules */
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool inside = step && (op->flags & HD_OP_CONTINUES);
        if (inside)
            hd_assert(op->thread == step->thread && all_inside(p, index, steps, op->thread));
        if (op->kind == HD_BRANCH) {
            hd_path_branch b = index < known && !renewed && !(p->flipped && index == known - 1)
                ? (hd_path_branch) { .position = steps, .thread = op->thread, .site = op->site, .value = op->value }
                : branch_of(p, op, steps);
            b.inside = inside;
            p->misfit = i;
            if (index >= known)
                add_branch(p, b);
            else if (!confirm(p, index, &b, renewed))
                return false;
            index++;
        } else if (hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES)) {
            bool alone = op->flags & HD_OP_ALONE;
            step = alone ? NULL : op;
            steps += !alone;
        }
    }
    return index >= known || (!renewed && failed_before(p, e));
}

void hd_path_begin(hd_path *p, const hd_execution *e)
{
    hd_import_begin(&p->import, e->exprs, e->expr_count, e->inputs, e->input_count);
    hd_path_take_inputs(p, e);
    hd_import_inputs(&p->import);
    hd_path_place_values(p);
}

hd_path_branch hd_path_understand(hd_path *p, const hd_op *op)
{
    hd_path_branch b = branch_of(p, op, 0);
    understand(p, &b);
    return b;
}

void hd_path_lose(hd_path *p, const hd_site *site)
{
    note_site(&p->followed, site);
}

bool hd_path_extend(hd_path *p, const hd_execution *e)
{
    bool renewed = hd_path_is_full(p) && !p->pinned;
    if (!e->input_count && !p->branches.count)
        return true;
    if (renewed) {
        hd_terms_clear(&p->terms);
        hd_solver_forget(p->solver);
    }
    hd_path_begin(p, e);
    bool fits = read_log(p, e, renewed);
    p->flipped = false;
    if (fits)
        p->misfit = ~0u;
    return fits;
}

void hd_path_cut(hd_path *p, uint32_t steps)
{
    while (p->branches.count && hd_vec_last(&p->branches)->position > steps) {
        p->seen.count = hd_vec_last(&p->branches)->first_seen;
        p->branches.count--;
    }
    p->flipped = false;
}

void hd_path_clear(hd_path *p)
{
    hd_vec_clear(&p->branches);
    hd_vec_clear(&p->seen);
    p->flipped = false;
}

/* --- other values ------------------------------------------------------------------------- */

/* The first branches as they are. */
static void begin_query(hd_path *p, size_t branches)
{
    hd_vec_clear(&p->conditions);
    hd_vec_clear(&p->goals);
    for (size_t i = 0; i < branches; i++)
        if (p->branches.items[i].condition)
            hd_vec_push(&p->conditions, p->branches.items[i].condition);
}

static void add_other_value(hd_path *p, const hd_path_branch *b, const uint64_t *seen, size_t seen_count)
{
    hd_vec_push(&p->goals, hd_term_not(&p->terms, b->condition));
    for (size_t i = 0; i < seen_count; i++)
        hd_vec_push(&p->goals, hd_term_not(&p->terms, hd_term_equals(&p->terms, b->term, seen[i])));
}

static void add_none_of(hd_path *p, const hd_term *unless, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&p->goals, hd_term_not(&p->terms, unless[i]));
}

static hd_answer end_query(hd_path *p, const hd_site *site)
{
    hd_vec_clear(&p->solution);
    for (size_t i = 0; i < p->values.count; i++)
        hd_vec_push(&p->solution, p->values.items[i]);
    hd_answer answer = hd_solver_solve(
        p->solver, p->conditions.items, p->conditions.count, p->goals.items, p->goals.count, &p->solution);
    if (answer == HD_UNKNOWN)
        note_site(&p->unsolved, site);
    return answer;
}

/* The solution is what the next execution is given, with values for the terms. */
static void give_solution(hd_path *p, const hd_term *terms, size_t count)
{
    hd_path_give(p, &p->solution, &p->given);
    for (size_t i = 0; i < count; i++)
        hd_path_give_inputs_of(p, terms[i], &p->solution, &p->given);
    hd_path_place_values(p);
    hd_path_set_current(p, 0);
}

hd_answer hd_path_solve(
    hd_path *p, size_t index, const uint64_t *seen, size_t seen_count, hd_given_list *given, uint64_t *other)
{
    const hd_path_branch *b = &p->branches.items[index];
    hd_assert(b->open);
    begin_query(p, index);
    add_other_value(p, b, seen, seen_count);
    hd_answer answer = end_query(p, b->site);
    if (answer == HD_SAT) {
        hd_path_give(p, &p->solution, given);
        *other = hd_term_evaluate(&p->terms, b->term, &p->solution);
    }
    return answer;
}

/* All branches as they are to be. */
static void begin_query_here(hd_path *p)
{
    begin_query(p, p->branches.count - p->flipped);
    if (!p->flipped)
        return;
    const hd_path_branch *last = hd_vec_last(&p->branches);
    uint64_t value = hd_term_evaluate(&p->terms, last->term, &p->values);
    hd_vec_push(&p->conditions, hd_term_equals(&p->terms, last->term, value));
}

bool hd_path_avoid(
    hd_path *p, const hd_term *also, size_t also_count, const hd_term *unless, size_t count, const hd_site *site)
{
    begin_query_here(p);
    for (size_t i = 0; i < also_count; i++)
        hd_vec_push(&p->conditions, also[i]);
    add_none_of(p, unless, count);
    if (end_query(p, site) != HD_SAT)
        return false;
    give_solution(p, unless, count);
    return true;
}

hd_answer hd_path_satisfy(hd_path *p, const hd_term *conditions, size_t count, const hd_site *site, hd_values *values)
{
    hd_vec_clear(&p->conditions);
    hd_vec_clear(&p->goals);
    for (size_t i = 0; i < count; i++)
        if (hd_term_evaluate(&p->terms, conditions[i], values))
            hd_vec_push(&p->conditions, conditions[i]);
        else
            hd_vec_push(&p->goals, conditions[i]);
    if (!p->goals.count)
        return HD_SAT;
    hd_answer answer =
        hd_solver_solve(p->solver, p->conditions.items, p->conditions.count, p->goals.items, p->goals.count, values);
    if (answer == HD_UNKNOWN)
        note_site(&p->unsolved, site);
    return answer;
}

bool hd_path_reaches(const hd_path *p, uint32_t position)
{
    return p->branches.count && hd_vec_last(&p->branches)->position >= position;
}

void hd_path_give_up(hd_path *p)
{
    p->seen.count = hd_vec_last(&p->branches)->first_seen;
    p->branches.count--;
}

static hd_answer find_other_value(hd_path *p, const hd_path_branch *b, const hd_term *unless, size_t count)
{
    begin_query(p, p->branches.count - 1);
    add_other_value(p, b, p->seen.items + b->first_seen, p->seen.count - b->first_seen);
    add_none_of(p, unless, count);
    return end_query(p, b->site);
}

bool hd_path_turn(hd_path *p, const hd_term *unless, size_t count)
{
    const hd_path_branch *b = hd_vec_last(&p->branches);
    if (b->open && find_other_value(p, b, unless, count) == HD_SAT) {
        hd_vec_push(&p->seen, b->value);
        give_solution(p, unless, count);
        p->flipped = true;
        return true;
    }
    hd_path_give_up(p);
    return false;
}

bool hd_path_flip(hd_path *p, uint32_t position)
{
    while (hd_path_reaches(p, position))
        if (hd_path_turn(p, NULL, 0))
            return true;
    return false;
}

/* --- kept inputs -------------------------------------------------------------------------- */

/* Do the first branches hold with `solution`? */
static bool first_hold(hd_path *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hd_term condition = p->branches.items[i].condition;
        if (condition && !hd_term_evaluate(&p->terms, condition, &p->solution))
            return false;
    }
    return true;
}

bool hd_path_use(hd_path *p, hd_path_inputs inputs)
{
    if (!inputs)
        return true;
    hd_path_place_record(p, inputs);
    if (!first_hold(p, p->branches.count))
        return false;
    if (inputs != p->current)
        hd_path_adopt(p, inputs);
    return true;
}

bool hd_path_turn_to(hd_path *p, hd_path_inputs inputs)
{
    hd_path_branch *b = hd_vec_last(&p->branches);
    if (!inputs || !b->open)
        return false;
    hd_path_place_record(p, inputs);
    uint64_t value = hd_term_evaluate(&p->terms, b->term, &p->solution);
    if (value == b->value || was_seen(p, b, value) || !first_hold(p, p->branches.count - 1))
        return false;
    hd_vec_push(&p->seen, b->value);
    if (inputs != p->current)
        hd_path_adopt(p, inputs);
    p->flipped = true;
    return true;
}

void hd_path_turn_back(hd_path *p)
{
    p->flipped = false;
    p->seen.count--;
}

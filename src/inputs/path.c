#include "inputs/path.h"

#include "base/error.h"
#include "abi/valid.h"
#include "event/op.h"

#include <string.h>

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

/* --- the inputs of the last execution, or of the next ------------------------------------- */

/* Values are stored by the number that the input has among the terms; an input that no term mentions has none. */
static void set_value(const hd_path *p, hd_values *values, const hd_given *g)
{
    uint32_t index = hd_term_input_index(&p->terms, g);
    if (index != HD_NO_INPUT)
        hd_term_set_value(&p->terms, index, values, g->value);
}

/* `values` becomes what `given` says. */
static void load_values(hd_path *p)
{
    hd_vec_clear(&p->values);
    for (size_t i = 0; i < p->given.count; i++)
        set_value(p, &p->values, &p->given.items[i]);
}

/* The path's inputs are those of the record; 0: of none. */
static void set_current(hd_path *p, hd_path_inputs inputs)
{
    hd_path_drop(p, p->current);
    p->current = inputs;
}

static bool same_given(const hd_given *a, const hd_given *b)
{
    return a->thread == b->thread && a->number == b->number && a->value == b->value && a->domain == b->domain;
}

/* `given` becomes the inputs that the execution asked for. */
static void take_inputs(hd_path *p, const hd_execution *e)
{
    const hd_path_record *r = &p->records.items[p->current];
    bool same = r->count == e->input_count;
    hd_vec_clear(&p->given);
    for (uint32_t i = 0; i < e->input_count; i++) {
        const hd_input *input = &e->inputs[i];
        hd_given g = { input->value, input->number, input->thread, hd_domain(input->width, input->low, input->count) };
        same = same && same_given(&r->given[i], &g);
        hd_vec_push(&p->given, g);
    }
    if (!same)
        set_current(p, 0);
}

/* The inputs of the last execution, with these values instead. */
static void give(const hd_path *p, const hd_values *values, hd_given_list *out)
{
    size_t count = p->given.count;
    if (out != &p->given)
        hd_vec_clear(out);
    for (size_t i = 0; i < count; i++) {
        hd_given g = p->given.items[i];
        uint32_t index = hd_term_input_index(&p->terms, &g);
        g.value = index < values->count ? values->items[index] : g.value;
        if (out == &p->given)
            out->items[i] = g;
        else
            hd_vec_push(out, g);
    }
}

static bool is_given(const hd_given_list *list, const hd_given *g)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].thread == g->thread && list->items[i].number == g->number
            && list->items[i].domain == g->domain)
            return true;
    return false;
}

/* Adds the inputs that the term mentions and that the last execution did not ask for: the next one may, and would then
 * choose a value of its own. */
static void give_inputs_of(hd_path *p, hd_term term, const hd_values *values, hd_given_list *out)
{
    hd_input_set set = hd_term_inputs(&p->terms, term);
    for (uint32_t i = 0; i < set.count; i++) {
        hd_given g = hd_term_given(&p->terms, set.indices[i], values);
        if (!is_given(out, &g))
            hd_vec_push(out, g);
    }
}

/* --- records of inputs -------------------------------------------------------------------- */

static hd_path_inputs new_record(hd_path *p)
{
    if (p->unused.count)
        return hd_vec_pop(&p->unused);
    hd_vec_push(&p->records, ((hd_path_record) { 0 }));
    return (hd_path_inputs)p->records.count - 1;
}

static hd_path_inputs make_record(hd_path *p, const hd_given_list *list, uint32_t users)
{
    size_t size = list->count * sizeof(hd_given);
    hd_path_inputs inputs = new_record(p);
    hd_path_record *r = &p->records.items[inputs];
    r->given = memcpy(hd_alloc(p->memory, size), list->items, size);
    r->count = (uint32_t)list->count;
    r->users = users;
    return inputs;
}

hd_path_inputs hd_path_keep_values(
    hd_path *p, const hd_values *values, const hd_term *terms, size_t count, uint32_t users)
{
    hd_given_list list = { .memory = p->memory };
    give(p, values, &list);
    for (size_t i = 0; i < count; i++)
        give_inputs_of(p, terms[i], values, &list);
    hd_path_inputs inputs = make_record(p, &list, users);
    hd_vec_fini(&list);
    return inputs;
}

hd_path_inputs hd_path_keep(hd_path *p, uint32_t users)
{
    if (!p->given.count)
        return 0;
    if (!p->current)
        p->current = make_record(p, &p->given, 1); /* one reference is the path's own */
    p->records.items[p->current].users += users;
    return p->current;
}

void hd_path_drop(hd_path *p, hd_path_inputs inputs)
{
    hd_path_record *r = &p->records.items[inputs];
    if (!inputs || --r->users)
        return;
    hd_release(p->memory, r->given, r->count * sizeof *r->given);
    *r = (hd_path_record) { 0 };
    hd_vec_push(&p->unused, inputs);
}

/* `solution` becomes the values of the record. */
static void load_record(hd_path *p, hd_path_inputs inputs)
{
    const hd_path_record *r = &p->records.items[inputs];
    hd_vec_clear(&p->solution);
    for (uint32_t i = 0; i < r->count; i++)
        set_value(p, &p->solution, &r->given[i]);
}

/* The record's inputs become those of the next execution. */
static void adopt(hd_path *p, hd_path_inputs inputs)
{
    hd_path_record *r = &p->records.items[inputs];
    hd_vec_clear(&p->given);
    for (uint32_t i = 0; i < r->count; i++)
        hd_vec_push(&p->given, r->given[i]);
    load_values(p);
    r->users++;
    set_current(p, inputs);
}

/* --- reading the branches of an execution -------------------------------------------------- */

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

/* Sets the branch's condition, and whether other values may be asked for. If the expression does not have the value
 * that the program computed, inputs flowed through code that is not tracked: then nothing is known about other values,
 * and the report names the source location. */
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

/* Compares a branch of the execution with the one that the path has there. A flipped branch must have a new value; all
 * others must be the same, or the execution did not begin as planned. A branch of one bit that has been flipped has had
 * both values. */
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

/* Are all of the first `count` branches that are at the position inside the thread's step? (The invariant of path.h.)
 */
static bool all_inside(const hd_path *p, size_t count, uint32_t position, uint16_t thread)
{
    const hd_path_branch *b = count ? &p->branches.items[count - 1] : NULL;
    return !b || b->position != position || (b->inside && b->thread == thread);
}

/* The execution failed before it reached a branch of the path. That is no contradiction: the branch has the value that
 * the inputs give it. */
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
    const hd_op *step = NULL; /* the last step; NULL: it is not part of schedules (HD_OP_ALONE) */
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        bool inside = step && (op->flags & HD_OP_CONTINUES);
        if (inside)
            hd_assert(op->thread == step->thread && all_inside(p, index, steps, op->thread));
        if (op->kind == HD_BRANCH) {
            /* The term is imported only where it is needed: the path has those of known branches already. */
            hd_path_branch b = index < known && !renewed && !(p->flipped && index == known - 1)
                ? (hd_path_branch) { .position = steps, .thread = op->thread, .site = op->site, .value = op->value }
                : branch_of(p, op, steps);
            b.inside = inside;
            p->misfit = i; /* unless all fit, see hd_path_extend */
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
    take_inputs(p, e);
    hd_import_inputs(&p->import);
    load_values(p);
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
    if (fits) {
        p->misfit = ~0u;
        hd_check_valid(hd_path_is_valid(p), p->branches.count * 64 + p->records.count, p->terms.walk);
    }
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

/* Queries: `conditions` hold with the current values, `goals` do not yet. The first branches keep their values. */
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

/* The solution becomes the inputs of the next execution, with values for all inputs that the terms mention. */
static void give_solution(hd_path *p, const hd_term *terms, size_t count)
{
    give(p, &p->solution, &p->given);
    for (size_t i = 0; i < count; i++)
        give_inputs_of(p, terms[i], &p->solution, &p->given);
    load_values(p);
    set_current(p, 0);
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
        give(p, &p->solution, given);
        *other = hd_term_evaluate(&p->terms, b->term, &p->solution);
    }
    return answer;
}

/* All branches keep their values; a flipped one has the value that the current inputs give it. */
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

/* Have the first branches their values with `solution`? */
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
    load_record(p, inputs);
    if (!first_hold(p, p->branches.count))
        return false;
    if (inputs != p->current)
        adopt(p, inputs);
    return true;
}

bool hd_path_turn_to(hd_path *p, hd_path_inputs inputs)
{
    hd_path_branch *b = hd_vec_last(&p->branches);
    if (!inputs || !b->open)
        return false;
    load_record(p, inputs);
    uint64_t value = hd_term_evaluate(&p->terms, b->term, &p->solution);
    if (value == b->value || was_seen(p, b, value) || !first_hold(p, p->branches.count - 1))
        return false;
    hd_vec_push(&p->seen, b->value);
    if (inputs != p->current)
        adopt(p, inputs);
    p->flipped = true;
    return true;
}

void hd_path_turn_back(hd_path *p)
{
    p->flipped = false;
    p->seen.count--;
}

/* --- branches and steps ------------------------------------------------------------------- */

/* The first branch with this position or more. */
static size_t first_at(const hd_path *p, uint32_t position)
{
    size_t low = 0, high = p->branches.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->branches.items[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Never 0 if there is a branch. */
uint64_t hd_path_way(const hd_path *p, uint32_t position)
{
    uint64_t way = 0;
    for (size_t i = first_at(p, position); i < p->branches.count; i++) {
        const hd_path_branch *b = &p->branches.items[i];
        if (b->position != position)
            break;
        way = hd_hash(way ^ hd_hash((uint64_t)(uintptr_t)b->site ^ (uint64_t)b->thread << 48) ^ b->value) | 1;
    }
    return way;
}

bool hd_path_turns(const hd_path *p, uint32_t position)
{
    size_t after = first_at(p, position + 1);
    return after && p->branches.items[after - 1].position == position && !p->branches.items[after - 1].inside;
}

/* A term that says that all branches after step `position - 1`, or only those inside it, have their values. FOLLOWED
 * branches are left out, because no other value of them is ever explored. */
static hd_term conditions_at(hd_path *p, uint32_t position, bool inside)
{
    hd_term all = 0;
    for (size_t i = first_at(p, position); i < p->branches.count; i++) {
        const hd_path_branch *b = &p->branches.items[i];
        if (b->position != position || (inside && !b->inside))
            break;
        if (!(b->flags & HD_OP_FOLLOWED))
            all = hd_term_both(&p->terms, all, b->condition);
    }
    return all;
}

hd_term hd_path_when(hd_path *p, uint32_t position)
{
    return conditions_at(p, position, true);
}

bool hd_path_branches_inside(const hd_path *p, uint32_t position)
{
    size_t first = first_at(p, position);
    return first < p->branches.count && p->branches.items[first].position == position
        && p->branches.items[first].inside;
}

hd_term hd_path_condition(hd_path *p, uint32_t position)
{
    return conditions_at(p, position, false);
}

bool hd_path_holds(hd_path *p, hd_term when)
{
    give_inputs_of(p, when, &p->values, &p->given);
    return hd_term_evaluate(&p->terms, when, &p->values);
}

/* --- forgetting terms ----------------------------------------------------------------------- */

void hd_path_begin_forgetting(hd_path *p)
{
    hd_terms_begin_forgetting(&p->terms);
    for (size_t i = 0; i < p->branches.count; i++) {
        hd_terms_keep(&p->terms, p->branches.items[i].term);
        hd_terms_keep(&p->terms, p->branches.items[i].condition);
    }
}

void hd_path_forget(hd_path *p)
{
    hd_terms_forget(&p->terms);
    hd_solver_forget(p->solver);
    for (size_t i = 0; i < p->branches.count; i++) {
        hd_path_branch *b = &p->branches.items[i];
        b->term = hd_terms_renumbered(&p->terms, b->term);
        b->condition = hd_terms_renumbered(&p->terms, b->condition);
    }
    /* If most terms are still in use, forgetting again soon would gain nothing. */
    if (p->most_terms < 2 * p->terms.nodes.count)
        p->most_terms = 2 * p->terms.nodes.count;
}

/* --- validity ----------------------------------------------------------------------------- */

/* Is the branch behind those before it, those inside a step first, with a value that it had not here before? */
static bool branch_is_valid(hd_path *p, size_t index)
{
    const hd_path_branch *b = &p->branches.items[index], *before = index ? b - 1 : NULL;
    size_t end = index + 1 < p->branches.count ? b[1].first_seen : p->seen.count;
    if (before && (before->position > b->position || before->first_seen > b->first_seen))
        return false;
    if (b->inside && !all_inside(p, index, b->position, b->thread))
        return false;
    if (b->first_seen > end || end > p->seen.count || (b->open && !b->condition))
        return false;
    for (size_t i = b->first_seen; i < end; i++)
        if (p->seen.items[i] == b->value)
            return false;
    return !b->condition
        || (hd_term_evaluate(&p->terms, b->condition, &p->values) == 1
            && hd_term_evaluate(&p->terms, b->term, &p->values) == b->value);
}

static bool records_are_valid(const hd_path *p)
{
    size_t unused = 1;
    for (size_t i = 1; i < p->records.count; i++)
        unused += p->records.items[i].users == 0;
    for (size_t i = 0; i < p->unused.count; i++)
        if (p->unused.items[i] >= p->records.count || p->records.items[p->unused.items[i]].users)
            return false;
    return unused == p->unused.count + 1 && p->current < p->records.count
        && (!p->current || p->records.items[p->current].users);
}

bool hd_path_is_valid(hd_path *p)
{
    for (size_t i = 0; i < p->branches.count; i++)
        if (!branch_is_valid(p, i))
            return false;
    return records_are_valid(p);
}

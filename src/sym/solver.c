#include "sym/solver.h"

#include "base/clock.h"
#include "base/error.h"
#include "sym/blast.h"

#include <stdlib.h>
#include <string.h>

enum {
    BRUTE_BITS = 24,
    MOST_ANSWERS = 1 << 16,
    RECENT = 32, /* cores, and models, that are kept */
    LONGEST_CORE = 16,
    BAD_GUESSES = 16
};

typedef struct answer {
    uint32_t first, count; /* its conditions, in solver.answer_terms */
    uint32_t first_value; /* of its inputs, in solver.answer_values */
    hd_answer answer;
} answer;

typedef struct core {
    uint32_t count;
    hd_term terms[LONGEST_CORE];
} core;

struct hd_solver {
    hd_memory *memory;
    hd_terms *terms;
    hd_solver_config config;
    hd_solver_counts counts;
    hd_blast *blast;
    hd_z3 z3;

    /* The current query: the conditions that matter in path order (`path`) and sorted without
     * duplicates (`slice`), and their inputs, sorted. */
    hd_vec(hd_term) path, slice;
    hd_vec(uint32_t) inputs;
    hd_vec(uint8_t) in_slice, reached; /* by condition; by input */
    hd_query query;
    hd_values tried;

    hd_map answers; /* hash of a slice → index + 1 */
    hd_vec(answer) answer_list;
    hd_vec(hd_term) answer_terms;
    hd_vec(uint64_t) answer_values;
    core cores[RECENT];
    uint32_t core_count;
    hd_values models[RECENT];
    uint32_t model_count;
    uint32_t bad_guesses; /* since the last good one */
};

hd_solver *hd_solver_open(hd_terms *terms, const hd_solver_config *config, hd_memory *memory)
{
    hd_solver *s = hd_alloc(memory, sizeof *s);
    memset(s, 0, sizeof *s);
    s->memory = memory;
    s->terms = terms;
    s->config = *config;
    s->blast = hd_blast_open(memory);
    hd_z3_init(&s->z3, memory);
    s->path.memory = s->slice.memory = s->inputs.memory = s->in_slice.memory = s->reached.memory = s->tried.memory =
        memory;
    s->query.core.memory = s->query.touched.memory = s->answer_list.memory = s->answer_terms.memory =
        s->answer_values.memory = memory;
    for (int i = 0; i < RECENT; i++)
        s->models[i].memory = memory;
    hd_map_init(&s->answers, memory);
    return s;
}

void hd_solver_close(hd_solver *s)
{
    hd_blast_close(s->blast);
    hd_z3_fini(&s->z3);
    hd_vec_fini(&s->path);
    hd_vec_fini(&s->slice);
    hd_vec_fini(&s->inputs);
    hd_vec_fini(&s->in_slice);
    hd_vec_fini(&s->reached);
    hd_vec_fini(&s->tried);
    hd_vec_fini(&s->query.core);
    hd_vec_fini(&s->query.touched);
    hd_vec_fini(&s->answer_list);
    hd_vec_fini(&s->answer_terms);
    hd_vec_fini(&s->answer_values);
    for (int i = 0; i < RECENT; i++)
        hd_vec_fini(&s->models[i]);
    hd_map_fini(&s->answers);
    hd_release(s->memory, s, sizeof *s);
}

void hd_solver_attach(hd_solver *s, const hd_solver_config *config)
{
    s->config = *config;
    hd_z3_attach(&s->z3);
}

const hd_solver_counts *hd_solver_counted(const hd_solver *s)
{
    return &s->counts;
}

static void forget_answers(hd_solver *s)
{
    hd_map_clear(&s->answers);
    hd_vec_clear(&s->answer_list);
    hd_vec_clear(&s->answer_terms);
    hd_vec_clear(&s->answer_values);
}

void hd_solver_forget(hd_solver *s)
{
    forget_answers(s);
    hd_blast_forget(s->blast);
    hd_z3_forget(&s->z3);
    s->core_count = s->model_count = 0;
}

/* --- what matters ------------------------------------------------------------------------- */

/* Does the set contain an input that the slice has reached? */
static bool is_reached(const hd_solver *s, hd_input_set set)
{
    for (uint32_t i = 0; i < set.count; i++)
        if (s->reached.items[set.indices[i]])
            return true;
    return false;
}

static void reach(hd_solver *s, hd_input_set set)
{
    for (uint32_t i = 0; i < set.count; i++) {
        if (!s->reached.items[set.indices[i]])
            hd_vec_push(&s->inputs, set.indices[i]);
        s->reached.items[set.indices[i]] = 1;
    }
}

#define ZEROED(vector, n) \
    (hd_vec_clear(vector), hd_vec_reserve(vector, n), memset((vector)->items, 0, (n) * sizeof *(vector)->items))

/* The closure: conditions that share an input with a goal or with a condition in the slice. */
static void reach_conditions(hd_solver *s, const hd_term *conditions, size_t count)
{
    /* Repeat until no condition adds an input: the slice is closed under shared inputs. */
    for (size_t before = ~(size_t)0; before != s->inputs.count;) {
        before = s->inputs.count;
        for (size_t i = 0; i < count; i++) {
            hd_input_set set = hd_term_inputs(s->terms, conditions[i]);
            if (s->in_slice.items[i] || !is_reached(s, set))
                continue;
            s->in_slice.items[i] = 1;
            reach(s, set);
        }
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The sorted slice is the key of the cache: equal sets of conditions have equal slices. */
static void sort_slice(hd_solver *s)
{
    size_t kept = 0;
    hd_vec_clear(&s->slice);
    for (size_t i = 0; i < s->path.count; i++)
        hd_vec_push(&s->slice, s->path.items[i]);
    qsort(s->slice.items, s->slice.count, sizeof *s->slice.items, by_number);
    for (size_t i = 0; i < s->slice.count; i++)
        if (!kept || s->slice.items[i] != s->slice.items[kept - 1])
            s->slice.items[kept++] = s->slice.items[i];
    s->slice.count = kept;
    qsort(s->inputs.items, s->inputs.count, sizeof *s->inputs.items, by_number);
}

static void make_slice(
    hd_solver *s, const hd_term *conditions, size_t condition_count, const hd_term *goals, size_t goal_count)
{
    hd_vec_clear(&s->path);
    hd_vec_clear(&s->inputs);
    ZEROED(&s->in_slice, condition_count + 1);
    ZEROED(&s->reached, s->terms->inputs.count + 1);
    for (size_t i = 0; i < goal_count; i++)
        reach(s, hd_term_inputs(s->terms, goals[i]));
    reach_conditions(s, conditions, condition_count);
    /* Ranges come first: they are part of every query with the input. */
    for (size_t i = 0; i < s->inputs.count; i++)
        if (s->terms->inputs.items[s->inputs.items[i]].within)
            hd_vec_push(&s->path, s->terms->inputs.items[s->inputs.items[i]].within);
    for (size_t i = 0; i < condition_count; i++)
        if (s->in_slice.items[i])
            hd_vec_push(&s->path, conditions[i]);
    for (size_t i = 0; i < goal_count; i++)
        hd_vec_push(&s->path, goals[i]);
    sort_slice(s);
}

/* From the end: the goals come last and are the least likely to hold. */
static bool all_hold(hd_solver *s, const hd_term *terms, size_t count, const hd_values *values)
{
    for (size_t i = count; i-- > 0;)
        if (!hd_term_evaluate(s->terms, terms[i], values))
            return false;
    return true;
}

/* --- what is known already ---------------------------------------------------------------- */

static uint64_t hash_of_slice(const hd_solver *s)
{
    return hd_hash_bytes(s->slice.items, s->slice.count * sizeof *s->slice.items, 1);
}

static const answer *known_answer(const hd_solver *s)
{
    uint64_t *index = hd_map_get(&s->answers, hash_of_slice(s));
    if (!index)
        return NULL;
    const answer *a = &s->answer_list.items[*index - 1];
    /* Different slices can have the same hash: compare all terms. */
    bool is_it = a->count == s->slice.count
        && !memcmp(s->answer_terms.items + a->first, s->slice.items, a->count * sizeof *s->slice.items);
    return is_it ? a : NULL;
}

static void remember_answer(hd_solver *s, hd_answer found, const hd_values *values)
{
    /* A full cache is emptied; that is simpler than eviction, and rare. */
    if (s->answer_list.count == MOST_ANSWERS)
        forget_answers(s);
    answer a = { .first = (uint32_t)s->answer_terms.count,
        .count = (uint32_t)s->slice.count,
        .first_value = (uint32_t)s->answer_values.count,
        .answer = found };
    for (size_t i = 0; i < s->slice.count; i++)
        hd_vec_push(&s->answer_terms, s->slice.items[i]);
    for (size_t i = 0; found == HD_SAT && i < s->inputs.count; i++)
        hd_vec_push(&s->answer_values, values->items[s->inputs.items[i]]);
    hd_vec_push(&s->answer_list, a);
    *hd_map_put(&s->answers, hash_of_slice(s)) = s->answer_list.count;
}

/* Cores refer to terms, not to positions, so they apply to any slice that contains them. */
static void remember_core(hd_solver *s)
{
    if (!s->query.core.count || s->query.core.count > LONGEST_CORE)
        return;
    core *c = &s->cores[s->core_count++ % RECENT];
    c->count = (uint32_t)s->query.core.count;
    for (uint32_t i = 0; i < c->count; i++)
        c->terms[i] = s->path.items[s->query.core.items[i]];
}

static void remember_model(hd_solver *s, const hd_values *values)
{
    hd_values *m = &s->models[s->model_count++ % RECENT];
    hd_vec_clear(m);
    hd_vec_reserve(m, values->count);
    memcpy(m->items, values->items, values->count * sizeof *m->items);
    m->count = values->count;
}

static bool in_slice(const hd_solver *s, hd_term term)
{
    return bsearch(&term, s->slice.items, s->slice.count, sizeof term, by_number);
}

/* If all conditions of a known core are in the slice, the query is unsatisfiable. */
static bool contains_core(const hd_solver *s)
{
    uint32_t count = s->core_count < RECENT ? s->core_count : RECENT;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < s->cores[i].count && in_slice(s, s->cores[i].terms[k]))
            k++;
        if (k == s->cores[i].count)
            return true;
    }
    return false;
}

/* Copies the values of the slice's inputs from `from`; all other inputs keep theirs. */
static void set_inputs(hd_solver *s, hd_values *values, const hd_values *from)
{
    for (size_t i = 0; i < s->inputs.count; i++) {
        uint32_t index = s->inputs.items[i];
        values->items[index] = hd_term_value(s->terms, index, from);
    }
}

/* The newest models first: neighbouring paths often share a solution. */
static bool recent_model_fits(hd_solver *s, hd_values *values)
{
    uint32_t count = s->model_count < RECENT ? s->model_count : RECENT;
    for (uint32_t i = 1; i <= count; i++) {
        const hd_values *m = &s->models[(s->model_count - i) % RECENT];
        if (all_hold(s, s->path.items, s->path.count, m)) {
            set_inputs(s, values, m);
            return true;
        }
    }
    return false;
}

/* --- solving ------------------------------------------------------------------------------ */

static bool from_memory(hd_solver *s, hd_values *values, hd_answer *found)
{
    const answer *a = known_answer(s);
    if (a) {
        s->counts.same++;
        *found = a->answer;
        for (size_t i = 0; *found == HD_SAT && i < s->inputs.count; i++)
            values->items[s->inputs.items[i]] = s->answer_values.items[a->first_value + i];
        return true;
    }
    if (contains_core(s)) {
        s->counts.cores++;
        *found = HD_UNSAT;
        return true;
    }
    if (recent_model_fits(s, values)) {
        s->counts.models++;
        *found = HD_SAT;
        return true;
    }
    return false;
}

/* After BAD_GUESSES failures in a row, guessing is tried only for one query in BAD_GUESSES. */
static bool guess(hd_solver *s, const hd_term *goals, size_t goal_count)
{
    if (s->bad_guesses >= BAD_GUESSES && s->counts.queries % BAD_GUESSES)
        return false;
    bool found = hd_guess(&s->query, goals, goal_count);
    s->bad_guesses = found ? 0 : s->bad_guesses + 1;
    return found;
}

/* The time for a query: at most what is left until the deadline. */
static uint32_t milliseconds_for(const hd_solver_config *c)
{
    double left = c->deadline.until > 0 ? (c->deadline.until - hd_now()) * 1000 : c->milliseconds;
    return left < 1 ? 1 : left < c->milliseconds ? (uint32_t)left : c->milliseconds;
}

static hd_answer ask(hd_solver *s, const hd_term *goals, size_t goal_count, hd_values *values)
{
    hd_query *q = &s->query;
    q->terms = s->terms;
    q->conditions = s->path.items;
    q->condition_count = (uint32_t)s->path.count;
    q->inputs = s->inputs.items;
    q->input_count = (uint32_t)s->inputs.count;
    q->values = values;
    /* Cheapest method first. */
    hd_answer found = hd_brute_solve(q, s->config.few_bits);
    if (found != HD_UNKNOWN) {
        s->counts.tried++;
    } else if (s->config.few_bits && guess(s, goals, goal_count)) {
        s->counts.guessed++;
        found = HD_SAT;
    } else if (hd_deadline_is_over(&s->config.deadline)) {
        return HD_UNKNOWN;
    } else if (!s->config.only_backend
        && (found = hd_blast_solve(s->blast, q, milliseconds_for(&s->config))) != HD_UNKNOWN) {
        s->counts.blasted++;
    } else {
        found = s->config.backend == HD_BACKEND_Z3 ? hd_z3_solve(&s->z3, q, &s->config, milliseconds_for(&s->config))
                                                   : hd_brute_solve(q, BRUTE_BITS);
        s->counts.solved += found != HD_UNKNOWN;
    }
    /* What was learned from this answer helps later queries. */
    if (found == HD_UNSAT)
        remember_core(s);
    if (found == HD_SAT)
        remember_model(s, values);
    if (found != HD_UNKNOWN)
        remember_answer(s, found, values);
    return found;
}

static hd_answer solve(hd_solver *s, const hd_term *conditions, size_t condition_count, const hd_term *goals,
    size_t goal_count, hd_values *values)
{
    hd_answer found;
    /* A goal that simplified to false needs no solver. */
    for (size_t i = 0; i < goal_count; i++)
        if (hd_term_is_constant(s->terms, goals[i]) && !hd_term_at(s->terms, goals[i])->value)
            return HD_UNSAT;
    make_slice(s, conditions, condition_count, goals, goal_count);
    hd_term_fill_values(s->terms, values, s->terms->inputs.count);
    /* Work on a copy: `values` must stay unchanged unless the answer is HD_SAT. */
    hd_vec_clear(&s->tried);
    for (size_t i = 0; i < values->count; i++)
        hd_vec_push(&s->tried, values->items[i]);
    if (!from_memory(s, &s->tried, &found))
        found = ask(s, goals, goal_count, &s->tried);
    if (found != HD_SAT)
        return found;
    /* Whoever produced the values, they are checked here. */
    hd_assert(all_hold(s, s->slice.items, s->slice.count, &s->tried));
    set_inputs(s, values, &s->tried);
    return HD_SAT;
}

hd_answer hd_solver_solve(hd_solver *s, const hd_term *conditions, size_t condition_count, const hd_term *goals,
    size_t goal_count, hd_values *values)
{
    double started = hd_now();
    hd_answer found = solve(s, conditions, condition_count, goals, goal_count, values);
    s->counts.queries++;
    s->counts.satisfiable += found == HD_SAT;
    s->counts.unknown += found == HD_UNKNOWN;
    s->counts.seconds += hd_now() - started;
    return found;
}

#include "base/error.h"
#include "sym/sat_parts.h"

#include <string.h>

/* MOST_LEARNED: how many learned clauses may be added before the next clean-up. */
enum { MOST_LEARNED = 4000, CONFLICTS_A_RESTART = 64 };

/* --- opening ------------------------------------------------------------------------------- */

void hd_sat_init(hd_sat *s, hd_memory *memory)
{
    *s = (hd_sat) { .memory = memory };
    s->variables.memory = s->values.memory = s->watches.memory = s->clauses.memory = s->trail.memory = memory;
    s->levels.memory = s->heap.memory = s->wanted.memory = s->clause.memory = s->stack.memory = memory;
    s->looked_at.memory = s->core.memory = memory;
    hd_sat_clear(s);
}

void hd_sat_fini(hd_sat *s)
{
    for (size_t i = 0; i < s->watches.count; i++)
        hd_vec_fini(&s->watches.items[i]);
    hd_vec_fini(&s->variables);
    hd_vec_fini(&s->values);
    hd_vec_fini(&s->watches);
    hd_vec_fini(&s->clauses);
    hd_vec_fini(&s->trail);
    hd_vec_fini(&s->levels);
    hd_vec_fini(&s->heap);
    hd_vec_fini(&s->wanted);
    hd_vec_fini(&s->clause);
    hd_vec_fini(&s->stack);
    hd_vec_fini(&s->looked_at);
    hd_vec_fini(&s->core);
}

/* Variable 0 is created and set to true, so that HD_TRUE and HD_FALSE are ordinary literals. */
void hd_sat_clear(hd_sat *s)
{
    for (size_t i = 0; i < s->watches.count; i++)
        hd_vec_fini(&s->watches.items[i]);
    hd_vec_clear(&s->variables);
    hd_vec_clear(&s->values);
    hd_vec_clear(&s->watches);
    hd_vec_clear(&s->clauses);
    hd_vec_clear(&s->trail);
    hd_vec_clear(&s->levels);
    hd_vec_clear(&s->heap);
    hd_vec_clear(&s->wanted);
    s->propagated = s->learned = 0;
    s->question = s->group = 0;
    s->most_learned = MOST_LEARNED;
    s->bump = 1;
    hd_vec_push(&s->clauses, 0u); /* clause 0 is none */
    hd_sat_variable_of(s, false);
    assign(s, HD_TRUE, 0);
}

void hd_sat_begin_group(hd_sat *s, uint32_t group)
{
    s->group = group;
}

hd_literal hd_sat_variable_of(hd_sat *s, bool is_input)
{
    hd_literal literal = 2 * (hd_literal)s->variables.count;
    hd_vec_push(&s->variables, ((hd_sat_variable) { .group = s->group, .is_input = is_input }));
    for (int i = 0; i < 2; i++) {
        hd_vec_push(&s->values, (int8_t)0);
        hd_vec_push(&s->watches, ((hd_sat_watches) { .memory = s->memory }));
    }
    return literal;
}

/* --- the assignment -------------------------------------------------------------------------- */

void hd_sat_go_back(hd_sat *s, size_t level)
{
    if (s->levels.count <= level)
        return;
    size_t first = s->levels.items[level].first;
    for (size_t i = s->trail.count; i-- > first;) {
        hd_literal literal = s->trail.items[i];
        hd_sat_variable *v = &s->variables.items[literal / 2];
        /* Phase saving: a variable is tried with its last value first. */
        v->phase = !(literal & 1);
        s->values.items[literal] = s->values.items[literal ^ 1] = 0;
        /* Variables that are neither inputs nor have been in a conflict need no decision: they
         * follow from inputs. */
        if (v->is_input || v->activity > 0)
            hd_sat_enter_heap(s, literal / 2);
    }
    s->trail.count = s->propagated = first;
    s->levels.count = level;
}

void hd_sat_withdraw(hd_sat *s)
{
    hd_sat_go_back(s, 0);
}

/* A literal that is true already gets a level of its own too: level i + 1 always belongs to assumption i. */
static void decide(hd_sat *s, hd_literal literal)
{
    hd_vec_push(&s->levels, ((hd_sat_level) { (uint32_t)s->trail.count, literal }));
    if (!s->values.items[literal])
        assign(s, literal, 0);
}

/* --- clauses ---------------------------------------------------------------------------------- */

/* Invariant: the first two literals of a clause are watched. If one of them is false and
 * propagated, the other is true (at a level not above), or the clause is being propagated. */
static void watch(hd_sat *s, uint32_t clause)
{
    const hd_literal *l = literals_of(s, clause);
    hd_vec_push(&s->watches.items[l[0] ^ 1], ((hd_sat_watch) { clause, l[1] }));
    hd_vec_push(&s->watches.items[l[1] ^ 1], ((hd_sat_watch) { clause, l[0] }));
}

/* The caller has chosen the two literals to watch: they are the first two. */
uint32_t hd_sat_store(hd_sat *s, const hd_literal *literals, uint32_t count, uint32_t rank)
{
    uint32_t clause = (uint32_t)s->clauses.count;
    hd_vec_reserve(&s->clauses, HD_SAT_HEADER + count);
    hd_vec_push(&s->clauses, count);
    hd_vec_push(&s->clauses, rank);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&s->clauses, literals[i]);
    watch(s, clause);
    return clause;
}

static bool is_in_clause(const hd_sat *s, hd_literal literal)
{
    for (size_t i = 0; i < s->clause.count; i++)
        if (s->clause.items[i] == literal)
            return true;
    return false;
}

void hd_sat_add(hd_sat *s, const hd_literal *literals, uint32_t count)
{
    hd_assert(!s->levels.count);
    hd_vec_clear(&s->clause);
    for (uint32_t i = 0; i < count; i++) {
        /* At level 0: satisfied clauses and tautologies are dropped, false and repeated literals left out. */
        if (s->values.items[literals[i]] > 0 || is_in_clause(s, literals[i] ^ 1))
            return;
        if (!s->values.items[literals[i]] && !is_in_clause(s, literals[i]))
            hd_vec_push(&s->clause, literals[i]);
    }
    hd_assert(s->clause.count); /* definitions of new variables contradict nothing */
    if (s->clause.count == 1)
        assign(s, s->clause.items[0], 0);
    else
        hd_sat_store(s, s->clause.items, (uint32_t)s->clause.count, HD_SAT_GIVEN);
}

/* Copies a clause to `to` without its literals that are false at level 0; 0: it is satisfied at level 0. */
static uint32_t shrink(hd_sat *s, uint32_t from, uint32_t to)
{
    uint32_t size = s->clauses.items[from], rank = s->clauses.items[from + 1], kept = 0;
    for (uint32_t i = 0; i < size; i++)
        if (s->values.items[literals_of(s, from)[i]] > 0)
            return 0;
    for (uint32_t i = 0; i < size; i++) {
        hd_literal literal = literals_of(s, from)[i];
        if (!s->values.items[literal])
            literals_of(s, to)[kept++] = literal;
    }
    s->clauses.items[to] = kept;
    s->clauses.items[to + 1] = rank;
    return kept;
}

/* Compacts the clauses: drops those satisfied at level 0 and the older half of the learned ones,
 * except for those of low rank. It runs at level 0 with everything propagated, so every remaining
 * clause keeps at least two literals, and no clause is the reason of a value above level 0. */
static void tidy(hd_sat *s)
{
    uint32_t to = 1, seen = 0, half = s->learned / 2, size;
    for (size_t i = 0; i < s->watches.count; i++)
        hd_vec_clear(&s->watches.items[i]);
    s->learned = 0;
    for (uint32_t from = 1; from < s->clauses.count; from += HD_SAT_HEADER + size) {
        uint32_t rank = s->clauses.items[from + 1];
        size = s->clauses.items[from];
        bool is_old = rank != HD_SAT_GIVEN && seen++ < half;
        uint32_t kept = is_old && rank > HD_SAT_GOOD_RANK ? 0 : shrink(s, from, to);
        if (!kept)
            continue;
        s->learned += rank != HD_SAT_GIVEN;
        watch(s, to);
        to += HD_SAT_HEADER + kept;
    }
    s->clauses.count = to;
}

/* --- propagating -------------------------------------------------------------------------------- */

/* Replaces the second watched literal, which has become false, by one that is not false. False:
 * there is none, so the clause is unit or false. */
static bool watch_another(hd_sat *s, uint32_t clause)
{
    hd_literal *l = literals_of(s, clause);
    for (uint32_t i = 2; i < s->clauses.items[clause]; i++)
        if (s->values.items[l[i]] >= 0) {
            hd_literal was = l[1];
            l[1] = l[i];
            l[i] = was;
            hd_vec_push(&s->watches.items[l[1] ^ 1], ((hd_sat_watch) { clause, l[0] }));
            return true;
        }
    return false;
}

/* Visits the clauses that watch the negation of `literal`, which has become true. Returns a clause
 * that is false, or 0. */
static uint32_t propagate_literal(hd_sat *s, hd_literal literal)
{
    hd_sat_watches *w = &s->watches.items[literal];
    size_t kept = 0, i = 0;
    uint32_t conflict = 0;
    s->visits += w->count;
    while (i < w->count && !conflict) {
        hd_sat_watch at = w->items[i++];
        hd_literal *l = literals_of(s, at.clause);
        /* The blocker is true: the clause is satisfied, and its memory is not touched. */
        if (s->values.items[at.other] > 0) {
            w->items[kept++] = at;
            continue;
        }
        /* Make the false literal the second one, so that a unit clause implies its first. */
        if (l[0] == (literal ^ 1)) {
            l[0] = l[1];
            l[1] = literal ^ 1;
        }
        at.other = l[0];
        /* Another literal is watched from now on; its watch is in another list. */
        if (s->values.items[l[0]] <= 0 && watch_another(s, at.clause))
            continue;
        w->items[kept++] = at;
        /* All literals but the first are false: a conflict, a unit clause, or a clause that is satisfied. */
        if (s->values.items[l[0]] < 0)
            conflict = at.clause;
        else if (!s->values.items[l[0]])
            assign(s, l[0], at.clause);
    }
    /* After a conflict the watches that were not visited are kept. */
    while (i < w->count)
        w->items[kept++] = w->items[i++];
    w->count = kept;
    return conflict;
}

/* Unit propagation to the end, or to a conflict (a clause, else 0). */
static uint32_t propagate(hd_sat *s)
{
    uint32_t conflict = 0;
    while (!conflict && s->propagated < s->trail.count)
        conflict = propagate_literal(s, s->trail.items[s->propagated++]);
    return conflict;
}

/* --- answering ------------------------------------------------------------------------------------ */

/* Decides assumptions up to the first that is not implied yet (HD_UNKNOWN: propagate it). HD_SAT:
 * all are decided. HD_UNSAT: one is false. */
static hd_answer assume(hd_sat *s, const hd_literal *assumptions, uint32_t count)
{
    while (s->levels.count < count) {
        uint32_t at = (uint32_t)s->levels.count;
        if (s->values.items[assumptions[at]] < 0) {
            hd_sat_find_core(s, assumptions, at);
            return HD_UNSAT;
        }
        bool holds = s->values.items[assumptions[at]] > 0;
        decide(s, assumptions[at]);
        if (!holds)
            return HD_UNKNOWN;
    }
    return HD_SAT;
}

/* Decides the most active wanted variable. False: all wanted variables have values, so the query is
 * satisfied. */
static bool decide_another(hd_sat *s)
{
    while (s->heap.count) {
        uint32_t variable = hd_sat_leave_heap(s);
        const hd_sat_variable *v = &s->variables.items[variable];
        if (s->values.items[2 * variable] || !hd_sat_wants(s, v->group))
            continue;
        decide(s, 2 * variable + !v->phase);
        return true;
    }
    return false;
}

/* The Luby sequence, 1 1 2 1 1 2 4 …, by Knuth's recurrence. */
typedef struct pauses {
    uint64_t turn, length;
} pauses;

static void next_pause(pauses *p)
{
    bool is_over = (p->turn & (0 - p->turn)) == p->length;
    p->length = is_over ? 1 : 2 * p->length;
    p->turn += is_over;
}

void hd_sat_begin(hd_sat *s, const hd_literal *assumptions, uint32_t count)
{
    size_t common = 0;
    /* Here, between queries, is the only place where clauses are dropped. */
    if (s->learned > s->most_learned) {
        hd_sat_go_back(s, 0);
        hd_assert(!propagate(s));
        tidy(s);
        s->most_learned = s->learned + MOST_LEARNED;
    }
    /* Keep the levels of assumptions that both queries begin with. */
    while (common < count && common < s->levels.count && s->levels.items[common].decided == assumptions[common])
        common++;
    hd_sat_go_back(s, common);
    s->question++;
}

void hd_sat_want(hd_sat *s, uint32_t group)
{
    while (s->wanted.count <= group)
        hd_vec_push(&s->wanted, 0u);
    s->wanted.items[group] = s->question;
}

bool hd_sat_wants(const hd_sat *s, uint32_t group)
{
    return group < s->wanted.count && s->wanted.items[group] == s->question;
}

void hd_sat_prefer(hd_sat *s, hd_literal input, bool value)
{
    s->variables.items[input / 2].phase = value != (input & 1);
    if (!s->values.items[input])
        hd_sat_enter_heap(s, input / 2);
}

hd_answer hd_sat_solve(hd_sat *s, const hd_literal *assumptions, uint32_t count, uint64_t most_visits)
{
    uint64_t most = s->visits + most_visits, conflicts = 0;
    pauses pause = { 1, 1 };
    for (;;) {
        uint32_t conflict = propagate(s);
        if (conflict) {
            hd_assert(s->levels.count); /* the clauses alone contradict nothing */
            /* This may backtrack into the levels of the assumptions; they are decided again below. */
            hd_sat_take_back(s, conflict);
            conflicts++;
            continue;
        }
        if (s->visits > most)
            return HD_UNKNOWN;
        /* A restart keeps the levels of the assumptions. */
        if (conflicts >= pause.length * CONFLICTS_A_RESTART) {
            next_pause(&pause);
            conflicts = 0;
            hd_sat_go_back(s, count);
        }
        hd_answer assumed = assume(s, assumptions, count);
        if (assumed == HD_UNSAT)
            return HD_UNSAT;
        /* All assumptions hold and all wanted variables have values without a conflict: by the
         * invariant on groups every clause of the query is satisfied. */
        if (assumed == HD_SAT && !decide_another(s))
            return HD_SAT;
    }
}

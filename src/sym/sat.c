#include "sym/sat.h"

#include "base/error.h"
#include "abi/valid.h"
#include "base/vec.h"

#include <string.h>

/* MOST_LEARNED: how many learned clauses may be added before the next clean-up. */
enum { MOST_LEARNED = 4000, CONFLICTS_A_RESTART = 64 };

typedef struct sat_watch {
    uint32_t clause;
    hd_literal other; /* the blocker: if it is true, the clause need not be visited */
} sat_watch;

typedef hd_vec(sat_watch) sat_watches;

typedef struct sat_variable {
    double activity;
    uint32_t level, reason; /* reason: a clause, or 0 */
    uint32_t group;
    uint32_t heap_index; /* + 1; 0: not in it */
    bool phase; /* saved phase: its last value, or the preferred one */
    bool seen;
    bool is_input;
} sat_variable;

typedef struct sat_level {
    uint32_t first; /* in the trail */
    hd_literal decided;
} sat_level;

struct hd_sat {
    hd_memory *memory;
    hd_vec(sat_variable) variables;
    hd_vec(int8_t) values; /* by literal: 1, -1, 0: none */
    hd_vec(
        sat_watches) watches; /* by literal: clauses that watch its negation, visited when the literal becomes true */
    hd_vec(uint32_t) clauses; /* size and rank, then literals; clause 0 means none */
    hd_vec(hd_literal) trail;
    hd_vec(sat_level) levels; /* of decision levels from 1 on */
    size_t propagated; /* this much of the trail */
    hd_vec(uint32_t) heap; /* binary heap of variables to decide, highest activity first */
    double bump;
    hd_vec(uint32_t) wanted; /* by group: the last query that wants it */
    uint32_t question, group;
    uint32_t learned, most_learned; /* learned clauses kept; above the limit the older ones are dropped */
    uint64_t visits; /* visits of watches: the measure of effort */
    hd_vec(hd_literal) clause; /* being learned */
    hd_vec(uint32_t) stack, looked_at;
    hd_vec(uint32_t) core; /* HD_UNSAT: indices of assumptions that are contradictory together */
};

enum {
    HEADER = 2, /* words of a clause before its literals: size, rank */
    GIVEN = 0, /* the rank of a clause that was not learned */
    GOOD_RANK = 3 /* clauses up to this rank are never dropped */
};

static hd_literal *literals_of(const hd_sat *s, uint32_t clause)
{
    return s->clauses.items + clause + HEADER;
}

static uint32_t level_of(const hd_sat *s, hd_literal literal)
{
    return s->variables.items[literal / 2].level;
}

static void assign(hd_sat *s, hd_literal literal, uint32_t reason)
{
    sat_variable *v = &s->variables.items[literal / 2];
    v->level = (uint32_t)s->levels.count;
    v->reason = reason;
    s->values.items[literal] = 1;
    s->values.items[literal ^ 1] = -1;
    hd_vec_push(&s->trail, literal);
}

/* --- the order of decisions -------------------------------------------------------------------- */

/* A binary heap by activity (VSIDS). The index of a variable in the heap is kept with it, so that it can rise when
 * its activity grows. */

static const double too_active = 1e100;

static bool goes_before(const hd_sat *s, uint32_t a, uint32_t b)
{
    return s->variables.items[a].activity > s->variables.items[b].activity;
}

static void put_in_heap(hd_sat *s, size_t index, uint32_t variable)
{
    s->heap.items[index] = variable;
    s->variables.items[variable].heap_index = (uint32_t)index + 1;
}

static void rise(hd_sat *s, size_t index)
{
    uint32_t variable = s->heap.items[index];
    for (; index && goes_before(s, variable, s->heap.items[(index - 1) / 2]); index = (index - 1) / 2)
        put_in_heap(s, index, s->heap.items[(index - 1) / 2]);
    put_in_heap(s, index, variable);
}

static void sink(hd_sat *s, size_t index)
{
    uint32_t variable = s->heap.items[index];
    for (size_t child; (child = 2 * index + 1) < s->heap.count; index = child) {
        if (child + 1 < s->heap.count && goes_before(s, s->heap.items[child + 1], s->heap.items[child]))
            child++;
        if (!goes_before(s, s->heap.items[child], variable))
            break;
        put_in_heap(s, index, s->heap.items[child]);
    }
    put_in_heap(s, index, variable);
}

static void enter_heap(hd_sat *s, uint32_t variable)
{
    if (s->variables.items[variable].heap_index)
        return;
    hd_vec_push(&s->heap, variable);
    rise(s, s->heap.count - 1);
}

static uint32_t leave_heap(hd_sat *s)
{
    uint32_t top = s->heap.items[0], last = hd_vec_pop(&s->heap);
    s->variables.items[top].heap_index = 0;
    if (s->heap.count) {
        put_in_heap(s, 0, last);
        sink(s, 0);
    }
    return top;
}

/* Raises the variable's activity. */
static void make_active(hd_sat *s, uint32_t variable)
{
    sat_variable *v = &s->variables.items[variable];
    v->activity += s->bump;
    /* Activities grow by an ever larger increment instead of decaying; before they overflow, all
     * are scaled down, which keeps their order. */
    if (v->activity > too_active) {
        for (size_t i = 0; i < s->variables.count; i++)
            s->variables.items[i].activity /= too_active;
        s->bump /= too_active;
    }
    if (v->heap_index)
        rise(s, v->heap_index - 1);
}

/* --- opening ------------------------------------------------------------------------------- */

hd_sat *hd_sat_open(hd_memory *memory)
{
    hd_sat *s = hd_alloc(memory, sizeof *s);
    s->memory = memory;
    s->variables.memory = s->values.memory = s->watches.memory = s->clauses.memory = s->trail.memory = memory;
    s->levels.memory = s->heap.memory = s->wanted.memory = s->clause.memory = s->stack.memory = memory;
    s->looked_at.memory = s->core.memory = memory;
    hd_sat_clear(s);
    return s;
}

void hd_sat_close(hd_sat *s)
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
    hd_release(s->memory, s, sizeof *s);
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

void hd_sat_limit_learned(hd_sat *s, uint32_t most)
{
    s->most_learned = most;
}

void hd_sat_begin_group(hd_sat *s, uint32_t group)
{
    s->group = group;
}

hd_literal hd_sat_variable_of(hd_sat *s, bool is_input)
{
    hd_literal literal = 2 * (hd_literal)s->variables.count;
    hd_vec_push(&s->variables, ((sat_variable) { .group = s->group, .is_input = is_input }));
    for (int i = 0; i < 2; i++) {
        hd_vec_push(&s->values, (int8_t)0);
        hd_vec_push(&s->watches, ((sat_watches) { .memory = s->memory }));
    }
    return literal;
}

/* --- the assignment -------------------------------------------------------------------------- */

/* Backtracks to this level. */
static void go_back(hd_sat *s, size_t level)
{
    if (s->levels.count <= level)
        return;
    size_t first = s->levels.items[level].first;
    for (size_t i = s->trail.count; i-- > first;) {
        hd_literal literal = s->trail.items[i];
        sat_variable *v = &s->variables.items[literal / 2];
        /* Phase saving: a variable is tried with its last value first. */
        v->phase = !(literal & 1);
        s->values.items[literal] = s->values.items[literal ^ 1] = 0;
        /* Variables that are neither inputs nor have been in a conflict need no decision: they
         * follow from inputs. */
        if (v->is_input || v->activity > 0)
            enter_heap(s, literal / 2);
    }
    s->trail.count = s->propagated = first;
    s->levels.count = level;
}

void hd_sat_withdraw(hd_sat *s)
{
    go_back(s, 0);
}

/* A literal that is true already gets a level of its own too: level i + 1 always belongs to assumption i. */
static void decide(hd_sat *s, hd_literal literal)
{
    hd_vec_push(&s->levels, ((sat_level) { (uint32_t)s->trail.count, literal }));
    if (!s->values.items[literal])
        assign(s, literal, 0);
}

/* --- clauses ---------------------------------------------------------------------------------- */

/* Invariant: the first two literals of a clause are watched. If one of them is false and
 * propagated, the other is true (at a level not above), or the clause is being propagated. */
static void watch(hd_sat *s, uint32_t clause)
{
    const hd_literal *l = literals_of(s, clause);
    hd_vec_push(&s->watches.items[l[0] ^ 1], ((sat_watch) { clause, l[1] }));
    hd_vec_push(&s->watches.items[l[1] ^ 1], ((sat_watch) { clause, l[0] }));
}

/* The caller has chosen the two literals to watch: they are the first two. */
static uint32_t store(hd_sat *s, const hd_literal *literals, uint32_t count, uint32_t rank)
{
    uint32_t clause = (uint32_t)s->clauses.count;
    hd_vec_reserve(&s->clauses, HEADER + count);
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
        store(s, s->clause.items, (uint32_t)s->clause.count, GIVEN);
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
 * clause keeps at least two literals, and no value needs its reason any longer. */
static void tidy(hd_sat *s)
{
    uint32_t to = 1, seen = 0, half = s->learned / 2, size;
    for (size_t i = 0; i < s->trail.count; i++)
        s->variables.items[s->trail.items[i] / 2].reason = 0;
    for (size_t i = 0; i < s->watches.count; i++)
        hd_vec_clear(&s->watches.items[i]);
    s->learned = 0;
    for (uint32_t from = 1; from < s->clauses.count; from += HEADER + size) {
        uint32_t rank = s->clauses.items[from + 1];
        size = s->clauses.items[from];
        bool is_old = rank != GIVEN && seen++ < half;
        uint32_t kept = is_old && rank > GOOD_RANK ? 0 : shrink(s, from, to);
        if (!kept)
            continue;
        s->learned += rank != GIVEN;
        watch(s, to);
        to += HEADER + kept;
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
            hd_vec_push(&s->watches.items[l[1] ^ 1], ((sat_watch) { clause, l[0] }));
            return true;
        }
    return false;
}

/* Visits the clauses that watch the negation of `literal`, which has become true. Returns a clause
 * that is false, or 0. */
static uint32_t propagate_literal(hd_sat *s, hd_literal literal)
{
    sat_watches *w = &s->watches.items[literal];
    size_t kept = 0, i = 0;
    uint32_t conflict = 0;
    s->visits += w->count;
    while (i < w->count && !conflict) {
        sat_watch at = w->items[i++];
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

/* --- learning ---------------------------------------------------------------------------------- */

static const double decay = 1 / 0.95;

/* Marked variables are listed, so that unmarking costs no more than marking. */
static void mark(hd_sat *s, uint32_t variable)
{
    s->variables.items[variable].seen = true;
    hd_vec_push(&s->looked_at, variable);
}

static void unmark_all(hd_sat *s)
{
    while (s->looked_at.count)
        s->variables.items[hd_vec_pop(&s->looked_at)].seen = false;
}

/* Resolves with a clause: marks its literals; those of lower levels go to the learned clause.
 * Returns the number of new literals of the current level. */
static uint32_t resolve(hd_sat *s, uint32_t clause, hd_literal implied)
{
    uint32_t here = 0;
    for (uint32_t i = 0; i < s->clauses.items[clause]; i++) {
        hd_literal l = literals_of(s, clause)[i];
        if (l == implied || s->variables.items[l / 2].seen || !level_of(s, l))
            continue;
        mark(s, l / 2);
        make_active(s, l / 2);
        if (level_of(s, l) == s->levels.count)
            here++;
        else
            hd_vec_push(&s->clause, l);
    }
    return here;
}

/* Is the literal redundant: does it follow from other literals of the clause, through reasons
 * alone? (Recursive minimisation, Sörensson and Biere 2009, with an explicit stack.) Marks of a
 * failed attempt are taken back; those of a successful one save work later. */
static bool is_implied(hd_sat *s, hd_literal literal)
{
    size_t marked = s->looked_at.count;
    hd_vec_clear(&s->stack);
    hd_vec_push(&s->stack, literal);
    while (s->stack.count) {
        uint32_t reason = s->variables.items[hd_vec_pop(&s->stack) / 2].reason;
        bool fine = reason != 0;
        for (uint32_t i = 0; fine && i < s->clauses.items[reason]; i++) {
            hd_literal l = literals_of(s, reason)[i];
            if (s->variables.items[l / 2].seen || !level_of(s, l))
                continue;
            mark(s, l / 2);
            hd_vec_push(&s->stack, l);
        }
        if (!fine) {
            while (s->looked_at.count > marked)
                s->variables.items[hd_vec_pop(&s->looked_at)].seen = false;
            return false;
        }
    }
    return true;
}

/* Sets `clause` to the first-UIP clause: its first literal is the only one of the current level.
 * The trail is walked backwards and each marked literal is resolved with its reason until one is
 * left. */
static void learn(hd_sat *s, uint32_t conflict)
{
    hd_literal implied = ~0u;
    size_t at = s->trail.count, kept = 1;
    hd_vec_clear(&s->clause);
    hd_vec_push(&s->clause, 0u);
    for (uint32_t left = resolve(s, conflict, implied);;
         left += resolve(s, s->variables.items[implied / 2].reason, implied)) {
        /* The latest marked literal on the trail; its reason is resolved next. */
        while (!s->variables.items[s->trail.items[--at] / 2].seen) { }
        implied = s->trail.items[at];
        if (!--left)
            break;
    }
    /* The first UIP: every path from the decision to the conflict passes through it. */
    s->clause.items[0] = implied ^ 1;
    for (size_t i = 1; i < s->clause.count; i++)
        if (!is_implied(s, s->clause.items[i]))
            s->clause.items[kept++] = s->clause.items[i];
    s->clause.count = kept;
    unmark_all(s);
}

/* Puts the literal of the second highest level second, as the watch invariant demands after
 * backjumping, and returns its level. */
static uint32_t level_to_go_back_to(hd_sat *s)
{
    size_t best = 1;
    if (s->clause.count == 1)
        return 0;
    for (size_t i = 2; i < s->clause.count; i++)
        if (level_of(s, s->clause.items[i]) > level_of(s, s->clause.items[best]))
            best = i;
    hd_literal second = s->clause.items[best];
    s->clause.items[best] = s->clause.items[1];
    s->clause.items[1] = second;
    return level_of(s, second);
}

/* The rank of a clause: the number of distinct levels in it, plus one (LBD, Audemard and Simon
 * 2009); counted only as far as it matters. A low rank means a useful clause. */
static uint32_t rank_of(hd_sat *s)
{
    uint32_t rank = 1;
    hd_vec_clear(&s->stack);
    for (size_t i = 0; i < s->clause.count && rank <= GOOD_RANK; i++) {
        uint32_t level = level_of(s, s->clause.items[i]);
        size_t k = 0;
        while (k < s->stack.count && s->stack.items[k] != level)
            k++;
        if (k == s->stack.count) {
            hd_vec_push(&s->stack, level);
            rank++;
        }
    }
    return rank;
}

/* Analyses a conflict, backjumps to the level where the learned clause is unit, and assigns its literal. */
static void take_back(hd_sat *s, uint32_t conflict)
{
    learn(s, conflict);
    /* Before backjumping, which changes levels. */
    uint32_t rank = rank_of(s);
    go_back(s, level_to_go_back_to(s));
    /* A learned unit clause holds at level 0 and needs no reason. */
    uint32_t reason = 0;
    if (s->clause.count > 1) {
        reason = store(s, s->clause.items, (uint32_t)s->clause.count, rank);
        s->learned++;
    }
    assign(s, s->clause.items[0], reason);
    s->bump *= decay;
}

/* Sets `core` to the false assumption and the assumptions that imply its negation: walks the implications back to
 * decisions; all of these are assumptions, and the one of level i is number i - 1. */
static void find_core(hd_sat *s, const hd_literal *assumptions, uint32_t false_one)
{
    hd_vec_clear(&s->core);
    hd_vec_push(&s->core, false_one);
    mark(s, assumptions[false_one] / 2);
    for (size_t i = s->trail.count; i-- > 0;) {
        const sat_variable *v = &s->variables.items[s->trail.items[i] / 2];
        if (!v->seen || !v->level)
            continue;
        if (!v->reason)
            hd_vec_push(&s->core, v->level - 1);
        for (uint32_t k = 0; v->reason && k < s->clauses.items[v->reason]; k++) {
            uint32_t variable = literals_of(s, v->reason)[k] / 2;
            if (!s->variables.items[variable].seen)
                mark(s, variable);
        }
    }
    unmark_all(s);
}

/* --- answering ------------------------------------------------------------------------------------ */

/* Decides assumptions up to the first that is not implied yet (HD_UNKNOWN: propagate it). HD_SAT:
 * all are decided. HD_UNSAT: one is false. */
static hd_answer assume(hd_sat *s, const hd_literal *assumptions, uint32_t count)
{
    while (s->levels.count < count) {
        uint32_t at = (uint32_t)s->levels.count;
        if (s->values.items[assumptions[at]] < 0) {
            find_core(s, assumptions, at);
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
        uint32_t variable = leave_heap(s);
        const sat_variable *v = &s->variables.items[variable];
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
        go_back(s, 0);
        hd_assert(!propagate(s));
        tidy(s);
        s->most_learned = s->learned + MOST_LEARNED;
    }
    /* Keep the levels of assumptions that both queries begin with. */
    while (common < count && common < s->levels.count && s->levels.items[common].decided == assumptions[common])
        common++;
    go_back(s, common);
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
        enter_heap(s, input / 2);
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
            take_back(s, conflict);
            conflicts++;
            continue;
        }
        hd_check_valid(hd_sat_is_valid(s), s->clauses.count + 4 * s->variables.count, s->visits);
        if (s->visits > most)
            return HD_UNKNOWN;
        /* A restart keeps the levels of the assumptions. */
        if (conflicts >= pause.length * CONFLICTS_A_RESTART) {
            next_pause(&pause);
            conflicts = 0;
            go_back(s, count);
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

/* --- results ---------------------------------------------------------------------------------------- */

bool hd_sat_value(const hd_sat *s, hd_literal literal)
{
    return s->values.items[literal] > 0;
}

const uint32_t *hd_sat_core(const hd_sat *s, size_t *count)
{
    *count = s->core.count;
    return s->core.items;
}

size_t hd_sat_variable_count(const hd_sat *s)
{
    return s->variables.count;
}

size_t hd_sat_clause_words(const hd_sat *s)
{
    return s->clauses.count;
}

/* --- validity -------------------------------------------------------------------------------------- */

static bool is_true_by(const hd_sat *s, hd_literal literal, uint32_t level)
{
    return s->values.items[literal] > 0 && level_of(s, literal) <= level;
}

/* A watched literal that is false does no harm only if another one was true by then: otherwise the clause is unit, or
 * false, and propagation has missed it. */
static bool watch_is_valid(const hd_sat *s, uint32_t clause, hd_literal watched)
{
    bool satisfied = s->values.items[watched] >= 0;
    for (uint32_t i = 0; !satisfied && i < s->clauses.items[clause]; i++)
        satisfied = is_true_by(s, literals_of(s, clause)[i], level_of(s, watched));
    for (size_t i = 0; satisfied && i < s->watches.items[watched ^ 1].count; i++)
        if (s->watches.items[watched ^ 1].items[i].clause == clause)
            return true;
    return false;
}

/* Is it a clause: within bounds, and with each variable once? */
static bool has_form(const hd_sat *s, uint32_t clause)
{
    if (clause + HEADER >= s->clauses.count || s->clauses.items[clause] < 2
        || s->clauses.items[clause] > s->clauses.count - clause - HEADER)
        return false;
    const hd_literal *l = literals_of(s, clause);
    for (uint32_t i = 0; i < s->clauses.items[clause]; i++) {
        if (l[i] >= s->values.count)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (l[k] / 2 == l[i] / 2)
                return false;
    }
    return true;
}

static bool clauses_have_form(const hd_sat *s)
{
    size_t learned = 0;
    for (uint32_t c = 1; c < s->clauses.count; c += HEADER + s->clauses.items[c]) {
        if (!has_form(s, c))
            return false;
        learned += s->clauses.items[c + 1] != GIVEN;
    }
    return learned == s->learned;
}

/* Two watches a clause, and nothing else. */
static bool watches_are_valid(const hd_sat *s)
{
    size_t watches = 0;
    for (uint32_t c = 1; c < s->clauses.count; c += HEADER + s->clauses.items[c]) {
        if (!watch_is_valid(s, c, literals_of(s, c)[0]) || !watch_is_valid(s, c, literals_of(s, c)[1]))
            return false;
        watches += 2;
    }
    for (size_t i = 0; i < s->watches.count; i++)
        watches -= s->watches.items[i].count;
    return !watches;
}

/* The reason of a value has it, and otherwise literals that became false before it: those have an `order` already. */
static bool reason_is_valid(const hd_sat *s, hd_literal literal, const uint32_t *order)
{
    uint32_t reason = s->variables.items[literal / 2].reason;
    bool has = !reason;
    if (reason && !has_form(s, reason))
        return false;
    for (uint32_t i = 0; reason && i < s->clauses.items[reason]; i++) {
        hd_literal l = literals_of(s, reason)[i];
        has |= l == literal;
        if (l != literal && (s->values.items[l] >= 0 || !order[l / 2]))
            return false;
    }
    return has;
}

static bool trail_is_valid(const hd_sat *s, uint32_t *order)
{
    size_t level = 0, assigned = 0;
    for (size_t i = 0; i < s->trail.count; i++) {
        hd_literal l = s->trail.items[i];
        while (level < s->levels.count && s->levels.items[level].first <= i)
            level++;
        if (l >= s->values.count || order[l / 2] || s->values.items[l] != 1 || level_of(s, l) != level)
            return false;
        order[l / 2] = (uint32_t)i + 1;
        if (!reason_is_valid(s, l, order))
            return false;
    }
    for (size_t i = 0; i < s->variables.count; i++) {
        assigned += s->values.items[2 * i] != 0;
        if (s->values.items[2 * i] != -s->values.items[2 * i + 1])
            return false;
    }
    return assigned == s->trail.count && s->propagated <= s->trail.count;
}

/* A heap, whose variables know where they are. */
static bool heap_is_valid(const hd_sat *s)
{
    size_t placed = 0;
    for (size_t i = 0; i < s->heap.count; i++)
        if (s->variables.items[s->heap.items[i]].heap_index != i + 1
            || (i && goes_before(s, s->heap.items[i], s->heap.items[(i - 1) / 2])))
            return false;
    for (size_t i = 0; i < s->variables.count; i++)
        placed += s->variables.items[i].heap_index != 0;
    return placed == s->heap.count;
}

bool hd_sat_is_valid(const hd_sat *s)
{
    uint32_t *order = hd_alloc(s->memory, s->variables.count * sizeof *order);
    bool valid = clauses_have_form(s) && trail_is_valid(s, order);
    hd_release(s->memory, order, s->variables.count * sizeof *order);
    return valid && heap_is_valid(s) && (s->propagated < s->trail.count || watches_are_valid(s));
}

/* Conflict analysis: the learned clause (first unique implication point, minimised), and the core
 * of contradictory assumptions. */
#include "sym/sat_parts.h"

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
        hd_sat_make_active(s, l / 2);
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
    for (size_t i = 0; i < s->clause.count && rank <= HD_SAT_GOOD_RANK; i++) {
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

void hd_sat_take_back(hd_sat *s, uint32_t conflict)
{
    learn(s, conflict);
    /* Before backjumping, which changes levels. */
    uint32_t rank = rank_of(s);
    hd_sat_go_back(s, level_to_go_back_to(s));
    /* A learned unit clause holds at level 0 and needs no reason. */
    uint32_t reason = 0;
    if (s->clause.count > 1) {
        reason = hd_sat_store(s, s->clause.items, (uint32_t)s->clause.count, rank);
        s->learned++;
    }
    assign(s, s->clause.items[0], reason);
    s->bump *= decay;
}

/* Walks the implications of the false assumption back to decisions; all of these are assumptions,
 * and the one of level i is number i - 1. */
void hd_sat_find_core(hd_sat *s, const hd_literal *assumptions, uint32_t false_one)
{
    hd_vec_clear(&s->core);
    hd_vec_push(&s->core, false_one);
    mark(s, assumptions[false_one] / 2);
    for (size_t i = s->trail.count; i-- > 0;) {
        const hd_sat_variable *v = &s->variables.items[s->trail.items[i] / 2];
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

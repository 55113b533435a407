/* The automaton of a formula accepts a word (a stem, then a loop forever) iff the formula is false on it, as the
 * meaning of LTL says. */
#include "base/rng.h"
#include "model/claim.h"
#include "unit/test.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS = 3, LONGEST = 6, MOST_NODES = 4096 };

typedef struct word {
    int letters[LONGEST]; /* bits: which of a, b, c hold */
    int length, loop; /* position `length` is position `loop` again */
} word;

static int after(const word *w, int i)
{
    return i + 1 < w->length ? i + 1 : w->loop;
}

/* --- the meaning ---------------------------------------------------------------------------------------- */

static bool true_at(const word *w, const hd_promela_node *n, int at);

/* Is there a position from `at` on where `n` is `value`, with `before` true (or absent) at all earlier ones? */
static bool reaches(const word *w, const hd_promela_node *n, bool value, const hd_promela_node *before, int at)
{
    for (int steps = 0; steps < 2 * LONGEST; steps++, at = after(w, at)) {
        if (true_at(w, n, at) == value)
            return true;
        if (before && !true_at(w, before, at))
            return false;
    }
    return false;
}

/* p V q: q holds up to and including the first position where p does, or forever. */
static bool released(const word *w, const hd_promela_node *p, const hd_promela_node *q, int at)
{
    for (int steps = 0; steps < 2 * LONGEST; steps++, at = after(w, at)) {
        if (!true_at(w, q, at))
            return false;
        if (true_at(w, p, at))
            return true;
    }
    return true;
}

static bool temporal_true_at(const word *w, const hd_promela_node *n, int at)
{
    switch ((hd_promela_temporal)n->sign) {
    case HD_T_ALWAYS:
        return !reaches(w, n->left, false, NULL, at);
    case HD_T_EVENTUALLY:
        return reaches(w, n->left, true, NULL, at);
    case HD_T_NEXT:
        return true_at(w, n->left, after(w, at));
    case HD_T_UNTIL:
        return reaches(w, n->right, true, n->left, at);
    case HD_T_WEAK_UNTIL:
        return reaches(w, n->right, true, n->left, at) || !reaches(w, n->left, false, NULL, at);
    case HD_T_RELEASE:
        return released(w, n->left, n->right, at);
    case HD_T_IMPLIES:
        return !true_at(w, n->left, at) || true_at(w, n->right, at);
    case HD_T_EQUIV:
        return true_at(w, n->left, at) == true_at(w, n->right, at);
    }
    return false;
}

static bool true_at(const word *w, const hd_promela_node *n, int at)
{
    switch (n->op) {
    case HD_N_CONST:
        return n->value != 0;
    case HD_N_NAME:
        return w->letters[at] >> (n->symbol->name[0] - 'a') & 1;
    case HD_N_UNARY:
        return !true_at(w, n->left, at);
    case HD_N_BINARY:
        return n->sign == HD_TK_AND ? true_at(w, n->left, at) && true_at(w, n->right, at)
                                    : true_at(w, n->left, at) || true_at(w, n->right, at);
    default:
        return temporal_true_at(w, n, at);
    }
}

/* --- the automaton ----------------------------------------------------------------------------------------- */

typedef struct product {
    const hd_model_claim *claim;
    const word *word;
    uint64_t holds[LONGEST];
    int nodes;
    bool seen[MOST_NODES];
} product;

static bool fits(const product *p, const hd_model_claim_edge *e, int at)
{
    return !(e->must & ~p->holds[at]) && !(e->must_not & p->holds[at]);
}

static void visit(product *p, int node, bool *seen)
{
    int at = node % LONGEST, state = node / LONGEST;
    const hd_model_claim_state *s = &p->claim->states.items[state];
    for (uint32_t i = 0; i < s->count; i++) {
        const hd_model_claim_edge *e = &p->claim->edges.items[s->first + i];
        int to = (int)e->target * LONGEST + after(p->word, at);
        if (fits(p, e, at) && !seen[to]) {
            seen[to] = true;
            visit(p, to, seen);
        }
    }
}

/* Is there a cycle through `root` whose component has all marks on its edges? */
static bool accepts_around(product *p, int root)
{
    bool reached[MOST_NODES] = { false };
    uint32_t marks = 0;
    visit(p, root, reached);
    for (int node = 0; reached[root] && node < p->nodes; node++) {
        const hd_model_claim_state *s = &p->claim->states.items[node / LONGEST];
        for (uint32_t i = 0; reached[node] && i < s->count; i++) {
            const hd_model_claim_edge *e = &p->claim->edges.items[s->first + i];
            int to = (int)e->target * LONGEST + after(p->word, node % LONGEST);
            bool back[MOST_NODES] = { false };
            if (!fits(p, e, node % LONGEST))
                continue;
            visit(p, to, back);
            marks |= to == root || back[root] ? e->marks : 0;
        }
    }
    return reached[root] && marks == (uint32_t)((1ull << p->claim->mark_count) - 1);
}

static bool accepts(const hd_model_claim *c, const word *w)
{
    product p = { .claim = c, .word = w, .nodes = (int)c->states.count * LONGEST };
    CHECK(p.nodes <= MOST_NODES);
    for (int at = 0; at < w->length; at++)
        for (size_t i = 0; i < c->propositions.count; i++)
            p.holds[at] |= true_at(w, c->propositions.items[i].expression, at) ? 1ull << i : 0;
    p.seen[0] = true;
    visit(&p, 0, p.seen);
    for (int node = 0; node < p.nodes; node++)
        if (p.seen[node] && (c->states.items[node / LONGEST].is_end || accepts_around(&p, node)))
            return true;
    return false;
}

/* --- random formulae and words ----------------------------------------------------------------------------- */

static int pick(hd_rng *r, int n)
{
    return (int)hd_rng_below(r, (uint64_t)n);
}

static size_t put_formula(hd_rng *r, char *out, size_t room, int depth)
{
    static const char *const unary[] = { "[]", "<>", "!", "X", "always", "eventually", "next" };
    static const char *const binary[] = { "U", "V", "W", "&&", "||", "->", "<->", "until", "weakuntil", "release",
        "implies", "equivalent" };
    size_t used = 0;
    if (depth == 0 || pick(r, 8) == 0)
        return (size_t)snprintf(out, room, "%s",
            pick(r, 12)      ? (const char *[]) { "a", "b", "c" }[pick(r, 3)]
                : pick(r, 2) ? "true"
                             : "false");
    if (pick(r, 2)) {
        used = (size_t)snprintf(out, room, "%s (", unary[pick(r, 7)]);
        used += put_formula(r, out + used, room - used, depth - 1);
        return used + (size_t)snprintf(out + used, room - used, ")");
    }
    used = (size_t)snprintf(out, room, "(");
    used += put_formula(r, out + used, room - used, depth - 1);
    used += (size_t)snprintf(out + used, room - used, ") %s (", binary[pick(r, 12)]);
    used += put_formula(r, out + used, room - used, depth - 1);
    return used + (size_t)snprintf(out + used, room - used, ")");
}

static word random_word(hd_rng *r)
{
    word w = { .length = 1 + pick(r, LONGEST) };
    w.loop = pick(r, w.length);
    for (int i = 0; i < w.length; i++)
        w.letters[i] = pick(r, 1 << LETTERS);
    return w;
}

static hd_promela_program *with_formula(const char *formula)
{
    char text[4096];
    hd_error error = { "" };
    snprintf(text, sizeof text, "bool a, b, c; active proctype P() { skip } ltl f { %s }", formula);
    hd_promela_model *m = hd_promela_parse("m.pml", text, &error);
    hd_promela_program *p = m ? hd_promela_compile(m, NULL, &error) : NULL;
    if (!p)
        hd_test_failed(__FILE__, __LINE__, "%s: %s", formula, error.text);
    return p;
}

TEST(automata_accept_what_violates_the_formula)
{
    hd_rng r;
    hd_rng_seed(&r, 11);
    int accepted = 0, rejected = 0;
    for (int i = 0; i < 400; i++) {
        char formula[2048];
        put_formula(&r, formula, sizeof formula, 1 + pick(&r, 4));
        hd_error error = { "" };
        hd_model_claim c;
        hd_promela_program *p = with_formula(formula);
        const hd_promela_claim *from = &p->model->claims.items[0];
        CHECK(hd_model_claim_open(&c, p, from, &error));
        for (int k = 0; k < 12 && c.states.count * LONGEST <= 600; k++) {
            word w = random_word(&r);
            bool violated = !true_at(&w, from->formula, 0), found = accepts(&c, &w);
            if (violated != found)
                hd_test_failed(__FILE__, __LINE__, "%s: a word %s it", formula, violated ? "violates" : "satisfies");
            violated ? accepted++ : rejected++;
        }
        hd_model_claim_close(&c);
        hd_promela_program_close(p);
    }
    CHECK(accepted > 500 && rejected > 500);
}

static void check_tree(const char *formula, const char *same)
{
    hd_promela_program *p = with_formula(formula), *q = with_formula(same);
    hd_rng r;
    hd_rng_seed(&r, 5);
    for (int i = 0; i < 200; i++) {
        word w = random_word(&r);
        CHECK(true_at(&w, p->model->claims.items[0].formula, 0) == true_at(&w, q->model->claims.items[0].formula, 0));
    }
    hd_promela_program_close(p);
    hd_promela_program_close(q);
}

TEST(operators_bind_as_in_spin)
{
    check_tree("[] a -> <> b", "([] a) -> (<> b)");
    check_tree("a U b && c", "(a U b) && c");
    check_tree("a || b && c U a", "a || (b && (c U a))");
    check_tree("! a U b", "(! a) U b");
    check_tree("a -> b -> c", "(a -> b) -> c");
    check_tree("a W b", "([] a) || (a U b)");
}

TEST(a_temporal_operator_inside_arithmetic_is_refused)
{
    hd_error error = { "" };
    hd_model_claim c;
    hd_promela_program *p = with_formula("[] a == 1");
    CHECK(!hd_model_claim_open(&c, p, &p->model->claims.items[0], &error));
    CHECK(strstr(error.text, "parentheses") != NULL);
    hd_promela_program_close(p);
}

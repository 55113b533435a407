/* search_is_valid notices a wrong field of each kind. The search for cycles is private; this test is the only one that
 * looks inside. */
#include "model/liveness.c"

#include "unit/model/programs.h"

#define CHECK_SEARCH(field, wrong) CHECK_NOTICED(search_is_valid(s), s->field, wrong)

/* What some step of the search has been broken in. */
typedef struct seen {
    bool closed, joined, incoming;
} seen;

static void break_nodes(search *s)
{
    uint32_t top = hd_vec_last(&s->stack)->node;
    CHECK_SEARCH(nodes.items[top].state, s->nodes.items[top].state + 1);
    CHECK_SEARCH(nodes.items[top].order, 0);
    CHECK_SEARCH(nodes.items[top].order, s->orders + 1);
    if (s->nodes.items[top].order == s->orders)
        CHECK_SEARCH(orders, s->orders - 1);
    CHECK_SEARCH(open.count, s->open.count - 1);
    CHECK_SEARCH(numbers.count, s->numbers.count + 1);
    /* The first node of a component is on the stack. */
    if (hd_vec_last(&s->components)->order == s->nodes.items[top].order)
        CHECK_SEARCH(stack.count, s->stack.count - 1);
}

static void break_components(search *s, seen *x)
{
    size_t last = s->components.count - 1;
    CHECK_SEARCH(components.count, last);
    CHECK_SEARCH(components.items[last].order, s->components.items[last].order + 1);
    CHECK_SEARCH(components.items[last].marks, s->all);
    CHECK_SEARCH(components.items[last].incoming, s->components.items[last].incoming ^ 1);
    x->incoming |= s->components.items[last].incoming != 0;
    /* The marks of an edge inside. */
    uint64_t marks = s->components.items[last].marks;
    x->joined |= marks != 0;
    if (marks)
        CHECK_SEARCH(components.items[last].marks, marks & (marks - 1));
    if (s->stack.count < 2)
        return;
    size_t before = s->stack.count - 2;
    CHECK_SEARCH(stack.items[before].at.step, 0);
    CHECK_SEARCH(stack.items[before + 1].node, s->stack.items[before].node);
}

/* An open node that is taken for closed although a cycle goes through it. */
static void break_closing(search *s, seen *x)
{
    uint32_t number = *hd_vec_last(&s->open), order = s->nodes.items[number].order;
    /* It has been left, but not closed. */
    if (hd_vec_last(&s->stack)->node == number)
        return;
    s->nodes.items[number].order = 0;
    s->open.count--;
    CHECK(!search_is_valid(s));
    s->nodes.items[number].order = order;
    s->open.count++;
    x->closed = true;
}

/* P goes round in a cycle with a way out, and the claim has two marks. */
static void break_at_every_step(const char *source, bool fair, seen *x)
{
    hd_promela_program *p = program_of(source, NULL);
    hd_model_limits limits = { .jobs = 1 };
    hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, &limits);
    hd_model_claim c;
    hd_error error;
    CHECK(hd_model_claim_open(&c, p, &p->model->claims.items[0], &error));
    hd_model_liveness l = { .claim = &c, .fair = fair };
    search search = { .result = &l, .setup = &setup, .claim = &c }, *s = &search;
    s->all = fair ? ~0ull : (1ull << c.mark_count) - 1;
    hd_map_init(&s->numbers, &hd_heap);
    CHECK(hd_model_space_open(&s->space, p, setup.scheme, &c, false));
    enter(s, add_node(s, 0, 0), 0);
    for (bool found = meets_end(s, 0); !found && s->stack.count; found = take_step(s)) {
        break_nodes(s);
        break_components(s, x);
        break_closing(s, x);
    }
    CHECK(l.verdict == HD_MODEL_VERDICT_VIOLATED || search_is_valid(s));
    search_close(s);
    hd_model_liveness_close(&l);
    hd_model_claim_close(&c);
    hd_promela_program_close(p);
}

TEST(validity_notices_what_is_wrong_with_a_search_for_cycles)
{
    seen x = { 0 };
    break_at_every_step("byte x; active proctype P() { do :: x = 1; x = 2 :: x = 3; x = 0 :: x = 5; break od; x = 6 }\n"
                        "active proctype Q() { byte y; do :: y = 1 - y od }\n"
                        "ltl p { ([] <> (x == 1)) && ([] <> (x == 3)) -> <> (x < 9) }",
        true, &x);
    break_at_every_step("byte x; active proctype P() { do :: x = 1; x = 2 :: x = 3; x = 0 od }\n"
                        "ltl p { !([] <> (x == 1) && [] <> (x == 7)) }",
        false, &x);
    CHECK(x.closed && x.joined && x.incoming);
}

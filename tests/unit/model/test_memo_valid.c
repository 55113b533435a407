/* hd_model_memo_is_valid notices a wrong field of each kind. The memo is opaque; this test is the only one that looks
 * inside. */
#include "model/memo.c"

#include "unit/model/programs.h"

#define CHECK_MEMO(field, wrong) CHECK_NOTICED(hd_model_memo_is_valid(m), m->field, wrong)

/* A search of all states that remembers steps. */
typedef struct explored {
    hd_model_visitor visitor;
    hd_promela_program *program;
    hd_model_shapes shapes;
    hd_model_stepper stepper;
    hd_model_store *store;
    hd_model_memo *memo;
    hd_model_packed base;
    uint8_t *bytes;
    hd_vec(uint32_t) open;
} explored;

static bool arrive(hd_model_visitor *v, hd_model_stepper *s)
{
    explored *x = (explored *)v;
    hd_model_packed next;
    uint32_t number;
    CHECK(hd_model_store_pack(x->store, &s->machine, &x->base, HD_MODEL_NO_STATE, &next));
    hd_model_memo_add(x->memo, &s->machine, &next);
    if (hd_model_store_commit(x->store, &next, &number) == HD_MODEL_PUT_NEW)
        hd_vec_push(&x->open, number);
    return true;
}

static void expand(explored *x, uint32_t number)
{
    const hd_model_shape *shape = hd_model_store_get(x->store, number, x->bytes, &x->base);
    for (int pid = 0; pid < shape->processes; pid++) {
        if (hd_model_memo_find(x->memo, &x->base, pid))
            continue;
        hd_model_memo_begin(x->memo, &x->base, pid);
        hd_model_stepper_expand_one(&x->stepper, x->bytes, shape, pid, &x->visitor);
        hd_model_memo_end(x->memo, &x->stepper.machine);
    }
}

static void explore(explored *x)
{
    uint32_t first;
    *x = (explored) { .visitor.arrive = arrive };
    x->program = program_of("chan a = [2] of { byte }; chan b = [2] of { byte }; byte g;\n"
                            "active proctype P() { byte n; do :: a!1 :: b?n :: g < 2 -> g++ od }\n"
                            "active proctype Q() { byte n; do :: a?n -> b!n od } active proctype R() { g = 0 }",
        NULL);
    hd_model_shapes_init(&x->shapes, x->program, false);
    hd_model_stepper_open(&x->stepper, x->program, &x->shapes, HD_MODEL_SCHEME_CAUSAL);
    x->store = hd_model_store_open(&x->shapes, false, false);
    x->memo = hd_model_memo_open(x->store, HD_MODEL_MEMO_WORDS);
    x->stepper.machine.bytes = x->bytes = hd_alloc(&hd_heap, HD_MODEL_STATE_MOST_BYTES + 1);
    CHECK(hd_model_machine_start(&x->stepper.machine));
    hd_model_store_put(x->store, &x->stepper.machine, NULL, HD_MODEL_NO_STATE, &first);
    hd_vec_push(&x->open, first);
    while (x->open.count)
        expand(x, hd_vec_pop(&x->open));
}

static void explored_close(explored *x)
{
    hd_model_memo_close(x->memo);
    hd_model_store_close(x->store);
    hd_model_stepper_close(&x->stepper);
    hd_model_shapes_fini(&x->shapes);
    hd_promela_program_close(x->program);
    hd_release(&hd_heap, x->bytes, HD_MODEL_STATE_MOST_BYTES + 1);
    hd_vec_fini(&x->open);
}

static void break_lookup(const hd_model_memo *m, lookup *x)
{
    uint32_t used = 0;
    while (!x->slots[used])
        used++;
    CHECK_NOTICED(hd_model_memo_is_valid(m), x->count, x->count + 1);
    CHECK_NOTICED(hd_model_memo_is_valid(m), x->slots[used], 0);
    CHECK_NOTICED(hd_model_memo_is_valid(m), x->slots[used], UINT32_MAX);
    CHECK_NOTICED(hd_model_memo_is_valid(m), x->slots[used], x->slots[used] == 1 ? 2 : 1);
    /* An entry too many. */
    for (uint32_t i = 0; i < x->room; i++)
        if (!x->slots[i])
            CHECK_NOTICED(hd_model_memo_is_valid(m), x->slots[i], 1);
}

/* The memo has a situation with numbers and a step with changes at `at`. */
static void break_situation(hd_model_memo *m, size_t at)
{
    uint64_t *words = m->words.items, used = words[at] & 0xff, ways = at + used + 1;
    hd_model_way *w = (hd_model_way *)(void *)(words + ways + 1);
    CHECK_MEMO(words.items[at], (uint64_t)m->locals.count << 8 | used);
    CHECK_MEMO(words.items[at], words[at] + 1);
    CHECK_MEMO(words.items[at + 1], 0xfff0);
    CHECK_MEMO(words.items[at + 1], words[at + 1] | 1ull << 32);
    CHECK_MEMO(words.items[ways], words[ways] + 1);
    CHECK_MEMO(words.items[ways], words[ways] - 1);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->shape, 0xff);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->kept, 0xff);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->kept, 0);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->change_count, 0xffffff);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->changes[0].component, 0xff);
    CHECK_NOTICED(hd_model_memo_is_valid(m), w->changes[0].number, 0xfff0);
}

TEST(validity_notices_what_is_wrong_with_a_memo)
{
    explored x;
    explore(&x);
    hd_model_memo *m = x.memo;
    CHECK(m->hits == 0 || hd_model_memo_is_valid(m));
    break_lookup(m, &m->by_key);
    break_lookup(m, &m->by_situation);
    CHECK_MEMO(locals.items[0].key, m->locals.items[1].key);
    CHECK_MEMO(locals.count, m->locals.count - 1);
    CHECK_MEMO(words.count, m->words.count - 1);
    uint32_t sets = 0, situations = 0;
    for (size_t i = 0; i < m->locals.count; i++)
        if (m->locals.items[i].count > 1 && !sets++)
            CHECK_MEMO(locals.items[i].used[1], m->locals.items[i].used[0]);
    for (size_t at = 0; at < m->words.count; at += size_of_situation(m, at)) {
        uint64_t used = m->words.items[at] & 0xff;
        if (used && m->words.items[at + used + 1] && ++situations < 5)
            break_situation(m, at);
    }
    CHECK(sets && situations);
    explored_close(&x);
}

/* hd_terms_is_valid notices a wrong field of each kind. */
#include "sym/term.h"
#include "unit/test.h"

#define CHECK_TERMS(field, wrong) CHECK_NOTICED(hd_terms_is_valid(t), t->field, wrong)

TEST(validity_notices_what_is_wrong_with_terms)
{
    hd_terms terms, *t = &terms;
    hd_terms_init(t, &hd_heap);
    hd_term x = hd_term_input_of(t, 0, 0, 8), y = hd_term_input_within(t, 1, 0, 8, 3, 20);
    hd_term sum = hd_term_make(t, HD_EXPR_ADD, 8, x, y, 0, 0), small = hd_term_equals(t, sum, 7);
    hd_term_inputs(t, sum);
    hd_term_inputs(t, x);
    CHECK_TERMS(nodes.items[sum].operands[0], sum);
    CHECK_TERMS(nodes.items[sum].operands[1], 0);
    CHECK_TERMS(nodes.items[sum].operands[2], x);
    CHECK_TERMS(nodes.items[sum].width, 0);
    CHECK_TERMS(nodes.items[sum].kind, HD_EXPR_KINDS);
    CHECK_TERMS(nodes.items[small].operands[0], x);
    for (size_t i = 0; i < t->slot_room; i++)
        if (t->slots[i])
            CHECK_TERMS(slots[i], t->slots[i] == 1 ? 2 : 1);
    CHECK_TERMS(nodes.count, t->nodes.count - 1);
    CHECK_TERMS(inputs.items[0].term, y);
    CHECK_TERMS(inputs.items[1].thread, 0);
    CHECK_TERMS(inputs.items[1].width, 9);
    CHECK_TERMS(inputs.items[1].within, (hd_term)t->nodes.count);
    CHECK_TERMS(set_ranges[1].first, t->set_ranges[1].first + 1);
    hd_terms_fini(t);
}

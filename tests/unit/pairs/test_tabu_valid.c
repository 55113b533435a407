/* tabu_is_valid notices a wrong field of each kind. The search is private; this test is the only one that looks
 * inside. */
#include "pairs/tabu.c"

#include "unit/pairs/grown.h"

#define CHECK_TABU(field, wrong) CHECK_NOTICED(tabu_is_valid(t), t->field, wrong)

TEST(validity_notices_what_is_wrong_with_tabu_search)
{
    grown s;
    tabu search, *t = &search;
    grown_init(&s, "3^4 2^2");
    tabu_init(t, &s.problem, &s.rows);
    CHECK(tabu_is_valid(t));
    remove_row(t);
    remove_row(t);
    for (int i = 0; i < 20 && t->open.count; i++) {
        uint32_t pair = t->open.items[0], a = pair / (uint32_t)t->symbols, b = pair % (uint32_t)t->symbols;
        CHECK_TABU(cells[0], 5);
        CHECK_TABU(cells[0], t->cells[0] ? 0 : 1);
        CHECK_TABU(counts[pair], 1);
        CHECK_TABU(counts[b * (uint32_t)t->symbols + a], 1);
        CHECK_TABU(where[pair], 0);
        CHECK_TABU(where[pair], 9999);
        CHECK_TABU(where[1], 1);
        CHECK_TABU(open.items[0], 1);
        CHECK_TABU(open.count, t->open.count - 1);
        CHECK_TABU(rows, t->rows - 1);
        make_move(t);
    }
    tabu_fini(t);
    grown_fini(&s);
}

/* census_is_valid notices a wrong count. Regrowth is private; this test is the only one that looks inside. */
#include "pairs/regrow.c"

#include "unit/pairs/grown.h"

TEST(validity_notices_a_wrong_count_of_tuples)
{
    grown s;
    census c;
    grown_init(&s, "3^4 2^2");
    CHECK(census_init(&c, &s.problem));
    take(&c, &s.rows);
    for (uint64_t i = 0; i < c.first[s.needed.count]; i++)
        CHECK_NOTICED(census_is_valid(&c, &s.rows), c.counts[i], c.counts[i] + 1);
    CHECK_NOTICED(census_is_valid(&c, &s.rows), hd_pairs_row(&s.rows, 3)[2], HD_PAIRS_ANY);
    loosen_rows(&c, 0, &s.rows);
    CHECK(!census_is_valid(&c, &s.rows)); /* the row that was removed still counts */
    census_fini(&c);
    grown_fini(&s);
}

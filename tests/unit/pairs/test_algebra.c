/* Arrays from algebra cover what they promise. */
#include "pairs/algebra.h"
#include "unit/test.h"

/* Pairs of symbols that two columns lack. */
static int missing(const hd_pairs_array *a, int i, int j)
{
    bool seen[128][128] = { { false } };
    int left = a->symbols * a->symbols;
    for (int r = 0; r < a->rows; r++) {
        bool *place = &seen[a->cells[r * a->columns + i]][a->cells[r * a->columns + j]];
        left -= !*place;
        *place = true;
    }
    return left;
}

static bool covers_pairs(const hd_pairs_array *a)
{
    for (int i = 0; i < a->columns; i++)
        for (int j = i + 1; j < a->columns; j++)
            if (missing(a, i, j) > 0)
                return false;
    return true;
}

TEST(fields_are_prime_powers)
{
    static const int fields[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32 };
    size_t next = 0;
    for (int q = 2; q <= 32; q++) {
        bool listed = next < sizeof fields / sizeof *fields && fields[next] == q;
        CHECK(hd_pairs_field_exists(q) == listed);
        next += listed;
    }
    CHECK(!hd_pairs_field_exists(1));
    CHECK(!hd_pairs_field_exists(131));
}

TEST(orthogonal_arrays)
{
    static const int fields[] = { 2, 3, 4, 5, 7, 8, 9, 16, 25, 27 };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        hd_pairs_array a = hd_pairs_orthogonal(fields[i], 2);
        CHECK_INT(a.rows, fields[i] * fields[i]);
        CHECK_INT(a.columns, fields[i] + 1);
        CHECK(covers_pairs(&a));
        hd_pairs_array_fini(&a);
    }
}

TEST(orthogonal_array_of_strength_three)
{
    hd_pairs_array a = hd_pairs_orthogonal(4, 3);
    CHECK_INT(a.rows, 64);
    for (int i = 0; i < a.columns; i++)
        for (int j = i + 1; j < a.columns; j++)
            for (int k = j + 1; k < a.columns; k++) {
                bool seen[64] = { false };
                int found = 0;
                for (int r = 0; r < a.rows; r++) {
                    const hd_pairs_cell *row = a.cells + r * a.columns;
                    bool *place = &seen[row[i] * 16 + row[j] * 4 + row[k]];
                    found += !*place;
                    *place = true;
                }
                CHECK_INT(found, 64);
            }
    hd_pairs_array_fini(&a);
}

TEST(products)
{
    static const struct {
        int q, columns, rows, wide;
    } cases[] = { { 3, 13, 15, 13 }, { 4, 21, 28, 21 }, { 3, 14, 21, 40 }, { 4, 85, 40, 85 }, { 5, 7, 45, 31 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_pairs_array a = hd_pairs_product(cases[i].q, cases[i].columns);
        CHECK_INT(a.rows, cases[i].rows);
        CHECK_INT(a.columns, cases[i].wide);
        CHECK(covers_pairs(&a));
        hd_pairs_array_fini(&a);
    }
}

TEST(binary_sizes_are_the_known_ones)
{
    static const struct {
        int columns, rows;
    } known[] = { { 2, 4 }, { 3, 4 }, { 4, 5 }, { 5, 6 }, { 10, 6 }, { 11, 7 }, { 15, 7 }, { 16, 8 }, { 35, 8 },
        { 56, 9 }, { 57, 10 }, { 100, 10 }, { 126, 10 }, { 127, 11 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK_INT(hd_pairs_binary_size(known[i].columns), known[i].rows);
        hd_pairs_array a = hd_pairs_binary(known[i].columns);
        CHECK_INT(a.rows, known[i].rows);
        CHECK(covers_pairs(&a));
        hd_pairs_array_fini(&a);
    }
}

TEST(cyclic_arrays)
{
    static const struct {
        int symbols, rows, columns;
    } cases[] = { { 3, 15, 14 }, { 3, 19, 36 }, { 4, 28, 18 }, { 10, 172, 19 }, { 3, 20, 10 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_pairs_array a = hd_pairs_cyclic(cases[i].symbols, cases[i].rows, cases[i].columns, 1, 200000);
        CHECK_INT(a.rows, cases[i].rows);
        CHECK(a.rows == 0 || covers_pairs(&a));
        hd_pairs_array_fini(&a);
    }
    hd_pairs_array none = hd_pairs_cyclic(3, 9, 12, 1, 2000); /* the least is 15 */
    CHECK_INT(none.rows, 0);
    hd_pairs_array_fini(&none);
}

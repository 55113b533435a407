/* A set of rows of 32-bit words, each row kept once and known by its number, in
 * the order in which they were first seen. A row is put word by word behind the
 * others; `intern` then keeps it or, if it is there already, takes it back. */
#ifndef HD_BASE_ROWS_H
#define HD_BASE_ROWS_H

#include "base/map.h"
#include "base/vec.h"

typedef struct hd_rows {
    hd_vec(uint32_t) words;
    hd_vec(uint64_t) starts; /* of each row; one more at the end */
    hd_map index; /* hash → row + 1 */
} hd_rows;

void hd_rows_init(hd_rows *r, hd_memory *memory);
void hd_rows_fini(hd_rows *r);
void hd_rows_clear(hd_rows *r);

static inline void hd_rows_put(hd_rows *r, uint32_t word)
{
    hd_vec_push(&r->words, word);
}

/* The number of the row that was put since the last call. */
uint32_t hd_rows_intern(hd_rows *r);

static inline uint32_t hd_rows_count(const hd_rows *r)
{
    return (uint32_t)r->starts.count - 1;
}

static inline const uint32_t *hd_rows_words(const hd_rows *r, uint32_t row)
{
    return r->words.items + r->starts.items[row];
}

/* The words that were put since the last call of intern. */
static inline uint32_t *hd_rows_open(hd_rows *r)
{
    return r->words.items + r->starts.items[r->starts.count - 1];
}

#endif

/* A set of rows of 32-bit words. Equal rows are stored once; a row is identified by its number, in
 * order of first occurrence. `hd_rows_put` appends words to an open row at the end;
 * `hd_rows_intern` closes it: it keeps the row, or drops it again if an equal one is stored. */
#ifndef HD_BASE_ROWS_H
#define HD_BASE_ROWS_H

#include "base/map.h"
#include "base/vec.h"

typedef struct hd_rows {
    hd_vec(uint32_t) words;
    hd_vec(uint64_t) starts; /* where each row begins, and where the open one begins */
    hd_map index; /* hash → row + 1 */
} hd_rows;

void hd_rows_init(hd_rows *r, hd_memory *memory);
void hd_rows_fini(hd_rows *r);
void hd_rows_clear(hd_rows *r);

static inline void hd_rows_put(hd_rows *r, uint32_t word)
{
    hd_vec_push(&r->words, word);
}

/* Closes the open row and returns its number. */
uint32_t hd_rows_intern(hd_rows *r);

static inline uint32_t hd_rows_count(const hd_rows *r)
{
    return (uint32_t)r->starts.count - 1;
}

static inline const uint32_t *hd_rows_words(const hd_rows *r, uint32_t row)
{
    return r->words.items + r->starts.items[row];
}

/* The words of the open row. */
static inline uint32_t *hd_rows_open(hd_rows *r)
{
    return r->words.items + r->starts.items[r->starts.count - 1];
}

#endif

#include "explore/gatherer.h"

#include "base/error.h"

typedef struct cursor {
    const uint32_t *word;
} cursor;

static void read_piece(cursor *c, hd_gather_row *row, uint64_t object)
{
    uint32_t head = *c->word++, count = head >> 16;
    hd_vec_push(&row->pieces,
        ((hd_gather_piece) { object, (uint8_t)head, (uint8_t)(head >> 8), (uint32_t)row->met.count, count }));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t who = *c->word++, event = *c->word++;
        hd_vec_push(&row->met, ((hd_gather_met) { (uint8_t)who, (uint16_t)(who >> 8), event }));
    }
}

static void read_op(cursor *c, hd_gather_row *row)
{
    uint64_t object = *c->word++;
    object |= (uint64_t)*c->word++ << 32;
    uint32_t what = *c->word++, site = *c->word++, pieces = *c->word++;
    hd_vec_push(&row->ops,
        ((hd_gather_op) { object, (uint8_t)what, (uint8_t)(what >> 8), (uint8_t)(what >> 16), site,
            (uint32_t)row->pieces.count, pieces }));
    for (uint32_t i = 0; i < pieces; i++)
        read_piece(c, row, object);
}

void hd_gather_read(const hd_gather *g, uint32_t event, hd_gather_row *row)
{
    const uint32_t *words = hd_rows_words(&g->rows, event);
    cursor c = { words + HD_ROW_BODY };
    hd_vec_clear(&row->ops);
    hd_vec_clear(&row->pieces);
    hd_vec_clear(&row->met);
    hd_vec_clear(&row->edges);
    row->thread = (uint16_t)words[HD_ROW_HEAD];
    row->is_branch = words[HD_ROW_HEAD] >> 16 & 1;
    row->is_alone = words[HD_ROW_HEAD] >> 17 & 1;
    row->before = words[HD_ROW_BEFORE];
    for (uint32_t i = 0; i < words[HD_ROW_OPS]; i++)
        read_op(&c, row);
    for (uint32_t i = 0; i < words[HD_ROW_EDGES]; i++) {
        uint32_t creates = *c.word++, from = *c.word++;
        hd_vec_push(&row->edges, ((hd_gather_edge) { from, creates != 0 }));
    }
    hd_assert(c.word == hd_rows_words(&g->rows, event + 1));
}

void hd_gather_row_fini(hd_gather_row *row)
{
    hd_vec_fini(&row->ops);
    hd_vec_fini(&row->pieces);
    hd_vec_fini(&row->met);
    hd_vec_fini(&row->edges);
}

#include "worker/region.h"
#include "base/rng.h"
#include "unit/test.h"

#include <stdint.h>
#include <stdlib.h>

enum { SIZE = 1 << 20 };

static hd_region *make(void)
{
    char *block = aligned_alloc(64, SIZE);
    hd_region *r = (hd_region *)block;
    hd_region_init(r, block + 4096, block + SIZE);
    return r;
}

TEST(blocks_that_were_given_back_are_used_again)
{
    hd_region *r = make();
    void *a = hd_alloc(&r->memory, 100);
    hd_release(&r->memory, a, 100);
    size_t used = r->used;
    CHECK(hd_alloc(&r->memory, 90) == a);
    CHECK(hd_alloc(&r->memory, 90) != a);
    CHECK(r->used > used);
    free(r);
}

TEST(growing_keeps_what_is_there_and_stays_in_place_while_it_fits)
{
    hd_region *r = make();
    char *block = hd_alloc(&r->memory, 40);
    strcpy(block, "text");
    CHECK(hd_resize(&r->memory, block, 40, 60) == block);
    char *larger = hd_resize(&r->memory, block, 60, 5000);
    CHECK(larger != block);
    CHECK_TEXT(larger, "text");
    CHECK_INT((uintptr_t)larger % 16, 0);
    free(r);
}

/* Random traffic: blocks never overlap, whatever was given back before. */
TEST(blocks_do_not_overlap)
{
    struct {
        unsigned char *at;
        size_t size;
    } blocks[32] = { 0 };
    hd_region *r = make();
    hd_rng rng;
    hd_rng_seed(&rng, 3);
    for (int i = 0; i < 3000; i++) {
        size_t k = hd_rng_below(&rng, 32), size = 1 + hd_rng_below(&rng, 900);
        for (size_t b = 0; b < blocks[k].size; b++)
            CHECK(blocks[k].at[b] == (unsigned char)k);
        if (blocks[k].at)
            hd_release(&r->memory, blocks[k].at, blocks[k].size);
        blocks[k].at = hd_alloc(&r->memory, size);
        blocks[k].size = size;
        memset(blocks[k].at, (int)k, size);
    }
    free(r);
}

TEST(a_full_region_says_so)
{
    hd_region *r = make();
    CHECK(r->memory.resize(&r->memory, NULL, 0, 2 * SIZE) == NULL);
    CHECK(r->memory.resize(&r->memory, NULL, 0, 1000) != NULL);
    free(r);
}

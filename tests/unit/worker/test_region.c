#include "worker/region.h"
#include "base/rng.h"
#include "unit/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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
    size_t used = r->used;
    void *a = hd_alloc(&r->memory, 100);
    CHECK(r->used > used);
    hd_release(&r->memory, a, 100);
    CHECK_INT(r->used, used);
    CHECK(hd_alloc(&r->memory, 90) == a);
    CHECK(hd_alloc(&r->memory, 90) != a);
    CHECK(r->used > used);
    free(r);
}

TEST(at_its_limit_a_region_ends_the_process)
{
    pid_t child = fork();
    if (!child) {
        hd_region *r = make();
        r->most = r->used + 1024;
        hd_release(&r->memory, hd_alloc(&r->memory, 1000), 1000);
        hd_alloc(&r->memory, 1000); /* what was given back does not count */
        hd_alloc(&r->memory, 1000);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_FULL);
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

/* --- large blocks ------------------------------------------------------------------- */

static const size_t megabyte = 1 << 20, room = (HD_REGION_FIELDS + 1) * HD_REGION_FIELD_ROOM;

static hd_region *make_large(void)
{
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    char *block = mmap(NULL, room, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(block != MAP_FAILED);
    hd_region *r = (hd_region *)block;
    hd_region_init(r, block + 4096, block + room);
    return r;
}

TEST(large_blocks_grow_where_they_are)
{
    hd_region *r = make_large();
    char *one = hd_resize(&r->memory, strcpy(hd_alloc(&r->memory, 100), "text"), 100, megabyte);
    char *other = hd_alloc(&r->memory, 3 * megabyte);
    other[0] = 'x';
    CHECK(hd_resize(&r->memory, one, megabyte, 40 * megabyte) == one);
    memset(one + megabyte, 'y', 39 * megabyte);
    CHECK_TEXT(one, "text");
    CHECK(other[0] == 'x');
    CHECK(r->used >= 43 * megabyte && r->used < 44 * megabyte);
    munmap(r, room);
}

TEST(memory_of_large_blocks_is_given_back)
{
    hd_region *r = make_large();
    char *one = hd_resize(&r->memory, NULL, 0, 2 * megabyte);
    one[megabyte] = 'x';
    size_t used = r->used;
    hd_release(&r->memory, one, 2 * megabyte);
    CHECK_INT(r->used, used - 2 * megabyte);
    char *again = hd_resize(&r->memory, NULL, 0, 2 * megabyte);
    CHECK(again == one);
    CHECK_INT(again[megabyte], 0);
    munmap(r, room);
}

TEST(more_large_blocks_than_fields)
{
    hd_region *r = make_large();
    char *blocks[HD_REGION_FIELDS + 4];
    for (int i = 0; i < HD_REGION_FIELDS + 4; i++) {
        blocks[i] = hd_alloc(&r->memory, megabyte);
        blocks[i][megabyte - 1] = (char)i;
        blocks[i] = hd_resize(&r->memory, blocks[i], megabyte, megabyte + megabyte / 2);
    }
    for (int i = 0; i < HD_REGION_FIELDS + 4; i++)
        CHECK_INT(blocks[i][megabyte - 1], i);
    munmap(r, room);
}

TEST(the_parts_are_all_that_is_in_use)
{
    hd_region *r = make_large();
    char *small = hd_alloc(&r->memory, 100), *large = hd_alloc(&r->memory, 2 * megabyte), *from;
    size_t size = hd_region_part(r, (char *)r, 0, &from);
    CHECK(from == (char *)r && from + size >= small + 100);
    CHECK_INT(hd_region_part(r, (char *)r, 1, &from), 2 * megabyte);
    CHECK(from == large);
    CHECK_INT(hd_region_part(r, (char *)r, 2, &from), 0);
    munmap(r, room);
}

TEST(a_full_region_says_so)
{
    hd_region *r = make();
    CHECK(r->memory.resize(&r->memory, NULL, 0, 2 * SIZE) == NULL);
    CHECK(r->memory.resize(&r->memory, NULL, 0, 1000) != NULL);
    free(r);
}

#define CHECK_REGION(field, wrong) CHECK_NOTICED(hd_region_is_valid(r), r->field, wrong)

TEST(validity_notices_what_is_wrong_with_a_region)
{
    hd_region *r = make();
    char *blocks[4];
    for (int i = 0; i < 4; i++)
        blocks[i] = hd_alloc(&r->memory, 100);
    hd_release(&r->memory, blocks[1], 100);
    hd_release(&r->memory, blocks[2], 100);
    CHECK_REGION(used, r->used + 32); /* a block is lost */
    CHECK_REGION(unused[7], NULL);
    CHECK_REGION(unused[7], (void *)(r->end - 32));
    CHECK_REGION(unused[6], blocks[0]); /* given back, and in use */
    CHECK_REGION(next, r->end + 1);
    CHECK_REGION(fields[3], 64);
    CHECK_NOTICED(hd_region_is_valid(r), *(void **)blocks[1], blocks[2]); /* a cycle */
    free(r);
}

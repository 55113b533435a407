#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/rng.h"
#include "abi/valid.h"
#include "base/vec.h"
#include "unit/test.h"

#include <stdlib.h>

TEST(vectors_keep_their_items_when_they_grow)
{
    hd_vec(int) numbers = { 0 };
    for (int i = 0; i < 1000; i++)
        hd_vec_push(&numbers, i);
    CHECK_INT(numbers.count, 1000);
    for (int i = 0; i < 1000; i++)
        CHECK_INT(numbers.items[i], i);
    CHECK_INT(hd_vec_pop(&numbers), 999);
    hd_vec_fini(&numbers);
}

TEST(maps_find_what_was_put)
{
    hd_map map;
    hd_map_init(&map, &hd_heap);
    CHECK(hd_map_get(&map, 0) == NULL);
    for (uint64_t key = 0; key < 5000; key++)
        *hd_map_put(&map, key * 4096) = key;
    CHECK_INT(map.count, 5000);
    for (uint64_t key = 0; key < 5000; key++)
        CHECK_INT(*hd_map_get(&map, key * 4096), key);
    CHECK(hd_map_get(&map, 1) == NULL);
    hd_map_clear(&map);
    CHECK(hd_map_get(&map, 4096) == NULL);
    hd_map_fini(&map);
}

TEST(arenas_give_zeroed_blocks_of_any_size)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    for (size_t size = 1; size < 200000; size *= 3) {
        char *block = hd_arena_alloc(&arena, size);
        CHECK(block[0] == 0 && block[size - 1] == 0);
        memset(block, 1, size);
    }
    CHECK_TEXT(hd_arena_print(&arena, "%d-%s", 7, "x"), "7-x");
    hd_arena_fini(&arena);
}

TEST(random_numbers_do_not_depend_on_the_machine)
{
    hd_rng rng;
    hd_rng_seed(&rng, 1);
    CHECK(hd_rng_next(&rng) == 0xb3f2af6d0fc710c5u);
    for (int i = 0; i < 1000; i++)
        CHECK(hd_rng_below(&rng, 7) < 7);
}

TEST(json_escapes_nests_and_separates)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    hd_json j;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "a\"b", "line\nbad\xff\xc3\xa9");
    hd_json_array(&j, "list");
    hd_json_int(&j, NULL, -3);
    hd_json_bool(&j, NULL, true);
    hd_json_end(&j, ']');
    hd_json_array(&j, "empty");
    hd_json_end(&j, ']');
    hd_json_text(&j, "none", NULL);
    hd_json_end(&j, '}');
    fclose(out);
    CHECK_TEXT(text,
        "{\n  \"a\\\"b\": \"line\\nbad\\ufffd\xc3\xa9\",\n  \"list\": [\n    -3,\n    true\n  ],\n"
        "  \"empty\": [],\n  \"none\": null\n}\n");
    free(text);
}

/* A structure that grows by one at each step, with a cost of 8 per item: checks go on, at about the budget per step. */
TEST(large_structures_are_checked_at_a_sample_of_steps)
{
    uint64_t comparisons = 0, least = UINT64_MAX;
    for (uint64_t part = 0; part < 8; part++) {
        uint64_t checks = 0;
        for (uint64_t size = part << 15; size < (part + 1) << 15; size++)
            if (hd_valid_is_due(8 * size, size)) {
                checks++;
                comparisons += 8 * size;
            }
        least = checks < least ? checks : least;
    }
    CHECK(least >= 10);
    CHECK(comparisons < 2 * (8ull << 15) * HD_VALID_BUDGET);
}

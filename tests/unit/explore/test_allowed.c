/* Bounds of threads, from items written by hand. */
#include "explore/allowed.c"
#include "unit/test.h"

enum { BASE = 0x10000, FIRST = 0x100, SECOND = 0x200, THIRD = 0x300, X = 0x1000, Y = 0x2000, Z = 0x3000 };

#define ITEM(what, where, which) \
    { \
        HD_ALLOWED_##what, (where), (which) \
    }

/* FIRST calls SECOND of another unit, which reads X. THIRD calls through a pointer; only SECOND's address is taken. */
static hd_allowed_item program[] = { ITEM(UNIT, 0, 0), ITEM(STAYS, X, 8), ITEM(ESCAPES, Y, 8), ITEM(FUNCTION, FIRST, 0),
    ITEM(CHANGES, Y, 4), ITEM(CALLS_ELSEWHERE, SECOND, 0), /**/
    ITEM(UNIT, 0, 0), ITEM(STAYS, X, 8), ITEM(STAYS, Z, 16), ITEM(TAKEN, 0, 0), ITEM(FUNCTION, SECOND, 0),
    ITEM(READS, X, 4), ITEM(FUNCTION, THIRD, 0), ITEM(CALLS_UNKNOWN, 0, 0), ITEM(CHANGES, Z + 8, 8) };

static hd_allowed *opened(void)
{
    return hd_allowed_open(program, sizeof program / sizeof *program, BASE, &hd_heap);
}

static void fini(hd_allowed *a)
{
    for (size_t i = 0; i < a->bounds.room; i++)
        if (a->bounds.slots[i].used) {
            hd_bound *b = (hd_bound *)(uintptr_t)a->bounds.slots[i].value;
            free((void *)(uintptr_t)b->ranges);
            free((void *)(uintptr_t)b->objects);
            free(b);
        }
    free((void *)(uintptr_t)a->items);
    hd_vec_fini(&a->functions);
    hd_vec_fini(&a->taken);
    hd_vec_fini(&a->variables);
    hd_vec_fini(&a->holdings);
    hd_map_fini(&a->sites);
    hd_map_fini(&a->by_address);
    hd_map_fini(&a->bounds);
    hd_release(&hd_heap, a, sizeof *a);
}

static bool meets_object(hd_allowed *a, uint64_t start, uint64_t site, bool changes)
{
    const hd_bound *b = hd_allowed_of(a, (const void *)(uintptr_t)(BASE + start));
    return hd_allowed_meets(a, b, (hd_allowed_range) { HD_HEAP_BASE, 4, changes, false, site });
}

enum { P = 0x4000, Q = 0x4010, OF_P = 10, OF_Q = 11, LOST = 12, OUTSIDE = 0x900 };

/* P holds what OF_P allocates, Q what OF_Q does; P is passed on (GIVES), or Q may hold anything. FIRST reads by P,
 * SECOND changes by Q, THIRD changes by an unknown pointer. */
static hd_allowed *with_sites(hd_allowed_kind how, uint64_t where)
{
    const hd_allowed_item items[] = { ITEM(UNIT, 0, 0), ITEM(POINTS, P, 8), ITEM(POINTS, Q, 8), ITEM(SITE, 0, OF_P),
        ITEM(SITE, 0, OF_Q), ITEM(SITE_ESCAPES, 0, LOST), ITEM(HOLDS, P, OF_P), ITEM(HOLDS, Q, OF_Q),
        { how, where, where == P || where == Q ? 8 : 0 }, ITEM(FUNCTION, FIRST, 0), ITEM(READS_OBJECT, P, 0),
        ITEM(FUNCTION, SECOND, 0), ITEM(CHANGES_OBJECT, Q, 0), ITEM(FUNCTION, THIRD, 0), ITEM(CHANGES_UNKNOWN, 0, 0) };
    return hd_allowed_open(items, sizeof items / sizeof *items, BASE, &hd_heap);
}

static bool all_meet(hd_allowed *a, uint64_t start, bool of_p, bool of_q, bool lost)
{
    return meets_object(a, start, OF_P, true) == of_p && meets_object(a, start, OF_Q, true) == of_q
        && meets_object(a, start, LOST, true) == lost && meets_object(a, start, HD_ANY_SITE, true);
}

static bool unknown_meet(hd_allowed *a, uint64_t start, uint64_t other)
{
    return hd_allowed_unknown_meets(a, hd_allowed_of(a, (const void *)(uintptr_t)(BASE + start)),
        hd_allowed_of(a, (const void *)(uintptr_t)(BASE + other)));
}

TEST(objects_differ_by_their_sites)
{
    hd_allowed *a = with_sites(HD_ALLOWED_POINTS, P);
    CHECK(all_meet(a, FIRST, true, false, false));
    CHECK(!meets_object(a, FIRST, OF_P, false));
    CHECK(all_meet(a, SECOND, false, true, false));
    CHECK(all_meet(a, THIRD, false, false, true));
    CHECK(!unknown_meet(a, FIRST, SECOND));
    CHECK(!unknown_meet(a, FIRST, FIRST));
    CHECK(unknown_meet(a, SECOND, SECOND));
    CHECK(!unknown_meet(a, THIRD, SECOND) && !unknown_meet(a, SECOND, THIRD));
    fini(a);
}

TEST(pointers_that_are_passed_on_give_objects_away)
{
    hd_allowed *a = with_sites(HD_ALLOWED_GIVES, P);
    CHECK(all_meet(a, FIRST, true, false, false));
    CHECK(all_meet(a, THIRD, true, false, true));
    CHECK(unknown_meet(a, THIRD, FIRST) && unknown_meet(a, FIRST, THIRD));
    fini(a);
    a = with_sites(HD_ALLOWED_HOLDS_UNKNOWN, Q);
    CHECK(all_meet(a, SECOND, false, true, true));
    CHECK(all_meet(a, THIRD, false, false, true));
    fini(a);
    const hd_allowed_kind spoil[] = { HD_ALLOWED_STAYS, HD_ALLOWED_ESCAPES };
    for (int i = 0; i < 2; i++) { /* another unit does other things with Q */
        a = with_sites(spoil[i], Q);
        CHECK(all_meet(a, SECOND, false, true, true));
        CHECK(all_meet(a, THIRD, false, true, true));
        fini(a);
    }
}

TEST(unknown_functions_may_allocate)
{
    hd_allowed *a = with_sites(HD_ALLOWED_FOREIGN, OUTSIDE);
    CHECK(all_meet(a, THIRD, true, true, true));
    fini(a);
    a = with_sites(HD_ALLOWED_FOREIGN, FIRST);
    CHECK(all_meet(a, THIRD, false, false, true));
    fini(a);
}

static bool meets(hd_allowed *a, uint64_t start, uint64_t address, bool changes)
{
    const hd_bound *b = hd_allowed_of(a, (const void *)(uintptr_t)(start ? BASE + start : 0));
    return hd_allowed_meets(a, b, (hd_allowed_range) { BASE + address, 4, changes, false, HD_NO_SITE });
}

TEST(a_bound_has_what_calls_may_reach)
{
    hd_allowed *a = opened();
    CHECK(meets(a, FIRST, Y, false));
    CHECK(!meets(a, FIRST, Y + 4, true)); /* only four bytes of it */
    CHECK(meets(a, FIRST, X, true)); /* SECOND reads it */
    CHECK(!meets(a, FIRST, X, false));
    CHECK(!meets(a, SECOND, Y, true));
    CHECK(meets(a, THIRD, X, true)); /* by the pointer */
    CHECK(!meets(a, THIRD, Z, true));
    CHECK(meets(a, THIRD, Z + 8, false));
    fini(a);
}

TEST(what_is_not_known_may_be_anything)
{
    hd_allowed *a = opened();
    CHECK(meets(a, 0, Z, false)); /* main */
    CHECK(meets(a, Z, Y, false)); /* not a function */
    fini(a);
    hd_allowed_item *call = &program[5], before = *call;
    call->address = 0;
    a = opened();
    CHECK(meets(a, FIRST, Z, false));
    CHECK(!meets(a, SECOND, Z, false));
    fini(a);
    *call = before;
    program[9].kind = HD_ALLOWED_UNBOUNDED;
    a = opened();
    CHECK(meets(a, SECOND, Z, false));
    fini(a);
    program[9].kind = HD_ALLOWED_TAKEN_ELSEWHERE; /* of a function that no unit has */
    a = opened();
    CHECK(meets(a, THIRD, Y, false));
    CHECK(!meets(a, SECOND, Y, true));
    fini(a);
    program[9].kind = HD_ALLOWED_TAKEN;
}

TEST(unknown_pointers_reach_what_escapes)
{
    hd_allowed_item before = program[11];
    program[11] = (hd_allowed_item)ITEM(READS_UNKNOWN, 0, 0);
    hd_allowed *a = opened();
    CHECK(meets(a, SECOND, Y, true));
    CHECK(!meets(a, SECOND, Y, false));
    CHECK(meets(a, SECOND, 0x7000, true)); /* no variable that is known */
    CHECK(!meets(a, SECOND, X, true));
    const hd_bound *first = hd_allowed_of(a, (const void *)(uintptr_t)(BASE + FIRST)),
                   *second = hd_allowed_of(a, (const void *)(uintptr_t)(BASE + SECOND));
    CHECK(hd_allowed_unknown_meets(a, second, first)); /* FIRST changes Y */
    CHECK(!hd_allowed_unknown_meets(a, second, second));
    fini(a);
    program[11] = before;
}

#include "event/op.h"
#include "unit/test.h"

static hd_op make(uint8_t kind, uint64_t object, uint8_t mask)
{
    return (hd_op) { .kind = kind, .object = object, .mask = mask };
}

TEST(the_relation_is_symmetric)
{
    for (uint8_t a = 1; a < HD_OP_KINDS; a++)
        for (uint8_t b = 1; b < HD_OP_KINDS; b++)
            for (uint64_t object = 8; object <= 16; object += 8) {
                hd_op x = make(a, 8, 3), y = make(b, object, 2);
                CHECK_INT(hd_ops_conflict(&x, &y), hd_ops_conflict(&y, &x));
            }
}

TEST(looks_commute_and_exits_do_not)
{
    for (uint8_t a = 1; a < HD_OP_KINDS; a++)
        for (uint8_t b = 1; b < HD_OP_KINDS; b++) {
            hd_op x = make(a, 8, 1), y = make(b, 8, 1), far = make(b, 16, 1);
            bool exits = a == HD_EXIT || b == HD_EXIT;
            if (hd_kind_looks(a) && hd_kind_looks(b))
                CHECK(!hd_ops_conflict(&x, &y));
            CHECK_INT(hd_ops_conflict(&x, &far), exits);
            if (exits)
                CHECK(hd_ops_conflict(&x, &y));
        }
}

TEST(bytes_that_do_not_overlap_commute)
{
    hd_op one = make(HD_WRITE, 8, 1), two = make(HD_WRITE, 8, 2), both = make(HD_READ, 8, 3);
    CHECK(!hd_ops_conflict(&one, &two));
    CHECK(hd_ops_conflict(&one, &both));
    CHECK(hd_ops_conflict(&two, &both));
}

TEST(what_only_adds_up_commutes)
{
    static const uint8_t same[] = { HD_SEM_POST, HD_RDLOCK, HD_RDUNLOCK, HD_COND_WAIT, HD_BARRIER_ARRIVE, HD_READ };
    static const uint8_t not [] = { HD_LOCK, HD_UNLOCK, HD_WRLOCK, HD_SEM_WAIT, HD_COND_SIGNAL, HD_WRITE, HD_STORE,
        HD_RMW };
    for (size_t i = 0; i < sizeof same; i++) {
        hd_op x = make(same[i], 8, 1), y = x;
        CHECK(!hd_ops_conflict(&x, &y));
    }
    for (size_t i = 0; i < sizeof not ; i++) {
        hd_op x = make(not [i], 8, 1), y = x;
        CHECK(hd_ops_conflict(&x, &y));
    }
    hd_op post = make(HD_SEM_POST, 8, 0), wait = make(HD_SEM_WAIT, 8, 0);
    CHECK(hd_ops_conflict(&post, &wait));
}

TEST(the_other_form_of_a_kind_points_back)
{
    for (uint8_t kind = 1; kind < HD_OP_KINDS; kind++) {
        uint8_t other = hd_kinds[kind].otherwise;
        if (!other)
            continue;
        CHECK_INT(hd_kinds[other].otherwise, kind);
        CHECK_INT(hd_kinds[other].object, hd_kinds[kind].object);
        CHECK_INT(hd_kinds[other].decided, hd_kinds[kind].decided);
        CHECK_INT(hd_kind_strongest(kind), hd_kind_strongest(other));
        /* The weaker one only looks, unless both change the object. */
        uint8_t strongest = hd_kind_strongest(kind), weaker = hd_kinds[strongest].otherwise;
        CHECK(hd_kind_looks(weaker) || !hd_kind_looks(strongest));
        CHECK(strongest == kind || weaker == kind);
    }
}

TEST(a_group_is_named_after_one_of_its_kinds)
{
    for (uint8_t kind = 1; kind < HD_OP_KINDS; kind++) {
        uint8_t group = hd_kinds[kind].group;
        if (group == HD_GROUP_LOOKS || group == HD_GROUP_ALONE)
            continue;
        CHECK_INT(hd_kinds[group].group, group);
        CHECK_INT(hd_kinds[group].object, hd_kinds[kind].object);
    }
}

TEST(what_an_object_is_destroyed_by_is_on_it)
{
    for (uint8_t class = 0; class < HD_OBJECT_CLASSES; class ++) {
        uint8_t destruction = hd_objects[class].destruction;
        if (!destruction)
            continue;
        CHECK_INT(hd_kinds[destruction].object, class);
        CHECK_INT(hd_kinds[destruction].role, HD_ROLE_DESTROYS);
    }
}

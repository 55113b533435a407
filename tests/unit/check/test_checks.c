/* Each property, on programs that have it and programs that nearly do. */
#include "unit/scripted.h"
#include "unit/test.h"

static exploration found;

/* How many findings of this kind all executions have. */
static uint32_t count(const hd_script_program *p, hd_finding_kind kind)
{
    uint32_t result = 0;
    memset(&found, 0, sizeof found);
    explore(&found, p, "dfs", &hd_heap);
    CHECK_INT(found.end, HD_END_COMPLETE);
    for (uint32_t i = 0; i < found.finding_count; i++)
        result += found.findings[i].kind == kind;
    return result;
}

TEST(a_circle_of_locks_is_a_deadlock)
{
    hd_script_program p = { .threads = { MAIN_OF_2, { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
                                { LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1) } } };
    CHECK_INT(count(&p, HD_FINDING_DEADLOCK), 1);
    CHECK_INT(found.findings[0].stuck.words[0], 7); /* main waits for them */
    hd_script_program ordered = { .threads = { MAIN_OF_2, { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
                                      { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) } } };
    CHECK_INT(count(&ordered, HD_FINDING_DEADLOCK), 0);
}

TEST(a_group_that_is_stuck_when_main_ends_is_a_deadlock)
{
    hd_script_program p = { .threads = { { CREATE(1), CREATE(2) }, { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
                                { LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1) } } };
    CHECK_INT(count(&p, HD_FINDING_DEADLOCK), 1);
    CHECK_INT(found.findings[0].stuck.words[0], 6);
}

TEST(a_thread_that_waits_for_work_when_main_ends_is_not_stuck)
{
    hd_script_program p = { .threads = { { CREATE(1) }, { LOCK(0), WAIT(0, 0), UNLOCK(0) } } };
    CHECK_INT(count(&p, HD_FINDING_DEADLOCK), 0);
    hd_script_program joined = { .threads = { { CREATE(1), JOIN(1) }, { LOCK(0), WAIT(0, 0), UNLOCK(0) } } };
    CHECK_INT(count(&joined, HD_FINDING_DEADLOCK), 1);
}

TEST(locking_twice_is_a_deadlock_of_one)
{
    hd_script_program p = { .threads = { { CREATE(1) }, { LOCK(0), LOCK(0) } } };
    CHECK_INT(count(&p, HD_FINDING_DEADLOCK), 1);
    CHECK_INT(found.findings[0].stuck.words[0], 2);
}

TEST(assertions_and_misuse_are_found_where_they_happen)
{
    hd_script_program p = { .threads = { MAIN_OF_2, { WRITE(0, 1, 1) }, { READ(0, 1), ASSERT(0) } } };
    CHECK_INT(count(&p, HD_FINDING_ASSERTION), 1);
    hd_script_program misuse = { .threads = { MAIN_OF_2, { LOCK(0) }, { UNLOCK(0) } } };
    CHECK_INT(count(&misuse, HD_FINDING_LOCK_DISCIPLINE), 1);
}

TEST(data_races_need_two_threads_a_write_and_no_order)
{
    hd_script_program racy = { .threads = { MAIN_OF_2, { WRITE(0, 1, 1) }, { READ(0, 1) } } };
    hd_script_program locked = { .threads = { MAIN_OF_2, { LOCK(0), WRITE(0, 1, 1), UNLOCK(0) },
                                     { LOCK(0), READ(0, 1), UNLOCK(0) } } };
    hd_script_program atomic = { .threads = { MAIN_OF_2, { STORE(0, 1) }, { LOAD(0) } } };
    hd_script_program bytes = { .threads = { MAIN_OF_2, { WRITE(0, 1, 1) }, { WRITE(0, 2, 1) } } };
    hd_script_program reads = { .threads = { MAIN_OF_2, { READ(0, 1) }, { READ(0, 1) } } };
    hd_script_program joined = { .threads = { { CREATE(1), JOIN(1), WRITE(0, 1, 1) }, { WRITE(0, 1, 2) } } };
    hd_script_program passed = { .threads = {
                                     MAIN_OF_2, { WRITE(0, 1, 1), SEM_POST(0) }, { SEM_WAIT(0), READ(0, 1) } } };
    CHECK_INT(count(&racy, HD_FINDING_DATA_RACE), 1);
    CHECK_INT(count(&locked, HD_FINDING_DATA_RACE), 0);
    CHECK_INT(count(&atomic, HD_FINDING_DATA_RACE), 0);
    CHECK_INT(count(&bytes, HD_FINDING_DATA_RACE), 0);
    CHECK_INT(count(&reads, HD_FINDING_DATA_RACE), 0);
    CHECK_INT(count(&joined, HD_FINDING_DATA_RACE), 0);
    CHECK_INT(count(&passed, HD_FINDING_DATA_RACE), 0);
}

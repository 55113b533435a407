#include "target/kind_check.h"
#include "unit/test.h"

enum { MUTEX = 0x1000, CONDITION = 0x2000 };

/* A runtime that stands still: what threads want to do, and whether they can. */
static hd_thread_view threads[2];
static hd_op entries[4];
static uint32_t thread_count, log_count;
static int enabled[2];

static int is_enabled(uint32_t thread)
{
    return enabled[thread];
}

static hd_runtime runtime = {
    .threads = threads, .thread_count = &thread_count, .log = entries, .log_count = &log_count, .enabled = is_enabled
};
static hd_kind_check check;

static void start(void)
{
    memset(threads, 0, sizeof threads);
    log_count = 0;
    thread_count = 2;
}

static void wants(uint16_t thread, uint8_t kind, uint64_t object, uint16_t flags, int can)
{
    threads[thread].status = HD_THREAD_AT_OP;
    threads[thread].pending = (hd_op) { .thread = thread, .kind = kind, .object = object, .flags = flags };
    enabled[thread] = can;
}

static void did(uint16_t thread, uint8_t kind, uint64_t object)
{
    entries[log_count++] = (hd_op) { .thread = thread, .kind = kind, .object = object };
}

static bool still_holds(void)
{
    uint32_t thread;
    return !hd_kind_check_decision(&check, &runtime, &thread);
}

/* By the state alone. */
static bool holds(void)
{
    hd_kind_check_start(&check);
    return still_holds();
}

TEST(a_lock_that_is_held_is_not_enabled)
{
    start();
    wants(1, HD_LOCK, MUTEX, 0, 1);
    CHECK(holds());
    did(0, HD_LOCK, MUTEX);
    CHECK(!holds());
    enabled[1] = 0;
    CHECK(holds());
    did(0, HD_UNLOCK, MUTEX);
    CHECK(!holds());
}

TEST(a_try_fails_exactly_while_the_lock_is_held)
{
    start();
    wants(1, HD_LOCK_FAIL, MUTEX, HD_OP_TRY, 1);
    CHECK(!holds());
    did(0, HD_LOCK, MUTEX);
    CHECK(holds());
    threads[1].pending.kind = HD_LOCK;
    CHECK(!holds());
}

TEST(a_signal_has_an_outcome_for_each_waiter)
{
    start();
    wants(1, HD_COND_NOBODY, CONDITION, 0, 1);
    CHECK(holds());
    did(0, HD_COND_WAIT, CONDITION);
    CHECK(!holds());
    threads[1].pending.kind = HD_COND_SIGNAL;
    CHECK(!holds());
    threads[1].pending.choices = 1;
    CHECK(holds());
    did(0, HD_COND_TIMEOUT, CONDITION);
    CHECK(!holds());
}

TEST(what_commutes_changes_nothing)
{
    start();
    wants(1, HD_RMW, 8, 0, 1);
    threads[1].pending.mask = 1;
    CHECK(holds());
    did(0, HD_READ, 8);
    threads[1].pending.kind = HD_RMW_SAME;
    CHECK(!still_holds());
    did(0, HD_WRITE, 8);
    entries[1].mask = 1;
    threads[1].pending.kind = HD_RMW;
    CHECK(still_holds());
}

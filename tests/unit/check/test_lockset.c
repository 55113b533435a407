/* The lock discipline, on logs written by hand. */
#include "check/lockset_internal.h"

#include "base/rng.h"
#include "unit/test.h"

enum { CELL = 0x1000, M = 0x2000, N = 0x2008, RW = 0x2010 };

#define OP(who, what, where) \
    { \
        .thread = (who), .kind = HD_##what, .object = (where) \
    }
#define ACCESS(who, what, bytes, how) \
    { \
        .thread = (who), .kind = HD_##what, .object = CELL, .mask = (bytes), .flags = (how) \
    }
#define ON(who, what) ACCESS(who, what, 0x0f, 0)

static struct {
    uint32_t count, first, second;
    uint64_t variable;
} violation_found;

static void note(void *context, const hd_finding *f)
{
    (void)context;
    violation_found.count++;
    violation_found.first = f->entries[0];
    violation_found.second = f->entries[1];
    violation_found.variable = f->variable;
}

static uint32_t violations_in(const hd_op *log, uint32_t count, bool eraser)
{
    hd_outcome outcome = { 0 };
    hd_execution e = { .log = log, .log_count = count, .outcome = &outcome };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1, .eraser = eraser }, &hd_heap);
    violation_found.count = 0;
    hd_lockset_check(l, &e, note, NULL);
    CHECK(hd_lockset_is_valid(l));
    hd_lockset_close(l);
    return violation_found.count;
}

#define STRICT(log) violations_in(log, sizeof(log) / sizeof *(log), false)
#define ERASER(log) violations_in(log, sizeof(log) / sizeof *(log), true)

TEST(a_common_lock_protects)
{
    hd_op log[] = { OP(1, LOCK, M), ON(1, WRITE), OP(1, UNLOCK, M), OP(2, LOCK, N), OP(2, LOCK, M), ON(2, READ),
        OP(2, UNLOCK, M), OP(2, UNLOCK, N) };
    CHECK_INT(STRICT(log), 0);
    log[4].object = log[6].object = RW; /* no common lock */
    CHECK_INT(STRICT(log), 1);
    CHECK_INT(violation_found.first, 1);
    CHECK_INT(violation_found.second, 5);
    CHECK_INT(violation_found.variable, CELL);
}

TEST(the_same_lock_in_every_execution)
{
    hd_op log[] = { OP(1, LOCK, M), OP(1, LOCK, N), ON(1, WRITE), OP(1, UNLOCK, N), OP(1, UNLOCK, M), OP(2, LOCK, M),
        OP(2, LOCK, N), ON(2, READ), OP(2, UNLOCK, N), OP(2, UNLOCK, M) };
    hd_outcome outcome = { 0 };
    hd_execution e = { .log = log, .log_count = sizeof log / sizeof *log, .outcome = &outcome };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1, .same_lock = 1 }, &hd_heap);
    violation_found.count = 0;
    hd_lockset_check(l, &e, note, NULL); /* M and N */
    log[5].object = log[9].object = RW;
    hd_lockset_check(l, &e, note, NULL); /* N */
    CHECK_INT(violation_found.count, 0);
    log[5].object = log[9].object = M;
    log[6].object = log[8].object = RW;
    e.log_count = 5; /* one thread alone does not share it */
    hd_lockset_check(l, &e, note, NULL);
    CHECK_INT(violation_found.count, 0);
    e.log_count = sizeof log / sizeof *log;
    hd_lockset_check(l, &e, note, NULL); /* M */
    CHECK_INT(violation_found.count, 1);
    CHECK_INT(violation_found.first, 2);
    CHECK_INT(violation_found.second, 7);
    hd_lockset_close(l);
}

TEST(three_accesses_with_pairwise_common_locks_are_not_protected)
{
    hd_op log[] = { OP(1, LOCK, M), OP(1, LOCK, N), ON(1, WRITE), OP(1, UNLOCK, N), OP(1, UNLOCK, M), OP(2, LOCK, N),
        OP(2, LOCK, RW), ON(2, WRITE), OP(2, UNLOCK, RW), OP(2, UNLOCK, N), OP(3, LOCK, RW), OP(3, LOCK, M),
        ON(3, WRITE) };
    CHECK_INT(STRICT(log), 1);
    CHECK_INT(violation_found.second, 12);
}

TEST(reading_needs_no_lock)
{
    hd_op log[] = { ON(1, READ), ON(2, READ), ON(3, READ) };
    CHECK_INT(STRICT(log), 0);
    log[2].kind = HD_WRITE;
    CHECK_INT(STRICT(log), 1);
}

TEST(atomic_accesses_alone_need_no_lock)
{
    hd_op log[] = { ON(1, STORE), ON(2, RMW), ON(3, LOAD) };
    CHECK_INT(STRICT(log), 0);
    log[2].kind = HD_READ;
    CHECK_INT(STRICT(log), 1);
}

TEST(a_read_lock_protects_reads_alone)
{
    hd_op log[] = { OP(1, RDLOCK, RW), ON(1, READ), OP(1, RDUNLOCK, RW), OP(2, WRLOCK, RW), ON(2, WRITE),
        OP(2, WRUNLOCK, RW) };
    CHECK_INT(STRICT(log), 0);
    log[3].kind = HD_RDLOCK;
    log[5].kind = HD_RDUNLOCK;
    CHECK_INT(STRICT(log), 1);
}

TEST(a_read_lock_taken_twice_is_held_until_it_is_given_twice)
{
    hd_op log[] = { OP(1, RDLOCK, RW), OP(1, RDLOCK, RW), OP(1, RDUNLOCK, RW), ON(1, READ), OP(1, RDUNLOCK, RW),
        OP(2, WRLOCK, RW), ON(2, WRITE) };
    CHECK_INT(STRICT(log), 0);
    log[1].kind = HD_RDUNLOCK;
    log[2].kind = HD_RDLOCK;
    CHECK_INT(STRICT(log), 0);
    log[2].kind = HD_NONE;
    CHECK_INT(STRICT(log), 1);
}

TEST(bytes_of_a_cell_are_variables_of_their_own)
{
    hd_op log[] = { OP(1, LOCK, M), ON(1, WRITE), OP(1, UNLOCK, M), OP(2, LOCK, N), ACCESS(2, WRITE, 0xf0, 0),
        OP(2, UNLOCK, N), OP(3, LOCK, M), ON(3, READ), OP(3, UNLOCK, M), OP(3, LOCK, N), ACCESS(3, READ, 0xf0, 0) };
    CHECK_INT(STRICT(log), 0);
    log[10].mask = 0xf8; /* one byte of the other */
    CHECK_INT(STRICT(log), 1);
    CHECK_INT(violation_found.variable, CELL + 3);
}

/* Section 9 of the paper, in the only order that an invisible-first search runs: v = 0, post, v = 1, then the section.
 */
TEST(the_treatment_of_initialisation_differs)
{
    hd_op log[] = { ON(1, WRITE), OP(1, SEM_POST, N), ON(1, WRITE), OP(2, SEM_WAIT, N), OP(2, LOCK, M), ON(2, WRITE),
        OP(2, UNLOCK, M) };
    CHECK_INT(ERASER(log), 0);
    CHECK_INT(STRICT(log), 1);
    hd_op other[] = { ON(1, WRITE), OP(1, SEM_POST, N), OP(2, SEM_WAIT, N), OP(2, LOCK, M), ON(2, WRITE),
        OP(2, UNLOCK, M), ON(1, WRITE) };
    CHECK_INT(ERASER(other), 1);
    CHECK_INT(STRICT(other), 1);
}

TEST(accesses_before_publication_do_not_count)
{
    hd_op log[] = { ACCESS(1, WRITE, 0x0f, HD_OP_INITIAL), OP(1, LOCK, M), ACCESS(1, WRITE, 0x0f, HD_OP_INITIAL),
        OP(1, UNLOCK, M), OP(2, LOCK, M), ON(2, WRITE), OP(2, UNLOCK, M) };
    log[0].object = log[2].object = log[5].object = HD_HEAP_BASE;
    CHECK_INT(STRICT(log), 0);
    log[2].flags = 0;
    CHECK_INT(STRICT(log), 0);
    log[0].flags = 0;
    CHECK_INT(STRICT(log), 1);
}

enum { SEMAPHORE = 0x2020 };

TEST(announced_accesses_do_not_count_for_threads_that_are_told)
{
    hd_op log[] = { ACCESS(1, WRITE, 0x0f, HD_OP_INITIAL), OP(1, SEM_POST, SEMAPHORE), OP(2, SEM_WAIT, SEMAPHORE),
        OP(2, LOCK, M), ON(2, WRITE), OP(2, UNLOCK, M), OP(3, LOCK, M), ON(3, WRITE), OP(3, UNLOCK, M) };
    log[1].value = log[2].value = hd_counted(0, 5);
    CHECK_INT(violations_in(log, 6, false), 0);
    CHECK_INT(STRICT(log), 1); /* nothing has told thread 3 */
    CHECK_INT(violation_found.first, 0);
    CHECK_INT(violation_found.second, 7);
    log[6] = log[2];
    log[6].thread = 3;
    CHECK_INT(STRICT(log), 1); /* … which needs the lock, too */
    log[1].value = hd_counted(0, 6); /* the wait takes another token, so it could come first */
    CHECK_INT(violations_in(log, 6, false), 1);
}

TEST(a_lock_tells_nothing)
{
    hd_op log[] = { OP(1, LOCK, M), ACCESS(1, WRITE, 0x0f, HD_OP_INITIAL), OP(1, UNLOCK, M), OP(2, LOCK, M),
        OP(2, LOCK, N), ON(2, WRITE) };
    CHECK_INT(STRICT(log), 0); /* it is a common lock */
    log[3].object = RW;
    log[0].object = log[2].object = N;
    CHECK_INT(STRICT(log), 0);
    log[0].object = log[2].object = M;
    CHECK_INT(STRICT(log), 1);
}

TEST(what_others_have_used_before_cannot_be_initialised)
{
    hd_op log[] = { OP(2, LOCK, M), ON(2, WRITE), OP(2, UNLOCK, M), ACCESS(1, WRITE, 0x0f, HD_OP_INITIAL) };
    CHECK_INT(STRICT(log), 1);
    CHECK_INT(violation_found.second, 3);
}

TEST(a_new_thread_in_a_slot_holds_nothing)
{
    hd_op log[] = { OP(1, LOCK, M), { .kind = HD_EDGE, .thread = 1, .mask = HD_WAIT_NONE }, ON(1, WRITE),
        OP(2, LOCK, M), ON(2, WRITE) };
    CHECK_INT(STRICT(log), 1);
}

TEST(withdrawn_and_solitary_accesses_do_not_count)
{
    hd_op log[] = { ACCESS(1, WRITE, 0x0f, HD_OP_WITHDRAWN), ACCESS(0, WRITE, 0x0f, HD_OP_ALONE),
        ACCESS(3, READ, 0x0f, HD_OP_LOOK), ON(2, WRITE) };
    CHECK_INT(STRICT(log), 0);
    log[0].flags = 0;
    CHECK_INT(STRICT(log), 1);
}

/* The next log keeps a part of the last one. */
static uint32_t draw_log(hd_rng *rng, hd_op *log, uint32_t room)
{
    static const uint8_t locks[] = { HD_LOCK, HD_UNLOCK, HD_RDLOCK, HD_RDUNLOCK },
                         accesses[] = { HD_READ, HD_WRITE, HD_LOAD };
    uint32_t first = (uint32_t)hd_rng_below(rng, room);
    for (uint32_t i = first; i < room; i++) {
        hd_op *op = &log[i];
        *op = (hd_op) { .thread = (uint16_t)(1 + hd_rng_below(rng, 3)) };
        if (hd_rng_below(rng, 12) == 0) {
            *op = (hd_op) { .kind = HD_EDGE, .thread = op->thread, .mask = HD_WAIT_NONE };
        } else if (hd_rng_below(rng, 2)) {
            op->kind = locks[hd_rng_below(rng, 4)];
            op->object = op->kind == HD_LOCK || op->kind == HD_UNLOCK ? (uint64_t)M + 8 * hd_rng_below(rng, 2) : RW;
        } else {
            op->kind = accesses[hd_rng_below(rng, 3)];
            op->object = (uint64_t)CELL + 8 * hd_rng_below(rng, 2);
            op->mask = (uint8_t)(1 + hd_rng_below(rng, 15));
        }
    }
    return (uint32_t)hd_rng_below(rng, room) + 1;
}

TEST(a_log_is_checked_from_where_it_differs_from_the_last)
{
    enum { ROOM = 40 };
    hd_op log[ROOM] = { 0 };
    hd_outcome outcome = { 0 };
    hd_rng rng;
    hd_rng_seed(&rng, 7);
    draw_log(&rng, log, ROOM);
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1 }, &hd_heap);
    for (uint32_t i = 0; i < 3000; i++) {
        hd_execution e = { .log = log, .log_count = draw_log(&rng, log, ROOM), .outcome = &outcome };
        violation_found.count = 0;
        hd_lockset_check(l, &e, note, NULL);
        CHECK(hd_lockset_is_valid(l));
        uint32_t found = violation_found.count;
        CHECK_INT(violations_in(log, e.log_count, false), found);
    }
    hd_lockset_close(l);
}

/* Only the candidates of the first execution are gone; the sets are the same. */
TEST(executions_are_checked_one_by_one)
{
    hd_op first[] = { OP(1, LOCK, M), ON(1, WRITE), OP(1, UNLOCK, M) }, second[] = { ON(2, WRITE) };
    hd_outcome outcome = { 0 };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1 }, &hd_heap);
    violation_found.count = 0;
    hd_lockset_check(l, &(hd_execution) { .log = first, .log_count = 3, .outcome = &outcome }, note, NULL);
    hd_lockset_check(l, &(hd_execution) { .log = second, .log_count = 1, .outcome = &outcome }, note, NULL);
    CHECK_INT(violation_found.count, 0);
    hd_lockset_close(l);
    CHECK(!hd_lockset_open(&(hd_settings) { 0 }, &hd_heap));
}

/* What the discipline allows thread `thread` next at CELL, if it is about to take `lock`: bit 0 a read, bit 1 a write.
 */
static int allowed_next(hd_lockset *l, uint32_t thread, uint64_t lock, bool exclusive)
{
    const hd_lockset_next n = { thread, lock, exclusive };
    return hd_lockset_allows(l, &n, CELL, 4, false) | hd_lockset_allows(l, &n, CELL, 4, true) << 1;
}

enum { NOTHING, READS, ALL = 3 };

TEST(eraser_allows_by_mode)
{
    const hd_op log[] = { ON(1, WRITE), OP(2, LOCK, M), ON(2, READ), ON(2, WRITE), OP(2, UNLOCK, M) };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1, .eraser = 1 }, &hd_heap);
    hd_lockset_follow(l, log, 0); /* virgin */
    CHECK_INT(allowed_next(l, 3, 0, false), ALL);
    CHECK(hd_lockset_allows_new(l, &(hd_lockset_next) { .thread = 3 }, true));
    hd_lockset_follow(l, log, 1); /* exclusive */
    CHECK_INT(allowed_next(l, 1, 0, false), ALL);
    CHECK_INT(allowed_next(l, 3, 0, false), READS);
    CHECK_INT(allowed_next(l, 3, RW, false), READS);
    CHECK_INT(allowed_next(l, 3, N, true), ALL);
    hd_lockset_follow(l, log, 3); /* shared; thread 2 holds the candidate */
    CHECK_INT(allowed_next(l, 2, 0, false), ALL);
    CHECK_INT(allowed_next(l, 3, N, true), READS);
    CHECK_INT(allowed_next(l, 3, M, true), ALL);
    hd_lockset_follow(l, log, 5); /* shared and modified */
    CHECK_INT(allowed_next(l, 2, 0, false), NOTHING);
    CHECK_INT(allowed_next(l, 3, N, true), NOTHING);
    CHECK_INT(allowed_next(l, 3, M, true), ALL);
    hd_lockset_close(l);
}

TEST(mld_prime_allows_with_a_candidate_alone)
{
    const hd_op log[] = { OP(1, WRLOCK, RW), ON(1, WRITE), OP(1, WRUNLOCK, RW), OP(2, RDLOCK, RW), ON(2, READ) };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1 }, &hd_heap);
    hd_lockset_follow(l, log, 0); /* virgin */
    CHECK_INT(allowed_next(l, 3, 0, false), NOTHING);
    CHECK_INT(allowed_next(l, 3, M, true), ALL);
    CHECK(!hd_lockset_allows_new(l, &(hd_lockset_next) { .thread = 3 }, false));
    CHECK(hd_lockset_allows_new(l, &(hd_lockset_next) { 3, M, true }, true));
    hd_lockset_follow(l, log, 3); /* exclusive */
    CHECK_INT(allowed_next(l, 1, 0, false), NOTHING);
    CHECK_INT(allowed_next(l, 1, M, true), NOTHING);
    CHECK_INT(allowed_next(l, 3, RW, true), ALL);
    CHECK_INT(allowed_next(l, 3, RW, false), READS);
    hd_lockset_follow(l, log, 5); /* shared and modified; thread 2 holds a read lock */
    CHECK_INT(allowed_next(l, 2, 0, false), READS);
    CHECK_INT(allowed_next(l, 3, M, true), NOTHING);
    hd_lockset_close(l);
}

TEST(kept_candidates_allow_less)
{
    const hd_op log[] = { OP(1, LOCK, M), ON(1, WRITE), OP(1, UNLOCK, M), OP(2, LOCK, M), ON(2, WRITE),
        OP(2, UNLOCK, M) };
    hd_outcome outcome = { 0 };
    const hd_execution e = { .log = log, .log_count = sizeof log / sizeof *log, .outcome = &outcome };
    for (uint32_t same = 0; same < 2; same++) {
        hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1, .same_lock = same }, &hd_heap);
        hd_lockset_keep(l, &e);
        hd_lockset_follow(l, log, 0);
        CHECK_INT(allowed_next(l, 3, N, true), same ? NOTHING : ALL);
        CHECK_INT(allowed_next(l, 3, M, true), ALL);
        hd_lockset_close(l);
    }
}

TEST(broken_invariants_are_noticed)
{
    hd_op log[] = { OP(1, LOCK, M), OP(1, LOCK, N), ON(1, WRITE), ACCESS(1, WRITE, 0xf0, 0), OP(1, UNLOCK, N),
        ON(2, WRITE) };
    hd_outcome outcome = { 0 };
    hd_lockset *l = hd_lockset_open(&(hd_settings) { .discipline = 1 }, &hd_heap);
    hd_lockset_check(l, &(hd_execution) { .log = log, .log_count = 6, .outcome = &outcome }, note, NULL);
    hd_lockset_variable *v = &l->variables.items[l->cells.count ? *hd_map_get(&l->cells, CELL) - 1 : 0];
    CHECK_NOTICED(hd_lockset_is_valid(l), l->sets.locks.items[0], (uint64_t)~0ull);
    CHECK_NOTICED(hd_lockset_is_valid(l), l->sets.sets.items[1].count, 0);
    CHECK_NOTICED(hd_lockset_is_valid(l), v->mask, 0xff);
    CHECK_NOTICED(hd_lockset_is_valid(l), v->cell, 0);
    CHECK_NOTICED(hd_lockset_is_valid(l), v->candidates, 1000);
    CHECK_NOTICED(hd_lockset_is_valid(l), l->variables.items[0].written, false);
    hd_lockset_close(l);
}

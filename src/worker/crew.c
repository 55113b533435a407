#include "worker/crew.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static bool map_part(int fd, uint64_t from, uint64_t to, hd_error *error)
{
    void *where = (void *)from;
    return mmap(where, to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd,
               (off_t)(from - HD_ENGINE_BASE))
        == where
        || hd_fail(error, "cannot map the memory that workers share: %s", strerror(errno));
}

bool hd_crew_map(int fd, bool findings, hd_error *error)
{
    return map_part(fd, HD_CREW_BASE, HD_CREW_BASE + HD_CREW_SIZE, error)
        && (!findings || map_part(fd, HD_KEEP_BASE, HD_RUN_BASE, error));
}

void hd_crew_init(uint32_t every)
{
    hd_crew *c = hd_crew_here();
    madvise(c, HD_CREW_SIZE, MADV_REMOVE);
    *c = (hd_crew) { 0 };
    hd_region_init(&c->region, c + 1, (void *)(HD_CREW_BASE + HD_CREW_SIZE));
    hd_pieces_init(&c->pieces, every, &c->region.memory);
}

void hd_crew_break(void)
{
    hd_crew_here()->broken = true;
    hd_crew_stop();
}

/* --- in a worker ----------------------------------------------------------------------------- */

static void nap(void)
{
    const struct timespec pause = { .tv_nsec = 200000 };
    nanosleep(&pause, NULL);
}

bool hd_crew_enter(hd_session *s)
{
    hd_crew *c = hd_crew_here();
    if (!s->config.worker)
        return true;
    while (!c->together && !c->over && !s->stop)
        nap();
    if (!c->together || c->over)
        return false;
    s->target.runtime->options->settings.fork = c->forked;
    s->target.runtime->options->settings.real_files = c->real_files;
    s->target.fork = c->forked;
    s->target.real_files = c->real_files;
    hd_target_set_facts(&s->target, &c->facts);
    return true;
}

static void take_facts(hd_crew *c, const hd_session *s)
{
    hd_target_get_facts(&s->target, &c->facts, &c->region.memory);
    c->forked = s->target.fork;
    c->real_files = s->target.real_files;
}

static uint64_t executions_of(const hd_session *s)
{
    return s->counts.tests + s->counts.hunted + s->counts.blocked + s->counts.assumed;
}

/* Others can only join a search that has learned what there is to learn at its beginning. */
static void let_in(hd_crew *c, const hd_session *s)
{
    if (s->config.worker || !s->counts.tests)
        return;
    take_facts(c, s);
    c->executions = executions_of(s);
    __sync_synchronize();
    c->pieces.divides = c->together = true;
}

/* Numbers of threads and channels are learned without starting over when one is alone. */
static bool knows_more(const hd_crew *c, const hd_session *s)
{
    const hd_runtime *r = s->target.runtime;
    return memcmp(r->births, c->facts.births, sizeof c->facts.births) != 0
        || memcmp(r->channels, c->facts.channels, sizeof c->facts.channels) != 0;
}

/* Each execution is reserved before it is run, so together they do not run too many. */
static bool is_one_too_many(hd_crew *c, const hd_session *s)
{
    uint64_t number = __atomic_add_fetch(&c->executions, 1, __ATOMIC_RELAXED);
    return s->config.max_tests && number > s->config.max_tests;
}

bool hd_crew_goes_on(hd_session *s)
{
    hd_crew *c = hd_crew_here();
    if (!c->together)
        let_in(c, s);
    else if (knows_more(c, s))
        hd_crew_start_over(s);
    if (c->together && !c->over && is_one_too_many(c, s)) {
        hd_session_set_bound(s, "max-tests");
        hd_crew_stop();
    }
    return !c->over;
}

void hd_crew_stop(void)
{
    hd_crew *c = hd_crew_here();
    c->over = true;
    hd_pieces_stop(&c->pieces);
}

/* A search that is still alone starts over by itself. */
void hd_crew_start_over(hd_session *s)
{
    hd_crew *c = hd_crew_here();
    if (!c->together) {
        hd_pieces_fini(&c->pieces);
        hd_pieces_init(&c->pieces, c->pieces.every, &c->region.memory);
        return;
    }
    hd_lock_take(&c->pieces.lock, s->config.worker);
    if (!c->again)
        take_facts(c, s);
    c->again = true;
    hd_lock_release(&c->pieces.lock);
    hd_crew_stop();
}

void hd_crew_note_end(hd_session *s)
{
    const hd_crew *c = hd_crew_here();
    if (!c->together)
        hd_crew_stop(); /* those that wait have nothing to wait for */
    if (s->end != HD_END_NONDETERMINISTIC && !hd_pieces_are_explored(&c->pieces))
        s->end = HD_END_STOPPED;
}

void hd_crew_lock_findings(const hd_session *s)
{
    if (hd_crew_has(s))
        hd_lock_take(&hd_crew_here()->findings, s->config.worker);
}

void hd_crew_unlock_findings(const hd_session *s)
{
    if (hd_crew_has(s))
        hd_lock_release(&hd_crew_here()->findings);
}

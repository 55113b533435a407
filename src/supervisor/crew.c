#include "supervisor/crew.h"

#include "base/clock.h"
#include "worker/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* MOST_BROKEN: how often the crew starts over because a worker died in the engine. */
enum { TICK_MS = 50, MOST_BROKEN = 5, MOST_WORKERS = 256 };

/* A process that supervises one worker. */
typedef struct foreman {
    pid_t pid;
    int region_fd;
    hd_session *session; /* plain data of its session, where this process sees it */
} foreman;

/* What foremen tell besides their sessions. */
typedef struct hd_crew_news {
    bool failed[MOST_WORKERS];
    hd_error errors[MOST_WORKERS];
} hd_crew_news;

typedef struct crew {
    hd_supervisor *supervisor;
    const hd_supervisor_options *options;
    hd_session_config config;
    hd_session *sum; /* for ticks */
    hd_crew_news *news;
    foreman foremen[MOST_WORKERS];
    uint32_t count;
    double started;
    int line; /* its other end is open as long as there are foremen */
    /* From the run before, if it starts over: */
    hd_learned_facts facts;
    bool forked, real_files;
    uint64_t restarts;
} crew;

const char *hd_crew_cannot(const hd_session_config *config)
{
    return strcmp(config->explorer, "dpor") != 0 || *config->second ? "this explorer searches alone"
        : config->compose                                           ? "with composed steps one worker searches alone"
        : config->states                                            ? "--states counts with one worker"
        : config->count_lines                                       ? "lines are counted with one worker"
        : config->draw                                              ? "one worker draws"
        : config->judged                                            ? "findings are suppressed with one worker"
        : config->settings.discipline                               ? "one worker checks the lock discipline"
                                                                    : NULL;
}

/* --- foremen --------------------------------------------------------------------------------- */

/* The learned facts, in the memory of the session. */
static void give_facts(const crew *c, hd_session *s)
{
    hd_learned_facts *to = &s->config.facts;
    size_t size = c->facts.shared_count * sizeof *c->facts.shared;
    *to = c->facts;
    if (size)
        to->shared = memcpy(hd_alloc(&s->region.memory, size), c->facts.shared, size);
}

static bool supervise(const crew *c, uint32_t worker, hd_error *error)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (i && i != worker)
            close(c->foremen[i].region_fd);
    if (!hd_supervisor_adopt(c->supervisor, c->foremen[worker].region_fd, true, error))
        return false;
    hd_session *s = hd_supervisor_session(c->supervisor);
    s->config = c->config;
    s->config.worker = worker;
    s->config.settings.fork |= c->forked;
    s->config.settings.real_files |= c->real_files;
    s->crew_fd = c->foremen[0].region_fd;
    s->started = c->started;
    give_facts(c, s);
    return hd_supervisor_run(c->supervisor, error);
}

static bool start_foreman(crew *c, uint32_t worker, int line, hd_error *error)
{
    foreman *f = &c->foremen[worker];
    fflush(NULL);
    f->pid = fork();
    if (f->pid < 0)
        return hd_fail(error, "cannot start a worker: %s", strerror(errno));
    if (f->pid)
        return true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(c->line);
    c->news->failed[worker] = !supervise(c, worker, &c->news->errors[worker]);
    close(line);
    _exit(0);
}

static void *map_shared(int fd, size_t size)
{
    int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    return got == MAP_FAILED ? NULL : got;
}

static bool open_regions(crew *c, hd_error *error)
{
    for (uint32_t i = 0; i < c->count; i++) {
        foreman *f = &c->foremen[i];
        f->region_fd = i ? hd_region_make(error) : hd_supervisor_region(c->supervisor);
        if (f->region_fd < 0)
            return false;
        f->session = i ? map_shared(f->region_fd, sizeof(hd_session)) : hd_supervisor_session(c->supervisor);
        if (!f->session)
            return hd_fail(error, "cannot map the memory that workers share: %s", strerror(errno));
    }
    return true;
}

static bool start(crew *c, hd_error *error)
{
    int line[2];
    if (pipe2(line, O_CLOEXEC) < 0)
        return hd_fail(error, "cannot start a worker: %s", strerror(errno));
    c->line = line[0];
    bool started = true;
    for (uint32_t i = 0; started && i < c->count; i++)
        started = start_foreman(c, i, line[1], error);
    close(line[1]);
    return started;
}

static void end_foremen(crew *c, bool kill_them)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (kill_them && c->foremen[i].pid > 0)
            kill(c->foremen[i].pid, SIGKILL);
        while (c->foremen[i].pid > 0 && waitpid(c->foremen[i].pid, NULL, 0) < 0 && errno == EINTR) { }
        c->foremen[i].pid = 0;
    }
    close(c->line);
}

/* --- sums --------------------------------------------------------------------------------------- */

static void add_text(char *to, const char *from, size_t size)
{
    if (!*to)
        snprintf(to, size, "%s", from);
}

static void add_counts(hd_run_counts *to, const hd_run_counts *c)
{
    to->tests += c->tests;
    to->hunted += c->hunted;
    to->blocked += c->blocked;
    to->events += c->events;
    to->replayed += c->replayed;
    to->assumed += c->assumed;
    to->restarts += c->restarts;
    to->deep += c->deep;
    to->hung += c->hung;
    to->hung_at = to->hung_at ? to->hung_at : c->hung_at;
    to->full += c->full;
    add_text(to->full_at, c->full_at, sizeof to->full_at);
    to->endless += c->endless;
    add_text(to->endless_text, c->endless_text, sizeof to->endless_text);
    to->unseen += c->unseen;
    add_text(to->unseen_at, c->unseen_at, sizeof to->unseen_at);
    to->clocked += c->clocked;
    add_text(to->clocked_at, c->clocked_at, sizeof to->clocked_at);
    to->patient += c->patient;
    to->expired += c->expired;
    to->limited += c->limited;
    to->inputs = to->inputs > c->inputs ? to->inputs : c->inputs;
    to->compared += c->compared;
    to->differed += c->differed;
    to->comparing += c->comparing;
}

static void add_notices(hd_session *to, const hd_session *s)
{
    for (uint32_t i = 0; i < s->notice_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < to->notice_count; k++)
            known |= !strcmp(to->notices[k], s->notices[i]);
        if (!known)
            hd_session_add_notice(to, s->notices[i]);
    }
}

/* The first worker that cannot go on for a reason of its own decides; all are complete if all pieces are explored. */
static hd_run_end worse(hd_run_end a, hd_run_end b)
{
    static const int rank[] = { [HD_END_COMPLETE] = 0,
        [HD_END_BOUNDED] = 1,
        [HD_END_EXHAUSTED] = 2,
        [HD_END_STOPPED] = 3,
        [HD_END_NONDETERMINISTIC] = 4 };
    return rank[a] < rank[b] ? b : a;
}

static void add_session(hd_session *to, const hd_session *s)
{
    add_counts(&to->counts, &s->counts);
    add_notices(to, s);
    for (uint32_t i = 0; i < HD_SESSION_FINDINGS; i++)
        to->met[i] += s->met[i];
    add_text(to->bound, s->bound, sizeof to->bound);
    if (*s->failure && !*to->failure)
        to->failure_status = s->failure_status;
    add_text(to->failure, s->failure, sizeof to->failure);
    to->deaths += s->deaths;
    to->end = worse(to->end, s->end);
    for (uint32_t i = 0; i < s->foreign_count && to->foreign_count < HD_FOREIGN_ROOM; i++)
        if (!hd_session_has_foreign(to, &s->foreign[i]))
            to->foreign[to->foreign_count++] = s->foreign[i];
    to->stripped |= s->stripped;
    to->stop |= s->stop;
    add_text(to->wanted, s->wanted, sizeof to->wanted);
}

static void sum_up(const crew *c, hd_session *to)
{
    for (uint32_t i = 1; i < c->count; i++)
        add_session(to, c->foremen[i].session);
    to->counts.restarts += c->restarts;
    to->counts.progress = -1;
}

/* --- watching ------------------------------------------------------------------------------------- */

static void tick(crew *c)
{
    if (!c->options->tick)
        return;
    memcpy(c->sum, c->foremen[0].session, sizeof *c->sum);
    sum_up(c, c->sum);
    c->options->tick(c->options->context, c->sum);
}

/* Has a worker ended before everything was explored, for a reason of its own? */
static bool has_stopped(const hd_session *s)
{
    return s->ended && s->end != HD_END_COMPLETE;
}

static void look(crew *c)
{
    bool due = c->options->ending && hd_ending_is_due(c->options->ending, 0), over = due;
    for (uint32_t i = 0; i < c->count; i++) {
        hd_session *s = c->foremen[i].session;
        s->stop |= due;
        over |= has_stopped(s) || c->news->failed[i];
    }
    if (over)
        hd_crew_stop();
}

/* Waits until all foremen have ended; true: what they share is as it should be. */
static bool watch(crew *c)
{
    struct pollfd line = { .fd = c->line, .events = POLLIN };
    bool broken = false;
    while (!broken && poll(&line, 1, TICK_MS) <= 0) {
        look(c);
        tick(c);
        broken = hd_crew_here()->broken;
    }
    broken |= hd_crew_here()->broken;
    end_foremen(c, broken);
    return !broken;
}

/* --- starting over -------------------------------------------------------------------------------- */

static void forget_facts(crew *c)
{
    hd_release(&hd_heap, (void *)c->facts.shared, c->facts.shared_count * sizeof *c->facts.shared);
    c->facts = (hd_learned_facts) { 0 };
}

static void keep_facts(crew *c)
{
    const hd_crew *shared = hd_crew_here();
    if (!shared->together)
        return; /* the first worker learns them again */
    forget_facts(c);
    size_t size = shared->facts.shared_count * sizeof *shared->facts.shared;
    c->facts = shared->facts;
    c->facts.shared = size ? memcpy(hd_alloc(&hd_heap, size), shared->facts.shared, size) : NULL;
    c->forked = shared->forked;
    c->real_files = shared->real_files;
}

static void add_restarts(crew *c)
{
    c->restarts++;
    for (uint32_t i = 0; i < c->count; i++)
        c->restarts += c->foremen[i].session->counts.restarts;
}

/* Runs the crew until it need not start over. */
static bool run(crew *c, hd_error *error)
{
    bool again = true;
    for (uint32_t broken = 0; again;) {
        hd_crew_init(c->config.divide);
        if (!start(c, error)) {
            end_foremen(c, true);
            return false;
        }
        bool sound = watch(c);
        broken += !sound;
        again = (!sound && broken < MOST_BROKEN) || hd_crew_here()->again;
        if (!sound && !again)
            return hd_fail(error, "workers died %u times in the engine", broken);
        if (again) {
            keep_facts(c);
            add_restarts(c);
        }
    }
    return true;
}

/* All may have stopped because the end is due, before a worker has noticed that. */
static void note_due(const crew *c, hd_session *s)
{
    bool due = c->options->ending && hd_ending_is_due(c->options->ending, 0);
    const char *bound = due && s->end == HD_END_STOPPED && !*s->bound ? hd_session_due(s) : NULL;
    if (bound)
        hd_session_set_bound(s, bound);
}

static bool take_error(const crew *c, hd_error *error)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->news->failed[i]) {
            *error = c->news->errors[i];
            return false;
        }
    return true;
}

static void crew_close(crew *c)
{
    for (uint32_t i = 1; i < c->count; i++) {
        if (c->foremen[i].session)
            munmap(c->foremen[i].session, sizeof(hd_session));
        if (c->foremen[i].region_fd > 0)
            close(c->foremen[i].region_fd);
    }
    forget_facts(c);
    if (c->news)
        munmap(c->news, sizeof *c->news);
    munmap(hd_crew_here(), HD_CREW_SIZE);
    hd_release(&hd_heap, c->sum, sizeof *c->sum);
    hd_release(&hd_heap, c, sizeof *c);
}

/* A sequence cannot be in the shared tree (pieces.h): one worker starts over. */
static bool run_alone(hd_supervisor *v, const hd_session_config *config, hd_error *error)
{
    if (!hd_supervisor_adopt(v, hd_supervisor_region(v), false, error))
        return false;
    hd_session *s = hd_supervisor_session(v);
    s->config = *config;
    s->config.jobs = 1;
    hd_session_add_notice(s, "what an operation does elsewhere is not known before it runs there: one worker searches");
    return hd_supervisor_run(v, error);
}

bool hd_crew_run(hd_supervisor *v, const hd_supervisor_options *options, hd_error *error)
{
    crew *c = hd_alloc(&hd_heap, sizeof *c);
    hd_session *s = hd_supervisor_session(v);
    *c = (crew) {
        .supervisor = v, .options = options, .config = s->config, .count = s->config.jobs, .started = hd_now()
    };
    c->sum = hd_alloc(&hd_heap, sizeof *c->sum);
    c->news = map_shared(-1, sizeof *c->news);
    bool refused = false;
    bool ran = c->news && open_regions(c, error) && hd_crew_map(c->foremen[0].region_fd, false, error) && run(c, error)
        && take_error(c, error);
    if (ran) {
        refused = hd_crew_here()->pieces.refused;
        sum_up(c, s);
        note_due(c, s);
    }
    hd_session_config config = c->config;
    crew_close(c);
    return refused ? run_alone(v, &config, error) : ran;
}

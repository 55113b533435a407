/* The session: what supervisor and worker share, at the start of the region. It is plain data,
 * written by one side at a time: the supervisor fills in `config`, the worker the rest. A byte on
 * the pipe between them announces news. Its structs are open because their layout is the protocol
 * between the two processes. */
#ifndef HD_WORKER_SESSION_H
#define HD_WORKER_SESSION_H

#include "events/events.h"
#include "explore/minimise.h"
#include "explore/run.h"
#include "worker/batch.h"
#include "worker/coverage.h"
#include "worker/image.h"
#include "worker/region.h"
#include "worker/recorded_run.h"

#define HD_SESSION_MAGIC 0x0031656c64646568ull

enum { HD_SESSION_FINDINGS = 256, HD_SESSION_NOTICES = 16, HD_SESSION_RACES = 1024 };

typedef enum hd_session_mode { HD_MODE_EXPLORE, HD_MODE_REPLAY, HD_MODE_BATCH } hd_session_mode;

typedef struct hd_session_config {
    hd_session_mode mode;
    char explorer[32];
    char second[32]; /* an explorer that takes turns with the first; "": none */
    uint64_t seed, max_tests;
    uint64_t memory; /* limit of the engine's memory in bytes; 0: a share of the machine's */
    double seconds; /* the time limit; 0: none. `until` says when that is */
    hd_settings settings;
    uint32_t pct_depth, solver_time; /* the last in milliseconds */
    hd_bounded bounded; /* schedules that exceed a bound are left out … */
    uint32_t most; /* … of so many preemptions or delays */
    bool compose; /* sss, dpor: steps are composed */
    bool exits; /* sss, if-sss: … and end only where locks are given back */
    hd_dependency dependency; /* sss, if-sss */
    hd_reach_mode reach;
    bool persistent; /* sss, if-sss: persistent sets from static bounds */
    bool hunts; /* hunters look for bugs beside the exploration (explore/turns.h) */
    bool judged; /* findings may be suppressed: each is kept on its own, and the search can go on after it */
    uint32_t draw; /* of the explorer's graph, so many events are drawn; 0: none */
    bool states, stop_at_first, show_output, debugged;
    bool links; /* the session ends where a program is met that could be linked in: hd_session.wanted */
    bool races_last; /* stop_at_first: a data race does not end the search at all */
    bool cover; /* record statements and branches */
    bool count_lines; /* … and count the executions that reach each line */
    bool record_events; /* record the events of all executions, for this net: */
    hd_net net;
    uint32_t stop_at; /* debugged: the log entry to stop at, or ~0 */
    /* Replays: what to follow (a schedule or records), and the key of the finding that it should show. */
    const hd_choice *schedule;
    uint32_t schedule_count;
    const hd_given *given; /* inputs */
    uint32_t given_count;
    const hd_step_record *records;
    uint32_t record_count;
    uint64_t key;
    hd_learned_facts facts; /* of earlier runs */
    uint32_t jobs; /* the search is one of so many workers (worker/crew.h); 0 or 1: of one */
    uint32_t worker; /* the number of this one */
    uint32_t divide; /* dpor: executions of a piece before it is divided among workers; 0: at every opportunity */
} hd_session_config;

/* A finding with the test that shows it. */
typedef struct hd_found {
    hd_finding finding;
    hd_test_case test, shorter;
    hd_learned_facts facts; /* as of then: cells learned to be shared later would change the steps */
    bool tried; /* to minimise the test */
    bool has_shorter; /* the result is complete */
    bool cut; /* minimising ended before it was through */
    bool suppressed; /* set by the supervisor: it does not end the search */
} hd_found;

/* Data races on one variable are one finding, and so are violations of the lock discipline. This is a further pair of
 * source positions at which it was seen. */
typedef struct hd_found_race {
    uint64_t key;
    uint32_t found; /* index of the finding */
    char places[2][96];
} hd_found_race;

/* Findings are kept apart from the engine's memory and only ever added. So none is lost when a
 * checkpoint is restored or the search starts over. */
typedef struct hd_keep {
    hd_region region; /* for the tests that show them */
    hd_found found[HD_SESSION_FINDINGS];
    uint32_t found_count;
    hd_found_race races[HD_SESSION_RACES];
    uint32_t race_count;
    double minimising; /* seconds spent on minimising */
    double replaying; /* seconds that replays of the findings will take, roughly */
    uint64_t hunt_until; /* stop_at_first: a data race was found, and the search ends after this number of operations */
    bool more_races; /* stop_at_first: other data races were seen, and are not kept */
} hd_keep;

/* What was done of a search before this command. */
typedef struct hd_session_past {
    double seconds;
    uint64_t executions;
} hd_session_past;

/* What the worker is doing, in case it dies. CHILD: it waits for a process that runs the program. */
typedef enum hd_session_phase { HD_PHASE_NEW, HD_PHASE_ENGINE, HD_PHASE_PROGRAM, HD_PHASE_CHILD } hd_session_phase;

typedef struct hd_session {
    uint64_t magic;
    hd_session_config config;
    volatile int stop; /* set by the supervisor: the worker is to stop */
    int crew_fd; /* the file of what the crew shares; 0: the worker is alone */
    double started, until; /* the time at which it is to stop, in terms of hd_now; 0: no limit */
    volatile int phase;

    hd_run_counts counts;
    uint64_t met[HD_SESSION_FINDINGS]; /* per finding: the executions that ended with it */
    hd_keep *keep;
    char notices[HD_SESSION_NOTICES][400];
    uint32_t notice_count;
    const char *drawing; /* if asked for: the explorer's graph */
    size_t drawing_size;
    bool ended;
    hd_run_end end;
    bool lean; /* the first explorer has filled the memory: the second continues alone */
    char bound[16]; /* why it stopped: "max-tests", "time", "interrupted", "findings"; or "" */

    hd_learned_facts facts; /* what was learned, for the tests of a suite */
    char wanted[HD_PATH_ROOM]; /* hd_runtime.wanted */
    uint32_t deaths; /* of workers */
    char failure[400]; /* if workers fail permanently: the reason */
    int failure_status; /* and heddle's exit status if there are no findings */
    bool again; /* a replay learned something and needs another process */
    uint32_t tries; /* how often that happened */
    hd_foreign foreign[HD_FOREIGN_ROOM]; /* calls of code that heddle did not compile */
    uint32_t foreign_count;
    bool
        stripped; /* the program has code without symbols: calls of code that heddle did not compile may go unnoticed */
    uint64_t program_base; /* where the program's file is loaded */

    /* What a search needs that goes on from a checkpoint, as of then. */
    hd_known known; /* what runs had learned */
    hd_image image; /* the files of code that all addresses are of */
    bool went_back; /* set when a checkpoint is restored: the next worker begins with `known` */
    bool continued; /* by this command, from a file (supervisor/search_file.h) */
    hd_session_past past; /* of a search that was continued: what earlier commands did */
    char changed[400]; /* set by the worker: why the search cannot go on here; "": it can */

    hd_events *events; /* if recorded */
    hd_coverage *coverage; /* if counted */
    hd_batch batch;
    hd_recorded_run recorded; /* of a replay */

    hd_region region;
    hd_target target;
    hd_run *run;
} hd_session;

/* False: there are too many already. */
bool hd_session_add_notice(hd_session *s, const char *text);

void hd_session_set_bound(hd_session *s, const char *which);

bool hd_session_has_foreign(const hd_session *s, const hd_foreign *call);

/* When exploring must stop: some time before `until` if there are findings to replay; 0: no limit. */
double hd_session_deadline(const hd_session *s);

/* The bound at which it must end now: "time" or "interrupted"; NULL: it goes on. */
const char *hd_session_due(const hd_session *s);

/* Why not everything was explored; NULL if everything was, or if a finding ended the search. */
const char *hd_session_bound(const hd_session *s);

/* Bytes on the pipe to the supervisor. */
enum { HD_NEWS_FINDING = 'F', HD_NEWS_NOTICE = 'N', HD_NEWS_END = 'E' };

#endif

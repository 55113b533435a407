/* The result of making a suite as plain data, and its reports: text and JSON. */
#ifndef HD_SUITE_SUITE_REPORT_H
#define HD_SUITE_SUITE_REPORT_H

#include "suite/suite_maker.h"

/* A test that was added, kept or dropped. */
typedef struct hd_suite_fate_line {
    uint32_t number;
    hd_suite_fate fate;
    const char *finding; /* what it shows, or NULL */
} hd_suite_fate_line;

typedef struct hd_suite_result {
    const char *program, *suite; /* as the user named them */
    const char *explorer, *net, *cover, *method;
    bool complete;
    const char *bound; /* why not everything was explored, or NULL */
    bool lost_ways; /* an execution reached more statements than can be recorded */
    uint64_t executions, blocked;
    uint32_t events, goals, unreached;
    uint32_t seen; /* events; only the first ones are covered if a signal ended exploring */
    bool written; /* there was a test to write */
    bool cut; /* the end came before every test was run */
    uint32_t lost; /* goals of tests that --max has left out */
    const char *const *lost_goals; /* their texts */
    uint32_t most; /* --max; 0: no limit */
    uint32_t tests, kept, added, dropped;
    uint32_t mended; /* chosen tests that did not do what they claimed */
    uint32_t lower; /* no suite has fewer tests; 0: not known */
    bool chosen_early; /* the method was stopped before it had finished */
    uint32_t findings; /* of exploring */
    uint32_t failures; /* those of them that are bugs */
    uint32_t failing; /* tests that show a failure */
    double explore_seconds, choose_seconds;
    const hd_suite_fate_line *lines;
    size_t line_count;
} hd_suite_result;

/* What the maker has made, after its tests have numbers; `program`, `suite`, `written`, `net`, `cover` and
 * `method` are left to the caller. Texts are in `arena`. */
hd_suite_result hd_suite_result_take(const hd_suite_maker *x, hd_arena *arena);

/* What happened to each test. */
void hd_suite_print_updates(const hd_suite_result *r, FILE *out);

/* What tests found, and the verdict. */
void hd_suite_print(const hd_suite_result *r, FILE *out);

bool hd_suite_write_json(const hd_suite_result *r, const char *path, hd_error *error);

/* The exit status. */
int hd_suite_status(const hd_suite_result *r);

#endif

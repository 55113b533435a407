/* The replay file: a test as text. It has the program, the finding, the learned facts, and the schedule, one step per
 * line, identified by thread and source location:
 *
 *   heddle replay 1
 *   version 0.1.0
 *   program /home/me/philo
 *   argument -n
 *   depth 20000
 *   timeouts 1             (without this line: any)
 *   processors 4           (without this line: 2)
 *   options races
 *   shared 1f 2a
 *   threads 0.1 0.2 1.1
 *   symbolic arg 1 8
 *   kind deadlock
 *   key 9f3a…
 *   message deadlock: 2 threads are blocked forever
 *   slots 1 2 1            (if threads reuse slots)
 *   input T0 3 97 key[0]
 *   steps 3
 *   T1 lock philo.c:13
 *   T2 lock philo.c:13
 *   T2 choose philo.c:20 choice 1
 *   end
 *
 * A suite (suite/suite_file.h) has the lines of a head once, and those of a test for each of its tests.
 *
 * A backslash, a line feed and a carriage return in a text are written \\, \n
 * and \r. `argument`, `shared`, `symbolic` and `input` may be repeated or missing.
 * `symbolic` is a line of HD_ENV_SYMBOLIC (abi/wire.h). An input has its thread,
 * its number among that thread's inputs, its value, and for the reader its name.
 * `threads` says which threads T1, T2, … are: 1.1 is the first that T1 creates. It
 * is missing if the main thread creates all of them.
 *
 * Threads have the numbers that reports give them. If a thread runs in the slot of one that was joined
 * (runtime/sched/lives.h), they are numbered in the order of their creation, `slots` has the slot of T1, T2, …, and
 * `threads` is about slots.
 */
#ifndef HD_EVENT_RECORD_H
#define HD_EVENT_RECORD_H

#include "base/error.h"
#include "base/memory.h"
#include "event/plan.h"

#include <stdio.h>

typedef struct hd_input_record {
    hd_given given;
    const char *name;
    uint32_t thread_number; /* by which people know its thread */
    uint32_t number; /* among the inputs of this thread; given.number counts those of its slot */
} hd_input_record;

typedef struct hd_record {
    const char *version; /* of the heddle that wrote it */
    const char *program;
    char **arguments; /* without the program's name; NULL at the end */
    uint32_t argument_count;
    const char *kind, *message; /* of the finding */
    uint64_t key;
    hd_settings settings;
    hd_learned_facts facts;
    const char *symbolic; /* lines of HD_ENV_SYMBOLIC, or NULL */
    hd_input_record *inputs;
    uint32_t input_count;
    hd_step_record *steps;
    uint32_t step_count;
    const uint16_t *slots; /* by number of thread, from 0 (the main thread's) on; NULL: the numbers are slots */
    uint32_t slot_count;
} hd_record;

/* Fills in the arguments, which stay the caller's. */
void hd_record_set_arguments(hd_record *r, char **arguments);

/* Fills in the inputs of a run, in `arena`; the names stay the run's. They are only for readers of the file. The slots
 * must have been filled in. */
void hd_record_set_inputs(hd_record *r, const hd_input *inputs, uint32_t count, hd_arena *arena);

/* A replay file has two parts: the head says what tests of one suite have in common (program, arguments, settings,
 * learned facts, what is unknown), the rest is one test (what it shows, inputs, steps, and `end`). Check ferror on the
 * stream afterwards. */
void hd_record_write_head(const hd_record *r, FILE *out);
void hd_record_write_test(const hd_record *r, FILE *out);
void hd_record_write(const hd_record *r, FILE *out);

/* Writes a line with a word and a text. */
void hd_record_write_text(FILE *out, const char *name, const char *text);

/* Reads a whole file into `arena`. An error names the line. */
bool hd_record_read(hd_record *r, const char *path, hd_arena *arena, hd_error *error);

/* --- reading line by line: for files that hold records among other lines --- */

typedef struct hd_record_reader hd_record_reader;

/* `what` the file is, for errors: "replay file". NULL: it cannot be read. */
hd_record_reader *hd_record_reader_open(const char *path, const char *what, hd_arena *arena, hd_error *error);
void hd_record_reader_close(hd_record_reader *r);

/* The first line must be `start` and one of the formats up to `newest`, which is returned; 0: it is not. */
uint32_t hd_record_reader_header(hd_record_reader *r, const char *start, uint32_t newest);

/* The next line; NULL at the end of the file, or where it is cut off. */
char *hd_record_reader_line(hd_record_reader *r);

/* Reports what is wrong with the current line, or that the file ends after it; returns false. */
bool hd_record_reader_damaged(hd_record_reader *r, const char *what);
bool hd_record_reader_cut_off(hd_record_reader *r);

/* Parts of lines. */
bool hd_record_reader_text(hd_record_reader *r, const char **into, char *text);
bool hd_record_reader_number(hd_record_reader *r, const char *text, int base, uint64_t most, uint64_t *value);

/* A record begins; `head`: of a suite, or NULL. */
void hd_record_reader_begin(hd_record_reader *r, hd_record *record, const hd_record *head);

/* Reads a line of the record. */
bool hd_record_reader_take(hd_record_reader *r, char *line);

/* Are the lines that follow steps? Was the last one its `end`? */
bool hd_record_reader_is_in_steps(const hd_record_reader *r);
bool hd_record_reader_has_ended(const hd_record_reader *r);

/* The record is complete, but for the test if it is a head. */
bool hd_record_reader_finish(hd_record_reader *r, bool is_head);

enum { HD_STEP_TEXT = 4200 };

/* One step as in the file, without the line feed. */
void hd_record_step_text(const hd_step_record *s, char *text, size_t size);

#endif

/* The replay file: a test as text. It has the program, the finding, the learned facts, and the schedule, one step per
 * line, identified by thread and source location:
 *
 *   heddle replay 1
 *   version 0.1.0
 *   program /home/me/philo
 *   argument -n
 *   kind deadlock
 *   key 9f3a…
 *   message deadlock: 2 threads are blocked forever
 *   depth 20000
 *   timeouts 1             (without this line: any)
 *   processors 4           (without this line: 2)
 *   options races
 *   shared 1f 2a
 *   threads 0.1 0.2 1.1
 *   symbolic arg 1 8
 *   input T0 3 97 key[0]
 *   steps 3
 *   T1 lock philo.c:13
 *   T2 lock philo.c:13
 *   T2 choose philo.c:20 choice 1
 *   end
 *
 * A backslash, a line feed and a carriage return in a text are written \\, \n
 * and \r. `argument`, `shared`, `symbolic` and `input` may be repeated or missing.
 * `symbolic` is a line of HD_ENV_SYMBOLIC (abi/wire.h). An input has its thread,
 * its number among that thread's inputs, its value, and for the reader its name.
 * `threads` says which threads T1, T2, … are: 1.1 is the first that T1 creates. It
 * is missing if the main thread creates all of them.
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
} hd_record;

/* Fills in the arguments, which stay the caller's. */
void hd_record_set_arguments(hd_record *r, char **arguments);

/* Fills in the inputs of a run, in `arena`; the names stay the run's. They are only for readers of the file. */
void hd_record_set_inputs(hd_record *r, const hd_input *inputs, uint32_t count, hd_arena *arena);

/* Check ferror on the stream afterwards. */
void hd_record_write(const hd_record *r, FILE *out);

/* Reads a whole file into `arena`. An error names the line. */
bool hd_record_read(hd_record *r, const char *path, hd_arena *arena, hd_error *error);

/* For other files in the same format: reads a whole text file (`what` it should be, for the error); writes a line with
 * a word and a text; undoes the escapes of a text. */
char *hd_record_read_file(const char *path, const char *what, hd_arena *arena, hd_error *error);
void hd_record_write_text(FILE *out, const char *name, const char *text);
bool hd_record_unescape(char *text);

enum { HD_STEP_TEXT = 4200 };

/* One step as in the file, without the line feed. */
void hd_record_step_text(const hd_step_record *s, char *text, size_t size);

#endif

/* Runs SMT-LIB 2 scripts in Z3, in a process of its own, for optimisation. The process keeps its
 * state from one text to the next, has no time limit of its own, and can be killed at any moment. */
#ifndef HD_SYM_SCRIPT_H
#define HD_SYM_SCRIPT_H

#include "base/error.h"
#include "base/vec.h"

#include <stdint.h>
#include <sys/types.h>

typedef hd_vec(char) hd_script_text;

/* RUN: evaluate the text as a script. OPTIMISE: find an optimum (assert-soft) and return the
 * Booleans that are true in it; nothing of the text is kept. */
typedef enum hd_script_what { HD_SCRIPT_RUN = 'R', HD_SCRIPT_OPTIMISE = 'O' } hd_script_what;

typedef struct hd_script {
    pid_t process;
    int to, from;
    hd_script_text reply;
} hd_script;

/* Starts the solver at `path` (lib/heddle/smt). */
bool hd_script_open(hd_script *s, const char *path, hd_error *error);
void hd_script_close(hd_script *s);

/* Appends to a text. */
void hd_script_print(hd_script_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends the text and returns the reply, valid until the next call. NULL: `goes_on` returned false,
 * or the process died; then the connection is unusable. */
const char *hd_script_ask(
    hd_script *s, hd_script_what what, const hd_script_text *text, bool (*goes_on)(void *context), void *context);

#endif

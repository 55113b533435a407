/* Runs SMT-LIB 2 scripts in Z3, in a process of its own, for optimisation. The process keeps its
 * state from one text to the next, has no time limit of its own, and can be killed at any moment. */
#ifndef HD_SYM_SMT_H
#define HD_SYM_SMT_H

#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>

typedef hd_vec(char) hd_smt_text;

/* RUN: evaluate the text as a script. OPTIMISE: find an optimum (assert-soft) and return the
 * Booleans that are true in it; nothing of the text is kept. */
typedef enum hd_smt_what { HD_SMT_RUN = 'R', HD_SMT_OPTIMISE = 'O' } hd_smt_what;

typedef struct hd_smt hd_smt;

/* Starts the solver at `path` (lib/heddle/smt); NULL: it cannot be started. */
hd_smt *hd_smt_open(const char *path, hd_error *error);
void hd_smt_close(hd_smt *s); /* may be NULL */

/* Appends to a text. */
void hd_smt_print(hd_smt_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends the text and returns the reply, valid until the next call. NULL: `goes_on` returned false,
 * or the process died; then the connection is unusable. */
const char *hd_smt_ask(
    hd_smt *s, hd_smt_what what, const hd_smt_text *text, bool (*goes_on)(void *context), void *context);

#endif

/* Questions in SMT-LIB 2, asked of Z3 in a process of its own: what optimising needs.
 * The process keeps what it has been told from one text to the next, takes
 * whatever time it takes, and can be ended at any moment without harm. */
#ifndef HD_SYM_SCRIPT_H
#define HD_SYM_SCRIPT_H

#include "base/error.h"
#include "base/vec.h"

#include <stdint.h>
#include <sys/types.h>

typedef hd_vec(char) hd_script_text;

/* What to do with a text: run it as a script; or find an optimum of what it says (assert-soft), and give the
 * Booleans that are true in it, without keeping any of it. */
typedef enum hd_script_what { HD_SCRIPT_RUN = 'R', HD_SCRIPT_OPTIMISE = 'O' } hd_script_what;

typedef struct hd_script {
    pid_t process;
    int to, from;
    hd_script_text reply;
} hd_script;

/* Starts `path`, heddle's own program that solves. */
bool hd_script_open(hd_script *s, const char *path, hd_error *error);
void hd_script_close(hd_script *s);

/* Appends to a text. */
void hd_script_print(hd_script_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends the text and waits for what comes of it, a text that stays until the next
 * question; NULL: `goes_on` said no, or the process died. Then nothing can be asked any more. */
const char *hd_script_ask(
    hd_script *s, hd_script_what what, const hd_script_text *text, bool (*goes_on)(void *context), void *context);

#endif

/* Standard input of the tested program: the same bytes in every execution.
 *
 * A file is read from where it stood when heddle was started. What comes through
 * a pipe is kept in a file in memory when an execution first reads it, and that
 * file is standard input from then on, in all processes of the check. A
 * terminal is replaced by nothing, and the report says so if an execution
 * reads. Inputs of the search (--symbolic=stdin) are a file in memory, too.
 * The offset is put back as that of any other descriptor. */
#ifndef HD_RUNTIME_RESET_STDIN_H
#define HD_RUNTIME_RESET_STDIN_H

/* Makes descriptor 0 what executions read. `inputs` is a file in memory with inputs of the search, or -1. Run by
 * hand, descriptor 0 stays as it is. */
void hd_stdin_init(int inputs);

/* An execution is about to read from descriptor 0. */
void hd_stdin_used(void);

#endif
